//! What the types of the interface have in common.
//!
//! Owns one rule: an optional field that is absent, null or of an unexpected type reads as `None` and
//! never spoils the answer it is in, because a discarded answer would leave a sale's outcome unknown.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// Declares types of the interface. Every field of type `Option` is read leniently.
macro_rules! wire {
    ($($item:item)+) => {$(
        #[serde_with::apply(
            Option => #[serde(default, deserialize_with = "super::wire::lenient")],
            Stated => #[serde(default)],
            Option<bool> => #[specta(type = Option<bool>)],
            Option<String> => #[specta(type = Option<String>)],
            Option<Count> => #[specta(type = Option<Count>)],
            Option<Personal> => #[specta(type = Option<Personal>)],
            Option<Address> => #[specta(type = Option<Address>)],
            Option<Store> => #[specta(type = Option<Store>)],
            Stated<ContractProduct> => #[specta(type = Option<ContractProduct>)],
            Option<PlanProduct> => #[specta(type = Option<PlanProduct>)],
            Option<LeadCustomer> => #[specta(type = Option<LeadCustomer>)],
            Option<MfrWarranty> => #[specta(type = Option<MfrWarranty>)],
            Stated<Amount> => #[specta(type = Option<Amount>)],
            Stated<Count> => #[specta(type = Option<Count>)],
            ContractAmount => #[serde(default, serialize_with = "super::stated::with_odd")],
            ContractAmount => #[specta(type = Option<super::stated::Odd<Amount>>)],
            Stated<String> => #[serde(serialize_with = "super::stated::with_odd")],
            Stated<String> => #[specta(type = Option<super::stated::Odd<String>>)],
            Stated<bool> => #[serde(serialize_with = "super::stated::with_odd")],
            Stated<bool> => #[specta(type = Option<super::stated::Odd<bool>>)],
            StoreReference => #[serde(default, serialize_with = "super::stated::as_it_came")],
            StoreReference => #[specta(type = Option<String>)],
        )]
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
        #[serde(rename_all = "camelCase")]
        $item
    )+};
}
pub(super) use wire;

/// Reads a field as `Some` when it has the expected type, else `None`.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    Ok(T::deserialize(value).ok())
}

/// Reads a field as its value when it has the expected type, else as the default.
pub(super) fn lenient_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    Ok(lenient(deserializer)?.unwrap_or_default())
}

/// Reads an array's readable items and passes over the others; anything but an array is empty.
pub(super) fn lenient_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let items: Option<Vec<Value>> = lenient(deserializer)?;
    let readable = items.into_iter().flatten();
    Ok(readable
        .filter_map(|item| T::deserialize(item).ok())
        .collect())
}
