//! The outbox, and how a person resolves a case.

use clap::{Args, Subcommand};

use crate::export::{ListFile, list_file};
use crate::values::whole;

#[derive(Debug, Subcommand)]
pub enum OutboxCommand {
    /// Count what waits, what is unknown, what needs a person
    Status,
    /// Send what waits and confirm what was accepted
    Run {
        /// The longest time to run, in seconds
        #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = whole::<u64>)]
        wait: u64,
    },
    /// List every entry that is not finished
    List {
        /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
        #[arg(long, value_name = "FILE", value_parser = list_file)]
        export: Option<ListFile>,
    },
    /// Show a case: its evidence and its possible resolutions
    Show {
        /// Id of the entry, from `outbox list`
        case: String,
    },
    /// Resolve a case. A refused entry is corrected in the window, or in its file
    Resolve(ResolveArgs),
}

#[derive(Debug, Args)]
pub struct ResolveArgs {
    /// Id of the entry, from `outbox list`
    pub case: String,
    #[command(flatten)]
    pub kind: ResolutionArgs,
    /// Answer yes to the question about this earlier entry of the same sale: both contracts are
    /// wanted. `lost` for an entry that only a rescue report has; may be repeated
    #[arg(long, value_name = "CASE")]
    pub yes_second_contract: Vec<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ResolutionArgs {
    /// The provider has the contract, under this id; a lookup must match
    #[arg(long, value_name = "ID")]
    pub give_contract_id: Option<String>,
    /// The provider says it has none (who, or a case number): send again with a new key
    #[arg(long, value_name = "REF")]
    pub provider_has_none: Option<String>,
    /// Repeat the same request with the same key once more; it can sell twice if the provider no
    /// longer has the key
    #[arg(long)]
    pub replay_once: bool,
    /// Send what waits now instead of later, this one first
    #[arg(long)]
    pub send_now: bool,
    /// Cancel the entry
    #[arg(long)]
    pub cancel: bool,
    /// The provider was asked whether it has the contract more than once (who, or a case number)
    #[arg(long, value_name = "REF")]
    pub duplicate_checked: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::args::Args;

    #[test]
    fn a_case_is_resolved_in_exactly_one_way() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        assert!(parse("wdesk outbox resolve c --cancel").is_ok());
        assert!(parse("wdesk outbox resolve c").is_err());
        assert!(parse("wdesk outbox resolve c --cancel --send-now").is_err());
    }
}
