//! Words for people: what happened, whether something may have been sold, what to do.
//!
//! Owns the English of wdesk and decides nothing.

use serde::Serialize;
use warranty_core::api::{self, ContractId, NotSent, Personal, Unreadable};
use warranty_core::contracts::{CustomerState, Question, SubmissionView, Warning};
use warranty_core::encryption::Customers;
use warranty_core::leads::LeadState;
use warranty_core::outbox::{AnswerClass, CaseReason, Obstacle, SubmissionState, Way};
use warranty_core::profile::ProfileWarning;
use warranty_core::vault::VaultError;
use warranty_core::{Error, Field, FieldProblem, Hold, Operation, Outcome, Problem, StoreError};

use crate::table::{grouped, visible, when};

/// What may exist twice, in short.
pub const POSSIBLE_DUPLICATE: &str =
    "accepted after an unanswered attempt: it may exist more than once at the provider";

/// The same of some entries, with what to do.
pub const POSSIBLE_DUPLICATES: &str = "Some contracts were accepted after an unanswered attempt: they may exist more than once at the \
     provider. Check with them, and record it with `wdesk outbox resolve CASE --duplicate-checked \
     REF`; `wdesk outbox list` names them.";

/// Stands for an earlier entry that only a report of a rescue knows of.
pub const LOST: &str = "lost";

/// The name a value has in JSON: for fields, the column of the file and the field of the interface.
#[must_use]
pub fn name<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// A failed call to the desk.
#[must_use]
pub fn error(error: &Error) -> String {
    match error {
        Error::Input(problems) => {
            format!("{}. Nothing was sent.", self::problems(problems))
        }
        Error::Questions(questions) => {
            let questions: Vec<String> = questions.iter().map(question).collect();
            format!("{}. Nothing was sent.", questions.join("; "))
        }
        Error::SecondLead(earlier) => format!(
            "A lead for this transaction and product was entered on {} ({}). Nothing was sent. \
             `--beside {}` creates another one beside it.",
            when(earlier.entered_at),
            lead(earlier.state),
            earlier.id
        ),
        Error::Service { operation, source } => service(*operation, source),
        Error::Network(error) => {
            format!("The network of this computer could not be set up: {error}. Nothing was sent.")
        }
        Error::Store(error) => store(error),
        Error::Vault(error) => vault(*error),
        Error::TokenMayBeKept => "The keychain did not answer in time: the token may be kept all \
                                  the same. It may be waiting for an answer on the desktop; look \
                                  there, then ask `wdesk token status`."
            .into(),
        Error::KeyLost => format!(
            "{} Nothing was kept or sent.",
            customers(Customers::KeyLost)
        ),
        Error::NotOpened => format!(
            "{NOT_OPENED} Otherwise end the file in the window, or give the lead up with `wdesk leads \
             cancel ID`, and enter it anew. Nothing of it was sent."
        ),
        Error::File(error) => format!("{}. Nothing was sent.", visible(&error.to_string())),
        Error::Write(error) => format!("{}.", visible(&error.to_string())),
        Error::InUse => "Warranty Desk, or another wdesk, is working on this data folder. Close \
                         it, or use its window. Nothing was changed."
            .into(),
        Error::NoProfile => "No profile is set up yet: `wdesk profile add NAME --base-url URL \
                             --store-id ID`, then `wdesk token set`."
            .into(),
        Error::UnknownProfile(name) => {
            format!(
                "There is no profile {:?}; `wdesk profile list` shows them.",
                name
            )
        }
        Error::ProfileNameTaken(name) => format!("A profile named {name:?} exists already."),
        Error::ProfileHasOpenContracts(count) => format!(
            "{count} contracts and leads of this profile are not finished; `wdesk outbox list` and \
             `wdesk leads list` show them. The profile was kept."
        ),
        Error::ProfileMoved => "The profile was removed or its address was changed since this was \
                                entered. Nothing was kept or sent; look at `wdesk profile list`."
            .into(),
        Error::RescueNotSeen => "The desk's file was replaced by an older copy, and \
                                 nobody has said yet that the report was read. Sales of this file \
                                 may have been sold already. Compare them with `wdesk rescue show` \
                                 and with the provider, then `wdesk rescue done`, and enter the \
                                 file again. Nothing was entered and nothing was sent."
            .into(),
        Error::PracticeNotRunning => "This profile practises, and its practice service runs in \
                                      the window that has the data folder open. Nothing was sent."
            .into(),
        Error::ChangedMeanwhile { current } => format!(
            "Someone changed the plan's store reference meanwhile; it is now {}. Nothing was \
             changed.",
            reference(current.as_deref())
        ),
        Error::NotProven {
            current,
            answer: None,
        } => format!(
            "The change was sent, but reading the plan again shows {}. Look again later before \
             trusting it.",
            reference(current.as_deref())
        ),
        Error::NotProven {
            current,
            answer: Some(answer),
        } => format!(
            "The change was sent, and the answer does not say whether it was made: {}. Reading the \
             plan again shows that its store reference is now {}. Look again later before sending \
             the change once more.",
            visible(&answer.to_string()),
            reference(current.as_deref())
        ),
        Error::NotReadAgain(error) => format!(
            "The service took the change, but the plan could not be read again to prove it: {}. \
             Look again later before trusting it.",
            visible(&error.to_string())
        ),
        Error::AlreadyRegistered {
            submission_id,
            fields,
        } => format!(
            "This entry, {submission_id}, was registered before with another {}: it stays as it is. \
             What was given now was not registered.",
            fields.iter().map(name).collect::<Vec<_>>().join(", ")
        ),
        Error::KeptUnread { submission_id, .. } => format!(
            "The entry {submission_id} was kept and is sent, but it could not be read back. Do not \
             enter it again; `wdesk outbox list` shows it once the desk's file can be read."
        ),
        Error::NotKnown(what) => format!("Nothing is known here of {what:?}."),
        Error::NotLawful => {
            "That is not possible in the present state of this case; `wdesk outbox \
                             show CASE` names the ways that are. A lead with a kept token is not sent \
                             again before `wdesk leads token ID` or `wdesk leads cancel ID`. Nothing \
                             was changed."
                .into()
        }
        Error::ContractDoesNotMatch => "That contract is not the one that was sent: transaction, \
                                        product, plan or customer differ. Nothing was changed."
            .into(),
        Error::NoPage => "The plan has no https page.".into(),
    }
}

