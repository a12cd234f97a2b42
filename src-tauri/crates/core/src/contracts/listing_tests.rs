//! Lists over many encrypted entries: found by customer, in any order, as they change.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use chrono::{NaiveDate, TimeDelta};
use futures::FutureExt as _;
use futures::future::{BoxFuture, ready};
use tempfile::TempDir;
use warranty_api::{Amount, ContractItem, Personal, Timestamp, Token};

use crate::contracts::{EntryFilter, EntryPage, EntrySort, SubmissionView};
use crate::encryption::{DataKey, KeyCache};
use crate::outbox::{Resolution, SubmissionState};
use crate::search_text::name_key;
use crate::{Desk, DeskOptions, testing};
use warranty_model::contracts::preflight::PlanFindings;
use warranty_model::outbox::samples::item;
use warranty_store::test_fixtures;
use warranty_vault::{MemoryVault, Vault, VaultError, keychain_name};

/// Entries in one transaction.
const AT_ONCE: usize = 5_000;

fn rows() -> usize {
    if test_fixtures::is_long() {
        100_000
    } else {
        2_500
    }
}

/// What is sold with this number.
fn sold(number: usize) -> ContractItem {
    let names = [
        "ﾐﾎﾝ　花子",
        "髙橋 一郎",
        "山﨑　さくら",
        "渡邉　ﾀﾛｳ",
        "齋藤 濵子",
    ];
    let mut item = item(&format!("T-{number:06}"), "p", "a");
    let name = names[number % names.len()];
    item.customer.name = Personal::new(format!("{name}{number}"));
    item.customer.email = Personal::new(format!("customer{number:06}@sample.invalid"));
    item.plan.purchase_price = Amount::new(1_000 + i64::try_from(number % 7).unwrap()).unwrap();
    // One day after another, from noon on.
    let first = Timestamp::parse("2026-01-01T12:00:00+00:00").unwrap().get();
    let days = i64::try_from(number % 300).unwrap();
    item.transaction_date = Timestamp::new(first + TimeDelta::days(days));
    item
}

/// A keychain whose key comes back to the process just after it was said to be lost.
#[derive(Debug, Default)]
struct LateVault {
    kept: MemoryVault,
    late: Mutex<Option<(DataKey, Arc<KeyCache>)>>,
}

impl Vault for LateVault {
    fn token(&self, name: &str) -> BoxFuture<'_, Result<Option<Token>, VaultError>> {
        if self.late.lock().unwrap().is_some() {
            return ready(Ok(None)).boxed();
        }
        self.kept.token(name)
    }
    fn keep(&self, name: &str, token: Token) -> BoxFuture<'_, Result<(), VaultError>> {
        self.kept.keep(name, token)
    }
    fn forget(&self, name: &str) -> BoxFuture<'_, Result<(), VaultError>> {
        self.kept.forget(name)
    }
    fn forget_later(&self, name: &str) {
        self.kept.forget_later(name);
    }
    fn probe(&self) -> BoxFuture<'_, Result<(), VaultError>> {
        if let Some((key, keys)) = self.late.lock().unwrap().take() {
            keys.insert(key);
        }
        ready(Ok(())).boxed()
    }
}

/// A desk with so many entries, each of a customer of its own.
async fn desk(rows: usize) -> (TempDir, Desk) {
    let (folder, desk) = testing::new_desk().await;
    fill(&desk, rows).await;
    (folder, desk)
}

async fn fill(desk: &Desk, rows: usize) {
    let profile = test_fixtures::profile("profile", "https://sample.invalid");
    test_fixtures::keep(&desk.context.store, profile).await;
    desk.profiles.choose("profile").await.unwrap();
    for first in (0..rows).step_by(AT_ONCE) {
        enter(desk, first..rows.min(first + AT_ONCE)).await;
    }
}

