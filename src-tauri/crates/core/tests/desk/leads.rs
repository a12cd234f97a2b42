//! Leads: kept before they are sent, repeated only when it is certain that nothing was done.

use uuid::Uuid;
use warranty_core::api::Personal;
use warranty_core::day::Date;
use warranty_core::leads::{LeadDraft, LeadState, LeadView};
use warranty_core::vault::VaultError;
use warranty_core::{Error, Field, Problem};
use warranty_sandbox::{Action, Operation, Personality, sample};

use crate::canary::{Canary, assert_none, search_tree};
use crate::harness::{Stage, parrot, until};

/// What is typed for a lead of a transaction of its own.
pub fn draft() -> LeadDraft {
    LeadDraft {
        transaction_id: id(),
        product_reference_id: sample::PRODUCT_REFRIGERATOR.to_owned(),
        product_purchase_price: "128000".to_owned(),
        quantity: "1".to_owned(),
        transaction_date: "2026-11-20 10:15".to_owned(),
    }
}

fn id() -> String {
    Uuid::new_v4().to_string()
}

async fn only(stage: &Stage) -> LeadView {
    let mut leads = stage.desk.leads.recent(10).await.unwrap();
    assert_eq!(leads.len(), 1);
    leads.remove(0)
}

#[tokio::test]
async fn a_lead_is_created_and_its_token_shown_once_and_kept_nowhere() {
    let stage = Stage::practising().await;
    let id = id();
    let lead = stage.desk.leads.create(&id, &draft(), None).await.unwrap();
    assert_eq!(lead.state, LeadState::Created);
    assert_eq!(lead.status.as_deref(), Some("Open"));
    assert_eq!(
        lead.transaction_date.to_string(),
        "2026-11-20T10:15:00.000+09:00"
    );
    let token = lead.token.clone().unwrap();

    // The same entry again is the same lead.
    let again = stage.desk.leads.create(&id, &draft(), None).await.unwrap();
    assert_eq!((again.state, &again.token), (LeadState::Created, &None));
    assert_eq!(stage.arrived(Operation::CreateLead), 1);
    assert_eq!(
        only(&stage).await,
        LeadView {
            token: None,
            ..lead
        }
    );

    let stage = stage.restarted().await;
    let canaries = [Canary::new("token", token.expose())];
    assert_none(&search_tree(&canaries, stage.folder.path(), &[]));
}

#[tokio::test]
async fn bad_input_is_named_by_field_and_nothing_is_kept_or_sent() {
    let stage = Stage::practising().await;
    let bad = LeadDraft {
        quantity: "0".to_owned(),
        product_purchase_price: "1.5".to_owned(),
        ..draft()
    };
    let Err(Error::Input(problems)) = stage.desk.leads.create(&id(), &bad, None).await else {
        panic!("it was taken");
    };
    let named: Vec<_> = problems
        .iter()
        .map(|found| (found.field, found.problem))
        .collect();
    assert_eq!(
        named,
        [
            (Field::ProductPurchasePrice, Problem::NotWholeNumber),
            (Field::Quantity, Problem::TooSmall)
        ]
    );
    assert!(matches!(
        stage.desk.leads.create("no uuid", &draft(), None).await,
        Err(Error::Input(_))
    ));
    assert!(stage.desk.leads.recent(10).await.unwrap().is_empty());
    assert_eq!(stage.arrived(Operation::CreateLead), 0);
}

#[tokio::test]
async fn an_unanswered_lead_is_never_repeated_by_itself() {
    let stage = Stage::practising().await;
    for action in [
        Action::DropAfterCommit,
        Action::DropBeforeCommit,
        Action::Status {
            status: 500,
            after_commit: true,
        },
        Action::HtmlWith200 {
            after_commit: false,
        },
        Action::Truncate {
            keep_percent: 50,
            honest_length: false,
        },
    ] {
        let before = stage.arrived(Operation::CreateLead);
        stage.next(Operation::CreateLead, action.clone());
        let lead = stage
            .desk
            .leads
            .create(&id(), &draft(), None)
            .await
            .unwrap();
        assert_eq!(lead.state, LeadState::Unknown, "{action:?}");
        assert_eq!(
            stage.arrived(Operation::CreateLead),
            before + 1,
            "{action:?}"
        );
    }
    let before = stage.arrived(Operation::CreateLead);
    let stage = stage.restarted().await;
    stage.attach_practice();
    assert!(
        stage
            .desk
            .leads
            .recent(10)
            .await
            .unwrap()
            .iter()
            .all(|lead| lead.state == LeadState::Unknown)
    );
    assert_eq!(stage.arrived(Operation::CreateLead), before);
}

