//! `wdesk sandbox`: the practice service, on sample data.

use std::io;
use std::path::Path;
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use warranty_core::settings::USUAL_RETENTION_DAYS;
use warranty_sandbox::{Database, Options, Personality, Sandbox, ScriptedFault};

use crate::args::SandboxCommand;
use crate::session::delete_practice_data;
use crate::{Context, Exit, Failure, StopSignal, say, text};

/// How often a service with a file deletes old data: staff may type real names even here.
const DELETION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listening {
    base_url: String,
    token: String,
    store_id: String,
}

pub async fn run(context: &Context, command: SandboxCommand) -> Result<Exit, Failure> {
    let SandboxCommand::Serve(args) = command;
    let file = args.db.clone();
    let delete_old = async || {
        if let Some(file) = &file {
            let retention = TimeDelta::days(USUAL_RETENTION_DAYS.into());
            delete_practice_data(file.clone(), Utc::now() - retention).await;
        }
    };
    let options = Options {
        addr: args.addr,
        database: args.db.map_or(Database::Memory, Database::File),
        token: args.token,
        personality: personality(&args.personality)?,
    };
    let script: Vec<ScriptedFault> = args.script.as_deref().map_or(Ok(Vec::new()), read)?;
    let mut stop = StopSignal::new()?;
    let sandbox = Sandbox::start(options)
        .await
        .map_err(Failure::because("sandbox"))?;
    delete_old().await;
    sandbox.script(script);
    if let Some(path) = args.record {
        sandbox
            .record_exchanges_to(&path)
            .map_err(Failure::write(&path))?;
    }
    let listening = Listening {
        base_url: sandbox.base_url(),
        token: sandbox.token().to_owned(),
        store_id: sandbox.store_id().to_owned(),
    };
    context.result(&listening, || {
        format!(
            "listening on {}\ntoken {}\nstore {}\n",
            listening.base_url, listening.token, listening.store_id
        )
    })?;
    say(text("wdesk.sandbox.runs", &[]));
    let delete_daily = async {
        loop {
            tokio::time::sleep(DELETION_INTERVAL).await;
            delete_old().await;
        }
    };
    tokio::select! {
        () = stop.received() => {}
        () = delete_daily => {}
    }
    sandbox.stop().await;
    Ok(Exit::Done)
}

/// A named personality, or one from a file: a value with an extension or a path separator is a file.
fn personality(named: &str) -> Result<Personality, Failure> {
    let path = Path::new(named);
    if path.extension().is_some() || path.components().count() > 1 {
        read(path)
    } else {
        Personality::named(named).map_err(Failure::because("unknownPersonality"))
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let failed = |reason: io::Error| {
        Failure::unusable("file", &[("path", &path.display()), ("reason", &reason)])
    };
    let bytes = std::fs::read(path).map_err(failed)?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))
}
