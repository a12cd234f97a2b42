//! One schedule from its first process to its end.
//!
//! Owns when things happen. A process is a runtime of its own on paused time: dropping it stops
//! everything where it stands, as a kill does.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use rand::Rng as _;

use super::provider::{Provider, Temper, Visible};
use super::tally::Tally;
use super::world::World;
use super::{judge, kept, person};
use crate::outbox::{EndpointResolver, RunUntil};
use crate::profile::{Display, Profile, ProfileKind};
use crate::{Desk, DeskOptions};
use warranty_runtime::notifications::Change;

/// After the troubles everything must come to an end within this.
const MOST_SETTLING: Duration = Duration::from_secs(7 * 24 * 3600);

/// What a schedule came to.
pub(super) struct Played {
    pub tally: Tally,
    pub violations: Vec<String>,
}

/// How a process ends.
pub(super) enum End {
    /// After so long the next one begins.
    Again(Duration),
    /// Everything has come to its end.
    Finished,
}

/// What happens at a moment.
#[derive(Debug, Clone, Copy)]
enum Act {
    Enter,
    Visit,
    NewToken,
    OtherAddress,
    Revoked,
    Cut,
    Locked,
    ClockSet,
    Killed,
    Closed,
    Night,
    Run,
    DiskFull,
}

const ACTS: [Act; 20] = [
    Act::Enter,
    Act::Enter,
    Act::Enter,
    Act::Visit,
    Act::Visit,
    Act::Visit,
    Act::Visit,
    Act::NewToken,
    Act::OtherAddress,
    Act::Revoked,
    Act::Cut,
    Act::Locked,
    Act::ClockSet,
    Act::Killed,
    Act::Killed,
    Act::Closed,
    Act::Night,
    Act::Run,
    Act::Run,
    Act::DiskFull,
];

/// Plays the schedule of a seed.
pub(super) fn play(seed: u64, traced: bool) -> Played {
    let world = World::new(seed, |dice| Provider::new(Temper::drawn(dice)), traced);
    let horizon = {
        let mut state = world.state();
        state.trouble = state.one_of(&[0.1, 0.4, 0.7, 0.95]);
        state.disk.chance = state.one_of(&[0.0, 0.0, 0.03, 0.1]);
        let horizon = state.seconds(20.0, 900.0);
        state.plans_fail = state.chance(0.25);
        if state.chance(0.1) {
            state.reads_fail_until = horizon + state.seconds(0.0, 36_000.0);
        }
        horizon
    };
    world.state().tally.met("schedules", "all");
    to_the_end(&world, 60, |desk| course(&world, desk, horizon))
}

/// One process after another, until everything has come to its end. More than `most_lives` mean that
/// something never does.
pub(super) fn to_the_end<F: Future<Output = End>>(
    world: &World,
    most_lives: u32,
    course: impl Fn(Desk) -> F,
) -> Played {
    while let End::Again(gap) = live(world, &course) {
        judge::look_around(world);
        let mut state = world.state();
        state.say(|| format!("-- the process has ended; the next begins after {gap:?}"));
        if state.life > most_lives {
            state.broken(format!("{most_lives} processes were not enough"));
            break;
        }
    }
    judge::end(world);
    world.close();
    let mut state = world.state();
    Played {
        tally: std::mem::take(&mut state.tally),
        violations: std::mem::take(&mut state.violations),
    }
}

/// One process, from its opening until it ends or is killed.
fn live<F: Future<Output = End>>(world: &World, course: impl FnOnce(Desk) -> F) -> End {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        world.begin();
        let end = tokio::select! {
            biased;
            () = world.death() => End::Again(world.state().seconds(0.5, 120.0)),
            end = async {
                match open(world).await {
                    Some(desk) => course(desk).await,
                    None => End::Again(world.state().seconds(1.0, 60.0)),
                }
            } => end,
        };
        world.medium().crash();
        let gap = match end {
            End::Again(gap) => gap,
            End::Finished => Duration::ZERO,
        };
        world.end(gap);
        end
    })
}