/// Enters sales, each in a batch of its own.
async fn enter(desk: &Desk, numbers: Range<usize>) {
    let profile = desk.context.profile_now().await.unwrap();
    let data_key = desk.encryption.key_for(&profile).await.unwrap();
    let mut all = desk.contracts.new_submissions(&profile);
    // Later ones by staff that come first.
    all.user = format!("staff {:06}", 999_999 - numbers.start);
    for number in numbers {
        let id = uuid::Uuid::from_u128(u128::try_from(number).unwrap()).to_string();
        let findings = PlanFindings {
            product_title: Some(format!("見本の品 {}", number % 50)),
            ..PlanFindings::default()
        };
        let one = desk
            .contracts
            .new_submission(&data_key, &profile, id, sold(number), findings)
            .unwrap();
        all.batches.extend(one.batches);
        all.entries.extend(one.entries);
    }
    desk.context
        .store
        .freeze_submissions(all, Vec::new())
        .await
        .unwrap();
}

fn search(text: &str) -> EntryFilter {
    EntryFilter {
        text: text.into(),
        limit: 50,
        ..EntryFilter::default()
    }
}

async fn list(desk: &Desk, filter: &EntryFilter) -> EntryPage {
    desk.contracts.list(filter).await.unwrap()
}

async fn count(desk: &Desk, text: &str) -> u32 {
    list(desk, &search(text)).await.count
}

fn transactions(page: &EntryPage) -> Vec<&str> {
    let ids = page
        .entries
        .iter()
        .map(|entry| entry.transaction_id.as_str());
    ids.collect()
}

#[tokio::test]
async fn one_customer_among_many_is_found_by_name_or_email() {
    let rows = rows();
    let (_folder, desk) = desk(rows).await;
    let begun = Instant::now();
    // The oldest row: every other one is decrypted before it.
    let found = list(&desk, &search("Customer000000@")).await;
    let through_all = begun.elapsed();
    assert_eq!(transactions(&found), ["T-000000"]);
    assert_eq!(found.reading, None);
    for text in [
        "ミホン花子15 000015",
        "みほん　花子15",
        "高橋一郎16",
        "髙橋　16 t-000016",
        "山崎 サクラ17",
        "渡辺たろう18",
        "斉藤浜子19",
    ] {
        assert!(count(&desk, text).await >= 1, "{text}");
    }
    assert_eq!(count(&desk, "nobody").await, 0);
    println!(
        "PROOF search by customer: {rows} encrypted entries, all of them read and decrypted in {} ms, \
         an index of {} MiB",
        through_all.as_millis(),
        desk.contracts.listing_size().await >> 20,
    );
}

const SORTS: [EntrySort; 8] = [
    EntrySort::EnteredAt,
    EntrySort::TransactionDate,
    EntrySort::TransactionId,
    EntrySort::Customer,
    EntrySort::Product,
    EntrySort::PlanPurchasePrice,
    EntrySort::State,
    EntrySort::EnteredBy,
];

#[tokio::test]
async fn every_entry_is_on_one_page_of_a_list_in_any_order() {
    let (_folder, desk) = desk(230).await;
    enter(&desk, 230..430).await;
    for sort in SORTS {
        for ascending in [true, false] {
            let mut all = Vec::new();
            for offset in (0..500).step_by(100) {
                let filter = EntryFilter {
                    sort,
                    ascending,
                    offset,
                    limit: 100,
                    ..EntryFilter::default()
                };
                let page = list(&desk, &filter).await;
                assert_eq!(page.count, 430);
                all.extend(page.entries);
            }
            let value = |entry: &SubmissionView| match sort {
                EntrySort::TransactionDate => entry.transaction_date.to_string(),
                EntrySort::PlanPurchasePrice => entry.plan_purchase_price.to_string(),
                EntrySort::Product => entry.product_title.clone().unwrap(),
                EntrySort::EnteredBy => entry.entered_by.clone(),
                EntrySort::Customer => name_key(entry.customer_name.as_ref().unwrap().expose()),
                EntrySort::EnteredAt | EntrySort::State | EntrySort::TransactionId => {
                    entry.transaction_id.clone()
                }
            };
            let mut values: Vec<String> = all.iter().map(value).collect();
            if !ascending {
                values.reverse();
            }
            assert!(values.is_sorted(), "{sort:?} {ascending}: {values:?}");
            let ids: HashSet<&str> = all.iter().map(|entry| entry.id.as_str()).collect();
            assert_eq!(ids.len(), 430);
        }
    }
}

