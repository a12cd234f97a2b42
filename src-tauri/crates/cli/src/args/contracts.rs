//! The arguments of `contracts …`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use warranty_core::contracts::{EntryFilter, EntrySort};
use warranty_core::day::Date;
use warranty_core::outbox::SubmissionState;

use crate::export::{ListFile, list_file};
use crate::file_args::{AnswerArgs, FileArgs};
use crate::values::{SORTS, STATES, one_of, whole};

#[derive(Debug, Subcommand)]
pub enum ContractsCommand {
    /// Enter a file of sales (CSV or xlsx) and send them
    ///
    /// Columns, by these or by their usual Japanese or English names: transactionId, transactionTotal,
    /// transactionDate, customerName, customerEmail, productReferenceId, productPurchasePrice, planId,
    /// planPurchasePrice.
    ///
    /// Every row is checked first, against the service too when it can be reached. A sale that was
    /// entered before (same transaction, product and plan) is skipped: nothing is sold twice. Equal rows of
    /// one file need an answer: --repeated-lines.
    Enter(EnterArgs),
    /// Look a contract up at the service and show every field
    Show(ShowArgs),
    /// List what was entered here, newest first
    List(ListArgs),
}

#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    /// Only those in this state; may be repeated
    #[arg(long, value_parser = one_of(STATES), value_name = "STATE")]
    pub state: Vec<SubmissionState>,
    /// Only those with each of these words in transaction, product, customer, contract id or inquiry code
    ///
    /// Spaces in names, the width and form of kana, and variants of kanji do not matter.
    #[arg(
        long,
        visible_alias = "text",
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub search: String,
    /// Only sales of this day or later, by the clock of the store
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub from: Option<Date>,
    /// Only sales of this day or earlier, by the clock of the store
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub to: Option<Date>,
    /// What the list is sorted by, the highest or latest first
    #[arg(long, value_parser = one_of(SORTS), value_name = "FIELD", default_value = "enteredAt")]
    pub sort: EntrySort,
    /// The lowest or earliest first
    #[arg(long)]
    pub ascending: bool,
    /// Leave out this many of the first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>)]
    pub offset: u32,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>)]
    pub limit: u32,
    /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
    #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with_all = ["limit", "offset"])]
    pub export: Option<ListFile>,
}

impl ListArgs {
    /// The filter and the order of the list.
    pub fn filter(&self) -> EntryFilter {
        EntryFilter {
            states: self.state.clone(),
            text: self.search.clone(),
            from: self.from.map(Date::get),
            to: self.to.map(Date::get),
            sort: self.sort,
            ascending: self.ascending,
            offset: self.offset,
            limit: self.limit,
            ..EntryFilter::default()
        }
    }
}

#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// Contract id
    pub id: String,
}

#[derive(Debug, ClapArgs)]
pub struct EnterArgs {
    /// The file
    pub file: PathBuf,
    /// Check every row; store and send nothing
    ///
    /// The exit code is 5 when the service could not be asked about all of them, 3 when it refused the
    /// token.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub reading: FileArgs,
    #[command(flatten)]
    pub answers: AnswerArgs,
    /// Sell the rows on these lines, separated by commas, although an earlier line has the same
    /// transaction, product and plan: two of one product were bought, and each gets its contract
    ///
    /// Every equal row but the first needs its line here, and the whole file is entered again. Rows
    /// that were sold are recognized: the same command once more sells nothing.
    #[arg(long, value_name = "LINES", value_delimiter = ',', value_parser = whole::<u32>)]
    pub repeated_lines: Vec<u32>,
    /// Enter only; the window or `wdesk outbox run` sends (exit code 5)
    #[arg(long, conflicts_with_all = ["wait", "dry_run"])]
    pub no_wait: bool,
    /// How long to send and to wait until the service shows the contracts, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = whole::<u64>)]
    pub wait: u64,
}
