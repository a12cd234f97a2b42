//! `wdesk sandbox`: the practice service, on sample data.

use std::path::Path;
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use warranty_core::settings::USUAL_RETENTION_DAYS;
use warranty_sandbox::{
    Database, Options, Personality, STORE_ID, SampleProduct, Sandbox, ScriptedFault, sample,
};

use crate::args::{SandboxCommand, ServeArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;
use crate::session::{Context, delete_practice_data};
use crate::signals::StopSignal;
use crate::table::{Table, grouped};

/// How often a service with a file deletes old data: staff may type real names even here.
const DELETION_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Carries out a `sandbox` command.
///
/// # Errors
/// Errors of the sandbox.
pub async fn run(context: &Context, command: SandboxCommand) -> Result<Exit, Failure> {
    match command {
        SandboxCommand::Serve(args) => serve(context, args).await,
        SandboxCommand::Catalogue => catalogue(context),
        SandboxCommand::Personalities => personalities(context),
    }
}

/// The data that a client needs to connect.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listening {
    base_url: String,
    token: String,
    store_id: String,
}

async fn serve(context: &Context, args: ServeArgs) -> Result<Exit, Failure> {
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
    let mut stop = StopSignal::new().map_err(Failure::Runtime)?;
    delete_old().await;
    let sandbox = Sandbox::start(options).await.map_err(Failure::Sandbox)?;
    sandbox.script(script);
    if let Some(path) = args.record {
        sandbox
            .record_exchanges_to(&path)
            .map_err(|source| Failure::Write { path, source })?;
    }
    let listening = Listening {
        base_url: sandbox.base_url(),
        token: sandbox.token().to_owned(),
        store_id: sandbox.store_id().to_owned(),
    };
    context.output.result(&listening, || {
        format!(
            "listening on {}\ntoken {}\nstore {}\n",
            listening.base_url, listening.token, listening.store_id
        )
    })?;
    say("Sample data; nothing is really sold. Ctrl-C stops it.");
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
        Personality::named(named).map_err(Failure::Personality)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let failed = |source| Failure::Behaviour {
        path: path.to_owned(),
        source,
    };
    let bytes = std::fs::read(path).map_err(failed)?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))
}

fn personalities(context: &Context) -> Result<Exit, Failure> {
    let names = Personality::names();
    context.output.done(&names, |names| names.join("\n") + "\n")
}

/// The sample products for `--json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Catalogue {
    store_id: &'static str,
    products: Vec<SampleProduct>,
}

fn catalogue(context: &Context) -> Result<Exit, Failure> {
    let catalogue = Catalogue {
        store_id: STORE_ID,
        products: sample::catalogue(),
    };
    let text = |catalogue: &Catalogue| catalogue_text(&catalogue.products);
    context.output.done(&catalogue, text)
}

fn catalogue_text(products: &[SampleProduct]) -> String {
    let mut table = Table::new(&["product", "title", "price", "plan", "", "price"]);
    for product in products {
        let price = grouped(product.price);
        if product.plans.is_empty() {
            table.row([&product.reference_id, &product.title, &price, "-", "", ""].map(Into::into));
        }
        for plan in &product.plans {
            table.row([
                product.reference_id.clone(),
                product.title.clone(),
                price.clone(),
                plan.id.clone(),
                plan.title.clone(),
                grouped(plan.price),
            ]);
        }
    }
    format!("Sample data.\n{}", table.text())
}
