//! `wdesk plans`: browse, open, link and search.

use warranty_core::api::{Plan, PlanFilter, PlanId, ProductReference};
use warranty_core::bulk::RunKind;
use warranty_core::export::List;
use warranty_core::plans::{LinkReport, PlanList, PlanRecord, Source};
use warranty_core::{Desk, Error};

use crate::args::PlansCommand;
use crate::exit::{self, Exit};
use crate::export;
use crate::failure::Failure;
use crate::import;
use crate::messages::text;
use crate::output::say;
use crate::session::{Context, Session};
use crate::table::{KeyValues, Table, age, amount, visible};

/// Carries out a `plans` command.
///
/// # Errors
/// [`Failure::Id`] for an invalid id; errors of the core.
pub async fn run(context: &Context, command: PlansCommand) -> Result<Exit, Failure> {
    match command {
        PlansCommand::List {
            product,
            status,
            offline,
            export: file,
        } => {
            let product = ProductReference::new(product).map_err(Failure::id("--product"))?;
            let look = async |session: &Session| {
                let (plan_list, exit) = list(session, &product, status.into(), offline).await?;
                match &file {
                    Some(file) => export::plan_list(context, session, &plan_list, file).await?,
                    None => context
                        .output
                        .result(&plan_list, || plan_list_text(&plan_list))?,
                }
                Ok(exit)
            };
            if let Some(file) = &file {
                file.try_place()?;
            }
            // An export is recorded in the journal, so the desk is opened for writing.
            if offline && file.is_none() {
                context.reading(look).await
            } else {
                context.remembering(look).await
            }
        }
        PlansCommand::Show { plan, offline } => {
            let id = PlanId::new(plan).map_err(Failure::id("PLAN"))?;
            let look = async |session: &Session| {
                let (record, exit) = show(session, &id, offline).await?;
                context.output.result(&record, || record_text(&record))?;
                Ok(exit)
            };
            if offline {
                context.reading(look).await
            } else {
                context.remembering(look).await
            }
        }
        PlansCommand::LinkFile(args) => import::run(context, RunKind::PlanLinks, args).await,
        PlansCommand::Link {
            plan,
            store_reference,
            expect,
        } => {
            let id = PlanId::new(plan).map_err(Failure::id("PLAN"))?;
            context
                .changing(async |session| {
                    let report = session
                        .with_service(async |desk| {
                            link(desk, &id, &store_reference, expect.as_deref()).await
                        })
                        .await?;
                    if !report.also_used_by.is_empty() {
                        let plans = ids(&report.also_used_by);
                        let values = [("reference", &*store_reference), ("plans", &*plans)];
                        say(text("wdesk.plans.alsoUsedBy", &values));
                    }
                    context.output.done(&report, link_text)
                })
                .await
        }
        PlansCommand::Search {
            text,
            limit,
            export: file,
        } => {
            if let Some(file) = file {
                let shown = Vec::new();
                return export::list(context, &List::Plans { text, shown }, &file).await;
            }
            let found = async |desk: &Desk| Ok(desk.plans.search(&text, limit).await?);
            context.show(found, |found| found_text(found)).await
        }
    }
}

/// The plans of a product from the service, or from the cache when it is unreachable.
async fn list(
    session: &Session,
    product: &ProductReference,
    filter: PlanFilter,
    offline: bool,
) -> Result<(PlanList, Exit), Failure> {
    if offline {
        let plan_list = session.desk.plans.cached(product, filter).await?;
        return Ok((plan_list, Exit::Done));
    }
    let read = session
        .with_service(async |desk| Ok(desk.plans.refresh(product, filter).await?))
        .await;
    match read {
        Ok(plan_list) => Ok((plan_list, Exit::Done)),
        Err(failure) => {
            let plan_list = session.desk.plans.cached(product, filter).await?;
            match cache_exit(&failure) {
                Some(exit) if plan_list.fetched_at.is_some() => {
                    say_cached(&failure);
                    Ok((plan_list, exit))
                }
                Some(_) | None => Err(failure),
            }
        }
    }
}

async fn show(
    session: &Session,
    id: &PlanId,
    offline: bool,
) -> Result<(PlanRecord, Exit), Failure> {
    if offline {
        return match session.desk.plans.cached_plan(id).await? {
            Some(record) => Ok((record, Exit::Done)),
            None => Err(Error::NotKnown(id.to_string()).into()),
        };
    }
    let read = session
        .with_service(async |desk| Ok(desk.plans.open(id).await?))
        .await;
    match read {
        Ok(record) => Ok((record, Exit::Done)),
        Err(failure) => match (
            cache_exit(&failure),
            session.desk.plans.cached_plan(id).await?,
        ) {
            (Some(exit), Some(record)) => {
                say_cached(&failure);
                Ok((record, exit))
            }
            _ => Err(failure),
        },
    }
}

