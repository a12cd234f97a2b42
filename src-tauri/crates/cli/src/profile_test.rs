//! `wdesk profile test`: tests the profile's address, store and token without creating anything.

use serde::Serialize;
use warranty_core::api::ProductReference;
use warranty_core::profile::{ConnectionReport, Finding, ProfileDraft, ProfileKind, TokenState};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{name, named, text};
use crate::output::say;
use crate::session::Context;
use crate::table::KeyValues;

/// Carries out `profile test`.
///
/// # Errors
/// [`Failure::Id`] for an invalid product reference; errors of the core. A network failure is a
/// finding, not an error.
pub async fn run(context: &Context, product: Option<String>) -> Result<Exit, Failure> {
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    context
        .reading(async |session| {
            let profile = session.profile().await?;
            let kept = session.desk.profiles.token_state(&profile.id).await?;
            let report = match profile.kind {
                ProfileKind::Practice => None,
                ProfileKind::Live => {
                    let draft = ProfileDraft::from(&profile);
                    Some(
                        session
                            .desk
                            .profiles
                            .test_connection(&draft, None, product)
                            .await?,
                    )
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
    /// Whether a token is stored.
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

/// The lines of a connection test: address, store, token and what was said.
pub fn service_lines(fields: &mut KeyValues, report: &ConnectionReport, kept: TokenState) {
    let address = named("wdesk.test.address", &report.address);
    let store = match &report.product {
        Some(product) => {
            let key = format!("wdesk.test.store.{}", name(&report.store));
            text(&key, &[("product", product.as_str())])
        }
        None => text("wdesk.test.store.notTested", &[]),
    };
    let token = match kept {
        TokenState::Present => named("wdesk.test.token", &report.token),
        kept @ (TokenState::Absent | TokenState::OtherServer | TokenState::Unavailable) => {
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
