//! The worker: carries out what is due, in the background or for as long as a caller asks.
//!
//! Owns when, never what: the table of states decides that. Work runs in tasks of its own, so that
//! nobody's impatience leaves a request without an ear.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

use super::lanes::{InHand, Kind, Lane};
use super::sending::Sent;
use super::service::{Network, Reach};
use super::state::{Hold, Instant, State};
use super::waits::{self, Budget};
use super::{OutboxSummary, RunUntil};
use crate::clock::{Clock, Ids};
use crate::notice::Notice;
use crate::profile::Profile;
use crate::store::{agenda, batches, profiles, submissions};
use crate::{Desk, Error, StoreError};

/// Batches in flight at once.
const MOST_SENDS: usize = 4;
/// Lookups on their way at once.
const MOST_LOOKS: usize = 4;
/// Rows of the agenda read at once.
const MOST_READ: usize = 64;
/// The worker looks around at least this often.
const LOOK_AROUND: Duration = Duration::from_secs(60);
/// A lane without a token, a keychain or a practice service is tried again after this.
const NO_WAY_WAIT: Duration = Duration::from_secs(30);
/// After the desk's own file refused.
const STORE_WAIT: Duration = Duration::from_secs(5);
/// How long closing waits for requests on their way.
const CLOSING_WAIT: Duration = Duration::from_secs(20);
/// Failures in a row after which a run takes the service for out of reach.
const OFFLINE_AFTER: u32 = 2;

/// The worker's own state. Everything that matters is in the store.
#[derive(Debug)]
pub(crate) struct Outbox {
    /// Names this process: monotonic times count only within it.
    process: Uuid,
    /// The wall clock when this process began, in milliseconds since 1970 UTC.
    began_wall: i64,
    /// The monotonic clock then.
    began_mono: Duration,
    /// Counts up whenever something moved.
    moved: watch::Sender<u64>,
    stopping: watch::Sender<bool>,
    lanes: Mutex<HashMap<String, Lane>>,
    in_hand: Mutex<InHand>,
    budget: Mutex<Budget>,
    online: Mutex<Option<bool>>,
    background: Mutex<bool>,
    reach: Arc<dyn Reach>,
}

impl Outbox {
    /// Nothing in hand yet.
    pub(crate) fn new(clock: &dyn Clock, ids: &dyn Ids) -> Self {
        Self {
            process: ids.uuid(),
            began_wall: clock.now().timestamp_millis(),
            began_mono: clock.monotonic(),
            moved: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
            lanes: Mutex::default(),
            in_hand: Mutex::default(),
            budget: Mutex::new(Budget::new(clock.monotonic())),
            online: Mutex::new(None),
            background: Mutex::new(false),
            reach: Arc::new(Network),
        }
    }

    /// Something may have become possible: every lane is tried again.
    pub(crate) fn wake(&self) {
        held(&self.lanes).clear();
        self.bump();
    }

    pub(super) fn reach(&self) -> Arc<dyn Reach> {
        Arc::clone(&self.reach)
    }

    fn bump(&self) {
        self.moved
            .send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// A lock whose holder never leaves it half changed.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Job {
    /// Send, or decide about, this batch.
    Send(String),
    /// Look this entry up.
    Look(String),
    /// Let these batches go.
    Release(Vec<String>),
    /// Let batches go that were declined with another token than there is now.
    CompareToken,
}

impl Job {
    fn kind(&self) -> Kind {
        match self {
            Self::Send(_) => Kind::Send,
            Self::Look(_) => Kind::Look,
            Self::Release(_) | Self::CompareToken => Kind::Release,
        }
    }

    fn id(&self, profile: &Profile) -> String {
        match self {
            Self::Send(id) | Self::Look(id) => id.clone(),
            Self::Release(_) | Self::CompareToken => format!("release {}", profile.id),
        }
    }
}

/// What can be done now, and when there will be more.
#[derive(Debug, Default)]
struct Plan {
    jobs: Vec<(Profile, Job)>,
    /// When a batch is due next, on the steady clock.
    next_batch: Option<i64>,
    /// When a lookup is due next.
    next_look: Option<i64>,
    /// Some lane is out of reach.
    out_of_reach: bool,
}

impl Desk {
    /// Starts carrying the outbox out in the background until the desk is closed. Must be called
    /// within a tokio runtime; a second call does nothing, nor does one on a desk opened to read.
    pub fn outbox_start(&self) {
        if self.inner.read_only || std::mem::replace(&mut held(&self.inner.outbox.background), true)
        {
            return;
        }
        let desk = self.clone();
        tokio::spawn(async move { desk.tend().await });
    }

