//! The person at the desk: enters sales, looks after what needs one, and tells the truth as the
//! provider's books have it, at times a little late.

use rand::Rng as _;
use warranty_api::{ContractItem, Personal};

use super::kept::{self, Row};
use super::provider::{UNKNOWN_PRODUCT, Visible};
use super::world::World;
use crate::contracts::{Confirmed, EntryDraft, Question, new_entry};
use crate::outbox::samples::item;
use crate::outbox::{Resolution, ResolutionKind};
use crate::profile::Profile;
use crate::{Desk, Error, StoreError};
use warranty_model::contracts::preflight::PlanFindings;
use warranty_store::submissions::{Frozen, NewSubmissions};
use warranty_store::test_fixtures::entered_run;

/// Enters sales, some of which the provider refuses and some of which are the same twice.
pub(super) async fn enter(world: &World, desk: &Desk, profile: &Profile, count: usize) {
    let items: Vec<ContractItem> = {
        let mut state = world.state();
        let twins = state.chance(0.1);
        (0..count)
            .map(|_| {
                let number = if twins {
                    0
                } else {
                    state.dice.random_range(0..u32::MAX)
                };
                let product = if !twins && state.chance(0.1) {
                    UNKNOWN_PRODUCT
                } else {
                    "p"
                };
                let mut item = item(&format!("T{number}"), product, "a");
                item.customer.email = Personal::new(format!("c{number}@sample.invalid"));
                item
            })
            .collect()
    };
    let of_run = {
        let mut state = world.state();
        state.files && state.chance(0.6)
    };
    enter_these(
        world,
        desk,
        profile,
        items,
        Entry {
            split: true,
            of_run,
        },
    )
    .await;
}

/// How sales are entered.
pub(super) struct Entry {
    /// Some in batches of their own.
    pub split: bool,
    /// As the rows of a file.
    pub of_run: bool,
}

