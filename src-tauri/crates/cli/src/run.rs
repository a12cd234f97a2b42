//! Parses the arguments, runs the command and returns the exit code.

use std::ffi::OsString;
use std::time::Duration;

use clap::Parser;
use serde_json::json;
use warranty_core::hardening::close_memory;
use warranty_core::log;

use crate::args::{Args, Command};
use crate::exit::Exit;
use crate::failure::{ErrorDocument, Failure};
use crate::output::{Output, say};
use crate::session::Context;
use crate::{
    contracts, day, doctor, journal, key, leads, manual, outbox, plans, policy, products, profile,
    reconcile, rescue, sandbox, settings, support, token,
};

/// Runs the command line.
pub fn run(argv: impl IntoIterator<Item = OsString>) -> Exit {
    close_memory();
    let argv: Vec<OsString> = argv.into_iter().collect();
    let args = match Args::try_parse_from(&argv) {
        Ok(args) => args,
        Err(error) => return usage(&error, argv.iter().any(|argument| argument == "--json")),
    };
    log::start("WDESK_LOG", None);
    let output = Output { json: args.json };
    // The desk's file has a thread of its own, and most of the work; more workers only wake each other.
    let result = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::Runtime)
        .and_then(|runtime| {
            let result = runtime.block_on(Box::pin(carry_out(args)));
            // A hanging keychain call must not keep the process alive.
            runtime.shutdown_timeout(Duration::from_secs(1));
            result
        });
    match result {
        Ok(exit) => exit,
        Err(failure) => report(&failure, output),
    }
}

async fn carry_out(args: Args) -> Result<Exit, Failure> {
    let context = Context::new(args.data_dir, args.profile, Output { json: args.json });
    match args.command {
        Command::Profile(command) => profile::run(&context, command).await,
        Command::Token(command) => token::run(&context, command).await,
        Command::Plans(command) => plans::run(&context, command).await,
        Command::Products(command) => products::run(&context, command).await,
        Command::Contracts(command) => contracts::run(&context, command).await,
        Command::Outbox(command) => outbox::run(&context, command).await,
        Command::Leads(command) => leads::run(&context, command).await,
        Command::Day(arguments) => day::run(&context, arguments).await,
        Command::Reconcile(arguments) => reconcile::run(&context, arguments).await,
        Command::Key(command) => key::run(&context, command).await,
        Command::Rescue(command) => rescue::run(&context, command).await,
        Command::Settings(arguments) => settings::run(&context, arguments).await,
        Command::Doctor(arguments) => doctor::run(&context, arguments).await,
        Command::Policy(command) => policy::run(&context, command).await,
        Command::Journal(arguments) => journal::run(&context, arguments).await,
        Command::Support(command) => support::run(&context, command).await,
        Command::Sandbox(command) => sandbox::run(&context, command).await,
        Command::Manual { folder } => manual::run(&folder),
    }
}

fn report(failure: &Failure, output: Output) -> Exit {
    say(failure.message());
    if output.json {
        // When stdout is broken, only the exit code reports the failure.
        let _ = output.result(&json!({ "error": failure.document() }), String::new);
    }
    failure.exit()
}

fn usage(error: &clap::Error, json: bool) -> Exit {
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Done;
    }
    if json {
        let document = ErrorDocument::usage(error.render().to_string());
        let _ = Output { json }.result(&json!({ "error": document }), String::new);
    }
    Exit::Unusable
}