    /// Carries the outbox of the chosen profile out until nothing can be done now, or the limit is
    /// reached. Offline it returns soon, with things still queued.
    ///
    /// # Errors
    /// [`Error::InUse`] on a desk opened to read; [`Error::NoProfile`]; [`Error::Store`].
    pub async fn outbox_run(
        &self,
        until: RunUntil,
        progress: &(dyn Fn(&OutboxSummary) + Sync),
    ) -> Result<OutboxSummary, Error> {
        self.writable()?;
        let profile = self.profile_now().await?;
        let outbox = &self.inner.outbox;
        // A run is asked for by a person: what was out of reach a while ago is tried again.
        held(&outbox.lanes).remove(&profile.id);
        let deadline = self.inner.clock.monotonic().saturating_add(until.at_most);
        let mut moved = outbox.moved.subscribe();
        loop {
            moved.borrow_and_update();
            let plan = self.plan(Some(&profile.id)).await?;
            let summary = self.summary_of(&profile.id).await?;
            progress(&summary);
            let left = deadline.saturating_sub(self.inner.clock.monotonic());
            if left.is_zero() || *outbox.stopping.borrow() {
                return Ok(summary);
            }
            for (profile, job) in plan.jobs {
                self.begin_job(profile, job);
            }
            let wait = if held(&outbox.in_hand).of_profile(&profile.id) > 0 {
                LOOK_AROUND
            } else {
                let looks = until.confirmed && summary.accepted > 0;
                let next = [plan.next_batch, plan.next_look.filter(|_| looks)]
                    .into_iter()
                    .flatten()
                    .min();
                match next {
                    Some(next) if !plan.out_of_reach => self.until(next),
                    // Something was finished since the plan was made: make another.
                    Some(_) | None if moved.has_changed().unwrap_or(false) => continue,
                    Some(_) | None => return Ok(summary),
                }
            };
            pause(&mut moved, wait.min(left)).await;
        }
    }

    /// The background's loop.
    async fn tend(&self) {
        let outbox = &self.inner.outbox;
        let mut moved = outbox.moved.subscribe();
        while !*outbox.stopping.borrow() {
            moved.borrow_and_update();
            let wait = match self.plan(None).await {
                Ok(plan) => {
                    for (profile, job) in plan.jobs {
                        self.begin_job(profile, job);
                    }
                    [plan.next_batch, plan.next_look]
                        .into_iter()
                        .flatten()
                        .min()
                        .map_or(LOOK_AROUND, |next| self.until(next).min(LOOK_AROUND))
                }
                Err(Error::Store(StoreError::Closed)) => return,
                Err(error) => {
                    tracing::error!(%error, "the outbox could not be read");
                    STORE_WAIT
                }
            };
            pause(&mut moved, wait).await;
        }
    }

    /// Ends the background and waits, within a limit, for requests on their way.
    pub(crate) async fn outbox_stop(&self) {
        let outbox = &self.inner.outbox;
        outbox.stopping.send_replace(true);
        let mut moved = outbox.moved.subscribe();
        outbox.bump();
        let empty = moved.wait_for(|_| held(&outbox.in_hand).is_empty());
        if tokio::time::timeout(CLOSING_WAIT, empty).await.is_err() {
            tracing::warn!("closing while a request is on its way; it will count as unknown");
        }
    }

    /// A profile's token was set or removed: what was held for it may go.
    pub(crate) fn outbox_token_changed(&self, profile_id: &str) {
        held(&self.inner.outbox.lanes).remove(profile_id);
        self.inner.outbox.bump();
    }

    /// What can be begun now, for one profile or for all.
    async fn plan(&self, only: Option<&str>) -> Result<Plan, Error> {
        let mut plan = Plan::default();
        if *self.inner.outbox.stopping.borrow() {
            return Ok(plan);
        }
        let ids = self
            .inner
            .store
            .call(|connection| agenda::profiles(connection))
            .await?;
        for id in ids {
            if only.is_none_or(|only| only == id) {
                self.plan_for(&id, &mut plan).await?;
            }
        }
        Ok(plan)
    }

