//! The problems that fields can have when they are typed or read from a file.

use serde::{Deserialize, Serialize};

use crate::interface::TokenError;

/// The operation of the interface that failed. That of contracts is none: the outbox keeps what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// Part 4.2.
    GetContract,
    /// Part 4.3.
    UpsertProduct,
    /// Part 4.4.
    UpdatePlan,
    /// Part 4.5.
    ListPlans,
    /// Part 4.6.
    GetPlan,
    /// Part 4.7.
    CreateLead,
}

impl Operation {
    /// Whether the operation changes something at the service.
    pub fn changes(self) -> bool {
        match self {
            Self::UpsertProduct | Self::UpdatePlan | Self::CreateLead => true,
            Self::GetContract | Self::ListPlans | Self::GetPlan => false,
        }
    }
}

/// A field of a form or a column of a file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    TransactionId,
    TransactionTotal,
    TransactionDate,
    CustomerName,
    CustomerEmail,
    ProductReferenceId,
    ProductPurchasePrice,
    PlanId,
    PlanPurchasePrice,
    Title,
    Price,
    ImageUrl,
    Category,
    StoreReferenceId,
    Quantity,
    ContractId,
    ProfileName,
    BaseUrl,
    StoreId,
    UtcOffset,
    TimeZone,
    Token,
    Reference,
    RetentionDays,
    StaffCode,
    Note,
}

impl Field {
    /// Whether it is a code: every character counts, including leading zeros.
    pub fn is_code(self) -> bool {
        matches!(
            self,
            Self::TransactionId
                | Self::ProductReferenceId
                | Self::PlanId
                | Self::StoreReferenceId
                | Self::ContractId
                | Self::StoreId
        )
    }
}

/// The fields that something is true of, in this order.
pub(crate) fn fields_where<const N: usize>(fields: [(Field, bool); N]) -> Vec<Field> {
    let kept = fields.into_iter().filter(|(_, is_true)| *is_true);
    kept.map(|(field, _)| field).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Problem {
    Missing,
    NotWholeNumber,
    /// Below zero, or zero where at least one is needed.
    TooSmall,
    /// A number that cannot be shown exactly.
    TooLarge,
    TooLong,
    NotEmail,
    /// Not a date-time, or one that does not exist.
    NotDateTime,
    NotTimeZone,
    NotWebAddress,
    /// Neither https nor loopback.
    NotSecure,
    BadCharacters,
    /// Looks like a number that a spreadsheet rounded, such as 1.23E+11.
    SpreadsheetRounded,
    /// An error of a spreadsheet, such as #N/A, or the characters it shows in a column that is too
    /// narrow.
    SpreadsheetError,
    /// An unknown code of digits that is known here as a product or a plan with leading zeros: a
    /// spreadsheet took the code for a number.
    LeadingZerosLost,
    /// The service does not know this product, or offers no plan for it.
    UnknownProduct,
    UnknownPlan,
    PlanOfAnotherProduct,
    /// An earlier row of the file is about the same product or plan.
    RepeatedRow,
    /// The product or plan was changed from here after the row was read, so that the row is older.
    ChangedMeanwhile,
    /// The row has more non-blank cells than there are columns: its cells may be in the wrong
    /// columns.
    ExtraCells,
    /// The text begins with a quote behind a blank and ends with one: the quotes would become part of it.
    StrayQuotes,
    /// The row is of an exported list of contracts, in which its sale was registered or cancelled.
    FromExportedList,
    /// What the service has in its place is not understood, and is not overwritten.
    ReplacesNotUnderstood,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FieldProblem {
    pub field: Field,
    pub problem: Problem,
}

impl FieldProblem {
    pub fn new(field: Field, problem: Problem) -> Self {
        Self { field, problem }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Empty => Self::Missing,
            TokenError::TooLong => Self::TooLong,
            TokenError::Unsendable => Self::BadCharacters,
        }
    }
}

/// What a check found, field by field.
#[cfg(test)]
pub(crate) fn named<T>(checked: Result<T, Vec<FieldProblem>>) -> Vec<(Field, Problem)> {
    let problems = checked.err().into_iter().flatten();
    let each = problems.map(|found| (found.field, found.problem));
    each.collect()
}

/// One line of text without the white space around it; `longest` is in characters.
pub fn one_line(text: &str, longest: usize) -> Result<String, Problem> {
    let text = text.trim();
    if text.is_empty() {
        Err(Problem::Missing)
    } else if text.chars().any(char::is_control) {
        Err(Problem::BadCharacters)
    } else if text.chars().count() > longest {
        Err(Problem::TooLong)
    } else {
        Ok(text.to_owned())
    }
}

#[derive(Default)]
pub(crate) struct Problems(pub(crate) Vec<FieldProblem>);

impl Problems {
    /// The value of a field, whose problem is recorded if it has none.
    pub(crate) fn value<T>(&mut self, field: Field, read: Result<T, Problem>) -> Option<T> {
        self.note(read.map_err(|problem| FieldProblem::new(field, problem)))
    }

    /// The same for a value whose problem names its field.
    pub(crate) fn note<T>(&mut self, read: Result<T, FieldProblem>) -> Option<T> {
        read.map_err(|problem| self.0.push(problem)).ok()
    }
}
