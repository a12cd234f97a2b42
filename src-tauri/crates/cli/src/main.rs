//! `wdesk`: the command line of the desk, for back-office jobs, support and machines without a display.
//!
//! Owns commands, output and exit codes. Business rules are in `warranty-core`.

mod args;
mod blockers;
mod contracts;
mod day;
mod doctor;
mod enter;
mod enter_report;
mod exit;
mod export;
mod failure;
mod file_args;
mod file_report;
mod file_run;
mod import;
mod imports;
mod journal;
mod key;
mod leads;
mod manual;
mod messages;
mod outbox;
mod outbox_hints;
mod outbox_report;
mod outbox_text;
mod output;
mod plans;
mod policy;
mod products;
mod profile;
mod progress;
mod reconcile;
mod rescue;
mod sandbox;
mod session;
mod settings;
mod signals;
mod support;
mod table;
mod token;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use serde_json::{Value, json};
use warranty_core::hardening::close_memory;
use warranty_core::log;

// The modules take from here the words that nearly all of them use.
use crate::args::{Args, Command, ProfileCommand};
use crate::exit::Exit;
use crate::failure::{Failure, usage_document};
use crate::messages::{named, text};
use crate::output::{result, say};
use crate::progress::Progress;
use crate::session::Context;
use crate::signals::StopSignal;
use crate::table::{KeyValues, Table, grouped, when};

fn main() -> ExitCode {
    run().into()
}

fn run() -> Exit {
    close_memory();
    let argv: Vec<OsString> = std::env::args_os().collect();
    let args = match Args::try_parse_from(&argv) {
        Ok(args) => args,
        Err(error) => return usage(&error, argv.iter().any(|argument| argument == "--json")),
    };
    log::start("WDESK_LOG", None);
    let json = args.json;
    // The desk's file has a thread of its own, and most of the work; more workers only wake each other.
    let result = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::because("runtime"))
        .and_then(|runtime| {
            let result = runtime.block_on(Box::pin(carry_out(args)));
            // A hanging keychain call must not keep the process alive.
            runtime.shutdown_timeout(Duration::from_secs(1));
            result
        });
    match result {
        Ok(exit) => exit,
        Err(failure) => report(&failure, json),
    }
}

async fn carry_out(args: Args) -> Result<Exit, Failure> {
    // What keeps a profile from being removed is named by commands under it.
    let named = if let Command::Profile(ProfileCommand::Remove { name, .. }) = &args.command {
        Some(name)
    } else {
        args.profile.as_ref()
    };
    if let Some(name) = named {
        output::name_profile(name);
    }
    let context = Context {
        data_dir: args.data_dir,
        profile: args.profile,
        // Refused before anything is opened.
        staff: warranty_core::staff::read(args.staff.as_deref())?,
        json: args.json,
    };
    match args.command {
        Command::Profile(command) => profile::run(&context, command).await,
        Command::Token(command) => token::run(&context, command).await,
        // These take files, and hold what is known of one.
        Command::Plans(command) => Box::pin(plans::run(&context, command)).await,
        Command::Products(command) => Box::pin(products::run(&context, command)).await,
        Command::Contracts(command) => contracts::run(&context, command).await,
        Command::Outbox(command) => outbox::run(&context, command).await,
        Command::Imports(command) => imports::run(&context, command).await,
        Command::Leads(command) => leads::run(&context, command).await,
        Command::Day(arguments) => day::run(&context, arguments).await,
        Command::Reconcile(arguments) => reconcile::run(&context, arguments).await,
        Command::Key(command) => key::run(&context, command).await,
        Command::Rescue(command) => rescue::run(&context, command).await,
        Command::Settings { retention_days } => settings::run(&context, retention_days).await,
        Command::Doctor { product } => doctor::run(&context, product).await,
        Command::Policy(command) => policy::run(&context, command).await,
        Command::Journal(arguments) => journal::run(&context, arguments).await,
        Command::Support(command) => support::run(&context, command).await,
        Command::Sandbox(command) => sandbox::run(&context, command).await,
        Command::Manual { folder } => manual::run(&context, &folder),
    }
}

fn report(failure: &Failure, json: bool) -> Exit {
    say(failure.message());
    if json {
        write_error(&failure.document());
    }
    failure.exit()
}

fn write_error(document: &Value) {
    // When stdout is broken, only the exit code reports the failure.
    let _ = result(true, &json!({ "error": document }), String::new);
}

fn usage(error: &clap::Error, json: bool) -> Exit {
    // When it cannot be printed, only the exit code reports it.
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Done;
    }
    if json {
        write_error(&usage_document(&error.render().to_string()));
    }
    Exit::Unusable
}
