//! `wdesk profile`: profiles, each one store at one service.

use chrono::{FixedOffset, Local, Offset};
use serde::Serialize;
use serde_json::json;
use warranty_core::Desk;
use warranty_core::profile::{Display, Profile, ProfileDraft, ProviderFacts};

use crate::args::ProfileCommand;
use crate::messages::name;
use crate::table::visible;
use crate::{Context, Exit, Failure, KeyValues, Table, say, text};

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
            let add = async |desk: &Desk| {
                let added = desk.profiles.add(draft).await?;
                context.result(&added, || details(&added))?;
                say(text(
                    "wdesk.profile.next",
                    &[("name", &visible(&added.name))],
                ));
                Ok(Exit::Done)
            };
            context.changing(add).await
        }
        ProfileCommand::List => {
            let listing = async |desk: &Desk| {
                Ok(Listing {
                    current: desk.profiles.current().await?.map(|one| one.id),
                    profiles: desk.profiles.all().await?,
                })
            };
            context.show(listing, Listing::text).await
        }
        ProfileCommand::Use { name } => {
            let choose =
                async |desk: &Desk| context.done(&desk.profiles.choose(&name).await?, details);
            context.changing(choose).await
        }
        ProfileCommand::Remove { name } => {
            let remove = async |desk: &Desk| {
                let other = desk.profiles.remove(&name).await?;
                if let Some(other) = other {
                    let other = visible(&other.name);
                    say(text("wdesk.profile.selected", &[("name", &other)]));
                }
                let removed = json!({ "removed": name });
                context.done(&removed, |_| {
                    text("wdesk.profile.removed", &[("name", &name)]) + "\n"
                })
            };
            context.changing(remove).await
        }
    }
}

#[derive(Debug, Serialize)]
struct Listing {
    current: Option<String>,
    profiles: Vec<Profile>,
}

impl Listing {
    fn text(&self) -> String {
        let is_current = |profile: &Profile| self.current.as_ref() == Some(&profile.id);
        Table::of(&self.profiles)
            .column("", |profile| {
                if is_current(profile) { "*" } else { "" }.to_owned()
            })
            .column("name", |profile| &profile.name)
            .column("kind", |profile| name(&profile.kind))
            .column("address", |profile| &profile.base_url)
            .column("store", |profile| &profile.store_id)
            .column("clock", clock)
            .text()
    }
}

fn details(profile: &Profile) -> String {
    KeyValues::default()
        .line("name", &profile.name)
        .line("kind", name(&profile.kind))
        .line("address", &profile.base_url)
        .line("store", &profile.store_id)
        .line("clock", clock(profile))
        .text()
}

/// The time zone, or the offset, that applies to dates without an offset.
fn clock(profile: &Profile) -> String {
    match FixedOffset::east_opt(profile.utc_offset_minutes * 60) {
        Some(offset) if profile.time_zone.is_none() => offset.to_string(),
        _ => profile.time_zone.clone().unwrap_or_default(),
    }
}

/// This computer's current offset, in minutes east of UTC.
fn local_offset() -> i32 {
    Local::now().offset().fix().local_minus_utc() / 60
}