    async fn plan_for(&self, profile_id: &str, plan: &mut Plan) -> Result<(), Error> {
        let outbox = &self.inner.outbox;
        let now = self.steady_now();
        let id = profile_id.to_owned();
        let (profile, waited, for_token, due, looks, (next_batch, next_look)) = self
            .inner
            .store
            .call(move |connection| {
                Ok((
                    profiles::by_id_or_name(connection, &id)?,
                    agenda::waited(connection, &id, now)?,
                    agenda::waits_for_token(connection, &id)?,
                    agenda::due(connection, &id, now, MOST_READ)?,
                    agenda::lookups(connection, &id, now, MOST_READ)?,
                    agenda::next(connection, &id, now)?,
                ))
            })
            .await?;
        let Some(profile) = profile else {
            return Ok(());
        };
        earliest(&mut plan.next_batch, next_batch);
        earliest(&mut plan.next_look, next_look);
        let lane = held(&outbox.lanes)
            .get(profile_id)
            .cloned()
            .unwrap_or_default();
        if !waited.is_empty() {
            plan.jobs.push((profile.clone(), Job::Release(waited)));
        }
        let has_work = !due.is_empty() || !looks.is_empty();
        // Also while all work waits for its next try: after each failure the only batch does.
        if lane.no_way || lane.setbacks >= OFFLINE_AFTER {
            plan.out_of_reach = true;
        }
        let mono = self.inner.clock.monotonic();
        if lane.until > mono {
            if has_work {
                let at = now.saturating_add(super::sending::millis(lane.until - mono));
                earliest(&mut plan.next_batch, Some(at));
            }
            return Ok(());
        }
        if for_token && !lane.token_compared {
            plan.jobs.push((profile.clone(), Job::CompareToken));
        }
        let (mut sends, mut looking) = {
            let in_hand = held(&outbox.in_hand);
            let mut sends = MOST_SENDS.saturating_sub(in_hand.count(Kind::Send));
            let mut looking = MOST_LOOKS.saturating_sub(in_hand.count(Kind::Look));
            if lane.setbacks > 0 || lane.no_way {
                // One tries the way; the others follow when it is there.
                let free = usize::from(in_hand.of_profile(profile_id) == 0);
                sends = sends.min(free);
                looking = looking.min(if due.is_empty() { free } else { 0 });
            }
            (sends, looking)
        };
        for next in due {
            if sends == 0 {
                break;
            }
            if held(&outbox.in_hand).holds(&next.batch_id) {
                continue;
            }
            if next.again
                && let Err(wait) = held(&outbox.budget).take(mono)
            {
                let at = now.saturating_add(super::sending::millis(wait).max(1));
                earliest(&mut plan.next_batch, Some(at));
                break;
            }
            sends -= 1;
            plan.jobs.push((profile.clone(), Job::Send(next.batch_id)));
        }
        for id in looks {
            if looking == 0 {
                break;
            }
            if !held(&outbox.in_hand).holds(&id) {
                looking -= 1;
                plan.jobs.push((profile.clone(), Job::Look(id)));
            }
        }
        Ok(())
    }

    /// Begins a piece of work in a task of its own, unless it is in hand already.
    fn begin_job(&self, profile: Profile, job: Job) {
        let id = job.id(&profile);
        if !held(&self.inner.outbox.in_hand).take(&id, job.kind(), &profile.id) {
            return;
        }
        let hand = Hand {
            desk: self.clone(),
            id,
        };
        tokio::spawn(async move {
            let desk = &hand.desk;
            match desk.do_job(&profile, job).await {
                Ok(sent) => desk.note(&profile.id, sent),
                Err(error) => {
                    tracing::error!(%error, "the outbox could not go on with one piece of work");
                    let until = desk.inner.clock.monotonic().saturating_add(STORE_WAIT);
                    held(&desk.inner.outbox.lanes)
                        .entry(profile.id.clone())
                        .or_default()
                        .until = until;
                }
            }
        });
    }

    async fn do_job(&self, profile: &Profile, job: Job) -> Result<Sent, Error> {
        match job {
            Job::Send(id) => self.send(profile, &id).await,
            Job::Look(id) => self.look(profile, &id).await,
            Job::Release(ids) => {
                for batch in self.held_batches(&profile.id).await? {
                    if ids.contains(&batch.id) {
                        self.release(profile, batch).await?;
                    }
                }
                self.publish(&profile.id).await;
                Ok(Sent::Nothing)
            }
            Job::CompareToken => {
                let Some(counterpart) = self.counterpart(profile).await else {
                    return Ok(Sent::NoWay);
                };
                for batch in self.held_batches(&profile.id).await? {
                    let same = batch.token_fingerprint.as_deref()
                        == Some(counterpart.token_fingerprint.as_str());
                    if batch.state == State::Held(Hold::Token) && !same {
                        self.release(profile, batch).await?;
                    }
                }
                held(&self.inner.outbox.lanes)
                    .entry(profile.id.clone())
                    .or_default()
                    .token_compared = true;
                self.publish(&profile.id).await;
                Ok(Sent::Nothing)
            }
        }
    }

