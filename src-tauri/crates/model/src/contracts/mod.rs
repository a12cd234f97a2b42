//! Contracts: what is entered, what is asked about it, and how an entry is shown. Parts 4.1 and 4.2.
//!
//! Owns when an entry may be sent. Sending it and its later states belong to the outbox.

pub mod bulk_verdict;
pub mod equal_rows;
mod lenient_parse;
pub mod list_index;
mod plain_text;
pub mod preflight;
pub mod sale;
pub mod validation;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::interface::{Amount, ContractId, Personal, PlanId, ProductReference, Timestamp};
use crate::submission_state::{CaseReason, SubmissionState};
use crate::{Field, FieldProblem};

/// A contract as typed or as read from a file: text, checked by the desk.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EntryDraft {
    pub transaction_id: String,
    pub transaction_total: String,
    /// Empty: now. Without an offset: the profile's is applied.
    pub transaction_date: String,
    pub customer_name: String,
    pub customer_email: String,
    pub product_reference_id: String,
    pub product_purchase_price: String,
    pub plan_id: String,
    pub plan_purchase_price: String,
}

/// Borrowed texts of an entry; no `Debug`, because they contain customer data.
#[derive(Clone, Copy)]
pub struct EntryTexts<'a> {
    pub transaction_id: &'a str,
    pub transaction_total: &'a str,
    pub transaction_date: &'a str,
    pub customer_name: &'a str,
    pub customer_email: &'a str,
    pub product_reference_id: &'a str,
    pub product_purchase_price: &'a str,
    pub plan_id: &'a str,
    pub plan_purchase_price: &'a str,
}

impl EntryTexts<'_> {
    pub fn to_draft(self) -> EntryDraft {
        EntryDraft {
            transaction_id: self.transaction_id.to_owned(),
            transaction_total: self.transaction_total.to_owned(),
            transaction_date: self.transaction_date.to_owned(),
            customer_name: self.customer_name.to_owned(),
            customer_email: self.customer_email.to_owned(),
            product_reference_id: self.product_reference_id.to_owned(),
            product_purchase_price: self.product_purchase_price.to_owned(),
            plan_id: self.plan_id.to_owned(),
            plan_purchase_price: self.plan_purchase_price.to_owned(),
        }
    }
}

impl<'a> From<&'a EntryDraft> for EntryTexts<'a> {
    fn from(draft: &'a EntryDraft) -> Self {
        Self {
            transaction_id: &draft.transaction_id,
            transaction_total: &draft.transaction_total,
            transaction_date: &draft.transaction_date,
            customer_name: &draft.customer_name,
            customer_email: &draft.customer_email,
            product_reference_id: &draft.product_reference_id,
            product_purchase_price: &draft.product_purchase_price,
            plan_id: &draft.plan_id,
            plan_purchase_price: &draft.plan_purchase_price,
        }
    }
}

impl std::fmt::Debug for EntryDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EntryDraft")
            .field("transaction_id", &self.transaction_id)
            .finish_non_exhaustive()
    }
}

/// The result of checking an entry before it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EntryCheck {
    pub problems: Vec<FieldProblem>,
    pub questions: Vec<Question>,
    pub warnings: Vec<Warning>,
}

impl EntryCheck {
    /// A check that stopped because fields are invalid.
    pub fn failed(problems: Vec<FieldProblem>) -> Self {
        Self {
            problems,
            ..Self::default()
        }
    }
}

/// The finding about one of many rows; rows without a finding have none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RowCheck {
    /// Index from 0 among the rows given.
    pub index: u32,
    pub check: EntryCheck,
}

