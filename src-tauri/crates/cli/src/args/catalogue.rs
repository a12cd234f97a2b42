//! The arguments of `plans …`, `products …` and `imports …`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use warranty_core::api::PlanFilter;

use crate::export::{ListFile, ListOptions, list_file};
use crate::file_args::{AnswerArgs, FileArgs};
use crate::values::{PLANS, one_of};

#[derive(Debug, Subcommand)]
pub enum PlansCommand {
    /// List the plans of a product
    List {
        /// Product reference, the store's own key
        #[arg(long, value_name = "REF")]
        product: String,
        /// Which plans
        #[arg(long, value_parser = one_of(PLANS), ignore_case = true, default_value = "Any")]
        status: PlanFilter,
        /// Only what is saved here, with its age
        #[arg(long)]
        offline: bool,
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file)]
        export: Option<ListFile>,
    },
    /// Show a plan and its product
    Show {
        /// Plan id
        plan: String,
        /// Only what is saved here, with its age
        #[arg(long)]
        offline: bool,
    },
    /// Set a plan's store reference, then verify it by reading the plan again
    Link {
        /// Plan id
        plan: String,
        /// The store's own reference for the plan
        store_reference: String,
        /// Stop unless this is the current reference (an empty text: unless there is none)
        #[arg(long, value_name = "REF")]
        expect: Option<String>,
    },
    /// Set the store references of a file (CSV or xlsx), each verified as by `link`: planId, storeReferenceId
    ///
    /// Every row is read first; if one cannot be used, nothing is linked. Whether the service has the
    /// plans is found out while they are linked
    LinkFile(RowsArgs),
    /// Search the saved plans and their products, in both scripts, without the service
    #[command(mut_arg("limit", |limit| limit.default_value("50")))]
    Search {
        /// Words that must all occur
        text: String,
        #[command(flatten)]
        list: ListOptions,
    },
}

#[derive(Debug, Subcommand)]
pub enum ProductsCommand {
    /// Create a product or overwrite all of it; every field is sent
    Put(ProductFields),
    /// List the products known here (the service has no list)
    List {
        /// Only those that contain this
        #[arg(default_value = "", hide_default_value = true)]
        text: String,
        #[command(flatten)]
        list: ListOptions,
    },
    /// Send a file of products (CSV or xlsx): referenceId, title, price, imageUrl, category
    ///
    /// Every row is checked first; if one row is bad, nothing is sent.
    Import(RowsArgs),
    /// Add the products of a file (CSV or xlsx) to the known ones and read their plans: referenceId
    References(RowsArgs),
}

#[derive(Debug, ClapArgs)]
pub struct RowsArgs {
    /// The file
    pub file: PathBuf,
    /// Check only
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub reading: FileArgs,
    #[command(flatten)]
    pub answers: AnswerArgs,
}

#[derive(Debug, ClapArgs)]
pub struct ProductFields {
    /// The store's own key of the product
    #[arg(long, value_name = "REF")]
    pub reference_id: String,
    /// Title
    #[arg(long, value_name = "TEXT")]
    pub title: String,
    /// Price, a whole number
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub price: String,
    /// Address of a picture
    #[arg(long, value_name = "URL")]
    pub image_url: String,
    /// Category
    #[arg(long, value_name = "TEXT")]
    pub category: String,
}

#[derive(Debug, Subcommand)]
pub enum ImportsCommand {
    /// List files that are not finished, or have rejected rows that were not fetched
    List,
    /// Write the rejected rows of a file to another one, each with its reason
    Rejected {
        /// Id of the import, from `imports list`
        import: String,
        /// The file, which must not exist yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Let a paused import go on; `outbox run` sends what waits of it
    Resume {
        /// Id of the import, from `imports list`
        import: String,
    },
    /// Stop an import: rows and contracts of it that were not sent are not sent any more
    Cancel {
        /// Id of the import, from `imports list`
        import: String,
    },
    /// Remove an import that was not started or is over, with its rejected rows; its contracts stay
    Remove {
        /// Id of the import, from `imports list`
        import: String,
    },
}
