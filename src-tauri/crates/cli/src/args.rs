//! The command line: every command, option and word of help.
//!
//! Owns the shape of the arguments and nothing of what they do.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::export::{ListFile, list_file};
use crate::file_args::FileArgs;
use crate::values::{LanguageArg, SizeArg, StateArg, Status, utc_offset};

/// Heading of the options that every command takes.
const EVERYWHERE: &str = "For every command";

const AFTER_HELP: &str = "\
Exit codes:
  0  all done
  2  bad usage or bad input, or this machine stands in the way (nothing was sent)
  3  refused by the service
  4  a person must decide
  5  queued but not sent, or the service could not be reached (offline)
Where several apply, sales that were entered come first: 4 before 3 before 5.

With --json, stdout holds exactly one JSON document. When a call fails it is
  {\"error\": {\"code\", \"message\", \"maySold\": \"no\"|\"maybe\", \"requestId\", ...}}
and for a file whose rows have problems it is the report that names them.
Progress and words for people go to stderr. WDESK_LOG=debug writes a log there too.";

/// Enter extended-warranty contracts, look them up, keep products and plans: without a window.
#[derive(Debug, Parser)]
#[command(name = "wdesk", version, after_help = AFTER_HELP)]
pub struct Args {
    /// Folder that holds everything but the tokens [default: the window's own]
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub data_dir: Option<PathBuf>,
    /// Work under this profile instead of the chosen one
    #[arg(long, global = true, value_name = "NAME", help_heading = EVERYWHERE)]
    pub profile: Option<String>,
    /// Print one JSON document on stdout, with the field names of the interface
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subjects.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Which service and which store
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// The profile's access token, kept in the keychain of this computer
    #[command(subcommand)]
    Token(TokenCommand),
    /// Warranty plans: browse, search, open, link
    #[command(subcommand)]
    Plans(PlansCommand),
    /// Products: send, list what is known here, send a file
    #[command(subcommand)]
    Products(ProductsCommand),
    /// Contracts: enter a file of sales, look one up, list what was entered here
    #[command(subcommand)]
    Contracts(ContractsCommand),
    /// What becomes of entered contracts until the service is known to have them
    #[command(subcommand)]
    Outbox(OutboxCommand),
    /// Leads: customers who declined today and may join later
    #[command(subcommand)]
    Leads(LeadsCommand),
    /// The key that customers are sealed with on this computer
    #[command(subcommand)]
    Key(KeyCommand),
    /// What happened when the desk's own file was damaged and replaced
    #[command(subcommand)]
    Rescue(RescueCommand),
    /// Show the settings, or change them
    Settings(SettingsArgs),
    /// The practice service: sample data, nothing is really sold
    #[command(subcommand)]
    Sandbox(SandboxCommand),
}

/// `profile …`
#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    /// Make a profile; the first one made is chosen
    Add {
        /// Its name
        name: String,
        /// Address of the service: https, or http on this computer alone
        #[arg(long, value_name = "URL")]
        base_url: String,
        /// Id of the store at the service
        #[arg(long, value_name = "ID")]
        store_id: String,
        /// Offset given to dates that carry none [default: this computer's now]
        #[arg(long, value_name = "+09:00", allow_hyphen_values = true, value_parser = utc_offset)]
        utc_offset: Option<i32>,
    },
    /// List the profiles
    List,
    /// Choose a profile
    Use {
        /// Its name or id
        name: String,
    },
    /// Try its address, store and token; nothing is created
    ///
    /// Exit codes: 0 all is well, 2 there is no token to be tried, 3 the service refuses the token,
    /// 5 the address does not answer as the service does, or something could not be told.
    Test,
    /// Remove a profile and its token; refused while contracts of it are unfinished
    Remove {
        /// Its name or id
        name: String,
    },
}

/// `token …`
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum TokenCommand {
    /// Keep the token that comes on standard input (never as an argument)
    Set,
    /// Say whether a token is kept
    Status,
    /// Forget the token
    Remove,
}

/// `key …`
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum KeyCommand {
    /// Say whether customers can be read here
    Status,
    /// Take a new key for what is entered from now on; what is sealed stays with its old one
    Renew,
}

/// `rescue …`
#[derive(Debug, Subcommand)]
pub enum RescueCommand {
    /// Show what was set aside, what was restored and which entries need a look
    Show,
    /// Say that it was looked at: the notice ends, the cases stay
    Done,
}

/// `settings`
#[derive(Debug, Clone, Copy, ClapArgs)]
pub struct SettingsArgs {
    /// Delete customers so many days after nothing more is to come of a sale [default: 90]
    #[arg(long, value_name = "DAYS")]
    pub retention_days: Option<u32>,
}

