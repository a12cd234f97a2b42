//! `wdesk profile test`: whether the profile's address, store and token work, creating nothing.

use serde::Serialize;
use warranty_core::api::ProductReference;
use warranty_core::profile::{
    ConnectionReport, Finding, Profile, ProfileDraft, ProfileKind, TokenState,
};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;
use crate::session::Context;
use crate::table::KeyValues;

/// Carries out `profile test`.
///
/// # Errors
/// [`Failure::Id`] for what cannot be a product's reference; the desk's own; what the network does
/// is a finding.
pub async fn run(context: &Context, product: Option<String>) -> Result<Exit, Failure> {
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(|source| Failure::Id {
        what: "--product",
        source,
    })?;
    context
        .reading(async |session| {
            let profile = session.profile().await?;
            let kept = session.desk.token_state(&profile.id).await?;
            let report = match profile.kind {
                ProfileKind::Practice => None,
                ProfileKind::Live => {
                    let draft = draft(&profile);
                    Some(session.desk.connection_test(&draft, None, product).await?)
                }
            };
            let tested = Tested {
                profile: &profile.name,
                kind: profile.kind,
                kept,
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
    /// `None` while practising: that service runs inside the program.
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
        let address = match report.address {
            Finding::Good => "answers as the service does",
            Finding::Bad => "does not answer as the service does",
            Finding::Unclear => "gave no answer in time, broke off, or asked to wait",
        };
        let store = match (report.store, &report.product) {
            (Finding::Good, Some(product)) => format!("is there: plans of {product} are listed"),
            (Finding::Bad, Some(product)) => {
                format!("or the product {product} is not known to the service")
            }
            (Finding::Unclear, Some(product)) => {
                format!("could not be told: no plans of {product} are listed")
            }
            (_, None) => "was not tested: `--product REF` lists the plans of one of its products \
                          to test it"
                .to_owned(),
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
        fields
            .line("address", address)
            .line("store", store)
            .line("token", token);
        if let Some(detail) = &report.detail {
            fields.line("said", detail);
        }
        fields.text()
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
            (Finding::Good, TokenState::Present, Finding::Good) => {
                match (report.store, &report.product) {
                    (Finding::Bad, _) => Exit::Refused,
                    (Finding::Unclear, Some(_)) => Exit::Queued,
                    (Finding::Good, _) | (Finding::Unclear, None) => Exit::Done,
                }
            }
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
