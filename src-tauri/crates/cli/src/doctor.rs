//! `wdesk doctor`: what works on this computer and at the service.

use warranty_core::Desk;
use warranty_core::api::ProductReference;
use warranty_core::doctor::{Diagnosis, NetworkFinding};
use warranty_core::encryption::Customers;
use warranty_core::profile::{ConnectionReport, Finding, ProfileKind, TokenState};

use crate::blockers::{say_unread_report, troubles};
use crate::messages::{customers, list, name};
use crate::policy::trouble_of;
use crate::{Context, Exit, Failure, KeyValues, grouped, named, text};

/// Carries out `doctor`. What does not work is a finding, not an error.
pub async fn run(context: &Context, product: Option<String>) -> Result<Exit, Failure> {
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    let data_dir = context.data_dir()?;
    let diagnose = async |desk: &Desk| {
        let found = desk.diagnose(&data_dir, product).await?;
        context.result(&found, || lines(&found))?;
        say_unread_report(desk).await?;
        Ok(exit(&found))
    };
    context.reading(diagnose).await
}

fn exit(found: &Diagnosis) -> Exit {
    if found.works() {
        Exit::Done
    } else if found.needs_person() {
        Exit::Person
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
    let folder = if found.folder.writable {
        "writable"
    } else {
        "notWritable"
    };
    fields
        .line("version", found.version)
        .line("folder", say(folder));
    if let Some(free) = found.folder.free_bytes {
        let free = grouped(i64::try_from(free >> 20).unwrap_or(i64::MAX));
        let shown = match found.folder.has_space {
            true => format!("{free} MB"),
            false => text("wdesk.doctor.noSpace", &[("free", &free)]),
        };
        fields.line("free", shown);
    }
    if found.kind != Some(ProfileKind::Practice) || found.keychain.is_some() {
        let trouble = found.keychain.as_ref();
        let keychain = trouble.map(|trouble| named("wdesk.doctor.keychain", trouble));
        fields.line("keychain", keychain.unwrap_or_else(|| say("works")));
    }
    if found.customers != Customers::Readable {
        fields.line("customers", customers(found.customers));
    }
    let missing = if found.is_closed || !found.closed_profiles.is_empty() {
        "closed"
    } else if found.nothing_sold {
        "notSetUp"
    } else {
        "noProfile"
    };
    let profile = found.profile.clone().unwrap_or_else(|| say(missing));
    let moved = text("wdesk.policy.moved", &[("name", &profile)]);
    fields.line("profile", profile);
    if let Some(kind) = &found.kind {
        fields.line("kind", name(kind));
    }
    if found.nothing_sold && found.profile.is_some() && !found.is_closed {
        fields.line("policy", say("nothingSold"));
    }
    let closed = &found.closed_profiles;
    for trouble in troubles(found.is_last_good, found.is_closed, closed) {
        fields.line("policy", trouble);
    }
    for finding in &found.findings {
        fields.line("policy", trouble_of(finding));
    }
    if found.moved {
        fields.line("policy", moved);
    }
    if found.kind == Some(ProfileKind::Practice) {
        fields.line("service", say("practice"));
    }
    if let Some(network) = &found.network {
        network_lines(&mut fields, network);
    }
    if !found.can_connect() {
        fields.line("address", text("failure.networkSetup", &[]));
    }
    if let Some(service) = &found.service {
        service_lines(&mut fields, service, found.token);
    }
    fields.text()
}

fn network_lines(fields: &mut KeyValues, network: &NetworkFinding) {
    let route = say(if network.proxy { "proxy" } else { "direct" });
    fields.line(
        "route",
        format!("{route} {}:{}", network.host, network.port),
    );
    let resolved = match network.addresses.as_slice() {
        [] => say("notResolved"),
        addresses => list(addresses),
    };
    fields.line("dns", resolved);
    if let Some(tls) = &network.tls {
        fields.optional("tls", tls.version);
        for shown in &tls.certificates {
            fields
                .line("certificate", &shown.subject)
                .line("  issuer", &shown.issuer)
                .line("  valid from", &shown.valid_from)
                .line("  valid until", &shown.valid_until)
                .line("  sha256", &shown.sha256);
        }
        let root = format!("wdesk.doctor.root.{}", name(&tls.root));
        fields.line("root", text(&root, &[("now", &tls.now)]));
    }
    let clock = network.clock_ahead_seconds.map(|ahead| {
        let direction = if ahead < 0 { "behind" } else { "ahead" };
        let seconds = ahead.unsigned_abs();
        let difference = text(
            &format!("wdesk.doctor.{direction}"),
            &[("seconds", &seconds)],
        );
        match network.clock {
            Finding::Bad => text("wdesk.doctor.wrongClock", &[("difference", &difference)]),
            Finding::Good | Finding::Unclear => difference,
        }
    });
    fields.line("clock", clock.unwrap_or_else(|| say("noClock")));
}

/// The lines of a connection test: address, store, token and what was said.
fn service_lines(fields: &mut KeyValues, report: &ConnectionReport, kept: TokenState) {
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
        fields.line("response", detail);
    }
}

fn say(key: &str) -> String {
    text(&format!("wdesk.doctor.{key}"), &[])
}
