//! Printed documents: the customer copy of a contract, the slip of a lead, and the close of a day.
//!
//! Owns their content in the chosen language. The window renders it and adds no text. An unconfirmed
//! entry never looks like a registered contract, and external texts are made safe to display.

mod day;
mod figures;
mod filling;
mod lead;

use serde::{Deserialize, Serialize};

use crate::contracts::SubmissionView;
use crate::interface::Personal;
use crate::settings::Language;
use crate::submission_state::{CaseReason, SubmissionState};

pub use day::MOST_SALES;
pub use filling::Shop;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PaperSize {
    /// 210 × 297 mm.
    A4,
    /// A roll 80 mm wide, of any length.
    Roll,
}

/// What may be said of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Standing {
    /// The service returned it.
    Registered,
    /// The service took it and gave it its numbers; nobody has seen it there yet.
    Accepted,
    /// Entered, and not known to be taken.
    Pending,
    /// The service has it, and reports something against it.
    Reported,
    /// Refused or cancelled.
    NotRegistered,
    /// No contract: a report of the desk itself.
    Report,
}

impl From<&SubmissionView> for Standing {
    fn from(entry: &SubmissionView) -> Self {
        let reported = [
            CaseReason::OtherStore,
            CaseReason::ReportedCancelled,
            CaseReason::ReportedFraud,
        ];
        let is_reported = entry.case.is_some_and(|case| reported.contains(&case));
        match entry.state {
            // A person may have settled the case: the contract holds no more than before.
            SubmissionState::NeedsPerson | SubmissionState::Confirmed if is_reported => {
                Self::Reported
            }
            SubmissionState::Confirmed => Self::Registered,
            SubmissionState::Accepted => Self::Accepted,
            SubmissionState::Draft
            | SubmissionState::Queued
            | SubmissionState::InFlight
            | SubmissionState::Held
            | SubmissionState::Unknown
            | SubmissionState::NeedsPerson => Self::Pending,
            SubmissionState::Rejected | SubmissionState::Cancelled => Self::NotRegistered,
        }
    }
}

/// One sheet, every word of it in one language. Its `Debug` shows no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Paper {
    pub language: Language,
    /// What may be said of the contract.
    pub standing: Standing,
    /// Who sold it.
    pub shop: String,
    pub issued: String,
    pub title: String,
    /// That nothing was sold, while practising.
    pub practice: Option<String>,
    /// That it is no registered contract, when it is none.
    pub notice: Option<PaperNotice>,
    pub customer: Option<Personal>,
    /// What the contract is known by at the provider.
    pub codes: Vec<PaperLine>,
    /// The first of the codes, to be scanned.
    pub qr: Option<PaperQr>,
    /// The plan, the product, the purchase.
    pub groups: Vec<PaperGroup>,
    /// How to inquire, on a sheet for a customer.
    pub inquire: Option<PaperGroup>,
}

/// What is emphasized on a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PaperNotice {
    /// In a word.
    pub mark: String,
    pub text: String,
}

/// A code to be scanned, as a square of modules with the margin that readers need.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PaperQr {
    /// Modules of a side.
    pub side: u32,
    /// The dark modules as a path of SVG, one unit each.
    pub path: String,
}

impl std::fmt::Debug for PaperQr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PaperQr(…)")
    }
}

/// Lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PaperGroup {
    pub title: String,
    /// A sentence above them.
    pub text: Option<String>,
    pub lines: Vec<PaperLine>,
}

/// A name and a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PaperLine {
    pub name: String,
    /// What it says, fit to be shown.
    pub value: Personal,
    /// Read out or typed letter by letter.
    pub code: bool,
}
