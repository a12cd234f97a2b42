//! `wdesk key`: whether customers' data can be decrypted, and a new key when the old one is lost.

use serde::Serialize;
use warranty_core::encryption::Customers;

use crate::args::KeyCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages;
use crate::output::say;
use crate::session::Context;

/// The JSON document of every `key` command.
#[derive(Serialize)]
struct Document {
    customers: Customers,
}

/// Carries out a `key` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: KeyCommand) -> Result<Exit, Failure> {
    match command {
        KeyCommand::Status => {
            context
                .reading(async |session| answer(context, session.desk.encryption.state().await?))
                .await
        }
        KeyCommand::Renew => {
            context
                .changing(async |session| {
                    let customers = session.desk.encryption.renew_key().await?;
                    say(messages::text("wdesk.keyRenewed", &[]));
                    answer(context, customers)
                })
                .await
        }
    }
}

fn answer(context: &Context, customers: Customers) -> Result<Exit, Failure> {
    context.output.result(&Document { customers }, || {
        format!("customers: {}\n", messages::customers(customers))
    })?;
    Ok(match customers {
        Customers::Readable => Exit::Done,
        Customers::Keychain(_) => Exit::Unusable,
        Customers::KeyLost => Exit::Person,
    })
}
