//! `wdesk plans`: browse, open, link and search.

use serde_json::{Value, json};
use warranty_core::api::{Plan, PlanId, ProductReference};
use warranty_core::bulk::RunKind;
use warranty_core::export::List;
use warranty_core::plans::{LinkReport, PlanList, PlanRecord, Source};
use warranty_core::{Desk, Error};
use warranty_messages::Values;

use crate::args::PlansCommand;
use crate::session::profile;
use crate::table::{age, amount, visible};
use crate::{
    Context, Exit, Failure, KeyValues, StopSignal, Table, exit, export, import, messages, say, text,
};

pub async fn run(context: &Context, command: PlansCommand) -> Result<Exit, Failure> {
    match command {
        PlansCommand::List {
            product,
            status,
            offline,
            export: file,
        } => {
            let product = ProductReference::new(product).map_err(Failure::id("--product"))?;
            let look = async |desk: &Desk| {
                let plan_list = match offline {
                    true => desk.plans.cached(&product, status).await?,
                    false => or_offline(desk.plans.refresh(&product, status).await)?,
                };
                match &file {
                    Some(file) => export::plan_list(context, desk, &plan_list, file).await,
                    None => context.done(&plan_list, plan_list_text),
                }
            };
            if let Some(file) = &file {
                export::try_place(&file.path)?;
            }
            // An export is recorded in the journal, so the desk is opened for writing.
            context.looking(offline && file.is_none(), look).await
        }
        PlansCommand::Show { plan, offline } => {
            let id = PlanId::new(plan).map_err(Failure::id("PLAN"))?;
            let look = async |desk: &Desk| {
                let record = match offline {
                    true => desk.plans.cached_plan(&id).await?,
                    false => Some(or_offline(desk.plans.open(&id).await)?),
                };
                let record = record.ok_or_else(|| Error::NotKnown(id.to_string()))?;
                context.done(&record, record_text)
            };
            context.looking(offline, look).await
        }
        PlansCommand::LinkFile(args) => import::run(context, RunKind::PlanLinks, args).await,
        PlansCommand::Link {
            plan,
            store_reference,
            expect,
        } => {
            let id = PlanId::new(plan).map_err(Failure::id("PLAN"))?;
            let link = async |desk: &Desk| {
                // Said first, because a link is not taken back by itself.
                let mut others = desk.plans.store_reference_used_by(&store_reference).await?;
                others.retain(|other| *other != id);
                if !others.is_empty() {
                    let plans = messages::list(&others);
                    let values: &Values<'_> = &[("reference", &store_reference), ("plans", &plans)];
                    say(text("wdesk.plans.alsoUsedBy", values));
                }
                let link = link(desk, &id, &store_reference, expect.as_deref());
                let report = StopSignal::new()?.run_until_stopped(desk, link).await??;
                context.done(&report, link_text)
            };
            context.changing(link).await
        }
        PlansCommand::Search { text, list } => {
            let found = async |desk: &Desk, limit| desk.plans.search(&text, limit).await;
            let all = List::Plans {
                text: text.clone(),
                shown: Vec::new(),
            };
            context.list(list, &all, found, found_text).await
        }
    }
}

/// Says how to see what is saved when the service was not reached.
fn or_offline<T>(asked: Result<T, Error>) -> Result<T, Error> {
    asked.inspect_err(|error| {
        if exit::of(error) == Exit::Queued || matches!(error, Error::PracticeNotRunning) {
            say(text("wdesk.plans.offline", &[]));
        }
    })
}

/// Links a plan, given its expected current reference. Without one the current reference is read first.
async fn link(
    desk: &Desk,
    id: &PlanId,
    store_reference: &str,
    expect: Option<&str>,
) -> Result<LinkReport, Failure> {
    let profile = profile(desk).await?;
    let expected = match expect {
        Some("") => None,
        Some(text) => Some(text.to_owned()),
        None => desk.plans.open(id).await?.plan.store_reference(),
    };
    Ok(desk
        .plans
        .link(&profile.id, id, store_reference, expected.as_deref())
        .await?)
}

fn plan_list_text(plan_list: &PlanList) -> String {
    let product = visible(plan_list.product_reference.as_str());
    let title = visible(plan_list.product_title.as_deref().unwrap_or("-"));
    let source = source(plan_list.source, plan_list.age_seconds);
    let plans = match plan_list.fetched_at {
        _ if !plan_list.plans.is_empty() => Table::of(&plan_list.plans)
            .column("plan", |plan| &plan.id)
            .optional("title", |plan| plan.title.as_ref())
            .optional("price", |plan| amount(&plan.price))
            .optional("term", |plan| plan.term_length)
            .optional("service", |plan| plan.service_type.as_ref())
            .optional("protection", |plan| plan.protection_type.as_ref())
            .optional("store reference", |plan| plan.shown_store_reference())
            .text(),
        Some(_) => "no plans\n".to_owned(),
        None => "no plans are saved for this product\n".to_owned(),
    };
    format!("{product}  {title}  {source}\n{plans}")
}

/// A plan with what is not understood, which its JSON for programs leaves out or does not mark.
pub fn shown(plan: &Plan) -> Value {
    let mut shown = json!(plan);
    shown["price"] = json!(amount(&plan.price));
    shown["storeReferenceId"] = json!(plan.shown_store_reference());
    shown
}

fn record_text(record: &PlanRecord) -> String {
    let mut fields = KeyValues::default();
    fields.all("", &shown(&record.plan));
    match &record.product {
        Some(product) => {
            let mut shown = json!(product);
            shown["price"] = json!(amount(&product.price));
            fields.all("product", &shown)
        }
        None => fields.optional("product.referenceId", record.product_reference.as_ref()),
    };
    fields.line("read", source(record.source, record.age_seconds));
    fields.text()
}

fn link_text(report: &LinkReport) -> String {
    let mut fields = KeyValues::default();
    fields.all("", &shown(&report.plan));
    fields.optional("before", report.previous.as_ref());
    fields.text()
}

fn found_text(found: &[PlanRecord]) -> String {
    Table::of(found)
        .column("plan", |record| &record.plan.id)
        .optional("title", |record| record.plan.title.as_ref())
        .optional("price", |record| amount(&record.plan.price))
        .optional("product", |record| record.product_reference.as_ref())
        .optional("", |record| {
            record.product.as_ref().and_then(|it| it.title.as_ref())
        })
        .optional("store reference", |record| {
            record.plan.shown_store_reference()
        })
        .optional("read", |record| record.age_seconds.map(age))
        .text()
}

fn source(source: Source, seconds: Option<u32>) -> String {
    match (source, seconds) {
        (Source::Service, _) => "from the service just now".to_owned(),
        (Source::Cache, Some(seconds)) => format!("saved, read {}", age(seconds)),
        (Source::Cache, None) => "saved".to_owned(),
    }
}
