//! The local list of products, and the upsert.

use warranty_core::api::ProductReference;
use warranty_core::products::{
    ProductDraft, ProductFilter, ProductPage, ProductRecord, UpsertReport,
};

use super::{Handle, Reply};

/// Known products that contain a text.
#[tauri::command]
#[specta::specta]
pub async fn products(shared: Handle<'_>, text: String, limit: u32) -> Reply<Vec<ProductRecord>> {
    Ok(shared.desk().await?.catalog.search(&text, limit).await?)
}

/// A part of the list of known products.
#[tauri::command]
#[specta::specta]
pub async fn products_list(shared: Handle<'_>, filter: ProductFilter) -> Reply<ProductPage> {
    Ok(shared.desk().await?.catalog.list(filter).await?)
}

/// The last known data of a product.
#[tauri::command]
#[specta::specta]
pub async fn product_last_known(
    shared: Handle<'_>,
    reference: ProductReference,
) -> Reply<Option<ProductRecord>> {
    Ok(shared.desk().await?.catalog.product(&reference).await?)
}

/// Sends an upsert.
#[tauri::command]
#[specta::specta]
pub async fn product_put(shared: Handle<'_>, draft: ProductDraft) -> Reply<UpsertReport> {
    Ok(shared.desk().await?.products.put(&draft).await?)
}