/// Why something that is kept does not open, and what becomes of it.
pub const NOT_OPENED: &str = "What was entered cannot be read: its encryption key is not in the \
                              keychain, or the address or store of the profile was changed since. \
                              It is kept, and can go on when that is put back.";

fn reference(current: Option<&str>) -> String {
    current.map_or_else(|| "empty".to_owned(), |text| format!("{text:?}"))
}

fn service(operation: Operation, error: &api::Error) -> String {
    let changed = match operation {
        Operation::CreateContracts => "something may have been sold",
        Operation::UpsertProduct => "the product may have been changed",
        Operation::UpdatePlan => "the plan may have been changed",
        Operation::CreateLead => "the lead may exist",
        Operation::GetContract | Operation::ListPlans | Operation::GetPlan => "nothing was changed",
    };
    match error {
        api::Error::NotSent(NotSent::NoToken) => {
            "No token is kept for this profile: `wdesk token set` takes it on standard input. \
             Nothing was sent."
                .into()
        }
        api::Error::NotSent(reason) => {
            format!("The service could not be reached: {reason}. Nothing was sent.")
        }
        api::Error::NoAnswer(reason) => format!("Sent, but {reason}: {changed}."),
        _ if Outcome::of(error) == Outcome::Declined(Hold::Rate) => {
            let wait = error.retry_after().map_or_else(String::new, |wait| {
                format!(" It asks for a wait of {} s.", wait.as_secs())
            });
            let said = if let api::Error::Refused { error: said, .. } = error {
                format!(
                    ": {} [{}, request {}]",
                    visible(&said.error),
                    visible(&said.code),
                    visible(&said.request_id)
                )
            } else {
                String::new()
            };
            format!("The service has too many requests (HTTP 429){said}. Nothing was done.{wait}")
        }
        api::Error::Unreadable { status, reason, .. } => {
            let hint = match reason {
                Unreadable::Redirect | Unreadable::NotJson => {
                    " A network's sign-in page or a wrong address answers like this."
                }
                Unreadable::Oversized | Unreadable::OtherShape | Unreadable::Contradiction => "",
            };
            format!("The answer (HTTP {status}) is not the service's: {reason}; {changed}.{hint}")
        }
        api::Error::Refused {
            status,
            error: said,
            ..
        } => {
            let unknown = Outcome::of(error) == Outcome::Unknown;
            let did = match status {
                500.. => "reports a fault of its own",
                _ if unknown && operation.changes() => {
                    "answered with an error that does not say whether this was done"
                }
                _ => "refused",
            };
            let doubt = if unknown && operation.changes() {
                format!(" Mind: {changed}.")
            } else {
                String::new()
            };
            format!(
                "The service {did} (HTTP {status}): {} [{}, request {}].{doubt}",
                visible(&said.error),
                visible(&said.code),
                visible(&said.request_id)
            )
        }
    }
}

