//! Whether the service is there: told of each profile by itself.

use std::net::TcpListener;

use warranty_core::CallFailure;
use warranty_core::api::{ContractId, PlanFilter};
use warranty_core::bulk::{NewRun, NumberedRow, RunSource};
use warranty_core::drafts::DraftPlace;
use warranty_core::notice::Notice;
use warranty_core::overview::Connection;
use warranty_core::vault::VaultError;
use warranty_sandbox::{
    Action,
    Operation::{BulkCreateContracts, CreateLead, GetContract, ListPlans},
    sample,
};

use crate::harness::{Stage, always, html, product, status, too_many, until, verbatim};
use crate::leads;
use crate::runs::{kept, new};
use crate::sales::{sale, sales};
use crate::steps::Steps;

#[tokio::test]
async fn practising_makes_no_live_service_look_reached() {
    let stage = Stage::practising().await;
    let practice = stage.profile().await;
    let silent = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut draft = stage.draft("本店");
    draft.base_url = format!("http://{silent}");
    let live = stage.profiles.connect(draft, stage.token()).await.unwrap();
    let mut notices = stage.notices();
    stage.outbox.start();
    let connection = async || stage.overview().await.connection;
    assert_eq!(connection().await, Connection::NotTried);

    let register = async || stage.register(&sale(0)).await;
    register().await;
    until("the live service is missed", async || {
        connection().await == Connection::NotReached
    })
    .await;
    stage.profiles.choose(&practice.id).await.unwrap();
    register().await;
    until("the practice service is reached", async || {
        connection().await == Connection::Connected
    })
    .await;
    stage.profiles.choose(&live.id).await.unwrap();
    assert_eq!(connection().await, Connection::NotReached);

    while let Ok(notice) = notices.try_recv() {
        if let Notice::OverviewChanged {
            profile_id,
            overview,
        } = notice
            && overview.connection != Connection::NotTried
        {
            let reached = overview.connection == Connection::Connected;
            assert_eq!(reached, profile_id == practice.id);
        }
    }
}

#[tokio::test]
async fn every_kind_of_request_says_whether_the_service_is_there() {
    let (stage, profile) = Stage::live().await;
    let product = product(sample::PRODUCT_REFRIGERATOR);
    let connection = async || stage.desk.overview().await.connection;
    let all_done = async || stage.desk.overview().await.all_done;
    let list = async || stage.desk.plans.refresh(&product, PlanFilter::Any).await;

    list().await.unwrap();
    let overview = stage.overview().await;
    assert_eq!(overview.connection, Connection::Connected);
    assert!(overview.last_contact.is_some() && overview.all_done);

    // A lookup that is refused for its token; a listing, which sends none, changes nothing of that.
    stage.next(GetContract, status(401));
    let contract = ContractId::new("none").unwrap();
    stage.contracts.look_up(&contract).await.unwrap_err();
    assert_eq!(connection().await, Connection::TokenRefused);
    list().await.unwrap();
    assert_eq!(connection().await, Connection::TokenRefused);
    assert!(!all_done().await);
    stage.give_token(&profile).await;
    assert_eq!(connection().await, Connection::Connected);

    stage.next(ListPlans, html());
    list().await.unwrap_err();
    assert_eq!(connection().await, Connection::OtherAnswer);
    assert!(!all_done().await);
    // The test of a connection asks as well.
    let draft = stage.draft("本店");
    stage
        .profiles
        .test_connection(&draft, None, None)
        .await
        .unwrap();
    assert_eq!(connection().await, Connection::Connected);

    stage.sandbox.stop().await;
    list().await.unwrap_err();
    assert_eq!(connection().await, Connection::NotReached);
    let last = stage.desk.overview().await;
    assert!(last.last_contact >= overview.last_contact && !last.all_done);
}

#[tokio::test]
async fn a_service_that_asks_to_wait_is_told_at_once_with_the_end_of_the_wait() {
    let (stage, _) = Stage::live().await;
    let product = product(sample::PRODUCT_REFRIGERATOR);
    let list = async || stage.desk.plans.refresh(&product, PlanFilter::Any).await;
    list().await.unwrap();
    let mut notices = stage.notices();
    stage.next(ListPlans, too_many("3600"));
    list().await.unwrap_err();
    loop {
        if let Notice::OverviewChanged { overview, .. } = notices.recv().await.unwrap()
            && overview.failure == Some(CallFailure::TooManyRequests)
        {
            assert!(overview.asks_to_wait_until > overview.last_contact);
            break;
        }
    }
}

#[tokio::test]
async fn rows_of_a_job_are_not_finished_before_they_are_sent() {
    for (source, sheet_rows, runs) in [(RunSource::Sheet, 3, 0), (RunSource::File, 0, 1)] {
        let (stage, _) = Stage::live().await;
        let open = async || {
            let overview = stage.overview().await;
            assert!(!overview.all_done);
            overview.open
        };
        let run = NewRun { source, ..new() };
        let rows = sales(3).into_iter();
        let rows = rows.map(|sale| NumberedRow::of_entry(&sale, &[]));
        let run = kept(&stage, run, rows).await;
        let staged = open().await;
        assert_eq!((staged.sheet_rows, staged.runs), (sheet_rows, runs));
        stage.start(&run.id).await;
        let started = open().await;
        assert_eq!((started.sheet_rows, started.runs), (sheet_rows, runs));
        assert_eq!(started.outbox.waiting, 0);
        stage.enter_rows(&run.id).await;
        let entered = open().await;
        assert_eq!((entered.sheet_rows, entered.runs), (0, 0));
        assert_eq!(entered.outbox.waiting, 3);
    }
}