fn say_cached(failure: &Failure) {
    let remembered = text("wdesk.plans.remembered", &[]);
    say(format!("{} {remembered}", failure.message()));
}

/// The exit code when the cache may replace a missing answer; `None` when it may not. A refusal is an
/// answer and is not replaced.
fn cache_exit(failure: &Failure) -> Option<Exit> {
    let Failure::Desk(error) = failure else {
        return None;
    };
    match exit::of(error) {
        _ if matches!(error, Error::InUse | Error::PracticeNotRunning) => Some(Exit::Done),
        Exit::Queued => Some(Exit::Queued),
        Exit::Done | Exit::Unusable | Exit::Refused | Exit::Person => None,
    }
}

/// Links a plan, given its expected current reference. Without one the current reference is read first.
async fn link(
    desk: &Desk,
    id: &PlanId,
    store_reference: &str,
    expect: Option<&str>,
) -> Result<LinkReport, Failure> {
    let expected = match expect {
        Some("") => None,
        Some(text) => Some(text.to_owned()),
        None => desk.plans.open(id).await?.plan.store_reference_id,
    };
    Ok(desk
        .plans
        .link(id, store_reference, expected.as_deref())
        .await?)
}

fn plan_list_text(plan_list: &PlanList) -> String {
    let mut shown = format!(
        "{}  {}  {}\n",
        visible(plan_list.product_reference.as_str()),
        visible(plan_list.product_title.as_deref().unwrap_or("-")),
        source(plan_list.source, plan_list.age_seconds)
    );
    if plan_list.plans.is_empty() {
        shown.push_str(match plan_list.fetched_at {
            Some(_) => "no plans\n",
            None => "nothing is remembered of its plans\n",
        });
        return shown;
    }
    let mut table = Table::new(&[
        "plan",
        "title",
        "price",
        "term",
        "service",
        "protection",
        "store reference",
    ]);
    for plan in &plan_list.plans {
        table.row([
            plan.id.to_string(),
            plan.title.clone().unwrap_or_default(),
            amount(&plan.price).unwrap_or_default(),
            plan.term_length
                .map(|term| term.to_string())
                .unwrap_or_default(),
            plan.service_type.clone().unwrap_or_default(),
            plan.protection_type.clone().unwrap_or_default(),
            plan.store_reference_id.clone().unwrap_or_default(),
        ]);
    }
    shown.push_str(&table.text());
    shown
}

fn record_text(record: &PlanRecord) -> String {
    let mut fields = KeyValues::default();
    plan_lines(&mut fields, &record.plan);
    fields.optional(
        "product.referenceId",
        record
            .product_reference
            .as_ref()
            .map(ProductReference::as_str),
    );
    if let Some(product) = &record.product {
        fields
            .optional("product.id", product.id.as_deref())
            .optional("product.title", product.title.as_deref())
            .optional("product.price", amount(&product.price))
            .optional("product.imageUrl", product.image_url.as_deref())
            .optional("product.createdAt", product.created_at.as_deref())
            .optional("product.updatedAt", product.updated_at.as_deref());
    }
    fields.line("read", source(record.source, Some(record.age_seconds)));
    fields.text()
}

fn plan_lines(fields: &mut KeyValues, plan: &Plan) {
    fields
        .line("id", plan.id.as_str())
        .optional("storeReferenceId", plan.store_reference_id.as_deref())
        .optional("title", plan.title.as_deref())
        .optional("price", amount(&plan.price))
        .optional("termLength", plan.term_length.map(|term| term.to_string()))
        .optional("serviceType", plan.service_type.as_deref())
        .optional("protectionType", plan.protection_type.as_deref())
        .optional("url", plan.url.as_deref());
}

fn link_text(report: &LinkReport) -> String {
    let mut fields = KeyValues::default();
    plan_lines(&mut fields, &report.plan);
    fields.optional("before", report.previous.as_deref());
    fields.text()
}

fn found_text(found: &[PlanRecord]) -> String {
    let mut table = Table::new(&[
        "plan",
        "title",
        "price",
        "product",
        "",
        "store reference",
        "read",
    ]);
    for record in found {
        let title = record
            .product
            .as_ref()
            .and_then(|product| product.title.clone());
        table.row([
            record.plan.id.to_string(),
            record.plan.title.clone().unwrap_or_default(),
            amount(&record.plan.price).unwrap_or_default(),
            record
                .product_reference
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            title.unwrap_or_default(),
            record.plan.store_reference_id.clone().unwrap_or_default(),
            age(record.age_seconds),
        ]);
    }
    table.text()
}

fn source(source: Source, seconds: Option<u32>) -> String {
    match (source, seconds) {
        (Source::Service, _) => "from the service just now".to_owned(),
        (Source::Cache, Some(seconds)) => format!("remembered, read {}", age(seconds)),
        (Source::Cache, None) => "remembered".to_owned(),
    }
}

fn ids(ids: &[PlanId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| visible(id.as_str())).collect();
    ids.join(", ")
}
