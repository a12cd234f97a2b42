//! Entering contracts and looking them up.

use warranty_core::api::{Contract, ContractId};
use warranty_core::contracts::{
    Confirmed, EntryCheck, EntryDraft, EntryFilter, EntryPage, RecentLookup, RowCheck,
    SubmissionView,
};

use crate::json_text::JsonText;

commands! {
    /// Checks an entry before it is registered.
    fn contract_check(desk, draft: EntryDraft) -> EntryCheck = desk.contracts.check(&draft).await?;

    /// Checks many rows against local data, without a request to the service.
    fn contracts_check_rows(desk, rows: JsonText<Vec<EntryDraft>>) -> Vec<RowCheck> =
        desk.contracts.check_rows(rows.0).await?;

    /// Registers a contract under the profile that the page shows; a call with the same id registers
    /// no second one.
    fn contract_register(
        desk,
        profile_id: String,
        id: String,
        draft: EntryDraft,
        confirmed: Vec<Confirmed>,
    ) -> SubmissionView =
        desk.contracts.register(&profile_id, &id, &draft, &confirmed).await?;

    fn submission(desk, id: String) -> SubmissionView = desk.contracts.submission(&id).await?;

    /// A page of a sorted list of registered contracts, from those read so far.
    fn contracts_list(desk, filter: EntryFilter) -> EntryPage =
        desk.contracts.list_so_far(&filter).await?;

    fn contract_lookup(desk, id: ContractId) -> Contract = desk.contracts.look_up(&id).await?;

    /// Contracts looked up recently.
    fn contract_recents(desk) -> Vec<RecentLookup> = desk.contracts.recent_lookups().await?;
}
