//! `wdesk profile`: profiles, each one store at one service.

use chrono::{Local, Offset};
use serde::Serialize;
use warranty_core::Desk;
use warranty_core::profile::{
    Display, Profile, ProfileDraft, ProfileKind, ProfileWarning, ProviderFacts,
};

use crate::args::ProfileCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages;
use crate::output::say;
use crate::profile_test;
use crate::session::Context;
use crate::table::{KeyValues, Table};

/// Carries out a `profile` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: ProfileCommand) -> Result<Exit, Failure> {
    match command {
        ProfileCommand::Add {
            name,
            base_url,
            store_id,
            utc_offset,
            time_zone,
        } => {
            let draft = ProfileDraft {
                name,
                base_url,
                store_id,
                utc_offset_minutes: utc_offset.unwrap_or_else(local_offset),
                time_zone,
                display: Display::default(),
                facts: ProviderFacts::default(),
            };
            context
                .changing(async |session| {
                    let warnings = session.desk.profiles.add_warnings(&draft).await?;
                    let profile = session.desk.profiles.add(draft).await?;
                    warn(&warnings);
                    let added = Added { profile, warnings };
                    context.output.result(&added, || details(&added.profile))?;
                    say(messages::text("wdesk.profile.next", &[]));
                    Ok(Exit::Done)
                })
                .await
        }
        ProfileCommand::List => context.show(listing, Listing::text).await,
        ProfileCommand::Use { name } => {
            context
                .changing(async |session| {
                    let profile = session.desk.profiles.choose(&name).await?;
                    context.output.done(&profile, details)
                })
                .await
        }
        ProfileCommand::Test { product } => profile_test::run(context, product).await,
        ProfileCommand::Remove { name } => {
            context
                .changing(async |session| {
                    let warnings = session.desk.profiles.remove_warnings(&name).await?;
                    session.desk.profiles.remove(&name).await?;
                    warn(&warnings);
                    let removed = Removed {
                        removed: &name,
                        warnings,
                    };
                    context.output.result(&removed, || {
                        messages::text("wdesk.profile.removed", &[("name", &name)]) + "\n"
                    })?;
                    Ok(Exit::Done)
                })
                .await
        }
    }
}

async fn listing(desk: &Desk) -> Result<Listing, Failure> {
    Ok(Listing {
        current: desk.profiles.current().await?.map(|one| one.id),
        profiles: desk.profiles.all().await?,
    })
}

/// All profiles and the selected one.
#[derive(Debug, Serialize)]
struct Listing {
    /// Id of the selected profile.
    current: Option<String>,
    profiles: Vec<Profile>,
}

impl Listing {
    fn text(&self) -> String {
        let mut table = Table::new(&["", "name", "kind", "address", "store", "clock"]);
        for profile in &self.profiles {
            let chosen = self.current.as_ref() == Some(&profile.id);
            table.row([
                if chosen { "*" } else { "" }.to_owned(),
                profile.name.clone(),
                kind(profile.kind).to_owned(),
                profile.base_url.clone(),
                profile.store_id.clone(),
                clock(profile),
            ]);
        }
        table.text()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Added {
    #[serde(flatten)]
    profile: Profile,
    warnings: Vec<ProfileWarning>,
}

#[derive(Debug, Serialize)]
struct Removed<'a> {
    removed: &'a str,
    warnings: Vec<ProfileWarning>,
}

fn warn(warnings: &[ProfileWarning]) {
    for warning in warnings {
        say(messages::profile_warning(warning));
    }
}

fn details(profile: &Profile) -> String {
    KeyValues::default()
        .line("name", &profile.name)
        .line("kind", kind(profile.kind))
        .line("address", &profile.base_url)
        .line("store", &profile.store_id)
        .line("clock", clock(profile))
        .text()
}

fn kind(kind: ProfileKind) -> &'static str {
    match kind {
        ProfileKind::Practice => "practice",
        ProfileKind::Live => "live",
    }
}

/// The time zone, or the offset, that applies to dates without an offset.
fn clock(profile: &Profile) -> String {
    let offset = || offset(profile.utc_offset_minutes);
    profile.time_zone.clone().unwrap_or_else(offset)
}

fn offset(minutes: i32) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// This computer's current offset, in minutes east of UTC.
fn local_offset() -> i32 {
    Local::now().offset().fix().local_minus_utc() / 60
}
