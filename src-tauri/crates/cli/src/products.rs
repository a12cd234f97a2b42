//! `wdesk products`: send one, list what is known here, send a file.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;
use warranty_core::files::{RowKind, Table as FileTable};
use warranty_core::products::{ProductDraft, ProductRecord, UpsertReport};
use warranty_core::{Desk, Error, Field, FieldProblem, Problem};

use crate::args::{ProductFields, ProductsCommand};
use crate::desk::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::file_args::FileArgs;
use crate::output::say;
use crate::progress::Progress;
use crate::table::{Sheet, Table, grouped, visible, when};
use crate::words;

/// Carries out a `products` command.
///
/// # Errors
/// The desk's own.
pub async fn run(context: &Context, command: ProductsCommand) -> Result<Exit, Failure> {
    match command {
        ProductsCommand::Put(fields) => put(context, fields).await,
        ProductsCommand::List { text, limit } => {
            context
                .reading(async |session| {
                    let known = session.desk.products(&text, limit).await?;
                    context.output.result(&known, || known_text(&known))?;
                    Ok(Exit::Done)
                })
                .await
        }
        ProductsCommand::Import {
            file,
            dry_run,
            reading,
        } => import(context, &file, &reading, dry_run).await,
    }
}

async fn put(context: &Context, fields: ProductFields) -> Result<Exit, Failure> {
    let draft = ProductDraft {
        reference_id: fields.reference_id,
        title: fields.title,
        price: fields.price,
        image_url: fields.image_url,
        category: fields.category,
    };
    context
        .changing(async |session| {
            let report = session
                .with_service(async |desk| Ok(desk.product_put(&draft).await?))
                .await?;
            context.output.result(&report, || put_text(&report))?;
            Ok(echo_exit(&report))
        })
        .await
}

/// A product kept otherwise than it was sent is for a person to look at.
fn echo_exit(report: &UpsertReport) -> Exit {
    if report.echo_differs.is_empty() {
        return Exit::Done;
    }
    let fields: Vec<String> = report.echo_differs.iter().map(words::name).collect();
    say(format!(
        "{}: the service answers something else than was sent in {}.",
        visible(report.product.reference_id.as_str()),
        fields.join(", ")
    ));
    Exit::Person
}

fn put_text(report: &UpsertReport) -> String {
    let product = &report.product;
    let mut sheet = Sheet::default();
    sheet
        .optional("id", product.id.as_deref())
        .line("referenceId", product.reference_id.as_str())
        .optional("title", product.title.as_deref())
        .optional("price", product.price.map(|price| grouped(price.get())))
        .optional("imageUrl", product.image_url.as_deref())
        .optional("category", product.category.as_deref())
        .optional("brand", product.brand.as_deref())
        .optional("createdAt", product.created_at.as_deref())
        .optional("updatedAt", product.updated_at.as_deref());
    if let Some(warranty) = &product.mfr_warranty {
        sheet
            .optional(
                "mfrWarranty.coverageDays",
                warranty.coverage_days.map(|days| days.to_string()),
            )
            .optional("mfrWarranty.url", warranty.url.as_deref());
    }
    for plan in &product.plans {
        let price = plan.price.map(|price| grouped(price.get()));
        sheet.line(
            "plan",
            format!(
                "{}  {}  {}",
                plan.id,
                plan.title.as_deref().unwrap_or("-"),
                price.as_deref().unwrap_or("-")
            ),
        );
    }
    sheet.text()
}

fn known_text(known: &[ProductRecord]) -> String {
    let mut table = Table::new(&[
        "product",
        "title",
        "price",
        "category",
        "brand",
        "known since",
    ]);
    for product in known {
        table.row([
            product.reference_id.to_string(),
            product.title.clone().unwrap_or_default(),
            product
                .price
                .map(|price| grouped(price.get()))
                .unwrap_or_default(),
            product.category.clone().unwrap_or_default(),
            product.brand.clone().unwrap_or_default(),
            when(product.known_at),
        ]);
    }
    table.text()
}

async fn import(
    context: &Context,
    file: &Path,
    reading: &FileArgs,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let kind = RowKind::Products;
    let table = FileTable::read(file, &reading.options(kind)).map_err(Error::File)?;
    let columns = reading.columns(kind, &table.detected)?;
    let drafts = table.rows.iter().map(|row| columns.product(row));
    let drafts: Vec<_> = drafts.collect::<Result<_, _>>().map_err(Error::File)?;
    context
        .changing(async |session| {
            let mut report = ImportReport {
                dry_run,
                rows: drafts.len(),
                ..ImportReport::default()
            };
            report.rejected = bad_rows(&session.desk, &table, &drafts);
            let exit = if !report.rejected.is_empty() {
                Exit::Unusable
            } else if dry_run {
                Exit::Done
            } else {
                session
                    .with_service(async |desk| Ok(send(desk, &table, &drafts, &mut report).await))
                    .await?
            };
            report.tell();
            context.output.result(&report, || report.text(file))?;
            Ok(exit)
        })
        .await
}

