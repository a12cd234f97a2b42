//! Every point at which a process can end or its disk can fail, with every answer, twice in a row.
//!
//! Owns the list of both. An answer or a point that is added changes the count below.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::faults::Fault;
use super::play::{self, End, Played};
use super::provider::{Provider, Temper};
use super::tally::Tally;
use super::world::World;
use super::{judge, kept, person, two_at_a_time};
use crate::Desk;
use crate::outbox::samples::item;
use crate::outbox::{Resolution, ResolutionKind};
use warranty_store::simulated_disk::Fate;

/// Sizes of batches: one, of which a refusal speaks for all, and several.
const SIZES: [usize; 2] = [1, 2];

/// One of each class of answers; of those that say nothing, one where the work was done and one
/// where it was not.
const ANSWERS: [Fault; 8] = [
    Fault::NoConnection,
    Fault::Unauthorised,
    Fault::RateSoon,
    Fault::BadRequest,
    Fault::None,
    Fault::DroppedBefore,
    Fault::DroppedAfter,
    Fault::ServerErrorAfter,
];

/// Points before there is an answer: which one it would be makes no difference.
const BEFORE: [Point; 4] = [
    Point::IntentFails,
    Point::DiesBeforeIntent,
    Point::DiesAfterIntent,
    Point::DiesOnTheWay,
];

/// Points at which there is one.
const AFTER: [Point; 5] = [
    Point::Nothing,
    Point::DiesBeforeAnswer,
    Point::OutcomeFails,
    Point::DiesBeforeOutcome,
    Point::DiesAfterOutcome,
];

/// 44 attempts, two in a row, for each size. In 17 of them no process dies; unless both are of those,
/// they are played with and without a start of the machine.
const SCHEDULES: usize = (44 * 44 * 2 - 17 * 17) * 2;

/// Where an attempt is struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    Nothing,
    IntentFails,
    DiesBeforeIntent,
    DiesAfterIntent,
    DiesOnTheWay,
    DiesBeforeAnswer,
    OutcomeFails,
    DiesBeforeOutcome,
    DiesAfterOutcome,
}

/// One attempt of a script.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    fault: Fault,
    point: Point,
}

impl Moment {
    fn dies(self) -> bool {
        !matches!(
            self.point,
            Point::Nothing | Point::IntentFails | Point::OutcomeFails
        )
    }

    /// What befalls a request that leaves: its fault, whether the process dies before the answer,
    /// and what becomes of the commit that follows.
    pub(super) fn befalls(self) -> (Fault, bool, Option<Fate>) {
        match self.point {
            Point::Nothing
            | Point::IntentFails
            | Point::DiesBeforeIntent
            | Point::DiesAfterIntent => (self.fault, false, None),
            Point::DiesOnTheWay => (Fault::DiesOnTheWay, true, None),
            Point::DiesBeforeAnswer => (self.fault, true, None),
            Point::OutcomeFails => (self.fault, false, Some(Fate::Broken)),
            Point::DiesBeforeOutcome => (self.fault, false, Some(Fate::DiesBefore)),
            Point::DiesAfterOutcome => (self.fault, false, Some(Fate::DiesAfter)),
        }
    }
}

/// The way to the service is looked for: the next commit of a batch that is due is its intent.
pub(super) fn at_intent(world: &World) {
    let Some(point) = world.state().moments.last().map(|moment| moment.point) else {
        return;
    };
    let fate = match point {
        Point::IntentFails => Fate::Full,
        Point::DiesBeforeIntent => Fate::DiesBefore,
        Point::DiesAfterIntent => Fate::DiesAfter,
        Point::Nothing
        | Point::DiesOnTheWay
        | Point::DiesBeforeAnswer
        | Point::OutcomeFails
        | Point::DiesBeforeOutcome
        | Point::DiesAfterOutcome => return,
    };
    let due = world
        .medium()
        .look(kept::rows)
        .iter()
        .any(|row| matches!(row.state.as_str(), "queued" | "unknown"));
    if due {
        let mut state = world.state();
        state.moments.pop();
        state.fates.push(fate);
    }
}

fn moments() -> Vec<Moment> {
    let before = BEFORE.map(|point| Moment {
        fault: Fault::None,
        point,
    });
    let after = ANSWERS.iter().flat_map(|fault| {
        AFTER.map(|point| Moment {
            fault: *fault,
            point,
        })
    });
    before.into_iter().chain(after).collect()
}

