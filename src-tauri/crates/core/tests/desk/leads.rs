//! Leads: kept before they are sent, repeated only when it is certain that nothing was done.

use uuid::Uuid;
use warranty_core::api::Personal;
use warranty_core::day::Date;
use warranty_core::leads::{LeadDraft, LeadState};
use warranty_core::staff::StaffPolicy;
use warranty_core::vault::{Vault, VaultError};
use warranty_core::{Error, Field, Problem};
use warranty_sandbox::{Action, Operation::CreateLead, sample};

use crate::encryption_key::lose_key;
use crate::harness::{Stage, TestClock, html, named, status, status_after_commit, too_many, until};
use crate::steps::{Steps, problems, refused, with};

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

#[tokio::test]
async fn a_lead_is_created_and_its_token_is_encrypted_and_shown_again() {
    let stage = Stage::practising().await;
    let id = id();
    let bad = with(draft(), |it| it.quantity = "0".to_owned());
    assert_eq!(
        problems(stage.try_lead(&id, &bad, None).await),
        [(Field::Quantity, Problem::TooSmall)]
    );
    assert_eq!(stage.leads().await, []);
    let sent = draft();
    let lead = stage.lead_under(&id, &sent).await;
    assert_eq!(lead.state, LeadState::Created);
    assert_eq!(lead.status.as_deref(), Some("Open"));
    assert_eq!(
        lead.transaction_date.to_string(),
        "2026-11-20T10:15:00.000+09:00"
    );
    let token = lead.token.clone().unwrap();

    // The same entry again is the same lead.
    assert_eq!(stage.lead_under(&id, &sent).await, lead);
    assert_eq!(stage.arrived(CreateLead), 1);
    let stage = stage.restarted().await;
    assert_eq!(stage.only_lead().await, lead);
    stage.assert_not_on_disk(&[token.expose()]);

    stage.vault.fail_with(Some(VaultError::Locked));
    let stage = stage.restarted().await;
    let locked = stage.only_lead().await;
    assert_eq!((locked.token, locked.token_unreadable), (None, true));
}

#[tokio::test]
async fn a_lead_asked_for_again_and_again_at_once_is_one_lead() {
    let stage = Stage::practising().await;
    for _ in 0..4 {
        let (before, id, draft) = (stage.arrived(CreateLead), id(), draft());
        let calls = (0..8).map(|_| stage.try_lead(&id, &draft, None));
        let answers = futures::future::join_all(calls).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(stage.arrived(CreateLead), before + 1);
    }
    assert_eq!(stage.lead_states().await, [LeadState::Created; 4]);
}

#[tokio::test]
async fn an_unanswered_lead_is_never_repeated_by_itself() {
    let stage = Stage::practising().await;
    for action in [
        Action::DropAfterCommit,
        Action::DropBeforeCommit,
        status_after_commit(500),
        html(),
        named("body-cut").faults[0].action.clone(),
    ] {
        let before = stage.arrived(CreateLead);
        stage.next(CreateLead, action.clone());
        let lead = stage.lead(&draft()).await;
        assert_eq!(lead.state, LeadState::Unknown, "{action:?}");
        assert_eq!(stage.arrived(CreateLead), before + 1, "{action:?}");
    }
    let before = stage.arrived(CreateLead);
    let stage = stage.restarted().await;
    assert_eq!(stage.lead_states().await, [LeadState::Unknown; 5]);
    assert_eq!(stage.arrived(CreateLead), before);
}

#[tokio::test]
async fn a_person_sends_an_unknown_lead_once_more() {
    let stage = Stage::practising().await;
    stage.next(CreateLead, Action::DropAfterCommit);
    let id = id();
    stage.lead_under(&id, &draft()).await;
    // A refusal now says nothing about the first one.
    stage.next(CreateLead, status(400));
    let refused = stage.send_again(&id).await;
    assert_eq!(refused.state, LeadState::Unknown);
    assert!(refused.refusal.is_some() && refused.request_id.is_some());
    // A try that the service declines to look at changes neither the state nor what it said before.
    stage.next(CreateLead, status(401));
    let declined = stage.leads.send_again(&id, None).await.unwrap_err();
    assert!(matches!(declined, Error::Service { .. }), "{declined:?}");
    let kept = stage.only_lead().await;
    assert_eq!(
        (kept.state, kept.refusal, kept.request_id),
        (LeadState::Unknown, refused.refusal, refused.request_id)
    );
    assert_eq!(stage.actions(1).await, ["lead.notSent"]);

    let created = stage.send_again(&id).await;
    assert_eq!(created.state, LeadState::Created);
    assert!(created.token.is_some());
    // Whoever did not wait for the answer finds it in the history.
    assert_eq!(stage.only_lead().await.token, created.token);
    assert_eq!(created.refusal, None);
    refused!(stage.leads.send_again(&id, None).await, Error::NotAllowed);
    refused!(stage.leads.cancel(&id).await, Error::NotAllowed);
}

