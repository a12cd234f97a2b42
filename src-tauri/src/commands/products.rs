//! The local list of products, and the upsert.

use warranty_core::api::ProductReference;
use warranty_core::products::{
    ProductDraft, ProductFilter, ProductPage, ProductRecord, UpsertReport,
};

commands! {
    /// A part of the list of known products.
    fn products_list(desk, filter: ProductFilter) -> ProductPage = desk.catalog.list(filter).await?;

    fn product_last_known(desk, reference: ProductReference) -> Option<ProductRecord> =
        desk.catalog.product(&reference).await?;

    fn product_put(desk, profile_id: String, draft: ProductDraft) -> UpsertReport =
        desk.products.put(&profile_id, &draft).await?;
}