/// Legal, but a person must say yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, specta::Type)]
#[serde(tag = "kind")]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Question {
    /// The plan's price at the service is not the one entered.
    #[error("the plan costs {current} at the service, {entered} was entered")]
    ChangedPrice {
        entered: Amount,
        /// At the service now.
        current: Amount,
    },
    /// The service says a price of the plan that is no whole amount.
    #[error("the service says {current} for the plan's price, {entered} was entered")]
    PriceNotUnderstood {
        entered: Amount,
        /// What the service says, as it is in its answer.
        current: String,
    },
    /// A contract for the same transaction, product and plan was entered before.
    #[error("the same transaction, product and plan were entered before ({state:?})")]
    SecondContract {
        /// The earlier entry; `None` when it was lost with a damaged file, and may have been sold.
        submission_id: Option<String>,
        /// Its state. Cancelled: the outcome was unknown, and the service may have it.
        state: SubmissionState,
        contract_id: Option<ContractId>,
        /// Name of the profile it was entered under, when that is another one of the same store.
        profile: Option<String>,
    },
    /// The same sale is on an earlier row of the same rows: is this one more contract?
    #[error("the same transaction, product and plan stand on line {line}")]
    RepeatedRow {
        /// Line of the last row before it that is the same sale.
        line: u32,
        /// Which of the rows of this sale it is, from 2.
        nth: u32,
    },
    /// A cell holds a number, a formula or a text that a spreadsheet may have changed where a code is
    /// wanted: what was meant is not certain.
    #[error(
        "cell {cell} holds a number, a formula or a text that a spreadsheet may have changed: is it {text:?}?"
    )]
    CellText {
        field: Field,
        /// The name of the cell, such as `B12`; in no file, of its field.
        cell: String,
        /// What it is read as.
        text: String,
    },
}

/// A person's yes to a question. It covers what the person was shown and nothing that came after:
/// another price, or a newer entry of the sale, is asked about again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind")]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Confirmed {
    ChangedPrice {
        /// What the plan cost at the service when it was shown.
        current: Amount,
    },
    PriceNotUnderstood {
        /// What the service said when it was shown.
        current: String,
    },
    SecondContract {
        /// The earlier entry that was shown; `None` for one that was lost with a damaged file.
        submission_id: Option<String>,
    },
    RepeatedRow {
        line: u32,
        nth: u32,
    },
    CellText {
        cell: String,
        text: String,
    },
}

/// Kinds of questions, for a yes to all rows that ask one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum QuestionKind {
    ChangedPrice,
    PriceNotUnderstood,
    SecondContract,
    RepeatedRow,
    CellText,
}

/// Odd but legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Warning {
    /// The warranty fee is more than half the product's price.
    FeeHigh,
    /// The product costs more than the whole transaction.
    TotalBelowPrice,
    /// The date of sale is more than a day in the future.
    DateAhead,
    /// The date of sale is more than a year ago.
    DateLongAgo,
    /// The price differs from the product's listed price by more than half.
    PriceUnusual,
    /// The service says a listed price of the product that is no whole amount.
    ListedPriceNotUnderstood,
    /// The service could not be asked: product and plan are checked by it when the entry is sent,
    /// in a batch of its own unless the provider makes all of a batch or nothing.
    NotChecked,
    /// The plan belongs to another product, as far as was cached; the service may know better.
    PlanOfAnotherProduct,
    /// Another plan has the store reference of a link too.
    StoreReferenceUsed,
    /// The link replaces another store reference of its plan.
    StoreReferenceReplaced,
}

/// Whether the customer of an entry can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CustomerState {
    /// Name and e-mail are there.
    Known,
    /// They were deleted when their time was over.
    Forgotten,
    /// The keychain does not give the key now.
    Locked,
    /// The key they are encrypted with is gone, or they were changed from outside.
    Lost,
}

impl CustomerState {
    /// Whether name and e-mail are kept and cannot be read.
    pub fn is_unread(&self) -> bool {
        matches!(self, Self::Locked | Self::Lost)
    }
}

/// One entered contract, whatever has become of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionView {
    /// Its own id at this desk, a UUID.
    pub id: String,
    pub state: SubmissionState,
    pub transaction_id: String,
    pub transaction_total: Amount,
    pub transaction_date: Timestamp,
    /// Whether name and e-mail of the customer are there, and why not.
    pub customer: CustomerState,
    /// `None` unless known.
    pub customer_name: Option<Personal>,
    /// `None` unless known.
    pub customer_email: Option<Personal>,
    pub product_reference_id: ProductReference,
    pub product_title: Option<String>,
    pub product_purchase_price: Amount,
    pub plan_id: PlanId,
    pub plan_title: Option<String>,
    pub plan_purchase_price: Amount,
    pub entered_at: Timestamp,
    /// OS user.
    pub entered_by: String,
    /// Given by the service once accepted.
    pub contract_id: Option<ContractId>,
    /// Given by the service once accepted.
    pub inquiry_code: Option<String>,
    /// The contract's status as a lookup returned it.
    pub status: Option<String>,
    /// How often it was sent.
    pub attempts: u32,
    /// When the program acts next without a person.
    pub next_at: Option<Timestamp>,
    /// Why a person is needed, when one is; of a confirmed entry, what the service reports against the
    /// contract, which a person has settled.
    pub case: Option<CaseReason>,
    /// The service's own words of the last refusal, until it is accepted.
    pub refusal: Option<String>,
    /// `requestId` of the last refusal, until it is accepted.
    pub request_id: Option<String>,
    /// It was accepted after an attempt whose outcome stayed unknown, and the provider is not known
    /// to keep keys so long: it may exist more than once there, and no person has recorded asking.
    pub duplicate_possible: bool,
    /// Who at the provider said how often it exists, once a person has recorded it.
    pub duplicate_checked: Option<String>,
    /// It waits in a run that is paused: it is not sent before the run is resumed.
    #[serde(skip)]
    pub paused: bool,
}