#[tokio::test]
async fn a_refused_lead_says_why_and_can_be_given_up() {
    let stage = Stage::practising().await;
    let id = id();
    let unknown = with(draft(), |it| {
        it.product_reference_id = "no-such-product".to_owned()
    });
    let lead = stage.lead_under(&id, &unknown).await;
    assert_eq!(lead.state, LeadState::Rejected);
    assert!(lead.refusal.as_ref().unwrap().contains("no-such-product"));
    assert!(lead.request_id.is_some());
    assert_eq!(stage.arrived(CreateLead), 1);
    let finished = async || stage.overview().await.all_done;
    assert!(!finished().await, "a refused lead is left to a person");
    let cancelled = stage.leads.cancel(&id).await.unwrap();
    assert_eq!(cancelled.state, LeadState::Cancelled);
    assert_eq!(cancelled.refusal, lead.refusal);
    assert!(finished().await);
    refused!(stage.leads.send_again(&id, None).await, Error::NotAllowed);
    let actions = stage.actions(3).await;
    assert_eq!(actions, ["lead.cancelled", "lead.rejected", "lead.entered"]);
}

#[tokio::test]
async fn without_a_keychain_a_lead_is_not_kept_and_without_a_network_it_waits() {
    let (stage, _) = Stage::live().await;
    stage.vault.fail_with(Some(VaultError::Locked));
    let locked_id = id();
    refused!(
        stage.try_lead(&locked_id, &draft(), None).await,
        Error::Vault(VaultError::Locked)
    );
    assert_eq!(stage.leads().await, []);
    stage.vault.fail_with(None);
    let lead = stage.lead_under(&locked_id, &draft()).await;
    assert_eq!(lead.state, LeadState::Created);

    stage.sandbox.stop().await;
    let desk = stage.desk;
    let offline = desk.lead(&draft()).await;
    assert_eq!(offline.state, LeadState::Queued);
    assert_eq!(desk.leads().await[0].id, offline.id, "newest first");
    // It sets out, which a lead of another store does not, and finds nobody.
    let again = desk.send_again(&offline.id).await;
    assert_eq!(again.state, LeadState::Queued);
}

#[tokio::test]
async fn a_lead_that_waits_says_that_its_key_is_lost_until_that_is_back() {
    let (stage, profile) = Stage::live().await;
    stage.profiles.remove_token(&profile.id).await.unwrap();
    let lead = stage.lead(&draft()).await;
    assert_eq!((lead.state, lead.key_lost), (LeadState::Queued, false));
    let (name, key) = lose_key(&stage).await;
    let stage = stage.restarted().await;
    assert!(stage.only_lead().await.key_lost);
    stage.encryption.renew_key().await.unwrap();
    assert!(stage.only_lead().await.key_lost);

    stage.vault.keep(&name, key).await.unwrap();
    let stage = stage.restarted().await;
    assert!(!stage.only_lead().await.key_lost);
}

#[tokio::test]
async fn leads_that_can_never_leave_keep_no_other_back() {
    let (stage, profile) = Stage::live().await;
    stage.profiles.remove_token(&profile.id).await.unwrap();
    for _ in 0..=120 {
        assert_eq!(stage.lead(&draft()).await.state, LeadState::Queued);
    }
    let unreadable = "UPDATE lead SET store_key = 'gone' WHERE number <= 120";
    assert_eq!(stage.database().execute(unreadable, []).unwrap(), 120);
    stage.give_token(&profile).await;
    stage.outbox.start();
    until("the last one is created", async || {
        stage.lead_states().await.contains(&LeadState::Created)
    })
    .await;
    assert_eq!(stage.arrived(CreateLead), 1);
}