#[tokio::test]
async fn a_service_that_was_away_is_asked_again_once_a_person_is_there_though_nothing_waits() {
    let clock = crate::harness::TestClock::new();
    let (stage, _) = Stage::live().await;
    let stage = stage.restarted_by(clock.clone()).await;
    let product = product(sample::PRODUCT_REFRIGERATOR);
    let asked = || stage.arrived(GetContract);
    stage.service(|it| it.faults = always(GetContract, Action::DropBeforeCommit));
    stage.next(ListPlans, html());
    let read = stage.plans.refresh(&product, PlanFilter::Any).await;
    read.unwrap_err();
    let overview = stage.overview().await;
    assert_eq!(overview.connection, Connection::OtherAnswer);

    // However often a key is pressed, each wait allows one request.
    for requests in 1..=2 {
        until("it is asked", async || {
            stage.outbox.attended().await;
            asked() == requests
        })
        .await;
        until("it is known to be silent", async || {
            stage.outbox.attended().await;
            stage.overview().await.asked_again_at.is_some()
        })
        .await;
        assert_eq!(asked(), requests);
        assert!(!stage.overview().await.all_done);
        clock.pass(60);
    }

    stage.service(|_| {});
    until("it is known to be back", async || {
        stage.outbox.attended().await;
        stage.overview().await.connection == Connection::Connected
    })
    .await;
    let back = asked();
    stage.outbox.attended().await;
    assert!(stage.overview().await.all_done);
    assert_eq!((asked(), stage.sent()), (back, 0));
}

#[tokio::test]
async fn an_overview_that_can_no_longer_be_read_is_taken_back() {
    let (stage, profile) = Stage::live().await;
    assert!(stage.overview().await.all_done);
    let db = stage.database();
    db.execute_batch("ALTER TABLE lead RENAME TO lost").unwrap();
    let mut notices = stage.notices();
    stage.keep_draft(&profile, "sheet/head", "[]", 8).await;
    assert!(matches!(notices.try_recv(), Ok(Notice::OverviewLost)));
}

#[tokio::test]
async fn nothing_is_called_finished_while_rows_of_a_sheet_or_leads_wait() {
    let (stage, profile) = Stage::live().await;
    let overview = async || stage.overview().await;
    assert!(overview().await.all_done);
    let head = "sheet/head";
    let mut notices = stage.notices();
    stage.keep_draft(&profile, head, "[]", 8).await;
    let told = notices.try_recv().unwrap();
    assert!(
        matches!(told, Notice::OverviewChanged { overview, .. } if overview.open.sheet_rows == 8)
    );
    assert!(!overview().await.all_done);
    stage.drop_draft(&profile, head).await;
    assert!(overview().await.all_done);

    // Kept in memory alone they wait as well.
    stage.vault.fail_with(Some(VaultError::Locked));
    let stage = stage.restarted().await;
    let place = stage.keep_draft(&profile, head, "[]", 3).await;
    assert_eq!(place, DraftPlace::Memory);
    assert_eq!(stage.overview().await.open.sheet_rows, 3);
    stage.vault.fail_with(None);
    stage.drop_draft(&profile, head).await;

    stage.next(CreateLead, Action::DropAfterCommit);
    stage.lead(&leads::draft()).await;
    let overview = stage.overview().await;
    assert_eq!(overview.open.leads_unanswered, 1);
    assert!(!overview.all_done);
}

#[tokio::test]
async fn a_page_that_something_in_front_of_the_service_answers_lets_one_sale_out_and_no_more() {
    let stage = Stage::practising().await;
    stage.register(&sale(0)).await;
    assert_eq!(stage.run_confirmed().await.confirmed, 1);
    let before = stage.distinct_keys();
    let blocked = verbatim(403, "text/html", "<html>Blocked</html>");
    stage.service(|it| {
        it.faults = [BulkCreateContracts, GetContract, ListPlans]
            .into_iter()
            .flat_map(|operation| always(operation, blocked.clone()))
            .collect();
    });
    // Each sale at the counter has the service asked at once.
    for number in 1..=4 {
        stage.try_register(&sale(number), &[]).await.unwrap();
        stage.run_until(false, 2).await;
    }
    assert_eq!(stage.distinct_keys(), before + 1);
    assert!(stage.arrived(ListPlans) > 0 && stage.arrived(GetContract) > 0);

    stage.service(|_| {});
    until("all are sold", async || {
        stage.run_until(false, 5).await;
        stage.sold().await.len() == 5
    })
    .await;
}

#[tokio::test]
async fn what_waits_when_the_program_starts_is_sent_only_after_a_harmless_read_is_answered() {
    let (stage, _) = Stage::live().await;
    stage.register(&sale(0)).await;
    let stage = stage.restarted_alone().await;
    stage.service(|it| {
        let reads = [GetContract, ListPlans].into_iter();
        it.faults = reads.flat_map(|read| always(read, html())).collect();
    });
    stage.run_until(false, 1).await;
    assert_eq!(stage.sent(), 0);

    stage.service(|_| {});
    until("it is sold", async || {
        stage.run_until(false, 1).await;
        stage.sold().await.len() == 1
    })
    .await;
    assert!(stage.arrived(GetContract) > 0);
}