/// Which entries to list, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EntryFilter {
    /// Only these states; empty means all, unless possible duplicates are wanted.
    pub states: Vec<SubmissionState>,
    /// Beside these states, also possible duplicates of any other state but `needsPerson`.
    pub possible_duplicates: bool,
    /// Only those whose transaction id, product, customer, contract id or inquiry code contains it.
    pub text: String,
    /// Only sales of this day of the store or a later one.
    pub from: Option<NaiveDate>,
    /// Only sales of this day of the store or an earlier one.
    pub to: Option<NaiveDate>,
    pub sort: EntrySort,
    /// From the lowest to the highest, instead of from the highest to the lowest.
    pub ascending: bool,
    /// So many of the first are left out.
    pub offset: u32,
    /// At most so many.
    pub limit: u32,
}

/// What entries are ordered by; those that are equal in it are in the order they were entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum EntrySort {
    #[default]
    EnteredAt,
    TransactionDate,
    TransactionId,
    Customer,
    Product,
    PlanPurchasePrice,
    State,
    EnteredBy,
}

/// A part of a list of entries, and what the whole list adds up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EntryPage {
    /// The entries from the offset on, as many as the limit allows.
    pub entries: Vec<SubmissionView>,
    /// How many entries the whole list has.
    pub count: u32,
    /// How many of them are refused or cancelled.
    pub not_sold: u32,
    /// The sum of the warranty fees of all others; `None` when it is too large to be shown exactly.
    pub fees: Option<Amount>,
    /// How far the entries were read, while they are not all: there may be more in the list then.
    pub reading: Option<ReadingProgress>,
}

/// How many entries were read so far, newest first, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadingProgress {
    pub done: u32,
    pub total: u32,
}

/// A contract looked up before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecentLookup {
    pub contract_id: ContractId,
    pub at: Timestamp,
    pub transaction_id: String,
    pub product_title: Option<String>,
    pub status: Option<String>,
}

/// How a run over many rows treats its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum EnterMode {
    /// Check everything, keep nothing.
    DryRun,
    /// One bad row keeps all from being entered.
    AllOrNothing,
    /// Good rows are entered, bad ones reported.
    GoodRows,
}

impl Question {
    pub fn kind(&self) -> QuestionKind {
        match self {
            Self::ChangedPrice { .. } => QuestionKind::ChangedPrice,
            Self::PriceNotUnderstood { .. } => QuestionKind::PriceNotUnderstood,
            Self::SecondContract { .. } => QuestionKind::SecondContract,
            Self::RepeatedRow { .. } => QuestionKind::RepeatedRow,
            Self::CellText { .. } => QuestionKind::CellText,
        }
    }

    pub fn yes(&self) -> Confirmed {
        match self {
            Self::ChangedPrice { current, .. } => Confirmed::ChangedPrice { current: *current },
            Self::PriceNotUnderstood { current, .. } => Confirmed::PriceNotUnderstood {
                current: current.clone(),
            },
            Self::SecondContract { submission_id, .. } => Confirmed::SecondContract {
                submission_id: submission_id.clone(),
            },
            Self::RepeatedRow { line, nth } => Confirmed::RepeatedRow {
                line: *line,
                nth: *nth,
            },
            Self::CellText { cell, text, .. } => Confirmed::CellText {
                cell: cell.clone(),
                text: text.clone(),
            },
        }
    }

    /// Whether a person confirmed exactly this.
    pub fn is_answered_by(&self, confirmed: &[Confirmed]) -> bool {
        confirmed.contains(&self.yes())
    }
}
