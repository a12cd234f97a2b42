//! `wdesk reconcile`: compares a list of the point of sale with the entries made here.

use warranty_core::bulk::RunKind;
use warranty_core::bulk::reconcile::{DifferentSale, Reconciliation, RegisteredSale};
use warranty_core::{Desk, Field};

use warranty_messages::Values;

use crate::args::ReconcileArgs;
use crate::file_args::say_unknown_columns;
use crate::file_report::on_line;
use crate::table::grid;
use crate::{Context, Exit, Failure, KeyValues, grouped, messages, named, outbox_hints, say, text};

/// What is compared beside the transaction, where the list has it.
const COMPARED: [Field; 6] = [
    Field::TransactionTotal,
    Field::TransactionDate,
    Field::ProductReferenceId,
    Field::ProductPurchasePrice,
    Field::PlanId,
    Field::PlanPurchasePrice,
];

/// Compares a file. The exit code says whether everything agrees and is accepted by the service.
pub async fn run(context: &Context, args: ReconcileArgs) -> Result<Exit, Failure> {
    let compare = async |desk: &Desk| {
        let (kind, bulk) = (RunKind::Contracts, &desk.bulk);
        let (list, left_out) = args.reading.open(desk, &args.file, kind).await?;
        say_unknown_columns(&list, "wdesk.columns.notCompared", &COMPARED);
        let mut found = bulk.reconcile(list.file, &list.mapping, args.date).await?;
        left_out.report();
        let none_of_the_day = found.other_days > 0
            && found.matched == 0
            && found.different.is_empty()
            && found.attention.is_empty()
            && found.missing.is_empty()
            && found.unreadable.is_empty();
        if none_of_the_day {
            say(text("wdesk.reconcile.noneOfTheDay", &[]));
        }
        let left_out_exit = left_out.exit();
        // Nothing is known of what was not compared.
        found.agrees &= !none_of_the_day && left_out_exit == Exit::Done;
        context.result(&found, || shown(&found))?;
        let waits = found.unfinished > 0;
        if waits {
            let (what_sends, _) = outbox_hints::what_sends(desk, &found.unfinished_under).await?;
            what_sends.into_iter().for_each(say);
        }
        Ok(Exit::first(&[
            (found.differs() || none_of_the_day, Exit::Person),
            (left_out_exit != Exit::Done, left_out_exit),
            (waits, Exit::Queued),
        ]))
    };
    context.reading(compare).await
}

fn shown(found: &Reconciliation) -> String {
    let mut shown = counts(found);
    let differences = differences(found);
    if !differences.is_empty() {
        let headers = ["what", "line", "transaction", "product", "plan", "fee"].map(word);
        let headers = headers.each_ref().map(String::as_str);
        shown += &format!("\n{}", grid(&headers, differences));
    }
    for row in &found.unreadable {
        shown += &(on_line(row.line, &messages::row(&row.problems, &[])) + "\n");
    }
    shown
}

fn counts(found: &Reconciliation) -> String {
    let mut fields = KeyValues::default();
    let days = match found.days {
        None => word("allDays"),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first} – {last}"),
    };
    fields.line(word("days"), days);
    for (name, count) in [
        ("matched", found.matched as usize),
        ("attention", found.attention.len()),
        ("different", found.different.len()),
        ("missing", found.missing.len()),
        ("extra", found.extra.len()),
        ("unreadable", found.unreadable.len()),
        ("unfinished", found.unfinished as usize),
        ("otherDays", found.other_days as usize),
    ] {
        if count > 0 || ["matched", "different", "missing", "extra"].contains(&name) {
            fields.line(word(name), count);
        }
    }
    fields.text()
}

fn differences(found: &Reconciliation) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for one in found.different.iter().chain(&found.attention) {
        let what = match one.fields.as_slice() {
            [] if one.registered.duplicate_possible => {
                format!("{} {}", word("rowTwice"), one.registered.id)
            }
            [] => format!("{} {}", word("rowAttention"), one.registered.id),
            _ => format!(
                "{}: {}{}",
                word("rowDiffers"),
                differing(one),
                open_state(&one.registered)
            ),
        };
        rows.push(registered(
            what,
            one.listed.line.to_string(),
            &one.registered,
        ));
    }
    for one in &found.missing {
        let draft = &one.listed.draft;
        let mut what = word("rowMissing");
        if let Some(sale) = &one.not_sold {
            what += &format!(": {}", named("state", &sale.state));
        }
        rows.push(vec![
            what,
            one.listed.line.to_string(),
            draft.transaction_id.clone(),
            draft.product_reference_id.clone(),
            draft.plan_id.clone(),
            draft.plan_purchase_price.clone(),
        ]);
    }
    rows.extend(found.extra.iter().map(|sale| {
        let what = word("rowExtra") + &open_state(sale);
        registered(what, String::new(), sale)
    }));
    rows
}

/// The state of a sale that the service has not accepted, or may have more than once.
fn open_state(sale: &RegisteredSale) -> String {
    if sale.duplicate_possible {
        format!("; {} {}", word("rowTwice"), sale.id)
    } else if sale.is_finished() {
        String::new()
    } else {
        format!("; {}", named("state", &sale.state))
    }
}

/// The values in which a row and its sale differ.
fn differing(one: &DifferentSale) -> String {
    let (listed, here) = (&one.listed.draft, &one.registered);
    let mut values = vec![
        (
            Field::TransactionId,
            &listed.transaction_id,
            here.transaction_id.clone(),
        ),
        (
            Field::TransactionTotal,
            &listed.transaction_total,
            grouped(here.transaction_total),
        ),
        (
            Field::TransactionDate,
            &listed.transaction_date,
            here.date.to_string(),
        ),
        (
            Field::ProductReferenceId,
            &listed.product_reference_id,
            here.product_reference_id.clone(),
        ),
        (
            Field::ProductPurchasePrice,
            &listed.product_purchase_price,
            grouped(here.product_purchase_price),
        ),
        (Field::PlanId, &listed.plan_id, here.plan_id.clone()),
        (
            Field::PlanPurchasePrice,
            &listed.plan_purchase_price,
            grouped(here.plan_purchase_price),
        ),
    ];
    values.retain(|(field, ..)| one.fields.contains(field));
    messages::list(values.iter().map(|(field, listed, here)| {
        let values: &Values<'_> = &[
            ("field", &messages::name(field)),
            ("listed", listed),
            ("here", here),
        ];
        text("wdesk.reconcile.differing", values)
    }))
}

fn registered(what: String, line: String, sale: &RegisteredSale) -> Vec<String> {
    vec![
        what,
        line,
        sale.transaction_id.clone(),
        sale.product_reference_id.clone(),
        sale.plan_id.clone(),
        grouped(sale.plan_purchase_price),
    ]
}

fn word(name: &str) -> String {
    text(&format!("wdesk.reconcile.{name}"), &[])
}
