//! `wdesk profile test`: tests the profile's address, store and token without creating anything.

use serde::Serialize;
use warranty_core::Desk;
use warranty_core::api::ProductReference;
use warranty_core::profile::{ConnectionReport, Finding, ProfileDraft, ProfileKind, TokenState};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{name, named, text};
use crate::output::say;
use crate::session::{Context, profile};
use crate::table::KeyValues;

/// Carries out `profile test`. A network failure is a finding, not an error.
pub async fn run(context: &Context, product: Option<String>) -> Result<Exit, Failure> {
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    let test = async |desk: &Desk| {
        let profile = profile(desk).await?;
        let kept = desk.profiles.token_state(&profile.id).await?;
        let report = match profile.kind {
            ProfileKind::Practice => None,
            ProfileKind::Live => {
                let draft = ProfileDraft::from(&profile);
                Some(desk.profiles.test_connection(&draft, None, product).await?)
            }
        };
        let (kind, profile) = (profile.kind, &*profile.name);
        let tested = Tested {
            profile,
            kind,
            kept,
            report,
        };
        context.result(&tested, || tested.text())?;
        Ok(tested.exit())
    };
    context.reading(test).await
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tested<'a> {
    profile: &'a str,
    kind: ProfileKind,
    kept: TokenState,
    /// `None` for a practice profile, whose service runs inside the program.
    #[serde(flatten)]
    report: Option<ConnectionReport>,
}

impl Tested<'_> {
    fn text(&self) -> String {
        let mut fields = KeyValues::default();
        fields.line("profile", self.profile);
        let Some(report) = &self.report else {
            fields.line("service", "practice, inside this program");
            return fields.text();
        };
        service_lines(&mut fields, report, self.kept);
        fields.text()
    }

    /// The exit code. The address decides first: without it nothing else can be tested.
    fn exit(&self) -> Exit {
        let Some(report) = &self.report else {
            say(text("wdesk.practice.notOutside", &[]));
            return Exit::Done;
        };
        let is_kept = self.kept == TokenState::Present;
        match (report.address, report.token, report.store) {
            (Finding::Bad | Finding::Unclear, ..) => Exit::Queued,
            (Finding::Good, ..) if !is_kept => Exit::Unusable,
            (Finding::Good, Finding::Bad, _) => Exit::Refused,
            (Finding::Good, Finding::Unclear, _) => Exit::Queued,
            (Finding::Good, Finding::Good, Finding::Bad) => Exit::Refused,
            (Finding::Good, Finding::Good, Finding::Unclear) if report.product.is_some() => {
                Exit::Queued
            }
            (Finding::Good, Finding::Good, Finding::Good | Finding::Unclear) => Exit::Done,
        }
    }
}

/// The lines of a connection test: address, store, token and what was said.
pub fn service_lines(fields: &mut KeyValues, report: &ConnectionReport, kept: TokenState) {
    let address = named("wdesk.test.address", &report.address);
    let store = match &report.product {
        Some(product) => {
            let key = format!("wdesk.test.store.{}", name(&report.store));
            text(&key, &[("product", product)])
        }
        None => text("wdesk.test.store.notTested", &[]),
    };
    let token = match kept {
        TokenState::Present => named("wdesk.test.token", &report.token),
        TokenState::Absent | TokenState::OtherServer | TokenState::Unavailable => {
            named("wdesk.token", &kept)
        }
    };
    fields
        .line("address", address)
        .line("store", store)
        .line("token", token);
    if let Some(detail) = &report.detail {
        fields.line("said", detail);
    }
}
