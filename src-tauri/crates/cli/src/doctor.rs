//! `wdesk doctor`: what works on this computer and at the service.

use warranty_core::api::ProductReference;
use warranty_core::doctor::Diagnosis;
use warranty_core::profile::ProfileKind;

use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{named, text};
use crate::profile_test::service_lines;
use crate::session::Context;
use crate::table::{KeyValues, grouped};

/// Carries out `doctor`.
///
/// # Errors
/// [`Failure::Id`] for an invalid product reference; errors of the core. What does not work is a
/// finding, not an error.
pub async fn run(context: &Context, arguments: DoctorArgs) -> Result<Exit, Failure> {
    let product = arguments.product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    context
        .reading(async |session| {
            let found = session.desk.diagnose(&session.data_dir, product).await?;
            context.output.result(&found, || lines(&found))?;
            Ok(exit(&found))
        })
        .await
}

fn exit(found: &Diagnosis) -> Exit {
    if found.works() {
        Exit::Done
    } else if !found.computer_works() {
        Exit::Unusable
    } else if found.is_refused() {
        Exit::Refused
    } else {
        Exit::Queued
    }
}

fn lines(found: &Diagnosis) -> String {
    let say = |key: &str| text(&format!("wdesk.doctor.{key}"), &[]);
    let mut fields = KeyValues::default();
    fields.line("version", found.version);
    fields.line(
        "folder",
        say(if found.folder.writable {
            "writable"
        } else {
            "notWritable"
        }),
    );
    if let Some(free) = found.folder.free_bytes {
        fields.line(
            "free",
            format!(
                "{} MiB",
                grouped(i64::try_from(free >> 20).unwrap_or(i64::MAX))
            ),
        );
    }
    if found.kind != Some(ProfileKind::Practice) || found.keychain.is_some() {
        let keychain = found.keychain.as_ref();
        let answer = keychain.map_or_else(
            || say("works"),
            |trouble| named("wdesk.doctor.keychain", trouble),
        );
        fields.line("keychain", answer);
    }
    let profile = found.profile.clone().unwrap_or_else(|| say("noProfile"));
    fields.line("profile", profile);
    if let Some(way) = &found.network {
        let route = if way.proxy { "proxy" } else { "direct" };
        fields.line("route", format!("{} {}:{}", say(route), way.host, way.port));
        let resolved = match way.addresses.as_slice() {
            [] => say("notResolved"),
            addresses => addresses.join(", "),
        };
        fields.line("dns", resolved);
        let clock = match way.clock_ahead_seconds {
            None => say("noClock"),
            Some(ahead) => {
                let seconds = ahead.to_string();
                let key = if way.clock_works() {
                    "clock"
                } else {
                    "wrongClock"
                };
                text(&format!("wdesk.doctor.{key}"), &[("seconds", &seconds)])
            }
        };
        fields.line("clock", clock);
    }
    if let Some(service) = &found.service {
        service_lines(&mut fields, service, found.token);
    }
    fields.text()
}