/// `plans …`
#[derive(Debug, Subcommand)]
pub enum PlansCommand {
    /// List the plans of a product
    List {
        /// Product reference, the store's own key
        #[arg(long, value_name = "REF")]
        product: String,
        /// Which plans
        #[arg(long, value_enum, ignore_case = true, default_value = "Any")]
        status: Status,
        /// Only what is remembered here, with its age
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
        /// Only what is remembered here, with its age
        #[arg(long)]
        offline: bool,
    },
    /// Set a plan's store reference, then prove it by reading the plan again
    Link {
        /// Plan id
        plan: String,
        /// The store's own reference for the plan
        store_reference: String,
        /// Stop unless this stands there now (an empty text: unless nothing does)
        #[arg(long, value_name = "REF")]
        expect: Option<String>,
    },
    /// Set the store references of a file (CSV or xlsx), each proven like `link`: planId, storeReferenceId
    ///
    /// Every row is checked first; one bad row and nothing is linked.
    LinkFile(RowsArgs),
    /// Search the remembered plans and their products, in both scripts, without the service
    Search {
        /// Words that must all occur
        text: String,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with = "limit")]
        export: Option<ListFile>,
    },
}

/// `products …`
#[derive(Debug, Subcommand)]
pub enum ProductsCommand {
    /// Create a product or overwrite all of it; every field is sent
    Put(ProductFields),
    /// List the products known here (the service has no list)
    List {
        /// Only those that contain this
        #[arg(default_value = "", hide_default_value = true)]
        text: String,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 200)]
        limit: u32,
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with = "limit")]
        export: Option<ListFile>,
    },
    /// Send a file of products (CSV or xlsx): referenceId, title, price, imageUrl, category
    ///
    /// Every row is checked first; one bad row and nothing is sent.
    Import(RowsArgs),
    /// Take the products of a file (CSV or xlsx) into this desk and read their plans: referenceId
    References(RowsArgs),
}

/// A file whose rows are done at the service one by one.
#[derive(Debug, ClapArgs)]
pub struct RowsArgs {
    /// The file
    pub file: PathBuf,
    /// Check only
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub reading: FileArgs,
}

/// All five fields of an upsert.
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

/// `contracts …`
#[derive(Debug, Subcommand)]
pub enum ContractsCommand {
    /// Enter a file of sales (CSV or xlsx) and send them
    ///
    /// Columns, by these or by their usual Japanese names: transactionId, transactionTotal, transactionDate, customerName, customerEmail,
    /// productReferenceId, productPurchasePrice, planId, planPurchasePrice.
    ///
    /// Every row is checked first, against the service too when it can be reached. A sale that was
    /// entered before (same transaction, product and plan) is passed over: nothing is sold twice.
    #[command(verbatim_doc_comment)]
    Enter(EnterArgs),
    /// Look a contract up at the service and show every field
    Show(ShowArgs),
    /// List what was entered here, newest first
    List {
        /// Only those in this state; may be repeated
        #[arg(long, value_enum, value_name = "STATE")]
        state: Vec<StateArg>,
        /// Only those whose transaction, product, customer, contract id or inquiry code contains this
        #[arg(long, default_value = "", hide_default_value = true)]
        text: String,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 200)]
        limit: u32,
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with = "limit")]
        export: Option<ListFile>,
    },
}

/// `contracts show …`
#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// Contract id
    pub id: String,
    /// Write the customer's sheet to this file, which must not exist yet: an HTML page that every
    /// browser shows and prints
    #[arg(long, value_name = "FILE")]
    pub paper: Option<PathBuf>,
    /// Language of the sheet
    #[arg(long, value_enum, default_value = "ja", requires = "paper")]
    pub language: LanguageArg,
    /// Paper of the sheet: a page of A4, or a roll 80 mm wide
    #[arg(long, value_enum, default_value = "a4", requires = "paper")]
    pub size: SizeArg,
}

/// `contracts enter …`
#[derive(Debug, ClapArgs)]
pub struct EnterArgs {
    /// The file
    pub file: PathBuf,
    /// Check every row, keep and send nothing
    ///
    /// The exit code is 5 when the service could not be asked about all of them.
    #[arg(long)]
    pub dry_run: bool,
    /// Enter the good rows and write the others, with the reason, to this file, which must not exist yet
    ///
    /// Without it one bad row keeps the whole file from being entered (exit code 2). With it the exit
    /// code says what became of the good rows; when all is well with these, or on a dry run, it is 4
    /// for the rows left out, and 2 when there is no good row.
    #[arg(long, value_name = "FILE")]
    pub rejected: Option<PathBuf>,
    #[command(flatten)]
    pub reading: FileArgs,
    /// Enter only; the window or `wdesk outbox run` sends (exit code 5)
    #[arg(long, conflicts_with_all = ["wait", "dry_run"])]
    pub no_wait: bool,
    /// How long to send and to wait until the service shows the contracts, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub wait: u64,
}