#[tokio::test]
async fn a_lead_that_leaves_by_itself_is_not_written_down_to_who_stands_at_the_desk_then() {
    let (stage, profile) = Stage::live().await;
    let policy = StaffPolicy::PerStart;
    stage.staff.change_policy(policy).await.unwrap();
    stage.staff.enter(Some("17")).unwrap();
    stage.profiles.remove_token(&profile.id).await.unwrap();
    let lead = stage.lead(&draft()).await;
    stage.staff.enter(Some("42")).unwrap();
    stage.give_token(&profile).await;
    stage.outbox.start();
    until("it is created", async || {
        stage.lead_states().await == [LeadState::Created]
    })
    .await;
    let told = stage.desk.journal(100).await.unwrap().into_iter();
    let told = told.filter(|line| line.subject == lead.id);
    let told: Vec<_> = told.map(|line| (line.action, line.user)).collect();
    assert_eq!(
        told,
        [
            ("lead.created".to_owned(), "warranty-desk".to_owned()),
            ("lead.waits".to_owned(), "17".to_owned()),
            ("lead.entered".to_owned(), "17".to_owned())
        ]
    );
}

#[tokio::test]
async fn a_lead_outlives_the_caller_that_goes_away_and_is_unknown_when_the_process_dies() {
    let stage = Stage::practising().await;
    stage.service(|it| it.answer_delay_ms = 3_000);
    let desk = stage.desk.clone();
    let call = tokio::spawn(async move { desk.try_lead(&id(), &draft(), None).await });
    until("the lead on its way", async || {
        stage.lead_states().await == [LeadState::InFlight]
    })
    .await;
    call.abort();
    let (killed, _folder) = stage.after_a_kill(TestClock::new()).await;
    assert_eq!(killed.lead_states().await, [LeadState::Unknown]);
    until("the lead created", async || {
        stage.only_lead().await.state == LeadState::Created
    })
    .await;
}

#[tokio::test]
async fn a_lead_that_waits_goes_by_itself_when_the_service_takes_it_and_an_unknown_one_never() {
    let stage = Stage::practising().await;
    stage.next(CreateLead, Action::DropAfterCommit);
    let in_doubt = id();
    stage.lead_under(&in_doubt, &draft()).await;
    stage.next(CreateLead, status(401));
    let waits = id();
    let lead = stage.lead_under(&waits, &draft()).await;
    assert_eq!(lead.state, LeadState::Queued);
    let asked = stage.arrived(CreateLead);

    stage.run().await;
    assert_eq!(
        stage.arrived(CreateLead),
        asked,
        "a run sends contracts alone"
    );
    stage.outbox.start();
    until("sent by the worker", async || {
        let leads = stage.leads().await;
        leads.iter().any(|lead| lead.state == LeadState::Created)
    })
    .await;
    let leads = stage.leads().await;
    let of = |id: &str| leads.iter().find(|lead| lead.id == id).unwrap();
    assert!(of(&waits).token.is_some());
    assert_eq!(of(&in_doubt).state, LeadState::Unknown);
    assert_eq!(stage.arrived(CreateLead), asked + 1);
}

