//! The status for the first screen, settings, the encryption key and the recovery report.

use warranty_core::DeskStatus;
use warranty_core::encryption::Customers;
use warranty_core::recovery::RescueReport;
use warranty_core::settings::Settings;
use warranty_core::staff::StaffPolicy;

commands! {
    /// Everything the first screen needs.
    fn status(desk) -> DeskStatus = desk.status().await?;

    fn settings_change(desk, settings: Settings) -> () = desk.settings_change(settings).await?;

    /// Sets when a staff code is required under the selected profile.
    fn staff_policy_change(desk, policy: StaffPolicy) -> () =
        desk.staff.change_policy(policy).await?;

    /// Sets the staff code for all following entries; with `None` the user of the operating system is
    /// recorded.
    fn staff_enter(desk, code: Option<String>) -> () = desk.staff.enter(code.as_deref())?;

    /// Creates a new encryption key for customers' data when the old one is lost.
    fn encryption_key_renew(desk) -> Customers = desk.encryption.renew_key().await?;

    /// The report of a replaced database file, until a person has seen it.
    fn rescue(desk) -> Option<RescueReport> = desk.recovery.unseen().await?;

    /// Records that a person has seen this report.
    fn rescue_seen(desk, number: u32) -> () = desk.recovery.mark_seen(number).await?;
}
