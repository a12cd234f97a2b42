//! `wdesk reconcile`: compares a list of the point of sale with the entries made here.

use warranty_core::bulk::RunKind;
use warranty_core::bulk::reconcile::{Reconciliation, RegisteredSale};
use warranty_core::day::Date;
use warranty_core::display::grouped;

use crate::args::ReconcileArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{self, column, text};
use crate::session::Context;
use crate::table::{KeyValues, Table};

/// Compares a file. The exit code says whether everything agrees.
///
/// # Errors
/// Errors of the file and of the core.
pub async fn run(context: &Context, arguments: ReconcileArgs) -> Result<Exit, Failure> {
    let ReconcileArgs {
        file,
        date,
        reading,
    } = arguments;
    context
        .reading(async |session| {
            let opened = reading.file(session, &file, RunKind::Contracts).await?;
            let hidden = reading.left_out(&opened);
            let bulk = &session.desk.bulk;
            let found = bulk.reconcile(opened.file, &opened.mapping, date).await?;
            hidden.report();
            context.output.result(&found, || shown(&found))?;
            Ok(if found.agrees() {
                hidden.exit()
            } else {
                Exit::Person
            })
        })
        .await
}

fn shown(found: &Reconciliation) -> String {
    let mut text = counts(found);
    let differences = differences(found);
    if !differences.is_empty() {
        text.push('\n');
        text.push_str(&differences);
    }
    for row in &found.unreadable {
        let line = row.line.to_string();
        let what = messages::row(&row.problems, &[]);
        text.push_str(&messages::text(
            "wdesk.enter.line",
            &[("line", &line), ("what", &what)],
        ));
        text.push('\n');
    }
    text
}

fn counts(found: &Reconciliation) -> String {
    let mut fields = KeyValues::default();
    if let Some((first, last)) = found.days {
        fields.line(&word("days"), days(first, last));
    }
    for (name, count) in [
        ("matched", found.matched as usize),
        ("different", found.different.len()),
        ("missing", found.missing.len()),
        ("extra", found.extra.len()),
        ("unreadable", found.unreadable.len()),
        ("unfinished", found.unfinished as usize),
        ("otherDays", found.other_days as usize),
    ] {
        let always = ["matched", "different", "missing", "extra"].contains(&name);
        if always || count > 0 {
            fields.line(&word(name), count.to_string());
        }
    }
    fields.text()
}

/// The differences, one a line.
fn differences(found: &Reconciliation) -> String {
    if found.different.is_empty() && found.missing.is_empty() && found.extra.is_empty() {
        return String::new();
    }
    let headers = ["what", "line", "transaction", "product", "plan", "fee"].map(word);
    let mut table = Table::new(&headers.each_ref().map(String::as_str));
    for one in &found.different {
        let fields: Vec<String> = one.fields.iter().map(|field| column(*field)).collect();
        let what = format!("{}: {}", word("rowDiffers"), fields.join(", "));
        table.row(registered(
            &what,
            one.listed.line.to_string(),
            &one.registered,
        ));
    }
    for one in &found.missing {
        let draft = &one.listed.draft;
        let what = match &one.not_sold {
            None => word("rowMissing"),
            Some(sale) => format!(
                "{}: {}",
                word("rowMissing"),
                messages::named("state", &sale.state)
            ),
        };
        table.row([
            what,
            one.listed.line.to_string(),
            draft.transaction_id.clone(),
            draft.product_reference_id.clone(),
            draft.plan_id.clone(),
            draft.plan_purchase_price.clone(),
        ]);
    }
    for sale in &found.extra {
        table.row(registered(&word("rowExtra"), String::new(), sale));
    }
    table.text()
}

fn registered(what: &str, line: String, sale: &RegisteredSale) -> [String; 6] {
    [
        what.to_owned(),
        line,
        sale.transaction_id.clone(),
        sale.product_reference_id.clone(),
        sale.plan_id.clone(),
        grouped(sale.plan_purchase_price.get()),
    ]
}

fn days(first: Date, last: Date) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first} – {last}")
    }
}

fn word(name: &str) -> String {
    text(&format!("wdesk.reconcile.{name}"), &[])
}