#[tokio::test]
async fn the_count_and_the_sum_are_those_of_the_whole_list() {
    let (_folder, desk) = desk(70).await;
    let filter = EntryFilter {
        limit: 1,
        ..search("髙橋")
    };
    let page = list(&desk, &filter).await;
    let fees = (0..70)
        .filter(|number| number % 5 == 1)
        .map(|number| 1_000 + number % 7);
    assert_eq!((page.entries.len(), page.count), (1, 14));
    assert_eq!(page.fees, Some(Amount::new(fees.sum()).unwrap()));
}

#[tokio::test]
async fn a_refused_or_cancelled_entry_is_counted_and_its_fee_is_not_in_the_sum() {
    let (folder, desk) = desk(3).await;
    let db = rusqlite::Connection::open(folder.path().join("desk.db")).unwrap();
    db.execute_batch(
        "UPDATE submission SET state = 'rejected' WHERE transaction_id = 'T-000001';
         UPDATE submission SET state = 'cancelled' WHERE transaction_id = 'T-000002';",
    )
    .unwrap();
    let page = list(&desk, &search("")).await;
    assert_eq!((page.count, page.not_sold), (3, 2));
    assert_eq!(page.fees, Amount::new(1_000).ok());
}

#[tokio::test]
async fn a_customer_whose_key_comes_back_while_the_list_is_read_is_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Arc::new(LateVault::default());
    let options = || DeskOptions::new(folder.path().to_owned(), vault.clone());
    let desk = Desk::open(options()).await.unwrap();
    fill(&desk, 1).await;
    desk.close().await;

    let desk = Desk::open(options()).await.unwrap();
    let id = desk.context.store.current_key().await.unwrap().unwrap();
    assert!(!desk.encryption.is_loaded(&id));
    let secret = vault.kept.token(&keychain_name(&id)).await.unwrap();
    let key = DataKey::from_secret(&id, &secret.unwrap()).unwrap();
    *vault.late.lock().unwrap() = Some((key, Arc::clone(&desk.encryption.keys)));
    assert_eq!(count(&desk, "ミホン花子0").await, 1);
}

