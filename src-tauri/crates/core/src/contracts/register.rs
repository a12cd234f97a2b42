//! Registers a contract at the counter.
//!
//! Guarantees that an entry is committed before it is shown as done, and that one entry id is one
//! contract.

use uuid::Uuid;
use warranty_api::ContractItem;

use super::{Confirmed, Contracts, EntryDraft, SubmissionView, entry_check, sale, unsold};
use crate::{Error, FieldProblem, Result};
use warranty_runtime::notifications::Change;
use warranty_store::submissions::{Frozen, NewSubmissions};

impl Contracts {
    /// Registers one contract; commits it before it returns. `id` is the caller's UUID of this
    /// entry: calls with the same id register one contract. `profile_id` is the profile that the
    /// caller means.
    ///
    /// # Errors
    /// [`Error::AlreadyRegistered`] when an entry with this id was registered with other data;
    /// [`Error::KeptUnread`] when it was stored but could not be read back; [`Error::Input`] with
    /// every invalid field; [`Error::Questions`] with the unconfirmed questions;
    /// [`Error::NotKnown`] when `id` is not a UUID; [`Error::InUse`]; [`Error::NoProfile`];
    /// [`Error::ProfileMoved`] when the chosen profile is another one; [`Error::Vault`] and
    /// [`Error::KeyLost`] when the customer cannot be encrypted; [`Error::Store`]: then nothing was
    /// stored and nothing is sent.
    pub async fn register(
        &self,
        profile_id: &str,
        id: &str,
        draft: &EntryDraft,
        confirmed: &[Confirmed],
    ) -> Result<SubmissionView> {
        self.context.writable()?;
        // Read at once: another person may begin to sell while this is checked.
        let user = self.context.who();
        let id = Uuid::parse_str(id)
            .map_err(|_| Error::NotKnown(id.to_owned()))?
            .to_string();
        let profile = self.context.expect_profile(profile_id).await?;
        self.context.open_for_sales(&profile)?;
        self.high_water.compare_with_keychain(&profile).await?;
        let now = self.context.clock.now();
        let read = self.codes.read_entry(&profile, draft, now).await;
        if let Some(known) = self.known_submission(&id).await? {
            return same_entry(known, draft, read);
        }
        let item = read.map_err(Error::Input)?;
        let (check, findings) = self.check_item(&profile, &item, Some(&id)).await?;
        entry_check::refuse_open(check, |question| question.is_answered_by(confirmed))?;
        let data_key = self.encryption.key_for(&profile).await?;
        // The same sale may have been entered during the check.
        let unsold = unsold(&profile, &item, sale::beside(confirmed));
        let line = self.context.journal_line("contract.registered", &id, None);
        let freeze = NewSubmissions {
            lines: vec![line.by(&user)],
            user,
            ..self.new_submission(&data_key, &profile, id.clone(), item, findings)?
        };
        let store = &self.context.store;
        match store.freeze_submissions(freeze, vec![unsold]).await? {
            Frozen::Done => {}
            // Another call has registered it in the meantime.
            Frozen::SameId => {
                let known = self.submission(&id).await?;
                let read = self.codes.read_entry(&profile, draft, now).await;
                return same_entry(known, draft, read);
            }
            Frozen::SoldMeanwhile(earlier) => {
                return Err(entry_check::second_contract_error(earlier, &profile));
            }
            Frozen::ProfileMoved => return Err(Error::ProfileMoved),
        }
        // Published below, which starts the outbox.
        let now = self.context.clock.monotonic();
        self.context.work.sale_entered(&profile.id, now);
        self.notifications.publish(Change::One(&id)).await;
        let kept = self.submission(&id).await;
        kept.map_err(|source| Error::KeptUnread {
            submission_id: id,
            source: Box::new(source),
        })
    }
}

/// The entry already registered under an id, if it is equal.
fn same_entry(
    known: SubmissionView,
    draft: &EntryDraft,
    read: Result<ContractItem, Vec<FieldProblem>>,
) -> Result<SubmissionView> {
    let fields = match read {
        Ok(item) => {
            let dated = !draft.transaction_date.trim().is_empty();
            let mut fields = sale::codes_differ(&item, &known);
            fields.extend(sale::differences(&item, dated, &known));
            fields
        }
        Err(problems) => problems.iter().map(|problem| problem.field).collect(),
    };
    if fields.is_empty() {
        Ok(known)
    } else {
        Err(Error::AlreadyRegistered {
            submission_id: known.id,
            fields,
        })
    }
}
