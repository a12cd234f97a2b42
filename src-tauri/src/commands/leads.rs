//! Leads: customers who declined and may register later.

use warranty_core::api::Personal;
use warranty_core::day::Date;
use warranty_core::leads::{LeadDraft, LeadView};

commands! {
    /// Creates a lead under the profile that the page shows; a call with the same id creates no second
    /// one. `beside` names an earlier lead for the same transaction and product, when a person wants
    /// another one.
    fn lead_create(
        desk,
        profile_id: String,
        id: String,
        draft: LeadDraft,
        beside: Option<String>,
    ) -> LeadView =
        desk.leads.create(&profile_id, &id, &draft, beside.as_deref()).await?;

    fn lead(desk, id: String) -> LeadView = desk.leads.lead(&id).await?;

    /// The newest leads, and all others that are not finished or have a day for their follow-up.
    fn leads(desk, newest: u32) -> Vec<LeadView> = desk.leads.recent(newest).await?;

    /// Sends a lead once more, on a person's decision. `beside` as for a new one.
    fn lead_send_again(desk, id: String, beside: Option<String>) -> LeadView =
        desk.leads.send_again(&id, beside.as_deref()).await?;

    /// Keeps on which day to contact the customer of a lead, and a note; without a note the kept one stays.
    fn lead_follow_up(desk, id: String, due: Option<Date>, note: Option<Personal>) -> LeadView =
        desk.leads.follow_up(&id, due, note.as_ref()).await?;

    fn lead_cancel(desk, id: String) -> LeadView = desk.leads.cancel(&id).await?;
}
