//! `wdesk products`: sends a product, lists the known products, and imports files.

use serde_json::json;
use warranty_core::Desk;
use warranty_core::bulk::RunKind;
use warranty_core::export::List;
use warranty_core::products::{ProductDraft, ProductFilter, ProductRecord};

use crate::args::{ProductFields, ProductsCommand};
use crate::session::profile;
use crate::table::{amount, visible};
use crate::{
    Context, Exit, Failure, KeyValues, StopSignal, Table, grouped, import, messages, plans, say,
    when,
};

pub async fn run(context: &Context, command: ProductsCommand) -> Result<Exit, Failure> {
    match command {
        ProductsCommand::Put(fields) => put(context, fields).await,
        ProductsCommand::List { text, list } => {
            let filter = ProductFilter {
                text,
                ascending: true,
                ..ProductFilter::default()
            };
            let all = List::Products {
                filter: filter.clone(),
            };
            let known = async |desk: &Desk, limit| {
                let first = ProductFilter { limit, ..filter };
                Ok(desk.catalog.list(first).await?.products)
            };
            context.list(list, &all, known, known_text).await
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
    let put = async |desk: &Desk| {
        let id = profile(desk).await?.id;
        // Also after Ctrl-C: what was sent is done, whether its answer is read or not.
        let put = desk.products.put(&id, &draft);
        let report = StopSignal::new()?.run_until_stopped(desk, put).await??;
        context.result(&report, || {
            let mut shown = json!(report.product);
            shown["price"] = json!(amount(&report.product.price));
            shown["plans"] = report.product.plans.iter().map(plans::shown).collect();
            KeyValues::default().all("", &shown).text()
        })?;
        if report.echo_differs.is_empty() {
            return Ok(Exit::Done);
        }
        let fields = messages::names(&report.echo_differs);
        let differs = messages::text("wdesk.rows.differs", &[("fields", &fields)]);
        say(format!(
            "{}: {differs}",
            visible(report.product.reference_id.as_str())
        ));
        Ok(Exit::Person)
    };
    context.changing(put).await
}

fn known_text(known: &[ProductRecord]) -> String {
    Table::of(known)
        .column("product", |known| &known.product.reference_id)
        .optional("title", |known| known.product.title.as_ref())
        .optional("price", |known| known.product.price.map(grouped))
        .optional("category", |known| known.product.category.as_ref())
        .optional("brand", |known| known.product.brand.as_ref())
        .column("last known", |known| when(known.known_at))
        .text()
}
