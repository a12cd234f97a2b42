//! The named personalities: each is the default with some settings changed. Data only.

use std::sync::LazyLock;

use super::{
    action::{Action, Rule, When},
    fault_presets::named_faults,
    personality::{AnswerOrder, Completeness, ErrorStatus, Personality},
};
use crate::{
    behaviour::{BulkFailure, KeyPolicy, Visibility},
    operation::Operation,
};

/// No personality has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no personality {name:?}; there are: {}", Personality::names().join(", "))]
pub struct UnknownPersonality {
    /// The name asked for.
    pub name: String,
}

const PERSONALITIES: &[&str] = &[
    "default",
    "late-visibility",
    "never-visible",
    "dropped-answer",
    "dropped-request",
    "slow",
    "server-errors",
    "committed-server-errors",
    "wrong-token",
    "partial-answer",
    "doubled-answer",
    "foreign-answer",
    "shuffled-answer",
    "partial-failure",
    "partial-success",
    "keys-successes-only",
    "keys-ignored",
    "keys-forgotten",
    "keys-body-blind",
    "keys-refuse-changed-body",
    "keys-conflict-in-progress",
    "errors-as-200",
    "errors-as-500",
    "html-with-200",
    "redirect",
    "truncated-answer",
    "broken-json",
    "oversized-answer",
    "slow-drip",
    "too-many-requests",
    "too-many-requests-without-hint",
    "flaky",
    "token-revoked",
    "forbidden-after-a-while",
];

static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let faults = named_faults().into_iter().map(|(name, _)| name);
    PERSONALITIES.iter().copied().chain(faults).collect()
});

impl Personality {
    /// The personality of this name.
    ///
    /// # Errors
    /// [`UnknownPersonality`], whose text lists every name.
    pub fn named(name: &str) -> Result<Personality, UnknownPersonality> {
        build(name).ok_or_else(|| UnknownPersonality {
            name: name.to_owned(),
        })
    }

    /// Every name [`Personality::named`] knows.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }
}

