//! `wdesk`: the same desk without a window, for back-office jobs, support and machines without a
//! display.
//!
//! Owns commands, words and exit codes. What a store does with the service is `warranty-core`'s.

mod args;
mod backlog;
mod contract_text;
mod contracts;
mod enter;
mod enter_report;
mod exit;
mod export;
mod failure;
mod file_args;
mod import;
mod key;
mod leads;
mod messages;
mod outbox;
mod output;
mod plans;
mod products;
mod profile;
mod profile_test;
mod progress;
mod rescue;
mod run;
mod sandbox;
mod session;
mod settings;
mod signals;
mod table;
mod token;
mod values;

fn main() -> std::process::ExitCode {
    run::run(std::env::args_os()).into()
}
