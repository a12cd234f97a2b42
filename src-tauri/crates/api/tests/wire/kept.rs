//! A connection that is kept for the next call, and what may be wrong with it.

use warranty_sandbox::{Action, Operation, Personality};

use crate::expected::Outcome;
use crate::operations::{Calls as _, READS, client, contract, script, service};

/// The fault of this name.
fn fault(name: &str) -> Action {
    Personality::named(name).unwrap().faults.remove(0).action
}

#[tokio::test]
async fn an_answer_nobody_asked_for_is_never_taken_for_the_next_one() {
    let sandbox = service().await;
    let client = client(&sandbox.base_url());
    let contract = contract(&client).await;
    let mut calls = sandbox.requests().len();
    for operation in READS {
        for next in READS {
            script(&sandbox, operation, fault("second-answer"));
            let first = operation.call_of(&client, &contract).await;
            assert_eq!(Outcome::of(&first), Outcome::Accepted, "{operation:?}");
            let second = next.call_of(&client, &contract).await;
            calls += 2;
            match Outcome::of(&second) {
                // The connection was given up in time, or the doubt is named; a read may be repeated.
                Outcome::Accepted | Outcome::Silent(_) => {}
                outcome @ (Outcome::Refused(_) | Outcome::Unreadable(..) | Outcome::NotSent) => {
                    panic!("{operation:?} then {next:?}: {outcome:?}")
                }
            }
            assert_eq!(
                sandbox.requests().len(),
                calls,
                "{operation:?} then {next:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_kept_connection_that_the_service_ended_costs_at_most_the_answer_of_a_read() {
    let sandbox = service().await;
    let contract = contract(&client(&sandbox.base_url())).await;
    for name in ["close-after", "reset-after"] {
        for operation in READS {
            for next in Operation::ALL {
                let client = client(&sandbox.base_url());
                script(&sandbox, operation, fault(name));
                operation.call_of(&client, &contract).await.unwrap();
                let before = sandbox.requests().len();
                let outcome = Outcome::of(&next.call_of(&client, &contract).await);
                let arrived = sandbox.requests().len() - before;
                let lost = matches!(outcome, Outcome::Silent(_)) && READS.contains(&next);
                assert!(
                    (outcome == Outcome::Accepted && arrived == 1) || (lost && arrived <= 1),
                    "{operation:?} then {next:?}: {outcome:?}, {arrived} arrived"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_kept_connection_that_is_cut_under_a_request_is_met_once() {
    let sandbox = service().await;
    let client = client(&sandbox.base_url());
    let contract = contract(&client).await;
    for action in [
        Action::DropBeforeCommit,
        Action::DropAfterCommit,
        Action::Reset {
            after_commit: false,
        },
        Action::Reset { after_commit: true },
    ] {
        for operation in Operation::ALL {
            Operation::GetPlan
                .call_of(&client, &contract)
                .await
                .unwrap();
            script(&sandbox, operation, action.clone());
            let before = sandbox.requests().len();
            let outcome = Outcome::of(&operation.call_of(&client, &contract).await);
            assert!(matches!(outcome, Outcome::Silent(_)), "{outcome:?}");
            assert_eq!(
                sandbox.requests().len() - before,
                1,
                "{operation:?} {action:?}"
            );
        }
    }
}
