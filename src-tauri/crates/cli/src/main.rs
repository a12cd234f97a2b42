//! `wdesk`: the command line of the desk, for back-office jobs, support and machines without a display.
//!
//! Owns commands, output and exit codes. Business rules are in `warranty-core`.

mod args;
mod backlog;
mod contract_text;
mod contracts;
mod day;
mod doctor;
mod enter;
mod enter_report;
mod exit;
mod export;
mod failure;
mod file_args;
mod import;
mod journal;
mod key;
mod leads;
mod manual;
mod messages;
mod outbox;
mod outbox_text;
mod output;
mod plans;
mod policy;
mod products;
mod profile;
mod profile_test;
mod progress;
mod reconcile;
mod rescue;
mod run;
mod sandbox;
mod session;
mod settings;
mod signals;
mod state_counts;
mod support;
mod table;
mod token;
mod values;

fn main() -> std::process::ExitCode {
    run::run(std::env::args_os()).into()
}
