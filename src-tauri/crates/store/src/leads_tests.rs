use super::*;
use crate::test_fixtures::{keep, line, new_lead, profile, store};

#[tokio::test]
async fn no_lead_is_kept_for_a_profile_that_was_removed_or_moved_meanwhile() {
    let (_folder, store) = store().await;
    let new = new_lead(profile("profile", "practice"));
    let moved = profile("profile", "https://elsewhere.sample.invalid/");
    keep(&store, moved).await;
    let entered = store.enter_lead(new.clone()).await.unwrap();
    assert!(matches!(entered, Entered::ProfileMoved));
    keep(&store, new.profile.clone()).await;
    assert_eq!(store.remove_profile("profile", line()).await.unwrap(), 0);
    let entered = store.enter_lead(new).await.unwrap();
    assert!(matches!(entered, Entered::ProfileMoved));
    assert!(store.lead("lead").await.unwrap().is_none());
}

#[tokio::test]
async fn old_leads_that_are_due_or_not_finished_are_listed_with_the_newest() {
    let (_folder, store) = store().await;
    for id in ["due", "open", "done", "newer", "newest"] {
        let mut new = new_lead(profile("profile", "practice"));
        (new.id, new.request.transaction_id) = (id.into(), id.into());
        let entered = store.enter_lead(new).await.unwrap();
        assert!(matches!(entered, Entered::Yes));
        if id != "open" {
            let created = LeadOutcome::of(LeadState::Created);
            let step = store.step_lead(id, LeadState::Queued, created, None);
            assert!(step.await.unwrap());
        }
    }
    let day = "2026-11-21".parse().unwrap();
    let kept = store.follow_up("due", Some(day), None, line()).await;
    assert!(kept.unwrap());
    for (newest, expected) in [
        (2, vec!["newest", "newer", "open", "due"]),
        (0, vec!["open", "due"]),
    ] {
        let listed = store.listed_leads("profile", newest).await.unwrap();
        let ids: Vec<String> = listed.into_iter().map(|kept| kept.view.id).collect();
        assert_eq!(ids, expected);
    }
}
