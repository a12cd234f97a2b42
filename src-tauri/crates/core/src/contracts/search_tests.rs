//! Searching by customer over many encrypted rows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::print_stdout,
    reason = "the figures of a proof are read from there"
)]

use std::sync::Arc;
use std::time::Instant;

use warranty_api::Personal;

use crate::contracts::{EntryFilter, SubmissionView};
use crate::encryption::{AssociatedData, BatchBinding};
use crate::{Desk, DeskOptions};
use warranty_model::outbox::samples::item;
use warranty_model::outbox::state::State;
use warranty_store::submissions::{NewBatch, NewEntry, NewSubmissions};
use warranty_store::test_fixtures;
use warranty_vault::MemoryVault;

/// Entries in one transaction.
const AT_ONCE: usize = 5_000;

fn rows() -> usize {
    match std::env::var("WARRANTY_PROVE").as_deref() {
        Ok("long") => 100_000,
        _ => 2_500,
    }
}

/// A desk with so many entries, each of a customer of its own.
async fn desk(folder: &tempfile::TempDir, rows: usize) -> Desk {
    let vault = Arc::new(MemoryVault::default());
    let desk = Desk::open(DeskOptions::new(folder.path().to_owned(), vault))
        .await
        .unwrap();
    let profile = test_fixtures::profile("profile", "https://sample.invalid");
    test_fixtures::keep(&desk.context.store, profile.clone()).await;
    desk.profiles.choose("profile").await.unwrap();
    let data_key = desk.encryption.key_for(&profile).await.unwrap();
    for first in (0..rows).step_by(AT_ONCE) {
        let mut freeze = NewSubmissions {
            base_url: profile.base_url.clone(),
            ..test_fixtures::freeze(0, &["nobody"])
        };
        freeze.batches.clear();
        freeze.entries.clear();
        for number in first..rows.min(first + AT_ONCE) {
            let key = uuid::Uuid::from_u128(u128::try_from(number).unwrap());
            let id = key.to_string();
            let place = BatchBinding {
                id: &id,
                profile_id: &freeze.profile_id,
                base_url: &freeze.base_url,
                key,
            };
            let body = data_key
                .encrypt(AssociatedData::Body(place), b"{}")
                .unwrap();
            let mut item = item(&format!("T-{number:06}"), "p", "a");
            item.customer.name = Personal::new(format!("ﾐﾎﾝ　{number}子"));
            item.customer.email = Personal::new(format!("customer{number:06}@sample.invalid"));
            freeze.batches.push(NewBatch {
                id: id.clone(),
                key,
                state: State::Queued,
                body,
                entry_ids: vec![id.clone()],
            });
            freeze.entries.push(NewEntry {
                customer: data_key
                    .encrypt_json(
                        AssociatedData::Customer(&id),
                        &(&item.customer.name, &item.customer.email),
                    )
                    .unwrap(),
                id,
                item,
                product_title: None,
                plan_title: None,
                price_checked: false,
                replaces: None,
            });
        }
        desk.context
            .store
            .freeze_submissions(freeze, Vec::new())
            .await
            .unwrap();
    }
    desk
}

async fn find(desk: &Desk, text: &str) -> Vec<SubmissionView> {
    let filter = EntryFilter {
        text: text.into(),
        limit: 50,
        ..EntryFilter::default()
    };
    desk.contracts.submissions(&filter).await.unwrap()
}

#[tokio::test]
async fn one_customer_among_many_is_found_by_name_or_email() {
    let rows = rows();
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(&folder, rows).await;
    let begun = Instant::now();
    // The oldest row: every other one is decrypted before it.
    let found = find(&desk, "Customer000000@").await;
    let through_all = begun.elapsed();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].transaction_id, "T-000000");
    assert_eq!(find(&desk, "ミホン 17子 000017").await.len(), 1);
    assert!(find(&desk, "nobody").await.is_empty());
    let begun = Instant::now();
    assert_eq!(find(&desk, "ミホン").await.len(), 50);
    println!(
        "PROOF search by customer: {rows} sealed rows, all of them opened in {} ms, the newest 50 \
         found in {} ms",
        through_all.as_millis(),
        begun.elapsed().as_millis()
    );
}