#[tokio::test]
async fn a_person_sends_an_unknown_lead_once_more() {
    let stage = Stage::practising().await;
    stage.next(Operation::CreateLead, Action::DropAfterCommit);
    let id = id();
    stage.desk.leads.create(&id, &draft(), None).await.unwrap();
    // A refusal now says nothing about the first one.
    stage.next(
        Operation::CreateLead,
        Action::Status {
            status: 400,
            after_commit: false,
        },
    );
    let refused = stage.desk.leads.send_again(&id).await.unwrap();
    assert_eq!(refused.state, LeadState::Unknown);
    assert!(refused.refusal.is_some() && refused.request_id.is_some());
    stage.next(Operation::CreateLead, Action::Unauthorized);
    let declined = stage.desk.leads.send_again(&id).await.unwrap();
    assert_eq!(declined.state, LeadState::Unknown);

    let created = stage.desk.leads.send_again(&id).await.unwrap();
    assert_eq!(created.state, LeadState::Created);
    assert!(created.token.is_some());
    // Whoever did not wait for the answer finds it in the history.
    assert_eq!(only(&stage).await.token, created.token);
    assert_eq!(created.refusal, None);
    assert!(matches!(
        stage.desk.leads.send_again(&id).await,
        Err(Error::NotLawful)
    ));
    assert!(matches!(
        stage.desk.leads.cancel(&id).await,
        Err(Error::NotLawful)
    ));
}

#[tokio::test]
async fn a_refused_lead_says_why_and_can_be_given_up() {
    let stage = Stage::practising().await;
    let id = id();
    let unknown = LeadDraft {
        product_reference_id: "no-such-product".to_owned(),
        ..draft()
    };
    let lead = stage.desk.leads.create(&id, &unknown, None).await.unwrap();
    assert_eq!(lead.state, LeadState::Rejected);
    assert!(lead.refusal.as_ref().unwrap().contains("no-such-product"));
    assert!(lead.request_id.is_some());
    assert_eq!(stage.arrived(Operation::CreateLead), 1);
    let finished = async || stage.desk.overviews.current().await.unwrap().all_done;
    assert!(!finished().await, "a refused lead is left to a person");
    let cancelled = stage.desk.leads.cancel(&id).await.unwrap();
    assert_eq!(cancelled.state, LeadState::Cancelled);
    assert_eq!(cancelled.refusal, lead.refusal);
    assert!(finished().await);
    assert!(matches!(
        stage.desk.leads.send_again(&id).await,
        Err(Error::NotLawful)
    ));
    let actions: Vec<String> = stage
        .desk
        .journal(3)
        .await
        .unwrap()
        .into_iter()
        .map(|line| line.action)
        .collect();
    assert_eq!(actions, ["lead.cancelled", "lead.rejected", "lead.entered"]);
}

#[tokio::test]
async fn a_lead_that_could_not_be_sent_waits_for_a_person() {
    let stage = Stage::practising().await;
    let personality = Personality::named("too-many-requests").unwrap();
    stage.sandbox.set_personality(personality);
    // Told to come back in two seconds, which is waited for.
    let lead = stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    assert_eq!(lead.state, LeadState::Created);
    stage
        .sandbox
        .set_personality(Personality::named("wrong-token").unwrap());
    let before = stage.arrived(Operation::CreateLead);
    let id = id();
    let lead = stage.desk.leads.create(&id, &draft(), None).await.unwrap();
    assert_eq!(lead.state, LeadState::Queued);
    assert!(lead.refusal.is_some());
    assert_eq!(stage.arrived(Operation::CreateLead), before + 1);
    stage.sandbox.set_personality(Personality::default());
    let sent = stage.desk.leads.send_again(&id).await.unwrap();
    assert_eq!(sent.state, LeadState::Created);
}

#[tokio::test]
async fn without_a_network_a_lead_is_kept_and_waits_and_without_a_keychain_it_is_not_kept() {
    let (stage, _) = Stage::live().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    let locked_id = id();
    assert!(matches!(
        stage.desk.leads.create(&locked_id, &draft(), None).await,
        Err(Error::Vault(VaultError::Locked))
    ));
    assert_eq!(stage.desk.leads.recent(10).await.unwrap(), []);
    stage.vault.fail_with(None);
    let lead = stage.desk.leads.create(&locked_id, &draft(), None).await;
    assert_eq!(lead.unwrap().state, LeadState::Created);

    stage.sandbox.stop().await;
    let offline = stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    assert_eq!(offline.state, LeadState::Queued);
    let leads = stage.desk.leads.recent(10).await.unwrap();
    assert_eq!(leads[0].id, offline.id, "newest first");
}

