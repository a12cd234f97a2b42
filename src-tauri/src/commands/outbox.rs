//! Outbox cases that need a person, and whether one is there.

use warranty_core::outbox::{CaseView, Resolution};

commands! {
    /// A case with its evidence and its possible resolutions.
    fn outbox_case(desk, id: String) -> CaseView = desk.outbox.case(&id).await?;

    /// Carries out the resolution that a person chose.
    fn outbox_resolve(desk, id: String, resolution: Resolution) -> CaseView =
        desk.outbox.resolve(&id, resolution).await?;

    /// Somebody presses keys in the window.
    fn attended(desk) -> () = desk.outbox.attended().await;
}