/// Opens the desk; `None` when its disk does not let it.
pub(super) async fn open(world: &World) -> Option<Desk> {
    open_at(world, Arc::new(world.clone())).await
}

/// The same at another service.
pub(super) async fn open_at(world: &World, service: Arc<dyn EndpointResolver>) -> Option<Desk> {
    let vault = world.state().vault.clone();
    let options = DeskOptions {
        clock: Arc::new(world.clone()),
        ids: Arc::new(world.clone()),
        profile: Some("a".to_owned()),
        ..DeskOptions::new(std::path::PathBuf::new(), vault)
    };
    let opened = Desk::open_on(&world.medium(), options, service).await;
    let desk = match opened {
        Ok(desk) => desk,
        Err(error) => {
            world
                .state()
                .say(|| format!("the desk does not open: {error}"));
            return None;
        }
    };
    // The first process finds no profile; one that found a broken disk then has another try.
    for profile in profiles_of(world) {
        let line = desk
            .context
            .journal_line("profile.added", &profile.name, None);
        let known = desk.context.profile_by_id(&profile.id).await.is_ok();
        let written = known
            || desk
                .context
                .store
                .keep_profile(&profile, false, line)
                .await
                .is_ok();
        if !written {
            return None;
        }
        let token = profile.id.clone();
        let mut state = world.state();
        state
            .tokens
            .entry(profile.id.clone())
            .or_insert(token.clone());
        state.provider.accepts.entry(profile.id).or_insert(token);
    }
    Some(desk)
}

/// The two profiles of every desk.
pub(super) fn profiles_of(world: &World) -> [Profile; 2] {
    let facts = world.state().provider.temper.facts.clone();
    [
        ("a", ProfileKind::Practice, "practice"),
        ("b", ProfileKind::Live, "http://127.0.0.1:9"),
    ]
    .map(|(id, kind, base_url)| Profile {
        id: id.into(),
        name: id.into(),
        kind,
        base_url: base_url.into(),
        store_id: "store".into(),
        utc_offset_minutes: 540,
        time_zone: None,
        display: Display::default(),
        facts: facts.clone(),
    })
}

/// What happens while a process lives.
async fn course(world: &World, desk: Desk, horizon: Duration) -> End {
    let profiles = profiles_of(world);
    if world.state().acknowledged.is_empty() {
        let count = world.state().dice.random_range(1..5);
        person::enter(world, &desk, &profiles[0], count).await;
    }
    desk.outbox.start();
    while world.elapsed() < horizon {
        let wait = world.state().seconds(0.01, 200.0);
        tokio::time::sleep(wait).await;
        let act = world.state().one_of(&ACTS);
        world.state().tally.met("act", &format!("{act:?}"));
        if let Some(end) = happen(world, &desk, &profiles, act).await {
            return end;
        }
        judge::look_around(world);
    }
    settle(world, &desk, horizon).await
}