#[tokio::test]
async fn days_are_those_of_the_stores_clock() {
    let (_folder, desk) = desk(3).await;
    let day = |day| NaiveDate::from_ymd_opt(2026, 1, day);
    let on = async |from, to| {
        let filter = EntryFilter {
            from,
            to,
            ..search("")
        };
        let page = list(&desk, &filter).await;
        transactions(&page)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(on(day(2), day(2)).await, ["T-000001"]);
    assert_eq!(on(day(2), None).await, ["T-000002", "T-000001"]);
    assert_eq!(on(None, day(1)).await, ["T-000000"]);
    assert!(on(day(3), day(2)).await.is_empty());
    // Noon in London is the next day in the middle of the Pacific.
    let mut profile = desk.context.profile_now().await.unwrap();
    profile.utc_offset_minutes = 13 * 60;
    test_fixtures::keep(&desk.context.store, profile).await;
    assert_eq!(on(day(2), day(2)).await, ["T-000000"]);
}

#[tokio::test]
async fn a_list_follows_what_is_entered_and_what_moves() {
    let (_folder, desk) = desk(20).await;
    assert_eq!(count(&desk, "渡辺たろう").await, 4);
    enter(&desk, 20..30).await;
    assert_eq!(count(&desk, "渡辺たろう").await, 6);
    let cancelled = EntryFilter {
        states: vec![SubmissionState::Cancelled],
        ..search("渡辺たろう")
    };
    assert_eq!(list(&desk, &cancelled).await.count, 0);
    let id = uuid::Uuid::from_u128(3).to_string();
    desk.outbox.resolve(&id, Resolution::Cancel).await.unwrap();
    assert_eq!(transactions(&list(&desk, &cancelled).await), ["T-000003"]);
}

#[tokio::test]
async fn an_order_by_customer_stays_right_as_entries_come() {
    let (_folder, desk) = desk(20).await;
    let by_customer = EntryFilter {
        sort: EntrySort::Customer,
        ascending: true,
        ..search("")
    };
    for more in [20..21, 21..35, 35..36] {
        list(&desk, &by_customer).await;
        enter(&desk, more.clone()).await;
        let page = list(&desk, &by_customer).await;
        assert_eq!(page.count, u32::try_from(more.end).unwrap());
        let name =
            |entry: &SubmissionView| name_key(entry.customer_name.as_ref().unwrap().expose());
        assert!(page.entries.iter().map(name).is_sorted());
    }
}

#[tokio::test]
async fn the_newest_entries_are_listed_while_the_others_are_read() {
    let (_folder, desk) = desk(4_500).await;
    let first = desk.contracts.list_so_far(&search("")).await.unwrap();
    let reading = first.reading.unwrap();
    assert_eq!((reading.done, reading.total), (500, 4_500));
    assert_eq!(first.entries[0].transaction_id, "T-004499");
    let mut last = first;
    while last.reading.is_some() {
        tokio::task::yield_now().await;
        last = desk.contracts.list_so_far(&search("")).await.unwrap();
    }
    assert_eq!(last.count, 4_500);
}

#[tokio::test]
async fn possible_duplicates_are_listed_as_they_are_counted_until_a_person_has_asked_about_them() {
    let (folder, desk) = desk(7).await;
    let id = uuid::Uuid::from_u128(0).to_string();
    desk.outbox.resolve(&id, Resolution::Cancel).await.unwrap();
    let db = rusqlite::Connection::open(folder.path().join("desk.db")).unwrap();
    db.execute_batch(
        "UPDATE submission SET duplicate_possible = 1 WHERE transaction_id >= 'T-000003';
         UPDATE submission SET duplicate_reference = 'asked' WHERE transaction_id = 'T-000004';
         UPDATE submission SET state = 'needsPerson' WHERE transaction_id = 'T-000006';",
    )
    .unwrap();
    let counted = desk.outbox.summary().await.unwrap();
    assert_eq!((counted.possible_duplicates, counted.needs_person), (2, 1));
    for (states, expected) in [
        (vec![], ["T-000005", "T-000003"].as_slice()),
        (
            vec![SubmissionState::Cancelled],
            &["T-000005", "T-000003", "T-000000"],
        ),
        (
            vec![SubmissionState::NeedsPerson],
            &["T-000006", "T-000005", "T-000003"],
        ),
    ] {
        let filter = EntryFilter {
            states,
            possible_duplicates: true,
            ..search("")
        };
        let listed = list(&desk, &filter).await;
        assert_eq!(transactions(&listed), expected);
        assert_eq!(listed.count as usize, expected.len());
    }
}

#[tokio::test]
async fn a_customer_that_was_deleted_is_not_found_by_name_any_more() {
    let (folder, desk) = desk(3).await;
    assert_eq!(count(&desk, "高橋").await, 1);
    let db = rusqlite::Connection::open(folder.path().join("desk.db")).unwrap();
    db.execute("DELETE FROM submission_customer", []).unwrap();
    desk.context.customers_deleted().await;
    assert_eq!(desk.contracts.listing_size().await, 0);
    assert_eq!(count(&desk, "高橋").await, 0);
    assert_eq!(count(&desk, "t-000001").await, 1);
}
