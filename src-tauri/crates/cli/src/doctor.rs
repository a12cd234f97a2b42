//! `wdesk doctor`: what works on this computer and at the service.

use warranty_core::api::ProductReference;
use warranty_core::doctor::{Diagnosis, NetworkFinding};
use warranty_core::profile::{Finding, ProfileKind};

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
    let mut fields = KeyValues::default();
    fields.line("version", found.version);
    let folder = if found.folder.writable {
        "writable"
    } else {
        "notWritable"
    };
    fields.line("folder", say(folder));
    if let Some(free) = found.folder.free_bytes {
        let free = grouped(i64::try_from(free >> 20).unwrap_or(i64::MAX));
        let free = if found.folder.has_space {
            format!("{free} MiB")
        } else {
            text("wdesk.doctor.noSpace", &[("free", &free)])
        };
        fields.line("free", free);
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
        network_lines(&mut fields, way);
    }
    if let Some(service) = &found.service {
        service_lines(&mut fields, service, found.token);
    }
    fields.text()
}

fn network_lines(fields: &mut KeyValues, way: &NetworkFinding) {
    let route = say(if way.proxy { "proxy" } else { "direct" });
    fields.line("route", format!("{route} {}:{}", way.host, way.port));
    let resolved = match way.addresses.as_slice() {
        [] => say("notResolved"),
        addresses => addresses.join(", "),
    };
    fields.line("dns", resolved);
    if let Some(tls) = &way.tls {
        fields.line("tls", tls.version.unwrap_or("-"));
        for shown in &tls.certificates {
            fields.line("certificate", &shown.subject);
            fields.line("  issuer", &shown.issuer);
            fields.line("  valid until", &shown.valid_until);
            fields.line("  sha256", &shown.sha256);
        }
        fields.line("root", named("wdesk.doctor.root", &tls.root));
    }
    let clock = way.clock_ahead_seconds.map_or_else(
        || say("noClock"),
        |ahead| {
            let direction = if ahead < 0 { "behind" } else { "ahead" };
            let seconds = ahead.unsigned_abs().to_string();
            let values = [("seconds", &*seconds)];
            let difference = text(&format!("wdesk.doctor.{direction}"), &values);
            if way.clock == Finding::Bad {
                text("wdesk.doctor.wrongClock", &[("difference", &difference)])
            } else {
                difference
            }
        },
    );
    fields.line("clock", clock);
}

fn say(key: &str) -> String {
    text(&format!("wdesk.doctor.{key}"), &[])
}
