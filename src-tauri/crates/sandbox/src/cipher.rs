//! Encryption of customer data in the database file, as the SQL functions `encrypted` and `decrypted`.
//!
//! Owns which columns are encrypted. The cipher itself comes from whoever starts the service.

use std::{fmt, sync::Arc};

use rusqlite::{
    Connection, Result,
    functions::FunctionFlags,
    types::{Value, ValueRef},
};

/// Encrypts the customer data in the sandbox's file, for programs in which users may type real customers.
pub trait Cipher: fmt::Debug + Send + Sync {
    /// The ciphertext to store; `None` when encryption fails.
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>>;
    /// The plaintext; `None` when this key cannot decrypt it.
    fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>>;
    /// Whether the key outlives the process. Rows that a persistent key cannot decrypt are lost for good and
    /// are deleted; a temporary key proves nothing about rows that another key encrypted.
    fn is_persistent(&self) -> bool;
}

/// Adds the SQL functions `encrypted(x)`, and `decrypted(x)`, which is NULL for what the key cannot decrypt.
/// Without a cipher both return their argument.
pub(crate) fn register_functions(
    connection: &Connection,
    cipher: Option<Arc<dyn Cipher>>,
) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let encrypting = cipher.clone();
    connection.create_scalar_function("encrypted", 1, flags, move |context| {
        let Some(cipher) = &encrypting else {
            return context.get(0);
        };
        let failed = || rusqlite::Error::UserFunctionError("the text cannot be encrypted".into());
        match context.get_raw(0) {
            ValueRef::Text(text) => {
                let ciphertext = cipher.encrypt(text).ok_or_else(failed)?;
                // A STRICT text column stores no bytes.
                Ok(Value::Text(hex::encode(ciphertext)))
            }
            ValueRef::Blob(bytes) => Ok(Value::Blob(cipher.encrypt(bytes).ok_or_else(failed)?)),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => context.get(0),
        }
    })?;
    connection.create_scalar_function("decrypted", 1, flags, move |context| {
        let Some(cipher) = &cipher else {
            return context.get(0);
        };
        Ok(match context.get_raw(0) {
            ValueRef::Text(digits) => hex::decode(digits)
                .ok()
                .and_then(|ciphertext| cipher.decrypt(&ciphertext))
                .and_then(|text| String::from_utf8(text).ok())
                .map_or(Value::Null, Value::Text),
            ValueRef::Blob(ciphertext) => {
                cipher.decrypt(ciphertext).map_or(Value::Null, Value::Blob)
            }
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Value::Null,
        })
    })
}

/// Deletes the rows that the key cannot decrypt.
pub(crate) fn delete_undecryptable(connection: &Connection) -> Result<()> {
    connection.execute_batch(
        "BEGIN IMMEDIATE;
         DELETE FROM contract WHERE decrypted(document) IS NULL;
         DELETE FROM kept_answer WHERE decrypted(answer) IS NULL;
         COMMIT;",
    )
}
