//! What tests do with a desk and ask of it, a line each. What is not expected to fail panics; what
//! may fail begins with `try_`.

use std::time::Duration;

use warranty_core::api::{Personal, PlanFilter, PlanId, ProductReference};
use warranty_core::bulk::{RowList, RunRow, RunView};
use warranty_core::contracts::{
    Confirmed, EnterMode, EntryDraft, EntryFilter, Question, SubmissionView,
};
use warranty_core::day::Date;
use warranty_core::drafts::{Draft, DraftName, DraftPlace};
use warranty_core::leads::{LeadDraft, LeadState, LeadView};
use warranty_core::outbox::{
    Blocker, CaseView, OutboxSummary, Resolution, ResolutionKind, RunUntil,
};
use warranty_core::overview::Overview;
use warranty_core::plans::{LinkReport, PlanList, PlanRecord};
use warranty_core::products::{
    KnownFrom, ProductDraft, ProductFilter, ProductHint, ProductRecord, UpsertReport,
};
use warranty_core::profile::{Profile, ProfileDraft, TokenState};
use warranty_core::{Desk, Error, Field, FieldProblem, Operation, Problem};

use crate::sales::id;

/// Asserts that an answer is an error of this kind, and says what it is when it is not.
macro_rules! refused {
    ($answer:expr, $error:pat $(if $guard:expr)?) => {{
        let answer = $answer;
        let refused = matches!(&answer, Err($error) $(if $guard)?);
        assert!(refused, "{answer:?}");
    }};
}
pub(crate) use refused;

/// The same value with something changed.
pub fn with<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}

/// The questions that an answer asks.
pub fn questions<T: std::fmt::Debug>(answer: Result<T, Error>) -> Vec<Question> {
    match answer {
        Err(Error::Questions(questions)) => questions,
        other => panic!("{other:?}"),
    }
}

/// The operation that the service failed at or refused.
pub fn failed<T: std::fmt::Debug>(answer: Result<T, Error>) -> Operation {
    match answer {
        Err(Error::Service { operation, .. }) => operation,
        other => panic!("{other:?}"),
    }
}

/// The problems that an answer names, and their fields.
pub fn problems<T: std::fmt::Debug>(answer: Result<T, Error>) -> Vec<(Field, Problem)> {
    match answer {
        Err(Error::Input(problems)) => fields(&problems),
        other => panic!("{other:?}"),
    }
}

pub fn fields(problems: &[FieldProblem]) -> Vec<(Field, Problem)> {
    let each = problems.iter().map(|found| (found.field, found.problem));
    each.collect()
}

pub fn edit(draft: EntryDraft) -> Resolution {
    Resolution::Edit {
        draft: Box::new(draft),
        confirmed: Vec::new(),
    }
}

pub fn replay() -> Resolution {
    Resolution::ReplayOnce {
        confirmed: Vec::new(),
    }
}

pub fn provider_has_none(reference: &str, confirmed: &[Confirmed]) -> Resolution {
    Resolution::ProviderHasNone {
        reference: reference.to_owned(),
        confirmed: confirmed.to_vec(),
    }
}

/// A person's yes to a second contract beside an entry.
pub fn beside(entry: &str) -> Confirmed {
    Confirmed::SecondContract {
        submission_id: Some(entry.to_owned()),
    }
}

/// The entries in which these words are found, at most ten.
pub fn containing(text: &str) -> EntryFilter {
    EntryFilter {
        text: text.to_owned(),
        limit: 10,
        ..EntryFilter::default()
    }
}

pub trait Steps {
    fn desk(&self) -> &Desk;

    // Contracts

    async fn try_register(
        &self,
        draft: &EntryDraft,
        yes: &[Confirmed],
    ) -> Result<SubmissionView, Error> {
        self.register_under(&id(), draft, yes).await
    }

    /// Registers under an id, and under the profile the desk has now.
    async fn register_under(
        &self,
        id: &str,
        draft: &EntryDraft,
        yes: &[Confirmed],
    ) -> Result<SubmissionView, Error> {
        let (desk, profile) = (self.desk(), self.profile().await);
        desk.contracts.register(&profile.id, id, draft, yes).await
    }

    async fn register(&self, draft: &EntryDraft) -> SubmissionView {
        self.try_register(draft, &[]).await.unwrap()
    }

    async fn register_with(&self, draft: &EntryDraft, yes: &[Confirmed]) -> SubmissionView {
        self.try_register(draft, yes).await.unwrap()
    }

    async fn submission(&self, id: &str) -> SubmissionView {
        self.desk().contracts.submission(id).await.unwrap()
    }

