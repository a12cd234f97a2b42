//! Entering contracts and looking them up.

use warranty_core::api::{Contract, ContractId};
use warranty_core::contracts::{
    Confirmed, EntryCheck, EntryDraft, EntryFilter, EntryPage, RecentLookup, RowCheck,
    SubmissionView,
};

use super::{Handle, Reply};

/// Checks an entry before it is registered.
#[tauri::command]
#[specta::specta]
pub async fn contract_check(shared: Handle<'_>, draft: EntryDraft) -> Reply<EntryCheck> {
    Ok(shared.desk().await?.contracts.check(&draft).await?)
}

/// Checks many rows against local data, without a request to the service.
#[tauri::command]
#[specta::specta]
pub async fn contracts_check_rows(
    shared: Handle<'_>,
    rows: Vec<EntryDraft>,
) -> Reply<Vec<RowCheck>> {
    Ok(shared.desk().await?.contracts.check_rows(rows).await?)
}

/// Registers a contract; a call with the same id registers no second one.
#[tauri::command]
#[specta::specta]
pub async fn contract_register(
    shared: Handle<'_>,
    id: String,
    draft: EntryDraft,
    confirmed: Vec<Confirmed>,
) -> Reply<SubmissionView> {
    let contracts = &shared.desk().await?.contracts;
    Ok(contracts.register(&id, &draft, &confirmed).await?)
}

/// One registered contract.
#[tauri::command]
#[specta::specta]
pub async fn submission(shared: Handle<'_>, id: String) -> Reply<SubmissionView> {
    Ok(shared.desk().await?.contracts.submission(&id).await?)
}

/// Registered contracts, newest first.
#[tauri::command]
#[specta::specta]
pub async fn submissions(shared: Handle<'_>, filter: EntryFilter) -> Reply<Vec<SubmissionView>> {
    Ok(shared.desk().await?.contracts.submissions(&filter).await?)
}

/// A page of a sorted list of registered contracts, from those read so far.
#[tauri::command]
#[specta::specta]
pub async fn contracts_list(shared: Handle<'_>, filter: EntryFilter) -> Reply<EntryPage> {
    Ok(shared.desk().await?.contracts.list_so_far(&filter).await?)
}

/// Looks a contract up at the service.
#[tauri::command]
#[specta::specta]
pub async fn contract_lookup(shared: Handle<'_>, id: ContractId) -> Reply<Contract> {
    Ok(shared.desk().await?.contracts.look_up(&id).await?)
}

/// Contracts looked up recently.
#[tauri::command]
#[specta::specta]
pub async fn contract_recents(shared: Handle<'_>) -> Reply<Vec<RecentLookup>> {
    Ok(shared.desk().await?.contracts.recent_lookups().await?)
}