#[tokio::test]
async fn what_waits_goes_out_after_a_new_key() {
    let (stage, _) = Stage::live().await;
    let id = id();
    stage.sandbox.stop().await;
    let lead = stage.desk.leads.create(&id, &draft(), None).await.unwrap();
    assert_eq!(lead.state, LeadState::Queued);
    stage.desk.encryption.renew_key().await.unwrap();
    // It sets out, which a lead of another store does not, and finds nobody.
    let again = stage.desk.leads.send_again(&id).await.unwrap();
    assert_eq!(again.state, LeadState::Queued);
}

#[tokio::test]
async fn a_lead_outlives_the_caller_that_goes_away() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        answer_delay_ms: 300,
        ..Personality::default()
    });
    let desk = stage.desk.clone();
    let id = id();
    let call = tokio::spawn({
        let id = id.clone();
        async move { desk.leads.create(&id, &draft(), None).await }
    });
    until("the lead on its way", async || {
        stage.arrived(Operation::CreateLead) == 1
    })
    .await;
    call.abort();
    until("the lead created", async || {
        only(&stage).await.state == LeadState::Created
    })
    .await;
}

#[tokio::test]
async fn a_lead_on_its_way_when_the_process_died_is_unknown_afterwards() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(Personality {
        answer_delay_ms: 60_000,
        ..Personality::default()
    });
    let desk = stage.desk.clone();
    let call = tokio::spawn(async move { desk.leads.create(&id(), &draft(), None).await });
    until("the lead on its way", async || {
        stage
            .desk
            .leads
            .recent(1)
            .await
            .unwrap()
            .first()
            .is_some_and(|lead| lead.state == LeadState::InFlight)
    })
    .await;
    // What a killed process leaves behind is what is on the disk now.
    let left = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(stage.folder.path()).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), left.path().join(entry.file_name())).unwrap();
        }
    }
    let desk = crate::harness::open(&left, &stage.vault).await;
    let leads = desk.leads.recent(10).await.unwrap();
    assert_eq!(leads[0].state, LeadState::Unknown);
    call.abort();
}

#[tokio::test]
async fn a_lead_that_waits_goes_by_itself_when_the_service_takes_it_and_an_unknown_one_never() {
    let stage = Stage::practising().await;
    stage.next(Operation::CreateLead, Action::DropAfterCommit);
    let in_doubt = id();
    stage
        .desk
        .leads
        .create(&in_doubt, &draft(), None)
        .await
        .unwrap();
    stage.next(Operation::CreateLead, Action::Unauthorized);
    let waits = id();
    let lead = stage
        .desk
        .leads
        .create(&waits, &draft(), None)
        .await
        .unwrap();
    assert_eq!(lead.state, LeadState::Queued);
    let asked = stage.arrived(Operation::CreateLead);

    crate::sales::run(&stage.desk).await;
    assert_eq!(
        stage.arrived(Operation::CreateLead),
        asked,
        "a run that ends would take the token along"
    );
    stage.desk.outbox.start();
    until("sent by the worker", async || {
        let leads = stage.desk.leads.recent(10).await.unwrap();
        leads.iter().any(|lead| lead.state == LeadState::Created)
    })
    .await;
    let leads = stage.desk.leads.recent(10).await.unwrap();
    let of = |id: &str| leads.iter().find(|lead| lead.id == id).unwrap();
    assert!(of(&waits).token.is_some(), "somebody can still read it");
    assert_eq!(of(&in_doubt).state, LeadState::Unknown);
    assert_eq!(stage.arrived(Operation::CreateLead), asked + 1);
    let stage = stage.restarted().await;
    let leads = stage.desk.leads.recent(10).await.unwrap();
    assert!(leads.iter().all(|lead| lead.token.is_none()));
}

