//! `wdesk profile test`: whether the profile's address and token work, creating nothing. Whether its
//! store exists is not tested: with a product that does not exist, no listing can tell.

use serde::Serialize;
use warranty_core::profile::{
    ConnectionReport, Finding, Profile, ProfileDraft, ProfileKind, TokenState,
};

use crate::desk::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;
use crate::table::Sheet;

/// Carries out `profile test`.
///
/// # Errors
/// The desk's own; what the network does is a finding.
pub async fn run(context: &Context) -> Result<Exit, Failure> {
    context
        .reading(async |session| {
            let profile = session.profile().await?;
            let kept = session.desk.token_state(&profile.id).await?;
            let report = match profile.kind {
                ProfileKind::Practice => None,
                ProfileKind::Live => {
                    Some(session.desk.connection_test(&draft(&profile), None).await?)
                }
            };
            let tested = Tested {
                profile: &profile.name,
                kind: profile.kind,
                kept,
                store: report.is_some().then_some(Finding::Unclear),
                report,
            };
            context.output.result(&tested, || tested.text())?;
            Ok(tested.exit())
        })
        .await
}

/// What was found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tested<'a> {
    profile: &'a str,
    kind: ProfileKind,
    /// Whether a token is kept.
    kept: TokenState,
    /// Never tested; `None` while practising.
    store: Option<Finding>,
    /// `None` while practising: that service runs inside the program.
    #[serde(flatten)]
    report: Option<ConnectionReport>,
}

impl Tested<'_> {
    fn text(&self) -> String {
        let mut sheet = Sheet::default();
        sheet.line("profile", self.profile);
        let Some(report) = &self.report else {
            sheet.line("service", "practice, inside this program");
            return sheet.text();
        };
        let address = match report.address {
            Finding::Good => "answers as the service does",
            Finding::Bad => "does not answer as the service does",
            Finding::Unclear => "gave no answer in time, or broke off",
        };
        let token = match (self.kept, report.token) {
            (TokenState::Absent, _) => "none is kept; `wdesk token set` takes it",
            (TokenState::OtherServer, _) => {
                "the one that is kept was given for another server; `wdesk token set` takes it again"
            }
            (TokenState::Unavailable, _) => "the keychain could not be asked",
            (TokenState::Present, Finding::Good) => "is accepted",
            (TokenState::Present, Finding::Bad) => "is refused",
            (TokenState::Present, Finding::Unclear) => "could not be tried",
        };
        sheet
            .line("address", address)
            .line(
                "store",
                "was not tested: `wdesk plans list --product REF` of one of its products shows it",
            )
            .line("token", token);
        if let Some(detail) = &report.detail {
            sheet.line("said", detail);
        }
        sheet.text()
    }

    /// The address first: without it nothing else can be told.
    fn exit(&self) -> Exit {
        let Some(report) = &self.report else {
            say("This profile practises: nothing outside this program is asked.");
            return Exit::Done;
        };
        match (report.address, self.kept, report.token) {
            (Finding::Bad | Finding::Unclear, _, _) => Exit::Queued,
            (
                Finding::Good,
                TokenState::Absent | TokenState::OtherServer | TokenState::Unavailable,
                _,
            ) => Exit::Unusable,
            (Finding::Good, TokenState::Present, Finding::Bad) => Exit::Refused,
            (Finding::Good, TokenState::Present, Finding::Unclear) => Exit::Queued,
            (Finding::Good, TokenState::Present, Finding::Good) => Exit::Done,
        }
    }
}

fn draft(profile: &Profile) -> ProfileDraft {
    ProfileDraft {
        name: profile.name.clone(),
        base_url: profile.base_url.clone(),
        store_id: profile.store_id.clone(),
        utc_offset_minutes: profile.utc_offset_minutes,
        time_zone: profile.time_zone.clone(),
        display: profile.display.clone(),
        facts: profile.facts.clone(),
    }
}