/// Both attempts of a script.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    size: usize,
    first: Moment,
    second: Moment,
    /// Whether the machine is started again with each process.
    restarts: bool,
}

/// All there are; those in which a process dies also with a machine that goes down with it.
fn schedules() -> Vec<Schedule> {
    let moments = moments();
    let mut schedules = Vec::new();
    for size in SIZES {
        for first in &moments {
            for second in &moments {
                let schedule = Schedule {
                    size,
                    first: *first,
                    second: *second,
                    restarts: false,
                };
                schedules.push(schedule);
                if first.dies() || second.dies() {
                    schedules.push(Schedule {
                        restarts: true,
                        ..schedule
                    });
                }
            }
        }
    }
    schedules
}

fn play(
    Schedule {
        size,
        first,
        second,
        restarts,
    }: Schedule,
    traced: bool,
) -> Played {
    let world = World::new(7, |_| Provider::new(Temper::plain()), traced);
    world.state().moments = vec![second, first];
    world.state().restarts = Some(restarts);
    play::to_the_end(&world, 20, |desk| course(&world, desk, size))
}

/// Both attempts, the second by a person's word where the desk makes none by itself.
async fn course(world: &World, desk: Desk, size: usize) -> End {
    let profiles = play::profiles_of(world);
    if world.state().acknowledged.is_empty() {
        let items = (0..size)
            .map(|n| item(&format!("T{n}"), "p", "a"))
            .collect();
        let entry = person::Entry {
            split: false,
            of_run: size > 1,
        };
        person::enter_these(world, &desk, &profiles[0], items, entry).await;
    }
    desk.outbox.start();
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_secs(75)).await;
        judge::look_around(world);
        if world.state().moments.is_empty() {
            break;
        }
        let rows = world.medium().look(kept::rows);
        let Some(row) = rows.first() else { break };
        match row.state.as_str() {
            "held" => {
                world
                    .state()
                    .tokens
                    .insert("a".to_owned(), "another".to_owned());
                world.state().provider.accepts.clear();
                desk.profiles.token_changed("a");
            }
            "needsPerson" => {
                let resolutions = desk.outbox.case(&row.id).await.unwrap().resolutions;
                if !resolutions.contains(&ResolutionKind::ReplayOnce) {
                    break;
                }
                let key = row.key.clone().unwrap();
                *world.state().grants.entry(key).or_default() += 1;
                // One that fails to be written is tried again in the next round.
                drop(
                    desk.outbox
                        .resolve(
                            &row.id,
                            Resolution::ReplayOnce {
                                confirmed: Vec::new(),
                            },
                        )
                        .await,
                );
            }
            "queued" | "unknown" | "inFlight" => {}
            _ => break,
        }
    }
    {
        let mut state = world.state();
        let made = 2 - state.moments.len();
        state.moments.clear();
        if !state.settled {
            state.tally.met("attempts", &made.to_string());
        }
    }
    play::settle(world, &desk, Duration::ZERO).await
}

#[test]
fn every_crash_at_every_point_with_every_answer_twice_over_loses_and_doubles_nothing() {
    let schedules = schedules();
    assert_eq!(
        schedules.len(),
        SCHEDULES,
        "an answer or a point came or went"
    );
    let began = Instant::now();
    let broken = Mutex::new(Vec::new());
    let sum = Mutex::new(Tally::default());
    two_at_a_time(schedules.len() as u64, |number| {
        let schedule = schedules[number as usize];
        let Played { tally, violations } = play(schedule, false);
        sum.lock().unwrap().add(&tally);
        if !violations.is_empty() {
            broken.lock().unwrap().push((schedule, violations));
        }
    });
    let broken = broken.into_inner().unwrap();
    if let Some((schedule, _)) = broken.first() {
        play(*schedule, true);
        panic!(
            "{} of {SCHEDULES} break a rule: {:#?}",
            broken.len(),
            broken.first()
        );
    }
    println!(
        "PROOF enumeration: {SCHEDULES} schedules ({} attempts, two in a row, batches of one and \
         two; attempts made: {}), 0 lost, 0 doubled, 0 falsely sold; {:.0} s",
        moments().len(),
        sum.into_inner().unwrap().line("attempts"),
        began.elapsed().as_secs_f64()
    );
}