    /// Everything entered, oldest first.
    async fn entered(&self) -> Vec<SubmissionView> {
        let all = with(containing(""), |filter| filter.limit = 10_000);
        let mut found = self.desk().contracts.list(&all).await.unwrap().entries;
        found.reverse();
        found
    }

    /// The one entry there is.
    async fn only(&self) -> SubmissionView {
        let [only] = self.entered().await.try_into().unwrap();
        only
    }

    /// The entries in which these words are found, newest first and at most ten.
    async fn find(&self, text: &str) -> Vec<SubmissionView> {
        let found = self.desk().contracts.list(&containing(text)).await;
        found.unwrap().entries
    }

    // Outbox

    /// Runs the outbox until everything is accepted that can be.
    async fn run(&self) -> OutboxSummary {
        self.run_until(false, 60).await
    }

    /// Runs the outbox until everything is confirmed that can be.
    async fn run_confirmed(&self) -> OutboxSummary {
        self.run_until(true, 60).await
    }

    async fn run_until(&self, confirmed: bool, seconds: u64) -> OutboxSummary {
        let run = self.try_run(confirmed, Duration::from_secs(seconds));
        run.await.unwrap()
    }

    async fn try_run(&self, confirmed: bool, at_most: Duration) -> Result<OutboxSummary, Error> {
        let until = RunUntil { confirmed, at_most };
        self.desk().outbox.run(until, &|_| {}).await
    }

    async fn blocker(&self) -> Option<Blocker> {
        self.desk().outbox.blocker().await.unwrap()
    }

    async fn summary(&self) -> OutboxSummary {
        self.desk().outbox.summary().await.unwrap()
    }

    async fn overview(&self) -> Overview {
        self.desk().overviews.current().await.unwrap()
    }

    async fn case(&self, id: &str) -> CaseView {
        self.desk().outbox.case(id).await.unwrap()
    }

    /// What a person may do with an entry.
    async fn may(&self, id: &str) -> Vec<ResolutionKind> {
        self.case(id).await.resolutions
    }

    async fn try_resolve(&self, id: &str, resolution: Resolution) -> Result<CaseView, Error> {
        self.desk().outbox.resolve(id, resolution).await
    }

    async fn resolve(&self, id: &str, resolution: Resolution) -> CaseView {
        self.try_resolve(id, resolution).await.unwrap()
    }

    // Bulk runs

    /// Enters the good rows.
    async fn enter(&self, rows: &[EntryDraft]) -> RunView {
        let run = crate::runs::started(self.desk(), rows).await;
        self.enter_rows(&run.id).await
    }

    async fn enter_rows(&self, run: &str) -> RunView {
        self.desk().bulk.enter(run, &|_, _| {}).await.unwrap()
    }

    async fn check(&self, run: &str) -> RunView {
        self.desk().bulk.check(run, &|_, _| {}).await.unwrap()
    }

    async fn try_start(&self, run: &str, mode: EnterMode) -> Result<RunView, Error> {
        self.desk().bulk.start(run, mode, &|_, _| {}).await
    }

    /// Starts a run with its good rows.
    async fn start(&self, run: &str) -> RunView {
        self.try_start(run, EnterMode::GoodRows).await.unwrap()
    }

    /// The same, and sends what can be sent; the run as it is then.
    async fn start_and_run(&self, run: &str) -> RunView {
        self.start(run).await;
        self.run().await;
        self.view(run).await
    }

    async fn view(&self, run: &str) -> RunView {
        self.desk().bulk.run(run).await.unwrap()
    }

    /// The first rows of a run that came to something.
    async fn rows(&self, run: &str) -> Vec<RunRow> {
        self.desk().bulk.rows(run, None, 0, 10).await.unwrap()
    }

    /// The rows of a run that were left out.
    async fn left_out(&self, run: &str) -> Vec<RunRow> {
        let rejected = Some(RowList::Rejected);
        let rows = self.desk().bulk.rows(run, rejected, 0, 1_000).await;
        rows.unwrap()
    }

    // Leads

    async fn lead(&self, draft: &LeadDraft) -> LeadView {
        self.lead_under(&id(), draft).await
    }

    async fn lead_under(&self, id: &str, draft: &LeadDraft) -> LeadView {
        self.try_lead(id, draft, None).await.unwrap()
    }

    async fn try_lead(
        &self,
        id: &str,
        draft: &LeadDraft,
        beside: Option<&str>,
    ) -> Result<LeadView, Error> {
        let (desk, profile) = (self.desk(), self.profile().await);
        desk.leads.create(&profile.id, id, draft, beside).await
    }

    async fn send_again(&self, id: &str) -> LeadView {
        self.desk().leads.send_again(id, None).await.unwrap()
    }