/// The desk's own files could not do what was asked.
#[must_use]
pub fn store(error: &StoreError) -> String {
    let advice = match error {
        StoreError::Folder(_) | StoreError::ReadOnly => "Check that you may write there.",
        StoreError::OnNetwork => {
            "Two computers could sell at once there. Choose a folder on a disk of this computer \
             with --data-dir."
        }
        StoreError::NotOwned(_) => {
            "Work as the user whose it is, or choose another folder with --data-dir."
        }
        StoreError::Link(_) => {
            "Put the file itself there, or a copy that is no link, or choose another folder with \
             --data-dir. The folder as a whole may be a link."
        }
        StoreError::Full => "Make room and try again.",
        StoreError::Damaged => {
            "Nothing is sent from it. Start the window, or run `wdesk outbox run`: the file is set \
             aside as it is, and the newest sound copy takes its place."
        }
        StoreError::Newer => "Use that version.",
        StoreError::Sqlite(_) | StoreError::Closed => "Try again; if it stays, ask for help.",
    };
    format!("The desk's files: {error}. Nothing is sent that could not be kept first. {advice}")
}

/// Why nothing can be sent now.
#[must_use]
pub fn obstacle(obstacle: Obstacle) -> String {
    let why = match obstacle {
        Obstacle::NoToken => {
            "no token is kept for this profile. `wdesk token set` takes it on standard input."
                .to_owned()
        }
        Obstacle::Vault(error) => {
            format!(
                "{error}, and the token and the customers' key are kept nowhere else. {}",
                keychain(error)
            )
        }
        Obstacle::PracticeNotRunning => {
            "the practice service does not run here. `wdesk outbox run`, or the window, starts it."
                .to_owned()
        }
    };
    format!("Nothing can be sent now: {why} What is entered is kept and waits.")
}

fn vault(error: VaultError) -> String {
    let advice = keychain(error);
    format!("The keychain is needed: {error}. Nothing was sent. {advice}")
}

/// Whether customers can be read here.
#[must_use]
pub fn customers(customers: Customers) -> String {
    match customers {
        Customers::Readable => "readable".into(),
        Customers::Keychain(error) => {
            format!("not readable now: {error}. {}", keychain(error))
        }
        Customers::KeyLost => "The key that customers are sealed with is gone from the keychain. \
                               Put the keychain's own backup back, or take a new key for what is \
                               entered from now on with `wdesk key renew`; what is sealed stays \
                               unreadable then, and everything else stays as it is."
            .into(),
    }
}

/// The customer's name, or why it is not there.
#[must_use]
pub fn customer_name(entry: &SubmissionView) -> &str {
    customer(entry, entry.customer_name.as_ref())
}

/// The customer's e-mail, or why it is not there.
#[must_use]
pub fn customer_email(entry: &SubmissionView) -> &str {
    customer(entry, entry.customer_email.as_ref())
}

fn customer<'a>(entry: &'a SubmissionView, text: Option<&'a Personal>) -> &'a str {
    match (entry.customer, text) {
        (CustomerState::Known, Some(text)) => text.expose(),
        (CustomerState::Known | CustomerState::Lost, _) => "(cannot be read any more)",
        (CustomerState::Forgotten, _) => "(deleted, its time was over)",
        (CustomerState::Locked, _) => "(cannot be read now)",
    }
}

/// What to do about a keychain.
fn keychain(error: VaultError) -> &'static str {
    match error {
        VaultError::NoKeychain => {
            "On Linux wdesk needs a session bus with a Secret Service, for instance gnome-keyring \
             started with `dbus-run-session`."
        }
        VaultError::Locked => "Unlock it, for instance by signing in to the desktop.",
        VaultError::Slow => "It may be waiting for an answer on the desktop; look there.",
        VaultError::Failed => "Look at the keychain program of this computer.",
    }
}

/// Several fields and what is wrong with each.
#[must_use]
pub fn problems(problems: &[FieldProblem]) -> String {
    let each: Vec<String> = problems
        .iter()
        .map(|one| format!("{}: {}", name(&one.field), problem(one.problem)))
        .collect();
    each.join("; ")
}