/// Enters these sales.
pub(super) async fn enter_these(
    world: &World,
    desk: &Desk,
    profile: &Profile,
    items: Vec<ContractItem>,
    Entry { split, of_run }: Entry,
) {
    let ids: Vec<String> = items
        .iter()
        .map(|_| desk.context.ids.uuid().to_string())
        .collect();
    let alone: Vec<bool> = {
        let mut state = world.state();
        items.iter().map(|_| split && state.chance(0.2)).collect()
    };
    let Ok(seal) = desk.encryption.key_for(profile).await else {
        return;
    };
    let run = if of_run {
        let now = desk.context.clock.now().timestamp_millis();
        match entered_run(&desk.context.store, &profile.id, "done", now).await {
            Ok(run) => Some(run),
            Err(_) => return,
        }
    } else {
        None
    };
    let freeze = NewSubmissions {
        run,
        batches: desk
            .contracts
            .build_batches(&seal, profile, &ids, &items, &alone)
            .unwrap(),
        entries: ids
            .iter()
            .cloned()
            .zip(items)
            .map(|(id, item)| new_entry(&seal, id, item, PlanFindings::default()).unwrap())
            .collect(),
        lines: vec![
            desk.context
                .journal_line("contracts.entered", "simulated", None),
        ],
        ..desk.contracts.new_submissions(profile)
    };
    let entered = desk
        .context
        .store
        .freeze_submissions(freeze, Vec::new())
        .await;
    match entered {
        Ok(found) => {
            assert_eq!(found, Frozen::Done);
            let mut state = world.state();
            state.say(|| format!("{} entries are acknowledged", ids.len()));
            for id in ids {
                state.acknowledged.insert(id, profile.id.clone());
            }
        }
        Err(StoreError::Full | StoreError::Sqlite(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Looks after what stands there. Once the troubles are over, after everything; before, as it
/// comes.
pub(super) async fn visit(world: &World, desk: &Desk) {
    let rows = world.medium().look(kept::rows);
    for row in rows {
        let settled = world.state().settled;
        let looks = match row.state.as_str() {
            "needsPerson" | "rejected" => settled || world.state().chance(0.7),
            "held" if settled => true,
            "queued" | "held" | "unknown" => !settled && world.state().chance(0.05),
            _ => false,
        };
        if looks {
            decide(world, desk, &row).await;
        }
    }
}

/// Halts, resumes or cancels a file now and then; once the troubles are over, resumes them all.
pub(super) async fn turn_files(world: &World, desk: &Desk) {
    let store = &desk.context.store;
    for (run, halted) in world.medium().look(kept::runs) {
        let line = desk.context.journal_line("run.turned", "simulated", None);
        let (settled, dice) = {
            let mut state = world.state();
            (state.settled, state.dice.random_range(0..20))
        };
        let (what, turned) = match (halted, settled, dice) {
            (true, true, _) | (true, false, 0..10) => {
                ("resumed", store.resume_run(run, line).await)
            }
            (false, false, 0..4) => ("halted", store.pause_run(run, line).await),
            (_, false, 19) => {
                let now = desk.context.instant();
                ("cancelled", store.cancel_run(run, line, now).await)
            }
            _ => continue,
        };
        // On a full disk no run can be changed.
        if turned.is_ok_and(|turned| turned) {
            let mut state = world.state();
            state.say(|| format!("file {run} is {what}"));
            state.tally.met("file", what);
            drop(state);
            desk.context.work.wake();
        }
    }
}

async fn decide(world: &World, desk: &Desk, row: &Row) {
    let Ok(case) = desk.outbox.case(&row.id).await else {
        return;
    };
    let Some((kind, truth)) = choice(world, row, &case.resolutions) else {
        return;
    };
    // A sale that was never sent, or is held, may go even to a silent service.
    let mut trial = None;
    {
        let mut state = world.state();
        state.tally.met("person", word(kind));
        state.say(|| format!("a person decides {} of {}", word(kind), row.id));
        if kind == ResolutionKind::SendNow {
            state.let_go(&row.profile);
            state.silent.remove(&row.profile);
            state.silent_before.insert(row.profile.clone());
            if row.state != "unknown"
                && let Some(at) = state.trials.get_mut(&row.profile)
            {
                trial = Some(std::mem::take(at));
            }
        }
    }
    if let (ResolutionKind::ReplayOnce, Some(key)) = (kind, &row.key) {
        *world.state().grants.entry(key.clone()).or_default() += 1;
    }
    if kind == ResolutionKind::ProviderHasNone {
        let root = root(world, &row.id);
        world.state().words.insert(root);
    }
    world.state().looking = true;
    let mut said: Vec<Confirmed> = Vec::new();
    let resolved = loop {
        let resolution = resolution(row, kind, truth.clone(), said.clone());
        match desk.outbox.resolve(&row.id, resolution).await {
            Err(Error::Questions(asked)) if !said.contains(&asked[0].yes()) => {
                said.extend(asked.iter().map(Question::yes));
            }
            resolved => break resolved,
        }
    };
    world.state().looking = false;
    if let (Err(_), Some(at)) = (&resolved, trial) {
        world.state().trials.insert(row.profile.clone(), at);
    }
    match resolved {
        Ok(view) => world.state().say(|| {
            format!(
                "... and {} is {:?}",
                view.submission.id, view.submission.state
            )
        }),
        Err(
            error @ (Error::NotAllowed
            | Error::Service { .. }
            | Error::ContractDoesNotMatch
            | Error::Vault(_)
            | Error::Store(StoreError::Full | StoreError::Sqlite(_))),
        ) => world.state().say(|| format!("... in vain: {error}")),
        Err(error) => world
            .state()
            .broken(format!("a decision about {} failed: {error}", row.id)),
    }
}

/// What the person does, of what is offered, and the contract that they have found.
fn choice(
    world: &World,
    row: &Row,
    resolutions: &[ResolutionKind],
) -> Option<(ResolutionKind, Option<String>)> {
    let root = root(world, &row.id);
    let others: Vec<String> = world
        .medium()
        .look(kept::rows)
        .into_iter()
        .filter(|other| other.id != row.id && other.state != "cancelled")
        .filter_map(|other| other.contract_id)
        .collect();
    let mut state = world.state();
    let now = state.elapsed();
    state.provider.work_until(now);
    let truth = state
        .provider
        .books
        .iter()
        .find(|sold| {
            sold.transaction == row.transaction
                && !others
                    .iter()
                    .any(|other| other == sold.contract.id.as_str())
                && (Some(&sold.key) == row.key.as_ref() || state.sold_for(&sold.key, &root))
        })
        .map(|sold| sold.contract.id.as_str().to_owned());
    let stale = state.notes.get(&row.id).cloned();
    let truth = match stale {
        // Said from what was seen the last time.
        Some(seen) if !state.settled && state.chance(0.3) => seen,
        Some(_) | None => truth,
    };
    state.notes.insert(row.id.clone(), truth.clone());
    if resolutions.is_empty() {
        return None;
    }
    let kind = if state.settled {
        let in_work = row
            .key
            .as_ref()
            .is_some_and(|key| state.provider.in_work(key));
        let unseen = state.provider.temper.visible == Visible::Never;
        match (&truth, row.state.as_str()) {
            (Some(_), "needsPerson") if unseen => return None,
            // What never left is not what was found: that was sold by the entry before it.
            (Some(_), "needsPerson") if !resolutions.contains(&ResolutionKind::GiveContractId) => {
                ResolutionKind::Cancel
            }
            (Some(_), "needsPerson") => ResolutionKind::GiveContractId,
            (None, "needsPerson") if in_work => return None,
            // The person cancels a sale that was already sent again.
            (None, "needsPerson") if state.words.contains(&root) => ResolutionKind::Cancel,
            (None, "needsPerson") => {
                state.one_of(&[ResolutionKind::ProviderHasNone, ResolutionKind::Cancel])
            }
            (_, "held") => ResolutionKind::SendNow,
            _ => ResolutionKind::Cancel,
        }
    } else {
        let kind = state.one_of(resolutions);
        match (kind, &truth) {
            // Nobody says that there is none where they see one.
            (ResolutionKind::ProviderHasNone, Some(_)) => ResolutionKind::GiveContractId,
            (kind, _) => kind,
        }
    };
    if !resolutions.contains(&kind) {
        return None;
    }
    // The practice profile alone: for the other one the desk would ask the network first.
    let edits = row.profile == "a" || kind != ResolutionKind::Edit;
    Some((if edits { kind } else { ResolutionKind::Cancel }, truth))
}

/// A decision, with what the person said yes to.
fn resolution(
    row: &Row,
    kind: ResolutionKind,
    truth: Option<String>,
    confirmed: Vec<Confirmed>,
) -> Resolution {
    let reference = "said at the counter".to_owned();
    match kind {
        ResolutionKind::GiveContractId => Resolution::GiveContractId {
            contract_id: truth.unwrap_or_else(|| "C0".to_owned()),
        },
        ResolutionKind::ProviderHasNone => Resolution::ProviderHasNone {
            reference,
            confirmed,
        },
        ResolutionKind::ReplayOnce => Resolution::ReplayOnce { confirmed },
        ResolutionKind::Edit => Resolution::Edit {
            draft: Box::new(draft(row)),
            confirmed,
        },
        ResolutionKind::SendNow => Resolution::SendNow { confirmed },
        ResolutionKind::Cancel => Resolution::Cancel,
        ResolutionKind::DuplicateChecked => Resolution::DuplicateChecked { reference },
    }
}

fn root(world: &World, id: &str) -> String {
    world
        .medium()
        .look(|connection| kept::root_of(connection, id))
}

fn draft(row: &Row) -> EntryDraft {
    EntryDraft {
        transaction_id: row.transaction.clone(),
        transaction_total: "110000".into(),
        transaction_date: "2026-11-21T10:00:00+09:00".into(),
        customer_name: "見本　花子".into(),
        customer_email: format!("c{}@sample.invalid", &row.transaction[1..]),
        product_reference_id: "p".into(),
        product_purchase_price: "100000".into(),
        plan_id: "a".into(),
        plan_purchase_price: "5000".into(),
    }
}

fn word(kind: ResolutionKind) -> &'static str {
    match kind {
        ResolutionKind::GiveContractId => "gives a contract id",
        ResolutionKind::ProviderHasNone => "says there is none",
        ResolutionKind::ReplayOnce => "replays",
        ResolutionKind::Edit => "edits",
        ResolutionKind::SendNow => "sends now",
        ResolutionKind::Cancel => "gives up",
        ResolutionKind::DuplicateChecked => "asks about duplicates",
    }
}
