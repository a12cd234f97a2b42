//! What keeps a desk from selling, whatever the command: the report of a replaced data file, a policy.

use warranty_core::Desk;
use warranty_core::policy::ClosedProfile;
use warranty_messages::Values;

use crate::{Failure, named, say, text, when};

/// Prints the unread report of a replaced data file to stderr. Returns whether there is one.
pub async fn say_unread_report(desk: &Desk) -> Result<bool, Failure> {
    let Some(report) = desk.recovery.unseen().await? else {
        return Ok(false);
    };
    let (what, at) = (named("wdesk.rescue", &report.cause), when(report.at));
    let count = report.pending.len();
    let values: &Values<'_> = &[("what", &what), ("at", &at), ("count", &count)];
    say(match report.complete {
        true => text("wdesk.rescue.found", values),
        false => text("wdesk.rescue.foundInPart", values),
    });
    Ok(true)
}

/// What the mistakes of a policy come to, a sentence each.
pub fn troubles(is_last_good: bool, is_closed: bool, closed: &[ClosedProfile]) -> Vec<String> {
    let whole = [(is_last_good, "lastGood"), (is_closed, "closed")];
    let whole = whole.into_iter().filter(|(holds, _)| *holds);
    let whole = whole.map(|(_, what)| text(&format!("wdesk.policy.{what}"), &[]));
    let profiles = closed.iter().map(|profile| {
        let reason = named("wdesk.policy.reason", &profile.reason);
        let values: &Values<'_> = &[("name", &profile.name), ("reason", &reason)];
        text("wdesk.policy.closedProfile", values)
    });
    whole.chain(profiles).collect()
}