fn build(name: &str) -> Option<Personality> {
    let base = Personality::default();
    let personality = match name {
        "default" => base,
        "late-visibility" => Personality {
            visibility: Visibility::AfterMs(15_000),
            ..base
        },
        "never-visible" => Personality {
            visibility: Visibility::Never,
            ..base
        },
        // Of each operation, every second answer is lost, beginning with the first: its repeat is answered.
        "dropped-answer" => with_faults(each_writing(Action::DropAfterCommit)),
        "dropped-request" => with_faults(each_writing(Action::DropBeforeCommit)),
        "slow" => Personality {
            answer_delay_ms: 2_500,
            ..base
        },
        "server-errors" => with_faults(always(Action::Status {
            status: 503,
            after_commit: false,
        })),
        "committed-server-errors" => with_faults(each_writing(Action::Status {
            status: 500,
            after_commit: true,
        })),
        "wrong-token" => with_faults(vec![Rule {
            operations: Operation::WITH_TOKEN.to_vec(),
            when: When::Always,
            action: Action::Unauthorized,
        }]),
        "partial-answer" => Personality {
            completeness: Completeness::Partial(1),
            ..base
        },
        "doubled-answer" => Personality {
            completeness: Completeness::Doubled(1),
            ..base
        },
        "foreign-answer" => Personality {
            completeness: Completeness::Foreign(1),
            ..base
        },
        "shuffled-answer" => Personality {
            answer_order: AnswerOrder::Shuffled,
            ..base
        },
        "partial-failure" => Personality {
            bulk_failure: BulkFailure::PartialError,
            ..base
        },
        "partial-success" => Personality {
            bulk_failure: BulkFailure::PartialCreated,
            ..base
        },
        "keys-successes-only" => with_keys(KeyPolicy::SuccessesOnly),
        "keys-ignored" => with_keys(KeyPolicy::Ignore),
        "keys-forgotten" => with_keys(KeyPolicy::ForgetAfter(5_000)),
        "keys-body-blind" => with_keys(KeyPolicy::BodyBlind),
        "keys-refuse-changed-body" => with_keys(KeyPolicy::RefuseChangedBody),
        "keys-conflict-in-progress" => Personality {
            key_policy: KeyPolicy::ConflictWhileInProgress,
            answer_delay_ms: 1_500,
            ..base
        },
        "errors-as-200" => Personality {
            error_status: ErrorStatus::Always(200),
            ..base
        },
        "errors-as-500" => Personality {
            error_status: ErrorStatus::Always(500),
            ..base
        },
        "html-with-200" => with_faults(always(Action::HtmlWith200 {
            after_commit: false,
        })),
        "redirect" => with_faults(always(Action::Redirect {
            status: 302,
            location: "https://elsewhere.sample.invalid/login".to_owned(),
            after_commit: false,
        })),
        "truncated-answer" => with_faults(always(Action::Truncate {
            keep_percent: 50,
            honest_length: false,
        })),
        "broken-json" => with_faults(always(Action::Truncate {
            keep_percent: 50,
            honest_length: true,
        })),
        "oversized-answer" => with_faults(always(Action::Oversize {
            bytes: 3 * 1024 * 1024,
        })),
        "slow-drip" => with_faults(always(Action::SlowDrip {
            chunk_bytes: 64,
            pause_ms: 200,
        })),
        "too-many-requests" => with_faults(every_second(Action::TooManyRequests {
            retry_after: Some("2".to_owned()),
        })),
        "too-many-requests-without-hint" => {
            with_faults(every_second(Action::TooManyRequests { retry_after: None }))
        }
        "flaky" => with_faults(flaky()),
        "token-revoked" => with_faults(after_three_requests(Action::Unauthorized)),
        "forbidden-after-a-while" => with_faults(after_three_requests(Action::Forbidden)),
        _ => {
            let mut faults = named_faults().into_iter();
            let (_, action) = faults.find(|(known, _)| *known == name)?;
            with_faults(always(action))
        }
    };
    Some(personality)
}

fn with_faults(faults: Vec<Rule>) -> Personality {
    Personality {
        faults,
        ..Personality::default()
    }
}

fn with_keys(key_policy: KeyPolicy) -> Personality {
    Personality {
        key_policy,
        ..Personality::default()
    }
}

fn always(action: Action) -> Vec<Rule> {
    vec![Rule {
        operations: Vec::new(),
        when: When::Always,
        action,
    }]
}

fn every_second(action: Action) -> Vec<Rule> {
    vec![Rule {
        operations: Vec::new(),
        when: When::Every { of: 2, first: 1 },
        action,
    }]
}

/// Applies to all but the first three requests of the operations that require the token.
fn after_three_requests(action: Action) -> Vec<Rule> {
    vec![Rule {
        operations: Operation::WITH_TOKEN.to_vec(),
        when: When::Every { of: 1, first: 4 },
        action,
    }]
}

/// One rule for each writing operation, so that each has its own counter.
fn each_writing(action: Action) -> Vec<Rule> {
    Operation::WRITING
        .iter()
        .map(|operation| Rule {
            operations: vec![*operation],
            when: When::Every { of: 2, first: 1 },
            action: action.clone(),
        })
        .collect()
}

fn flaky() -> Vec<Rule> {
    let chance = |percent, seed, action| Rule {
        operations: Vec::new(),
        when: When::Probability { percent, seed },
        action,
    };
    vec![
        chance(8, 11, Action::DropBeforeCommit),
        chance(8, 12, Action::DropAfterCommit),
        chance(
            8,
            13,
            Action::Status {
                status: 502,
                after_commit: false,
            },
        ),
        chance(
            8,
            14,
            Action::Status {
                status: 500,
                after_commit: true,
            },
        ),
    ]
}