#[tokio::test]
async fn an_answer_about_something_else_leaves_a_lead_unknown_and_says_what_it_named() {
    let token = "token-of-another-answer";
    for (other, named) in [
        (r#""transactionId":"T-2""#, (Some("T-2"), None)),
        (
            r#""transactionId":"T-1","product":{"referenceId":"another"}"#,
            (None, Some("another")),
        ),
        (
            r#""transactionId":"T-1","product":{"purchasePrice":1}"#,
            (None, Some(r#"{"purchasePrice":1} (not understood)"#)),
        ),
    ] {
        let answer = format!(r#"{{"token":"{token}",{other}}}"#);
        let stage = Stage::answered(&[("POST", &answer)]).await;
        let id = id();
        let draft = with(draft(), |it| it.transaction_id = "T-1".to_owned());
        let lead = stage.lead_under(&id, &draft).await;
        assert_eq!((lead.state, &lead.token), (LeadState::Unknown, &None));
        let mismatch = lead.mismatch.as_ref().unwrap();
        let found = (
            mismatch.transaction_id.as_deref(),
            mismatch.product_reference_id.as_deref(),
        );
        assert_eq!(found, named);

        // It is the same after a restart, and its token is nowhere: it may be another's.
        let stage = stage.restarted().await;
        assert_eq!(stage.only_lead().await, lead);
        stage.assert_not_on_disk(&[token]);
    }
}

#[tokio::test]
async fn a_second_lead_of_one_sale_is_asked_about_whatever_profile_it_is_entered_under() {
    let (stage, first) = Stage::live().await;
    let draft = draft();
    let one = id();
    stage.lead_under(&one, &draft).await;
    let asked = async |beside: Option<&str>| match stage.try_lead(&id(), &draft, beside).await {
        Err(Error::SecondLead(earlier)) => Some(earlier.id),
        other => {
            assert_eq!(other.unwrap().state, LeadState::Created);
            None
        }
    };
    assert_eq!(asked(None).await, Some(one.clone()));
    assert_eq!(asked(Some("another")).await, Some(one.clone()));
    let mut in_capitals = draft.clone();
    in_capitals.transaction_id = draft.transaction_id.to_uppercase();
    assert_ne!(in_capitals.transaction_id, draft.transaction_id);
    refused!(
        stage.try_lead(&id(), &in_capitals, None).await,
        Error::SecondLead(earlier) if earlier.id == one
    );

    // Another profile of the same store, and the profile removed, are the same store.
    stage.connect("支店").await;
    assert_eq!(asked(None).await, Some(one.clone()));
    stage.profiles.remove(&first.id).await.unwrap();
    assert_eq!(asked(None).await, Some(one.clone()));
    assert_eq!(stage.arrived(CreateLead), 1);

    assert_eq!(asked(Some(&one)).await, None, "a person said yes");
    assert_eq!(stage.arrived(CreateLead), 2);
    // A lead that was refused never was one.
    let refused = LeadDraft {
        product_reference_id: "no-such-product".to_owned(),
        ..draft.clone()
    };
    for _ in 0..2 {
        assert_eq!(stage.lead(&refused).await.state, LeadState::Rejected);
    }
}

#[tokio::test]
async fn a_refused_lead_is_sent_again_beside_a_later_one_only_after_a_persons_yes() {
    let (stage, _) = Stage::live().await;
    let draft = draft();
    stage.next(CreateLead, status(400));
    let refused = stage.lead(&draft).await;
    assert_eq!(refused.state, LeadState::Rejected);
    let later = stage.lead(&draft).await;
    assert_eq!(later.state, LeadState::Created);

    let asked = stage.arrived(CreateLead);
    for beside in [None, Some("another")] {
        refused!(
            stage.leads.send_again(&refused.id, beside).await,
            Error::SecondLead(earlier) if earlier.id == later.id
        );
    }
    assert_eq!(stage.arrived(CreateLead), asked);
    assert_eq!(
        stage.lead_states().await,
        [LeadState::Created, LeadState::Rejected]
    );
    let again = stage.leads.send_again(&refused.id, Some(&later.id)).await;
    assert_eq!(again.unwrap().state, LeadState::Created);
}

#[tokio::test]
async fn a_wait_the_service_asks_of_leads_is_kept_by_the_desk_itself() {
    let stage = Stage::practising().await;
    // Two seconds are waited for at once.
    stage.next(CreateLead, too_many("2"));
    assert_eq!(stage.lead(&draft()).await.state, LeadState::Created);
    let asked = stage.arrived(CreateLead);

    stage.next(CreateLead, too_many("600"));
    let lead = stage.lead(&draft()).await;
    assert_eq!(lead.state, LeadState::Queued);
    stage.outbox.start();
    stage.enter(&crate::sales::sales(1)).await;
    tokio::task::yield_now().await;
    assert_eq!(stage.leads().await[0].state, LeadState::Queued);
    assert_eq!(stage.arrived(CreateLead), asked + 1);
    // A person who sends it does not wait.
    assert_eq!(stage.send_again(&lead.id).await.state, LeadState::Created);
}

#[tokio::test]
async fn a_lead_declined_again_and_again_is_not_hammered() {
    let stage = Stage::practising().await;
    stage.sandbox.set_personality(named("wrong-token"));
    assert!(stage.lead(&draft()).await.refusal.is_some());
    let asked = stage.arrived(CreateLead);
    stage.outbox.start();
    until("tried by the worker", async || {
        stage.arrived(CreateLead) == asked + 1
    })
    .await;
    stage.lead(&draft()).await;
    assert_eq!(stage.arrived(CreateLead), asked + 2);
    assert_eq!(stage.lead_states().await, [LeadState::Queued; 2]);
    assert_eq!(stage.arrived(CreateLead), asked + 2);
}

#[tokio::test]
async fn a_note_and_its_day_are_kept_encrypted_until_they_are_removed() {
    let stage = Stage::practising().await;
    let lead = stage.lead(&draft()).await;
    let note = Personal::new(" canary-note-of-a-lead-4711-佐藤様 ");
    let trimmed = Some(Personal::new("canary-note-of-a-lead-4711-佐藤様"));
    let day: Date = "2026-11-28".parse().unwrap();
    let kept = stage.follow_up(&lead.id, Some(day), Some(&note)).await;
    assert_eq!(kept.note, trimmed);
    let longer = Personal::new("あ".repeat(201));
    let refused = stage.leads.follow_up(&lead.id, None, Some(&longer)).await;
    assert_eq!(problems(refused), [(Field::Note, Problem::TooLong)]);

    let stage = stage.restarted().await;
    stage.assert_not_on_disk(&["canary-note-of-a-lead-4711"]);
    let shown = stage.only_lead().await;
    assert_eq!((shown.due, shown.note), (Some(day), trimmed));

    // Done: the day goes and the note stays; an empty note deletes it.
    let done = stage.follow_up(&lead.id, None, None).await;
    assert_eq!((done.due, done.note.is_some()), (None, true));
    let longest = Personal::new("あ".repeat(200));
    let kept = stage.follow_up(&lead.id, None, Some(&longest)).await;
    assert_eq!(kept.note, Some(longest));
    let empty = Personal::new("  ");
    let emptied = stage.follow_up(&lead.id, None, Some(&empty)).await;
    assert_eq!((emptied.note, emptied.note_unreadable), (None, false));
}

#[tokio::test]
async fn the_day_counts_the_customers_to_contact_up_to_today() {
    let stage = Stage::practising().await;
    let due = async || stage.days.day(None).await.unwrap().follow_ups;
    let today = stage.days.day(None).await.unwrap().today;
    let tomorrow = (today.get() + chrono::Days::new(1)).to_string();
    let tomorrow: Date = tomorrow.parse().unwrap();
    for due in [Some(today), Some(today.before(3)), Some(tomorrow), None] {
        let lead = stage.lead(&draft()).await;
        stage.follow_up(&lead.id, due, None).await;
    }
    assert_eq!(due().await, 2);

    stage.next(CreateLead, Action::DropAfterCommit);
    let lead = stage.lead(&draft()).await;
    stage.follow_up(&lead.id, Some(today), None).await;
    assert_eq!(due().await, 3);
    stage.leads.cancel(&lead.id).await.unwrap();
    assert_eq!(due().await, 2);
}

#[tokio::test]
async fn a_lead_sent_again_with_other_values_is_not_taken_for_the_first() {
    let stage = Stage::practising().await;
    let (id, sent) = (id(), draft());
    let profile = stage.profile().await.id;
    stage.lead_under(&id, &sent).await;
    for (field, other) in [
        (
            Field::TransactionId,
            with(sent.clone(), |it| it.transaction_id = "T-2".into()),
        ),
        (
            Field::Quantity,
            with(sent.clone(), |it| it.quantity = "2".into()),
        ),
        (
            Field::TransactionDate,
            with(sent.clone(), |it| {
                it.transaction_date = "2026-11-20 10:16".into();
            }),
        ),
    ] {
        refused!(
            stage.leads.create(&profile, &id, &other, None).await,
            Error::AlreadyRegistered { fields, .. } if *fields == [field]
        );
    }
    // An empty date is the time at which it is created.
    let undated = with(sent, |it| it.transaction_date.clear());
    assert_eq!(stage.lead_under(&id, &undated).await.id, id);
    assert_eq!(stage.arrived(CreateLead), 1);
}

#[tokio::test]
async fn a_lead_entered_while_its_profile_is_removed_keeps_no_desk_closed() {
    let (stage, _) = Stage::live().await;
    stage.next(CreateLead, too_many("1800"));
    assert_eq!(stage.lead(&draft()).await.state, LeadState::Queued);
    // As it is when the profile was removed while the lead was being kept.
    let removed = "UPDATE profile SET removed_at = 1";
    assert_eq!(stage.database().execute(removed, []).unwrap(), 1);
    let stage = stage.restarted_alone().await;
    assert!(stage.profiles.all().await.unwrap().is_empty());
}