    /// A profile's held batches.
    pub(super) async fn held_batches(
        &self,
        profile_id: &str,
    ) -> Result<Vec<batches::Batch>, StoreError> {
        let id = profile_id.to_owned();
        self.inner
            .store
            .call(move |connection| batches::held(connection, &id))
            .await
    }

    /// Notes what a piece of work says of the way to the service.
    fn note(&self, profile_id: &str, sent: Sent) {
        let mono = self.inner.clock.monotonic();
        let mut lanes = held(&self.inner.outbox.lanes);
        let lane = lanes.entry(profile_id.to_owned()).or_default();
        match sent {
            Sent::Answered => {
                lane.setbacks = 0;
                lane.no_way = false;
                lane.until = Duration::ZERO;
            }
            Sent::Offline => {
                lane.no_way = false;
                lane.setbacks = lane.setbacks.saturating_add(1);
                let wait = waits::backoff(lane.setbacks, self.inner.ids.fraction());
                lane.until = mono.saturating_add(wait);
            }
            Sent::NoWay => {
                lane.no_way = true;
                lane.until = mono.saturating_add(NO_WAY_WAIT);
            }
            Sent::Nothing => {}
        }
    }

    /// Tells listeners whether the service could be reached, when that changed.
    pub(super) fn say_online(&self, online: bool) {
        if held(&self.inner.outbox.online).replace(online) != Some(online) {
            self.tell(Notice::ConnectionChanged { online });
        }
    }

    /// Tells listeners the counts, when the profile is the chosen one.
    pub(crate) async fn publish(&self, profile_id: &str) {
        self.inner.outbox.bump();
        let told = async {
            if self.profile_now().await?.id == profile_id {
                let summary = self.summary_of(profile_id).await?;
                self.tell(Notice::OutboxChanged { summary });
            }
            Ok::<(), Error>(())
        };
        if let Err(error) = told.await {
            tracing::debug!(%error, "the counts could not be told");
        }
    }

    /// A profile's counts.
    pub(crate) async fn summary_of(&self, profile_id: &str) -> Result<OutboxSummary, Error> {
        let id = profile_id.to_owned();
        Ok(self
            .inner
            .store
            .call(move |connection| submissions::summary(connection, &id))
            .await?)
    }

    /// Now, on both clocks.
    pub(crate) fn instant(&self) -> Instant {
        Instant {
            wall: self.inner.clock.now().timestamp_millis(),
            mono: self.inner.clock.monotonic(),
            process: self.inner.outbox.process,
        }
    }

    /// Now as this process began plus what has passed since: waits are kept in it, so that setting
    /// the wall clock neither rushes nor stops them. In milliseconds since 1970 UTC.
    pub(super) fn steady_now(&self) -> i64 {
        let outbox = &self.inner.outbox;
        let passed = self
            .inner
            .clock
            .monotonic()
            .saturating_sub(outbox.began_mono);
        outbox
            .began_wall
            .saturating_add(super::sending::millis(passed))
    }

    /// How long until a moment of the steady clock.
    fn until(&self, at: i64) -> Duration {
        let wait = at.saturating_sub(self.steady_now()).max(1);
        Duration::from_millis(u64::try_from(wait).unwrap_or(1))
    }
}

/// Work in hand, laid down whatever becomes of its task.
struct Hand {
    desk: Desk,
    id: String,
}

impl Drop for Hand {
    fn drop(&mut self) {
        let outbox = &self.desk.inner.outbox;
        // Bumped before the lock is given back: whoever finds nothing in hand finds it moved.
        let mut in_hand = held(&outbox.in_hand);
        in_hand.lay_down(&self.id);
        outbox.bump();
    }
}

async fn pause(moved: &mut watch::Receiver<u64>, wait: Duration) {
    tokio::select! {
        // The sender lives in the desk that is asking.
        _ = moved.changed() => {}
        () = tokio::time::sleep(wait) => {}
    }
}

fn earliest(known: &mut Option<i64>, other: Option<i64>) {
    *known = match (*known, other) {
        (Some(known), Some(other)) => Some(known.min(other)),
        (known, other) => known.or(other),
    };
}