async fn happen(world: &World, desk: &Desk, profiles: &[Profile; 2], act: Act) -> Option<End> {
    world.state().say(|| format!("{act:?}"));
    let profile = {
        let index = usize::from(world.state().chance(0.3));
        &profiles[index]
    };
    match act {
        Act::Enter => {
            let count = {
                let mut state = world.state();
                let most = if state.files && state.chance(0.2) {
                    20
                } else {
                    4
                };
                state.dice.random_range(1..most)
            };
            person::enter(world, desk, profile, count).await;
            desk.outbox.notifications.publish(Change::Many).await;
        }
        Act::Visit => {
            person::turn_files(world, desk).await;
            person::visit(world, desk).await;
        }
        Act::NewToken => {
            let mut state = world.state();
            let token = format!("token {}", state.dice.random_range(0..u32::MAX));
            state.tokens.insert(profile.id.clone(), token.clone());
            state.provider.accepts.insert(profile.id.clone(), token);
            state.let_go(&profile.id);
            drop(state);
            desk.profiles.token_changed(&profile.id);
        }
        Act::Revoked => {
            let mut state = world.state();
            state
                .provider
                .accepts
                .insert(profile.id.clone(), "another".to_owned());
        }
        Act::OtherAddress => {
            let mut state = world.state();
            let address = format!("https://{}.invalid", state.dice.random_range(0..3));
            state.addresses.insert(profile.id.clone(), address);
        }
        Act::Cut => {
            let mut state = world.state();
            let cut = state.seconds(1.0, 400.0);
            state.cut_until = state.elapsed() + cut;
        }
        Act::Locked => {
            let mut state = world.state();
            let locked = state.seconds(1.0, 200.0);
            state.locked_until = state.elapsed() + locked;
        }
        Act::ClockSet => {
            let mut state = world.state();
            let by = state.one_of(&[-86_400_000, -3_600_000, -1_500, 1_500, 2_500, 90_000_000]);
            state.wall_offset += TimeDelta::milliseconds(by);
        }
        Act::Killed => return Some(End::Again(world.state().seconds(0.1, 100.0))),
        Act::Closed => {
            desk.clone().close().await;
            return Some(End::Again(world.state().seconds(0.1, 100.0)));
        }
        Act::Night => {
            return Some(End::Again(
                world.state().seconds(8.0 * 3600.0, 30.0 * 3600.0),
            ));
        }
        Act::Run => {
            let until = {
                let mut state = world.state();
                RunUntil {
                    confirmed: state.chance(0.5),
                    at_most: state.seconds(0.1, 90.0),
                }
            };
            // What stands in its way is told to whoever asked for it.
            drop(desk.outbox.run(until, &|_| {}).await);
        }
        Act::DiskFull => {
            let mut state = world.state();
            let full = state.seconds(0.1, 60.0);
            state.disk.full_until = state.elapsed() + full;
        }
    }
    None
}

/// The troubles are over: everything that is left comes to its end.
pub(super) async fn settle(world: &World, desk: &Desk, horizon: Duration) -> End {
    {
        let mut state = world.state();
        if !state.settled {
            state.say(|| "the troubles are over".to_owned());
        }
        state.settled = true;
        let accepts = state.provider.accepts.clone();
        state.tokens.extend(accepts);
        state.quiet_until.clear();
        state.asked.clear();
    }
    for profile in ["a", "b"] {
        desk.profiles.token_changed(profile);
    }
    let unseen = world.state().provider.temper.visible == Visible::Never;
    for round in 0..60 {
        person::turn_files(world, desk).await;
        person::visit(world, desk).await;
        if is_over(world) {
            return End::Finished;
        }
        tokio::time::sleep(Duration::from_secs(60 + 30 * round)).await;
        judge::look_around(world);
        if unseen && round > 2 && only_accepted(world) {
            // Nothing but waiting is left, and waiting is done with the desk closed.
            break;
        }
    }
    if world.elapsed() > horizon + MOST_SETTLING {
        world.state().broken("it never ends".to_owned());
        return End::Finished;
    }
    End::Again(Duration::from_secs(25 * 3600))
}

/// Whether all that is left is at an end, or with a person who cannot know more.
fn is_over(world: &World) -> bool {
    let unseen = world.state().provider.temper.visible == Visible::Never;
    world
        .medium()
        .look(kept::rows)
        .iter()
        .all(|row| match row.state.as_str() {
            "confirmed" | "cancelled" => true,
            "needsPerson" => unseen,
            _ => false,
        })
}

fn only_accepted(world: &World) -> bool {
    world.medium().look(kept::rows).iter().all(|row| {
        matches!(
            row.state.as_str(),
            "confirmed" | "cancelled" | "accepted" | "needsPerson"
        )
    })
}
