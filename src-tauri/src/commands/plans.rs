//! Browsing, searching, opening and linking plans.

use warranty_core::api::{PlanFilter, PlanId, ProductReference};
use warranty_core::plans::{LinkReport, PlanList, PlanRecord};

use warranty_messages::ErrorCode;

use super::{Handle, Reply};

/// A product's plans from the cache.
#[tauri::command]
#[specta::specta]
pub async fn plans_cached(
    shared: Handle<'_>,
    product: ProductReference,
    filter: PlanFilter,
) -> Reply<PlanList> {
    Ok(shared.desk().await?.plans.cached(&product, filter).await?)
}

/// A product's plans from the service.
#[tauri::command]
#[specta::specta]
pub async fn plans_refresh(
    shared: Handle<'_>,
    product: ProductReference,
    filter: PlanFilter,
) -> Reply<PlanList> {
    Ok(shared.desk().await?.plans.refresh(&product, filter).await?)
}

/// Cached plans that contain a text.
#[tauri::command]
#[specta::specta]
pub async fn plans_search(shared: Handle<'_>, text: String, limit: u32) -> Reply<Vec<PlanRecord>> {
    Ok(shared.desk().await?.plans.search(&text, limit).await?)
}

/// A plan from the cache.
#[tauri::command]
#[specta::specta]
pub async fn plan_cached(shared: Handle<'_>, id: PlanId) -> Reply<Option<PlanRecord>> {
    Ok(shared.desk().await?.plans.cached_plan(&id).await?)
}

/// A plan from the service.
#[tauri::command]
#[specta::specta]
pub async fn plan_open(shared: Handle<'_>, id: PlanId) -> Reply<PlanRecord> {
    Ok(shared.desk().await?.plans.open(&id).await?)
}

/// Links a plan to a store reference and verifies it by reading the plan again.
#[tauri::command]
#[specta::specta]
pub async fn plan_link(
    shared: Handle<'_>,
    id: PlanId,
    store_reference_id: String,
    expected: Option<String>,
) -> Reply<LinkReport> {
    let plans = &shared.desk().await?.plans;
    Ok(plans
        .link(&id, &store_reference_id, expected.as_deref())
        .await?)
}

/// Other plans with this store reference.
#[tauri::command]
#[specta::specta]
pub async fn store_reference_used_by(
    shared: Handle<'_>,
    store_reference_id: String,
) -> Reply<Vec<PlanId>> {
    let plans = &shared.desk().await?.plans;
    Ok(plans.store_reference_used_by(&store_reference_id).await?)
}

/// Refreshes the plans of all known products.
#[tauri::command]
#[specta::specta]
pub async fn plans_refresh_all(shared: Handle<'_>, filter: PlanFilter) -> Reply<()> {
    Ok(shared.desk().await?.plans.refresh_all(filter).await?)
}

/// Stops refreshing all; finished products stay refreshed.
#[tauri::command]
#[specta::specta]
pub async fn plans_refresh_cancel(shared: Handle<'_>) -> Reply<()> {
    shared.desk().await?.plans.cancel_refresh();
    Ok(())
}

/// Opens a plan's https page in the system browser. The address comes from the core, not from the
/// page, and must have the host that the person saw.
#[tauri::command]
#[specta::specta]
pub async fn plan_page_open(shared: Handle<'_>, id: PlanId, host: String) -> Reply<()> {
    let address = shared.desk().await?.plans.page(&id, &host).await?;
    tauri_plugin_opener::open_url(address, None::<&str>).map_err(|_| ErrorCode::NoBrowser.into())
}