/// `outbox …`
#[derive(Debug, Subcommand)]
pub enum OutboxCommand {
    /// Count what waits, what is unknown, what needs a person
    Status,
    /// Send what waits and confirm what was accepted
    Run {
        /// At most so long, in seconds
        #[arg(long, value_name = "SECONDS", default_value_t = 120)]
        wait: u64,
    },
    /// List every entry that is not finished
    List {
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file)]
        export: Option<ListFile>,
    },
    /// Show a case: its evidence and its lawful ways out
    Show {
        /// Id of the entry, from `outbox list`
        case: String,
    },
    /// Close a case. Editing a refused entry is for the window, or for the corrected file
    Resolve(ResolveArgs),
}

/// `outbox resolve …`: exactly one way.
#[derive(Debug, ClapArgs)]
pub struct ResolveArgs {
    /// Id of the entry, from `outbox list`
    pub case: String,
    /// The way out.
    #[command(flatten)]
    pub way: WayArgs,
}

/// The ways out that a terminal can offer.
#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
pub struct WayArgs {
    /// The provider has the contract, under this id; a lookup must match
    #[arg(long, value_name = "ID")]
    pub give_contract_id: Option<String>,
    /// The provider says it has none (who, or a case number): send anew under a new key
    #[arg(long, value_name = "REF")]
    pub provider_has_none: Option<String>,
    /// Repeat the same request under the same key once more; it can sell twice where the provider
    /// has forgotten the key
    #[arg(long)]
    pub replay_once: bool,
    /// Try now instead of later
    #[arg(long)]
    pub send_now: bool,
    /// Give the entry up
    #[arg(long)]
    pub cancel: bool,
}

/// `leads …`
#[derive(Debug, Subcommand)]
pub enum LeadsCommand {
    /// Create a lead; its token is shown once and kept nowhere
    Create {
        /// Transaction id
        #[arg(long, value_name = "ID")]
        transaction_id: String,
        /// Product reference
        #[arg(long, value_name = "REF")]
        product: String,
        /// What the product was sold for, a whole number
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        purchase_price: String,
        /// How many
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        quantity: String,
        /// When; without an offset the profile's is applied [default: now]
        #[arg(
            long,
            value_name = "DATE",
            default_value = "",
            hide_default_value = true
        )]
        date: String,
    },
    /// List the leads made here, newest first
    List {
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 200)]
        limit: u32,
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with = "limit")]
        export: Option<ListFile>,
    },
    /// Send a waiting, refused or unanswered lead once more
    Again {
        /// Id of the lead, from `leads list`
        id: String,
    },
    /// Give a lead up
    Cancel {
        /// Id of the lead, from `leads list`
        id: String,
    },
}

/// `sandbox …`
#[derive(Debug, Subcommand)]
pub enum SandboxCommand {
    /// Serve the whole interface on this computer, on sample data, until interrupted
    ///
    /// The first line on stdout is `listening on http://127.0.0.1:PORT`, then the token and the
    /// store to use.
    Serve(ServeArgs),
    /// Print the sample products and their plans
    Catalogue,
    /// List the personalities that have a name
    Personalities,
}

/// `sandbox serve …`
#[derive(Debug, ClapArgs)]
pub struct ServeArgs {
    /// Address to listen on, on this computer only; port 0 takes a free one
    #[arg(long, value_name = "127.0.0.1:PORT", default_value = "127.0.0.1:0")]
    pub addr: SocketAddr,
    /// The practice token to demand [default: made once and kept with the practice data]
    #[arg(long, value_name = "T")]
    pub token: Option<String>,
    /// Keep the practice data in this file instead of in memory
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// How the service behaves where the interface is silent: a name of `sandbox personalities`, or
    /// a JSON file of the settings that differ from the default
    #[arg(long, value_name = "NAME|FILE", default_value = "default")]
    pub personality: String,
    /// Faults for the next requests, before the personality has its say: a JSON file, an array of
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
    fn a_case_is_resolved_in_exactly_one_way() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        assert!(parse("wdesk outbox resolve c --cancel").is_ok());
        assert!(parse("wdesk outbox resolve c").is_err());
        assert!(parse("wdesk outbox resolve c --cancel --send-now").is_err());
    }

    #[test]
    fn help_names_a_default_once_and_none_that_is_empty() {
        fn look(command: &mut clap::Command) {
            let help = command.render_long_help().to_string();
            assert!(!help.contains("[default: ]"), "{help}");
            assert!(!help.contains("[default: \"\"]"), "{help}");
            // An option's help ends where the next option or an empty line begins.
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
