//! Browsing, searching, opening and linking plans.

use warranty_core::api::{PlanFilter, PlanId, ProductReference};
use warranty_core::plans::{LinkReport, PlanList, PlanRecord};

use warranty_messages::ErrorCode;

commands! {
    fn plans_cached(desk, product: ProductReference, filter: PlanFilter) -> PlanList =
        desk.plans.cached(&product, filter).await?;

    /// A product's plans from the service.
    fn plans_refresh(desk, product: ProductReference, filter: PlanFilter) -> PlanList =
        desk.plans.refresh(&product, filter).await?;

    /// Cached plans that contain a text.
    fn plans_search(desk, text: String, limit: u32) -> Vec<PlanRecord> =
        desk.plans.search(&text, limit).await?;

    fn plan_cached(desk, id: PlanId) -> Option<PlanRecord> = desk.plans.cached_plan(&id).await?;

    fn plan_open(desk, id: PlanId) -> PlanRecord = desk.plans.open(&id).await?;

    /// Links a plan to a store reference and verifies it by reading the plan again.
    fn plan_link(
        desk,
        profile_id: String,
        id: PlanId,
        store_reference_id: String,
        expected: Option<String>,
    ) -> LinkReport =
        desk.plans.link(&profile_id, &id, &store_reference_id, expected.as_deref()).await?;

    fn store_reference_used_by(desk, store_reference_id: String) -> Vec<PlanId> =
        desk.plans.store_reference_used_by(&store_reference_id).await?;

    /// Refreshes the plans of all known products.
    fn plans_refresh_all(desk, filter: PlanFilter) -> () = desk.plans.refresh_all(filter).await?;

    /// Stops refreshing all; finished products stay refreshed.
    fn plans_refresh_cancel(desk) -> () = desk.plans.cancel_refresh();

    /// Opens a plan's https page in the system browser. The address comes from the core, not from the
    /// page, and must have the host that the person saw.
    fn plan_page_open(desk, id: PlanId, host: String) -> () = {
        let address = desk.plans.page(&id, &host).await?;
        tauri_plugin_opener::open_url(address, None::<&str>).map_err(|_| ErrorCode::NoBrowser)?;
    };
}