    /// All leads, newest first.
    async fn leads(&self) -> Vec<LeadView> {
        self.desk().leads.recent(10).await.unwrap()
    }

    /// The one lead there is.
    async fn only_lead(&self) -> LeadView {
        let [only] = self.leads().await.try_into().unwrap();
        only
    }

    async fn lead_states(&self) -> Vec<LeadState> {
        self.leads().await.iter().map(|lead| lead.state).collect()
    }

    async fn follow_up(&self, id: &str, due: Option<Date>, note: Option<&Personal>) -> LeadView {
        let kept = self.desk().leads.follow_up(id, due, note).await;
        kept.unwrap()
    }

    // Drafts

    async fn try_keep_draft(
        &self,
        profile: &Profile,
        name: &str,
        text: &str,
        rows: u32,
    ) -> Result<DraftPlace, Error> {
        let name = DraftName::new(name).unwrap();
        let text = Personal::new(text);
        let drafts = &self.desk().drafts;
        drafts.keep(&profile.id, &name, text, rows).await
    }

    async fn keep_draft(&self, of: &Profile, name: &str, text: &str, rows: u32) -> DraftPlace {
        let kept = self.try_keep_draft(of, name, text, rows).await;
        kept.unwrap()
    }

    async fn draft_of(&self, profile: &Profile, name: &str) -> Option<Draft> {
        let name = DraftName::new(name).unwrap();
        let found = self.desk().drafts.all(&profile.id, &name).await.unwrap();
        found.into_iter().find(|draft| draft.name == name)
    }

    async fn drop_draft(&self, profile: &Profile, name: &str) {
        let name = DraftName::new(name).unwrap();
        let dropped = self.desk().drafts.remove(&profile.id, &name).await;
        dropped.unwrap();
    }

    // Plans and products

    async fn cached(&self, product: &ProductReference) -> PlanList {
        let plans = self.desk().plans.cached(product, PlanFilter::Any).await;
        plans.unwrap()
    }

    async fn find_plans(&self, text: &str, limit: u32) -> Vec<PlanRecord> {
        self.desk().plans.search(text, limit).await.unwrap()
    }

    async fn find_products(&self, text: &str, limit: u32) -> Vec<ProductRecord> {
        let filter = ProductFilter {
            text: text.to_owned(),
            limit,
            ascending: true,
            ..ProductFilter::default()
        };
        let found = self.desk().catalog.list(filter).await;
        found.unwrap().products
    }

    async fn link(&self, plan: &PlanId, reference: &str, known: Option<&str>) -> LinkReport {
        self.try_link(plan, reference, known).await.unwrap()
    }

    async fn try_link(
        &self,
        plan: &PlanId,
        reference: &str,
        known: Option<&str>,
    ) -> Result<LinkReport, Error> {
        let (plans, profile) = (&self.desk().plans, self.profile().await);
        plans.link(&profile.id, plan, reference, known).await
    }

    async fn put(&self, product: &ProductDraft) -> UpsertReport {
        self.try_put(product).await.unwrap()
    }

    async fn try_put(&self, product: &ProductDraft) -> Result<UpsertReport, Error> {
        let (products, profile) = (&self.desk().products, self.profile().await);
        products.put(&profile.id, product).await
    }

    /// Remembers products, and says how many were new.
    async fn remember(&self, hints: Vec<ProductHint>, from: KnownFrom) -> u32 {
        self.desk().catalog.remember(hints, from).await.unwrap()
    }

    async fn refresh(&self, product: &ProductReference, filter: PlanFilter) -> PlanList {
        self.desk().plans.refresh(product, filter).await.unwrap()
    }

    /// What is known of a product.
    async fn known(&self, product: &ProductReference) -> ProductRecord {
        let known = self.desk().catalog.product(product).await.unwrap();
        known.unwrap()
    }

    // Profiles and the journal

    /// The chosen profile.
    async fn profile(&self) -> Profile {
        self.desk().profiles.current().await.unwrap().unwrap()
    }

    async fn change(&self, profile: &Profile, draft: ProfileDraft) -> Profile {
        let changed = self.desk().profiles.change(&profile.id, draft).await;
        changed.unwrap()
    }

    async fn token_state(&self, profile: &Profile) -> TokenState {
        self.desk().profiles.token_state(&profile.id).await.unwrap()
    }

    /// The last actions of the journal, newest first.
    async fn actions(&self, count: u32) -> Vec<String> {
        let journal = self.desk().journal(count).await.unwrap();
        journal.into_iter().map(|line| line.action).collect()
    }
}

impl Steps for Desk {
    fn desk(&self) -> &Desk {
        self
    }
}