fn problem(problem: Problem) -> &'static str {
    match problem {
        Problem::Missing => "is missing",
        Problem::NotWholeNumber => "is not a whole number",
        Problem::TooSmall => "is too small",
        Problem::TooLarge => "is too large",
        Problem::TooLong => "is too long",
        Problem::NotEmail => "is not an e-mail address",
        Problem::NotDateTime => "is not a date and time",
        Problem::NotTimeZone => "is not a time zone; write it like Asia/Tokyo",
        Problem::NotWebAddress => "is not a web address",
        Problem::NotSecure => "must begin with https",
        Problem::BadCharacters => "contains characters that cannot be used",
        Problem::SpreadsheetRounded => "looks rounded by a spreadsheet; format the column as text",
        Problem::SpreadsheetError => "is an error of the spreadsheet; correct the cell there",
        Problem::LeadingZerosLost => {
            "has lost its leading zeros: with zeros in front it is known here; format the column as \
             text"
        }
        Problem::UnknownProduct => "is not known to the service, or has no plans there",
        Problem::UnknownPlan => "is not known to the service",
        Problem::PlanOfAnotherProduct => "is not a plan of this product",
        Problem::ExtraCells => {
            "the row has more cells than there are columns; quote cells that hold a separator"
        }
        Problem::RepeatedRow => "stands on an earlier row with the same product and plan",
    }
}

/// What is odd but legal, and where.
#[must_use]
pub fn warning(warning: Warning) -> String {
    let (field, what) = match warning {
        Warning::FeeHigh => (
            Field::PlanPurchasePrice,
            "is more than half of the product's price",
        ),
        Warning::TotalBelowPrice => (Field::TransactionTotal, "is less than the product's price"),
        Warning::DateAhead => (Field::TransactionDate, "is more than a day ahead"),
        Warning::DateLongAgo => (Field::TransactionDate, "is more than a year ago"),
        Warning::PriceUnusual => (Field::ProductPurchasePrice, "is far from the listed price"),
        Warning::ListedPriceNotUnderstood => (
            Field::ProductPurchasePrice,
            "cannot be compared: the listed price could not be read",
        ),
        Warning::NotChecked => (Field::PlanId, "is not checked by the service"),
    };
    format!("{}: {what}", name(&field))
}

/// What a person would have to answer.
#[must_use]
pub fn question(question: &Question) -> String {
    match question {
        Question::ChangedPrice { entered, current } => format!(
            "the plan costs {} at the service, {} was entered",
            grouped(current.get()),
            grouped(entered.get())
        ),
        Question::CellText { field, cell, text } => format!(
            "{}: cell {cell} holds a number or a formula, and what it shows is not known; if it is {}, \
             enter with --confirm cell-text, else format the column as text",
            name(field),
            visible(text)
        ),
        Question::PriceNotUnderstood { entered, current } => format!(
            "the service says {} for the price of the plan, which is no whole amount; {} was entered; \
             if that is right, enter with --confirm price-not-understood",
            visible(current),
            grouped(entered.get())
        ),
        Question::RepeatedRow { line, .. } => format!(
            "the same transaction, product and plan stand on line {line}; if both were sold, enter the \
             whole file with --repeated-lines and the number of this line, and of all other lines of \
             that sale but the first"
        ),
        Question::SecondContract {
            submission_id: None,
            contract_id,
            ..
        } => format!(
            "it may have been entered before the desk's file was replaced by an older copy, and \
             sold{}; ask the provider (case {LOST}), and if they have none, enter with --confirm \
             second-contract",
            named(contract_id.as_ref())
        ),
        Question::SecondContract {
            submission_id: Some(id),
            state: SubmissionState::Cancelled,
            contract_id,
            profile,
        } => format!(
            "the same transaction, product and plan were entered before{} and given up while it was \
             not known whether the service has them{} (case {id}); if this is another sale, enter with \
             --confirm second-contract",
            under(profile.as_deref()),
            named(contract_id.as_ref())
        ),
        Question::SecondContract {
            submission_id: Some(id),
            state,
            contract_id,
            profile,
        } => format!(
            "the same transaction, product and plan were entered before{}, in full-width characters or \
             not ({}{}, case {id}); if this is another sale, enter with --confirm second-contract",
            under(profile.as_deref()),
            self::state(*state),
            named(contract_id.as_ref())
        ),
    }
}

