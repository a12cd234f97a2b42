//! Random bytes as files and as arguments.

use chrono::DateTime;
use serde::de::DeserializeOwned;
use warranty_api::{BaseUrl, ContractId, PlanFilter, PlanId, ProductReference, StoreId, Token};

use super::engine;
use super::texts::corpus;
use super::whole_file::Table;
use crate::contracts::validation::{self, KnownCodes};
use crate::contracts::{Confirmed, EntryDraft, EntryFilter};
use crate::files::Encoding;
use crate::leads::LeadDraft;
use crate::outbox::Resolution;
use crate::products::{ProductDraft, ProductHint};
use crate::profile::ProfileDraft;
use warranty_model::profile::Zone;
use warranty_runtime::settings::Settings;

const CONTRACTS: &str = "transactionId,transactionTotal,transactionDate,customerName,customerEmail,\
    productReferenceId,productPurchasePrice,planId,planPurchasePrice\r\n\
    T-1,118000,2026-11-21 10:00,見本 太郎,taro@example.com,SKU-1,98000,p-1,20000\r\n\
    \"T,2\",\"118,000\",2026/11/21,\"見本 \"\"花子\"\"\",hanako@example.com,SKU-1,￥98000,p-1,２００００\r\n";
const PRODUCTS: &str = "referenceId;title;price;imageUrl;category\n\
    SKU-1;見本の冷蔵庫;98000;https://example.com/a.png;冷蔵庫\n";

fn tables() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for text in [CONTRACTS, PRODUCTS] {
        seeds.push(text.as_bytes().to_vec());
        seeds.push([b"\xef\xbb\xbf", text.as_bytes()].concat());
        seeds.push(encoding_rs::SHIFT_JIS.encode(text).0.into_owned());
        seeds.push(text.replace([',', ';'], "\t").into_bytes());
    }
    seeds
}

fn validate(draft: &EntryDraft) {
    let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    if let Ok(item) = validation::entry(draft, now, Zone::fixed(540), &KnownCodes::default()) {
        // An accepted item can be serialised and reads back as the same.
        let body = serde_json::to_string(&item).unwrap();
        let again: warranty_api::ContractItem = serde_json::from_str(&body).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), body);
    }
}

#[test]
fn no_bytes_make_the_reader_of_files_fail() {
    engine::run("files", 3_000, &tables(), |bytes| {
        for encoding in [Encoding::Detect, Encoding::Utf8, Encoding::Cp932] {
            let Ok(table) = Table::parse(bytes, encoding) else {
                continue;
            };
            for draft in table.contract_entries().unwrap_or_default() {
                validate(&draft);
            }
            for draft in table.product_drafts().unwrap_or_default() {
                let _ = crate::products::validation::check(&draft, &KnownCodes::default());
            }
        }
    });
}

fn arguments() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        r#"{"transactionId":"T-1","transactionTotal":"118000","transactionDate":"2026-11-21T10:00","customerName":"見本 太郎","customerEmail":"taro@example.com","productReferenceId":"SKU-1","productPurchasePrice":"98000","planId":"p-1","planPurchasePrice":"20000"}"#,
        r#"{"referenceId":"SKU-1","title":"見本","price":"98000","imageUrl":"https://example.com/a.png","category":"冷蔵庫"}"#,
        r#"{"transactionId":"T-1","productReferenceId":"SKU-1","productPurchasePrice":"98000","quantity":"1","transactionDate":""}"#,
        r#"{"name":"本店","baseUrl":"https://warranty.example.com","storeId":"s-1","utcOffsetMinutes":540,"display":{"currency":"円","termUnit":"年"},"facts":{"bulk":"unknown"}}"#,
        r#"{"kind":"giveContractId","contractId":"c-1"}"#,
        r#"{"kind":"providerHasNone","reference":"見本 42"}"#,
        r#"{"states":["queued"],"possibleDuplicates":false,"text":"見本","from":"2026-11-01","to":null,"sort":"customer","ascending":true,"offset":0,"limit":100}"#,
        r#"{"language":"ja","theme":"dark","retentionDays":90}"#,
        r#"["changedPrice","secondContract","repeatedRow"]"#,
        r#""LiveInStore""#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    let texts = corpus().into_iter().filter(|text| !text.is_long());
    seeds.extend(texts.map(|text| text.json().into_bytes()));
    seeds
}

fn argument<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

#[test]
fn no_bytes_make_the_reader_of_arguments_fail() {
    let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    engine::run("arguments", 5_000, &arguments(), |bytes| {
        if let Some(draft) = argument::<EntryDraft>(bytes) {
            validate(&draft);
        }
        if let Some(draft) = argument::<ProductDraft>(bytes) {
            let _ = crate::products::validation::check(&draft, &KnownCodes::default());
        }
        if let Some(draft) = argument::<LeadDraft>(bytes) {
            let _ = crate::leads::validation::check(
                &draft,
                now,
                Zone::fixed(-540),
                &KnownCodes::default(),
            );
        }
        if let Some(draft) = argument::<ProfileDraft>(bytes) {
            let _ = crate::profile::validation::check(&draft);
        }
        let _ = argument::<ProductHint>(bytes);
        let _ = argument::<Resolution>(bytes);
        let _ = argument::<EntryFilter>(bytes);
        let _ = argument::<Settings>(bytes);
        let _ = argument::<Vec<Confirmed>>(bytes);
        let _ = argument::<PlanFilter>(bytes);
        let text = String::from_utf8_lossy(bytes);
        let draft = EntryDraft {
            transaction_id: text.to_string(),
            transaction_total: text.to_string(),
            transaction_date: text.to_string(),
            customer_name: text.to_string(),
            customer_email: text.to_string(),
            product_reference_id: text.to_string(),
            product_purchase_price: text.to_string(),
            plan_id: text.to_string(),
            plan_purchase_price: text.to_string(),
        };
        validate(&draft);
        let _ = BaseUrl::parse(&text);
        let _ = Token::new(&text);
        let _ = ContractId::new(text.clone());
        let _ = PlanId::new(text.clone());
        let _ = ProductReference::new(text.clone());
        let _ = StoreId::new(text.clone());
        let _ = crate::plans::page(&text);
        let _ = crate::search_text::words(&text);
        let _ = crate::search_text::name_keys(&text);
    });
}
