//! The command line: commands, options and help.
//!
//! Owns the arguments; does not know what the commands do.

mod catalogue;
mod contracts;
mod outbox;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use warranty_core::day::Date;

pub use catalogue::{ImportsCommand, PlansCommand, ProductFields, ProductsCommand, RowsArgs};
pub use contracts::{ContractsCommand, EnterArgs, ShowArgs};
pub use outbox::{OutboxCommand, ResolveArgs};

use crate::export::{ListFile, ListOptions, list_file};
use crate::file_args::FileArgs;
use crate::values::{utc_offset, whole};

/// Help heading of the global options.
const EVERYWHERE: &str = "For every command";

const AFTER_HELP: &str = "\
Exit codes:
  0  all done
  2  bad usage, bad input, or a problem on this computer (nothing was sent)
  3  refused by the service
  4  a person must decide
  5  queued but not sent, or the service could not be reached (offline)
Where several apply, sales that were entered come first: 4 before 3 before 5.

With --json, stdout holds exactly one JSON document. When a call fails it is
  {\"error\": {\"code\", \"message\", \"mayHaveChanged\": \"no\"|\"maybe\", \"requestId\", ...}}
where mayHaveChanged says whether something may have been done at the service, be it a sale, a lead, a
product or a plan; and for a file whose rows have problems it is the report that names them.
Progress and messages for people go to stderr. WDESK_LOG=debug writes a log there too.";

/// Enter extended-warranty contracts, look them up, and edit products and plans, without a window.
#[derive(Debug, Parser)]
#[command(name = "wdesk", version, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Args {
    /// Data folder; tokens and keys stay in the keychain [default: the same as the window's]
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub data_dir: Option<PathBuf>,
    /// Use this profile instead of the selected one: its name, or its key in a policy
    #[arg(long, global = true, value_name = "NAME", help_heading = EVERYWHERE)]
    pub profile: Option<String>,
    /// Record this staff code with what is entered, instead of the user of this computer
    #[arg(long, global = true, value_name = "CODE", help_heading = EVERYWHERE)]
    pub staff: Option<String>,
    /// Print one JSON document on stdout, with the field names of the interface
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Which service and which store
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// The profile's access token, stored in the keychain of this computer
    #[command(subcommand)]
    Token(TokenCommand),
    /// Warranty plans: list, show, search, link
    #[command(subcommand)]
    Plans(PlansCommand),
    /// Products: send, list what is known here, send a file
    #[command(subcommand)]
    Products(ProductsCommand),
    /// Contracts: enter a file of sales, look one up, list what was entered here
    #[command(subcommand)]
    Contracts(ContractsCommand),
    /// Entered contracts until the service has confirmed them
    #[command(subcommand)]
    Outbox(OutboxCommand),
    /// Files of rows: list what is not finished, fetch rejected rows, resume, cancel, remove
    #[command(subcommand)]
    Imports(ImportsCommand),
    /// A day's contracts, fees and leads, and what is left before it is closed
    ///
    /// Exit code 4 while something is left, of whatever day; 0 once nothing is.
    Day(DayArgs),
    /// Compare a list of the point of sale with what was entered here
    ///
    /// A CSV file or a workbook with a column of transactions; product, plan, amounts and dates are
    /// compared where it has their columns, by the same names as for `contracts enter`. Nothing is
    /// entered and nothing is asked of the service.
    ///
    /// Exit code 4 until everything agrees, and then 5 until the service has accepted all of it. Enter
    /// what is missing with `contracts enter` and the same file.
    Reconcile(ReconcileArgs),
    /// Leads: customers who declined today and may join later
    #[command(subcommand)]
    Leads(LeadsCommand),
    /// The key that encrypts customers' data on this computer
    #[command(subcommand)]
    Key(KeyCommand),
    /// The report after the desk's database file was damaged, or an older one was put back
    #[command(subcommand)]
    Rescue(RescueCommand),
    /// Show the settings, or change them
    Settings {
        /// Delete customers' data this many days after a sale is finished [default: 90]
        #[arg(long, value_name = "DAYS", value_parser = whole::<u32>)]
        retention_days: Option<u32>,
    },
    /// Find out what works: data folder, keychain, token, network, clock, address, store
    ///
    /// Creates nothing at the service. On a network drive the data folder is refused at once.
    ///
    /// The store is tested with the plans of a product: the one given, or one whose plans were
    /// listed at this server before. Without one it is not tested, and the output says so.
    ///
    /// Exit codes: 0 everything works, 2 something on this computer or the organization's policy does
    /// not, 3 the service refuses the token or the store, 5 something else about the service does not, or
    /// could not be checked, or another address or store that the policy sets is not in use yet.
    Doctor {
        /// Product reference to test the store with [default: one whose plans were listed here]
        #[arg(long, value_name = "REF")]
        product: Option<String>,
    },
    /// What an organization sets for all of its computers
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// List who did what and when, newest first: no secrets, no customers
    Journal(ListOptions),
    /// Make a file for whoever helps; it is sent nowhere
    #[command(subcommand)]
    Support(SupportCommand),
    /// The practice service: sample data, nothing is really sold
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// Write the manual pages, and completions for bash, zsh, fish and PowerShell, into a folder
    Manual {
        /// The folder; made when missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    /// Create a profile; the first one is selected
    Add {
        /// Its name
        name: String,
        /// Address of the service: https, or http on this computer alone
        #[arg(long, value_name = "URL")]
        base_url: String,
        /// Id of the store at the service
        #[arg(long, value_name = "ID")]
        store_id: String,
        /// Offset of dates that have none [default: this computer's current one]
        #[arg(long, value_name = "+09:00", allow_hyphen_values = true, value_parser = utc_offset)]
        utc_offset: Option<i32>,
        /// Time zone that sets the offset of each of these dates, where clocks change in summer
        #[arg(long, value_name = "Europe/Berlin", conflicts_with = "utc_offset")]
        time_zone: Option<String>,
    },
    /// List the profiles
    List,
    /// Select a profile
    Use {
        /// Its name or id
        name: String,
    },
    /// Remove a profile and its token; refused while something under it is unfinished
    Remove {
        /// Its name or id
        name: String,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub enum TokenCommand {
    /// Store the token from standard input (it is never an argument)
    ///
    /// With the key of a managed profile as --profile also while the window is open, which takes it at
    /// its next attempt.
    Set,
    /// Show whether a token is stored
    Status,
    /// Remove the token
    Remove,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub enum KeyCommand {
    /// Show whether customers' data can be read here
    Status,
    /// Create a new key in place of a lost one
    Renew,
}

#[derive(Debug, Subcommand)]
pub enum RescueCommand {
    /// Show what was set aside, what was restored and which entries need a check
    Show,
    /// Confirm that the report was read: the notice ends, the cases remain
    Done,
}

#[derive(Debug, Subcommand)]
pub enum SupportCommand {
    /// Write what support needs to a ZIP file of JSON
    ///
    /// In it: version, profiles without tokens, what `doctor` finds, counts and times of the outbox,
    /// the journal with numbers for users, the policy, a check of the database, sizes of files, the list
    /// of copies, the log. Never databases, keys,
    /// customers, transactions, requests or exports.
    Bundle {
        /// The file, which must not exist yet
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Product reference to test the store with, as for `doctor`
        #[arg(long, value_name = "REF")]
        product: Option<String>,
        /// Put digests in the place of ids in the journal
        #[arg(long)]
        mask_ids: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Check a file before it goes out; exit code 2 when anything in it is wrong or unknown
    Check {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Show each key: its value, where it is set, and what it overrules
    Show,
}

#[derive(Debug, Clone, ClapArgs)]
pub struct DayArgs {
    /// The day on the store's clock [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<Date>,
    /// Write the day's sales to this file, which must not exist yet; its name ends in .csv or .xlsx
    #[arg(long, value_name = "FILE", value_parser = list_file)]
    pub export: Option<ListFile>,
}

#[derive(Debug, ClapArgs)]
pub struct ReconcileArgs {
    /// The list
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Compare this day of the store's clock alone [default: the days of the list, or all days when it has none]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<Date>,
    #[command(flatten)]
    pub reading: FileArgs,
}

#[derive(Debug, Subcommand)]
pub enum LeadsCommand {
    /// Create a lead and show its token
    Create(LeadArgs),
    /// List the leads made here, newest first
    List(ListOptions),
    /// Send a waiting, refused or unanswered lead once more
    Again {
        #[command(flatten)]
        lead: LeadId,
        /// Send a refused one in addition to this other lead for the same transaction and product
        #[arg(long, value_name = "LEAD")]
        beside: Option<String>,
    },
    /// Show a lead with its token
    Show(LeadId),
    /// Cancel a lead
    Cancel(LeadId),
}

#[derive(Debug, ClapArgs)]
pub struct LeadId {
    /// Id of the lead, from `leads list`
    pub id: String,
}

#[derive(Debug, ClapArgs)]
pub struct LeadArgs {
    /// Transaction id
    #[arg(long, value_name = "ID")]
    pub transaction_id: String,
    /// Product reference
    #[arg(long, value_name = "REF")]
    pub product: String,
    /// What the product was sold for, a whole number
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub purchase_price: String,
    /// How many
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub quantity: String,
    /// When; without an offset the profile's is applied [default: now]
    #[arg(
        long,
        value_name = "DATE",
        default_value = "",
        hide_default_value = true
    )]
    pub date: String,
    /// Create it in addition to this earlier lead for the same transaction and product
    #[arg(long, value_name = "LEAD")]
    pub beside: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum SandboxCommand {
    /// Serve the whole interface on this computer, with sample data, until interrupted
    ///
    /// The first line on stdout is `listening on http://127.0.0.1:PORT`, then the token and the
    /// store to use.
    Serve(ServeArgs),
}

#[derive(Debug, ClapArgs)]
pub struct ServeArgs {
    /// Address to listen on, on this computer only; port 0 takes a free one
    #[arg(long, value_name = "127.0.0.1:PORT", default_value = "127.0.0.1:0")]
    pub addr: SocketAddr,
    /// The access token to require [default: generated once and stored with the practice data]
    #[arg(long, value_name = "T")]
    pub token: Option<String>,
    /// Store the practice data in this file instead of in memory; contracts and leads in it are deleted
    /// after 90 days
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// How the service behaves where the interface leaves it open: a name (an unknown one lists them),
    /// or a JSON file of the settings that differ from the default
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    pub personality: String,
    /// Faults for the next requests, applied before those of the personality: a JSON file with an array of
    /// `{"operations": [...], "action": ..., "times": 1}`
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Write every exchange to this file, one JSON object a line, tokens masked
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_has_no_contradiction_in_itself() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_names_a_default_once_and_none_that_is_empty() {
        fn look(command: &mut clap::Command) {
            let help = command.render_long_help().to_string();
            assert!(!help.contains("[default: ]"), "{help}");
            assert!(!help.contains("[default: \"\"]"), "{help}");
            // The help of an option ends at the next option or at an empty line.
            for part in help.split("\n\n") {
                assert!(part.matches("[default: ").count() < 2, "{part}");
            }
            command.get_subcommands_mut().for_each(look);
        }
        let mut all = Args::command();
        all.build();
        look(&mut all);
    }

    #[test]
    fn a_token_is_no_argument_outside_the_sandbox() {
        assert!(Args::try_parse_from(["wdesk", "token", "set", "secret"]).is_err());
        assert!(Args::try_parse_from(["wdesk", "token", "set", "--token", "secret"]).is_err());
    }
}
