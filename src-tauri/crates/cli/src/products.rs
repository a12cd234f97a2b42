//! `wdesk products`: sends a product, lists the known products, and imports files.

use warranty_core::Desk;
use warranty_core::bulk::RunKind;
use warranty_core::export::List;
use warranty_core::products::{ProductDraft, ProductFilter, ProductRecord, UpsertReport};

use crate::args::{ProductFields, ProductsCommand};
use crate::exit::Exit;
use crate::export;
use crate::failure::Failure;
use crate::import;
use crate::messages;
use crate::output::say;
use crate::session::Context;
use crate::table::{KeyValues, Table, amount, grouped, visible, when};

/// Carries out a `products` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: ProductsCommand) -> Result<Exit, Failure> {
    match command {
        ProductsCommand::Put(fields) => put(context, fields).await,
        ProductsCommand::List {
            text,
            limit,
            export: file,
        } => {
            if let Some(file) = file {
                let filter = ProductFilter {
                    text,
                    ascending: true,
                    ..ProductFilter::default()
                };
                return export::list(context, &List::Products { filter }, &file).await;
            }
            let known = async |desk: &Desk| Ok(desk.catalog.search(&text, limit).await?);
            context.show(known, |known| known_text(known)).await
        }
        ProductsCommand::Import(args) => import::run(context, RunKind::Products, args).await,
        ProductsCommand::References(args) => {
            import::run(context, RunKind::ProductReferences, args).await
        }
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
                .with_service(async |desk| Ok(desk.products.put(&draft).await?))
                .await?;
            context.output.result(&report, || put_text(&report))?;
            Ok(echo_exit(&report))
        })
        .await
}

/// When the service returns other data than was sent, a person must check.
fn echo_exit(report: &UpsertReport) -> Exit {
    if report.echo_differs.is_empty() {
        return Exit::Done;
    }
    let fields = messages::names(&report.echo_differs);
    say(format!(
        "{}: {}",
        visible(report.product.reference_id.as_str()),
        messages::text("wdesk.rows.differs", &[("fields", &fields)])
    ));
    Exit::Person
}

fn put_text(report: &UpsertReport) -> String {
    let product = &report.product;
    let mut fields = KeyValues::default();
    fields
        .optional("id", product.id.as_deref())
        .line("referenceId", product.reference_id.as_str())
        .optional("title", product.title.as_deref())
        .optional("price", amount(&product.price))
        .optional("imageUrl", product.image_url.as_deref())
        .optional("category", product.category.as_deref())
        .optional("brand", product.brand.as_deref())
        .optional("createdAt", product.created_at.as_deref())
        .optional("updatedAt", product.updated_at.as_deref());
    if let Some(warranty) = &product.mfr_warranty {
        fields
            .optional(
                "mfrWarranty.coverageDays",
                warranty.coverage_days.map(|days| days.to_string()),
            )
            .optional("mfrWarranty.url", warranty.url.as_deref());
    }
    for plan in &product.plans {
        let price = amount(&plan.price);
        fields.line(
            "plan",
            format!(
                "{}  {}  {}",
                plan.id,
                plan.title.as_deref().unwrap_or("-"),
                price.as_deref().unwrap_or("-")
            ),
        );
    }
    fields.text()
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