#[tokio::test]
async fn an_answer_about_something_else_leaves_a_lead_unknown_and_its_token_kept_encrypted() {
    let token = "token-of-another-answer";
    for (other, named) in [
        (r#""transactionId":"T-2""#, (Some("T-2"), None)),
        (
            r#""transactionId":"T-1","product":{"referenceId":"another"}"#,
            (None, Some("another")),
        ),
    ] {
        let answer = format!(r#"{{"token":"{token}",{other}}}"#).leak();
        let service = parrot(vec![("POST", &*answer)].leak()).await;
        let stage = Stage::at(&service).await;
        let id = id();
        let draft = LeadDraft {
            transaction_id: "T-1".to_owned(),
            ..draft()
        };
        let lead = stage.desk.leads.create(&id, &draft, None).await.unwrap();
        assert_eq!((lead.state, &lead.token), (LeadState::Unknown, &None));
        let mismatch = lead.mismatch.as_ref().unwrap();
        let found = (
            mismatch.transaction_id.as_deref(),
            mismatch.product_reference_id.as_deref(),
        );
        assert_eq!(found, named);
        assert!(lead.token_kept);

        // It is the same after a restart, and cannot be read on the disk.
        let stage = stage.restarted().await;
        assert_eq!(only(&stage).await, lead);
        let canaries = [Canary::new("token", token)];
        assert_none(&search_tree(&canaries, stage.folder.path(), &[]));

        // Another answer could take its place: it is not sent again meanwhile.
        let again = stage.desk.leads.send_again(&id).await;
        assert!(matches!(again, Err(Error::NotLawful)), "{again:?}");
        assert_eq!(only(&stage).await, lead);

        // Without the keychain nothing is decided; with it a person decides.
        stage.vault.fail_with(Some(VaultError::Locked));
        let stage = stage.restarted().await;
        let locked = stage.desk.leads.token(&id).await;
        assert!(matches!(locked, Err(Error::Vault(VaultError::Locked))));
        stage.vault.fail_with(None);
        let stage = stage.restarted().await;
        let taken = stage.desk.leads.token(&id).await.unwrap();
        assert_eq!(taken.state, LeadState::Created);
        assert_eq!(taken.token.unwrap().expose(), token);
        let again = stage.desk.leads.token(&id).await;
        assert!(matches!(again, Err(Error::NotLawful)));
        let kept = only(&stage).await;
        assert!(!kept.token_kept && kept.mismatch.is_none());
    }
}

#[tokio::test]
async fn a_second_lead_of_one_sale_is_asked_about_whatever_profile_it_is_entered_under() {
    let (stage, first) = Stage::live().await;
    let draft = draft();
    let one = id();
    stage.desk.leads.create(&one, &draft, None).await.unwrap();
    let asked =
        async |beside: Option<&str>| match stage.desk.leads.create(&id(), &draft, beside).await {
            Err(Error::SecondLead(earlier)) => Some(earlier.id),
            other => {
                assert_eq!(other.unwrap().state, LeadState::Created);
                None
            }
        };
    assert_eq!(asked(None).await, Some(one.clone()));
    assert_eq!(asked(Some("another")).await, Some(one.clone()));

    // Another profile of the same store, and the profile removed, are the same store.
    let token = stage.token();
    let second = stage.draft("支店");
    stage.desk.profiles.connect(second, token).await.unwrap();
    assert_eq!(asked(None).await, Some(one.clone()));
    stage.desk.profiles.remove(&first.id).await.unwrap();
    assert_eq!(asked(None).await, Some(one.clone()));
    assert_eq!(stage.arrived(Operation::CreateLead), 1);

    assert_eq!(asked(Some(&one)).await, None, "a person said yes");
    assert_eq!(stage.arrived(Operation::CreateLead), 2);
    // A lead that was refused never was one.
    let refused = LeadDraft {
        product_reference_id: "no-such-product".to_owned(),
        ..draft.clone()
    };
    for _ in 0..2 {
        let lead = stage
            .desk
            .leads
            .create(&id(), &refused, None)
            .await
            .unwrap();
        assert_eq!(lead.state, LeadState::Rejected);
    }
}

#[tokio::test]
async fn a_wait_the_service_asks_of_leads_is_kept_by_the_desk_itself() {
    let stage = Stage::practising().await;
    stage.next(
        Operation::CreateLead,
        Action::TooManyRequests {
            retry_after: Some("600".into()),
        },
    );
    let lead = stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    assert_eq!(lead.state, LeadState::Queued);
    stage.desk.outbox.start();
    let rows = crate::sales::sales(1);
    crate::sales::enter(&stage.desk, &rows).await;
    tokio::task::yield_now().await;
    assert_eq!(only_states(&stage).await, [LeadState::Queued]);
    assert_eq!(stage.arrived(Operation::CreateLead), 1);
    // A person who sends it does not wait.
    let sent = stage.desk.leads.send_again(&lead.id).await.unwrap();
    assert_eq!(sent.state, LeadState::Created);
}

#[tokio::test]
async fn a_lead_declined_again_and_again_is_not_hammered() {
    let stage = Stage::practising().await;
    stage
        .sandbox
        .set_personality(Personality::named("wrong-token").unwrap());
    stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    let asked = stage.arrived(Operation::CreateLead);
    stage.desk.outbox.start();
    until("tried by the worker", async || {
        stage.arrived(Operation::CreateLead) == asked + 1
    })
    .await;
    stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    assert_eq!(stage.arrived(Operation::CreateLead), asked + 2);
    assert_eq!(only_states(&stage).await, [LeadState::Queued; 2]);
    assert_eq!(stage.arrived(Operation::CreateLead), asked + 2);
}

async fn only_states(stage: &Stage) -> Vec<LeadState> {
    let leads = stage.desk.leads.recent(10).await.unwrap();
    leads.into_iter().map(|lead| lead.state).collect()
}

#[tokio::test]
async fn a_note_and_its_day_are_kept_encrypted_until_they_are_removed() {
    let stage = Stage::practising().await;
    let lead = stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    let note = Personal::new(" canary-note-of-a-lead-4711-佐藤様 ");
    let day: Date = "2026-11-28".parse().unwrap();
    let leads = &stage.desk.leads;
    let kept = leads
        .follow_up(&lead.id, Some(day), Some(&note))
        .await
        .unwrap();
    assert_eq!(
        kept.note.unwrap().expose(),
        "canary-note-of-a-lead-4711-佐藤様"
    );

    let stage = stage.restarted().await;
    let canaries = [Canary::new("note", "canary-note-of-a-lead-4711")];
    assert_none(&search_tree(&canaries, stage.folder.path(), &[]));
    let shown = only(&stage).await;
    assert_eq!(shown.due, Some(day));
    assert_eq!(
        shown.note.unwrap().expose(),
        "canary-note-of-a-lead-4711-佐藤様"
    );

    // Done: the day goes and the note stays; an empty note deletes it.
    let leads = &stage.desk.leads;
    let done = leads.follow_up(&lead.id, None, None).await.unwrap();
    assert_eq!((done.due, done.note.is_some()), (None, true));
    let empty = Personal::new("  ");
    let emptied = leads.follow_up(&lead.id, None, Some(&empty)).await.unwrap();
    assert_eq!((emptied.note, emptied.note_unreadable), (None, false));
}

#[tokio::test]
async fn a_note_that_is_too_long_is_refused_and_the_kept_one_stays() {
    let stage = Stage::practising().await;
    let lead = stage
        .desk
        .leads
        .create(&id(), &draft(), None)
        .await
        .unwrap();
    let leads = &stage.desk.leads;
    let longest = Personal::new("あ".repeat(200));
    leads
        .follow_up(&lead.id, None, Some(&longest))
        .await
        .unwrap();
    let longer = Personal::new("あ".repeat(201));
    let Err(Error::Input(problems)) = leads.follow_up(&lead.id, None, Some(&longer)).await else {
        panic!("it was taken");
    };
    let [problem] = problems.as_slice() else {
        panic!("{problems:?}");
    };
    assert_eq!(
        (problem.field, problem.problem),
        (Field::Note, Problem::TooLong)
    );
    assert_eq!(only(&stage).await.note, Some(longest));
}

#[tokio::test]
async fn the_day_counts_the_customers_to_contact_up_to_today() {
    let stage = Stage::practising().await;
    let leads = &stage.desk.leads;
    let today = stage.desk.days.day(None).await.unwrap().today;
    let tomorrow = (today.get() + chrono::Days::new(1)).to_string();
    let tomorrow: Date = tomorrow.parse().unwrap();
    for due in [Some(today), Some(today.before(3)), Some(tomorrow), None] {
        let lead = leads.create(&id(), &draft(), None).await.unwrap();
        leads.follow_up(&lead.id, due, None).await.unwrap();
    }
    assert_eq!(stage.desk.days.day(None).await.unwrap().follow_ups, 2);

    stage.next(Operation::CreateLead, Action::DropAfterCommit);
    let lead = leads.create(&id(), &draft(), None).await.unwrap();
    leads.follow_up(&lead.id, Some(today), None).await.unwrap();
    assert_eq!(stage.desk.days.day(None).await.unwrap().follow_ups, 3);
    leads.cancel(&lead.id).await.unwrap();
    assert_eq!(stage.desk.days.day(None).await.unwrap().follow_ups, 2);
}
