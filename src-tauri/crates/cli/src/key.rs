//! `wdesk key`: whether customers' data can be decrypted, and a new key when the old one is lost.

use std::collections::BTreeMap;

use warranty_core::Desk;
use warranty_core::encryption::Customers;

use crate::args::KeyCommand;
use crate::{Context, Exit, Failure, messages, say};

pub async fn run(context: &Context, command: KeyCommand) -> Result<Exit, Failure> {
    let status = async |desk: &Desk| answer(context, desk.encryption.state().await?);
    let renew = async |desk: &Desk| {
        let renewed = desk.encryption.renew_key().await;
        let customers = renewed.map_err(Failure::unless_possible("keyThere"))?;
        say(messages::text("wdesk.keyRenewed", &[]));
        answer(context, customers)
    };
    match command {
        KeyCommand::Status => context.reading(status).await,
        KeyCommand::Renew => context.changing(renew).await,
    }
}

fn answer(context: &Context, customers: Customers) -> Result<Exit, Failure> {
    let document = BTreeMap::from([("customers", &customers)]);
    context.result(&document, || {
        format!("customers: {}\n", messages::customers(customers))
    })?;
    Ok(match customers {
        Customers::Readable => Exit::Done,
        Customers::Keychain(_) => Exit::Unusable,
        Customers::KeyLost => Exit::Person,
    })
}