fn bad_rows(desk: &Desk, table: &FileTable, drafts: &[ProductDraft]) -> Vec<BadProduct> {
    let mut seen = HashSet::new();
    let mut bad = Vec::new();
    for (draft, row) in drafts.iter().zip(&table.rows) {
        let mut problems = desk.product_check(draft);
        if !seen.insert(draft.reference_id.trim()) {
            problems.push(FieldProblem {
                field: Field::ProductReferenceId,
                problem: Problem::RepeatedRow,
            });
        }
        if !problems.is_empty() {
            bad.push(BadProduct {
                line: row.line,
                problems,
            });
        }
    }
    bad
}

/// Sends row after row. A row the service refuses does not stop the others; a service out of reach
/// does, since the others would fare the same.
async fn send(
    desk: &Desk,
    table: &FileTable,
    drafts: &[ProductDraft],
    report: &mut ImportReport,
) -> Exit {
    let progress = Progress::new("products");
    let total = u32::try_from(drafts.len()).unwrap_or(u32::MAX);
    let mut worst = Exit::Done;
    for (done, (draft, row)) in (0_u32..).zip(drafts.iter().zip(&table.rows)) {
        progress.at(done, total, "");
        match desk.product_put(draft).await {
            Ok(answer) => {
                report.sent += 1;
                worst = worse(worst, echo_exit(&answer));
            }
            Err(error) => {
                let failure = Failure::Desk(error);
                let exit = failure.exit();
                worst = worse(worst, exit);
                report.failed.push(FailedProduct {
                    line: row.line,
                    reference_id: draft.reference_id.clone(),
                    code: failure.code(),
                    message: failure.message(),
                });
                match exit {
                    Exit::Queued | Exit::Unusable => break,
                    Exit::Done | Exit::Refused | Exit::Person => {}
                }
            }
        }
    }
    report.not_tried = report.rows - report.sent - report.failed.len();
    worst
}

/// Of two ends the one that needs more of a person.
fn worse(one: Exit, other: Exit) -> Exit {
    let weight = |exit: Exit| match exit {
        Exit::Done => 0,
        Exit::Queued => 1,
        Exit::Refused => 2,
        Exit::Unusable => 3,
        Exit::Person => 4,
    };
    if weight(other) > weight(one) {
        other
    } else {
        one
    }
}

/// What an import came to.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportReport {
    dry_run: bool,
    rows: usize,
    sent: usize,
    /// Rows that cannot be used; with one of these nothing was sent.
    rejected: Vec<BadProduct>,
    /// Rows that were tried in vain.
    failed: Vec<FailedProduct>,
    /// Rows after the service went out of reach.
    not_tried: usize,
}

#[derive(Debug, Serialize)]
struct BadProduct {
    /// Line of the file, from 1.
    line: u64,
    problems: Vec<FieldProblem>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FailedProduct {
    /// Line of the file, from 1.
    line: u64,
    reference_id: String,
    code: &'static str,
    message: String,
}

impl ImportReport {
    /// Says on stderr what went wrong, row by row.
    fn tell(&self) {
        for row in &self.rejected {
            say(format!(
                "line {}: {}",
                row.line,
                words::problems(&row.problems)
            ));
        }
        for row in &self.failed {
            say(format!(
                "line {}: {}: {}",
                row.line,
                visible(&row.reference_id),
                row.message
            ));
        }
        if !self.rejected.is_empty() {
            say("Nothing was sent. Correct these rows and import the file again.");
        } else if self.not_tried > 0 {
            say("Import the file again later: sending a product again does no harm.");
        }
    }

    fn text(&self, file: &Path) -> String {
        let mut sheet = Sheet::default();
        sheet
            .line("file", file.display().to_string())
            .line("rows", self.rows.to_string())
            .line("cannot be used", self.rejected.len().to_string())
            .line("sent", self.sent.to_string())
            .line("failed", self.failed.len().to_string())
            .line("not tried", self.not_tried.to_string());
        if self.dry_run {
            sheet.line("dry run", "nothing was sent");
        }
        sheet.text()
    }
}