/// Where an earlier entry was made, when that was not under the profile in use.
fn under(profile: Option<&str>) -> String {
    profile
        .map(|name| format!(" under the profile {:?}", visible(name)))
        .unwrap_or_default()
}

fn named(contract_id: Option<&ContractId>) -> String {
    contract_id
        .map(|id| format!(", contract {}", visible(id.as_str())))
        .unwrap_or_default()
}

/// What to know about a profile that was added or removed.
#[must_use]
pub fn profile_warning(warning: &ProfileWarning) -> String {
    match warning {
        ProfileWarning::SameStore { profile, removed } => format!(
            "The profile {profile:?}{} is for the same store of the same service. What was entered \
             under it is not sold again under this one.",
            if *removed { ", removed since," } else { "" }
        ),
        ProfileWarning::RecentSales { count, days } => format!(
            "{count} {} entered under this profile within {days} days. They stay known: under another \
             profile of the same store they are not sold again.",
            if *count == 1 {
                "sale was"
            } else {
                "sales were"
            }
        ),
    }
}

/// Where an entry stands.
#[must_use]
pub fn state(state: SubmissionState) -> &'static str {
    match state {
        SubmissionState::Draft => "draft",
        SubmissionState::Queued => "queued",
        SubmissionState::InFlight => "in flight",
        SubmissionState::Held => "held",
        SubmissionState::Unknown => "unknown",
        SubmissionState::Accepted => "accepted",
        SubmissionState::Confirmed => "confirmed",
        SubmissionState::Rejected => "refused",
        SubmissionState::NeedsPerson => "needs a person",
        SubmissionState::Cancelled => "cancelled",
    }
}

/// Why a person is needed.
#[must_use]
pub fn case(reason: CaseReason) -> &'static str {
    match reason {
        CaseReason::UnknownTooLong => "sent without a usable answer; it may have been sold",
        CaseReason::RejectedAfterUnknown => {
            "refused after an unanswered attempt; it may have been sold"
        }
        CaseReason::RejectedBatch => {
            "a batch of several was refused or answered in part; some may have been sold"
        }
        CaseReason::NeverVisible => "accepted, but not found at the service for a day",
        CaseReason::Contradiction => "the service shows something else than was sent",
        CaseReason::ReportedCancelled => {
            "the service has the contract with a status that may mean cancelled; ask the provider"
        }
        CaseReason::ReportedFraud => {
            "the service has the contract and may report it as fraud; ask the provider"
        }
        CaseReason::RestoredFromBackup => {
            "restored from an earlier copy of the desk's file; it may have been sold since"
        }
        CaseReason::OlderFilePutBack => {
            "an older copy of the desk's file was put back; it may have been sold since"
        }
        CaseReason::KeyLost => {
            "cannot be sent as it was entered: the key of its data is gone from the keychain, or the \
             service's address in desk.db is another one now"
        }
    }
}

/// A lawful way out, as an option of `outbox resolve`.
#[must_use]
pub fn way(way: Way) -> &'static str {
    match way {
        Way::GiveContractId => "--give-contract-id ID     the provider has it, under this id",
        Way::ProviderHasNone => "--provider-has-none REF   the provider has none: send anew",
        Way::ReplayOnce => "--replay-once             the same request, same key, once more",
        Way::Edit => "(edit it in the window, or enter the corrected row)",
        Way::SendNow => "--send-now                try now instead of later",
        Way::Cancel => "--cancel                  give it up",
        Way::DuplicateChecked => {
            "--duplicate-checked REF   the provider was asked how often it has it"
        }
    }
}

/// What an answer meant.
#[must_use]
pub fn class(class: Option<AnswerClass>) -> &'static str {
    match class {
        None => "unfinished",
        Some(AnswerClass::NotSent) => "not sent",
        Some(AnswerClass::Declined) => "declined",
        Some(AnswerClass::Rejected) => "refused",
        Some(AnswerClass::Accepted) => "accepted",
        Some(AnswerClass::Unknown) => "unknown",
    }
}

/// Where a lead stands.
#[must_use]
pub fn lead(state: LeadState) -> &'static str {
    match state {
        LeadState::Queued => "not sent yet",
        LeadState::InFlight => "in flight",
        LeadState::Created => "created",
        LeadState::Rejected => "refused",
        LeadState::Unknown => "unknown: it may exist",
        LeadState::Cancelled => "cancelled",
    }
}
