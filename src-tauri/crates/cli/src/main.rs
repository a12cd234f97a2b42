//! `wdesk`: the same desk without a window, for back-office jobs, support and machines without a
//! display.
//!
//! Owns commands, words and exit codes. What a store does with the service is `warranty-core`'s.

mod args;
mod contract_sheet;
mod contracts;
mod desk;
mod enter;
mod enter_report;
mod exit;
mod export;
mod failure;
mod file_args;
mod key;
mod leads;
mod outbox;
mod output;
mod plans;
mod products;
mod profile;
mod profile_test;
mod progress;
mod rescue;
mod rows;
mod run;
mod sandbox;
mod settings;
mod stop;
mod table;
mod token;
mod values;
mod waits;
mod words;

fn main() -> std::process::ExitCode {
    run::run(std::env::args_os()).into()
}
