//! What can be wrong with what was typed or read from a file, field by field.

use serde::{Deserialize, Serialize};

/// Which operation of the interface a failure belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// Part 4.1.
    CreateContracts,
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
    #[must_use]
    pub fn changes(self) -> bool {
        match self {
            Self::CreateContracts | Self::UpsertProduct | Self::UpdatePlan | Self::CreateLead => {
                true
            }
            Self::GetContract | Self::ListPlans | Self::GetPlan => false,
        }
    }
}

/// A field of a form or a column of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[allow(
    missing_docs,
    reason = "each is the field of that name in the interface or the profile"
)]
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
}

impl Field {
    /// Whether it is a code: each of its characters counts, a zero in front too.
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

/// What is wrong with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Problem {
    /// Nothing was given.
    Missing,
    /// Not a whole number.
    NotWholeNumber,
    /// Below zero, or zero where at least one is needed.
    TooSmall,
    /// A number that cannot be shown exactly.
    TooLarge,
    /// Longer than the bound of the field.
    TooLong,
    /// Not an e-mail address.
    NotEmail,
    /// Not a date-time, or one that does not exist.
    NotDateTime,
    /// Not the name of a time zone.
    NotTimeZone,
    /// Not a web address.
    NotWebAddress,
    /// Neither https nor loopback.
    NotSecure,
    /// Characters that cannot be part of it.
    BadCharacters,
    /// Looks like a number that a spreadsheet rounded, such as 1.23E+11.
    SpreadsheetRounded,
    /// An error of a spreadsheet, such as #N/A, or the marks of a column too narrow for its value.
    SpreadsheetError,
    /// Digits that are unknown, while the same digits with zeros in front are a product or a plan
    /// known here: a spreadsheet took the code for a number.
    LeadingZerosLost,
    /// The service does not know this product, or offers no plan for it.
    UnknownProduct,
    /// The service does not know this plan.
    UnknownPlan,
    /// The plan is not one of this product's.
    PlanOfAnotherProduct,
    /// The same transaction, product and plan are on an earlier row of the file.
    RepeatedRow,
    /// The row has more cells than there are columns, and not only blank ones: its cells may be in
    /// the wrong columns.
    ExtraCells,
}

/// One field and what is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct FieldProblem {
    /// Where.
    pub field: Field,
    /// What.
    pub problem: Problem,
}
