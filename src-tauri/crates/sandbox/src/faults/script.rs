//! Which fault applies to which request: the personality in force, the counters of its rules, and the script.
//! Knows nothing of how a fault is carried out.

use std::{collections::VecDeque, sync::Arc};

use rand::{Rng, SeedableRng, rngs::StdRng};

use super::{
    action::{Action, ScriptedFault, When},
    personality::Personality,
};
use crate::Operation;

fn applies_to(operations: &[Operation], operation: Operation) -> bool {
    operations.is_empty() || operations.contains(&operation)
}

/// The personality in force, the counters of its rules, and the scripted faults.
#[derive(Debug)]
pub(crate) struct FaultScript {
    pub(crate) personality: Arc<Personality>,
    counts: Vec<Count>,
    /// Applied before the rules of the personality, the first that matches.
    pub(crate) script: VecDeque<ScriptedFault>,
}

#[derive(Debug)]
struct Count {
    seen: u64,
    dice: StdRng,
}

impl FaultScript {
    pub(crate) fn new(personality: Personality) -> Self {
        Self {
            counts: counts_of(&personality),
            personality: Arc::new(personality),
            script: VecDeque::new(),
        }
    }

    /// Replaces the personality and resets the counters; scripted faults stay.
    pub(crate) fn set_personality(&mut self, personality: Personality) {
        self.counts = counts_of(&personality);
        self.personality = Arc::new(personality);
    }

    /// The fault for a request of this operation. Advances the counters.
    pub(crate) fn next_fault(&mut self, operation: Operation) -> Option<Action> {
        // Every matching rule counts the request, even when the script or an earlier rule decides it.
        let mut hit = None;
        for (rule, count) in self.personality.faults.iter().zip(&mut self.counts) {
            if applies_to(&rule.operations, operation) && count.hits(rule.when) && hit.is_none() {
                hit = Some(rule.action.clone());
            }
        }
        take_scripted(&mut self.script, operation).or(hit)
    }
}

fn counts_of(personality: &Personality) -> Vec<Count> {
    personality
        .faults
        .iter()
        .map(|rule| Count {
            seen: 0,
            dice: StdRng::seed_from_u64(match rule.when {
                When::Probability { seed, .. } => seed,
                When::Always | When::Nth(_) | When::Every { .. } => 0,
            }),
        })
        .collect()
}

impl Count {
    fn hits(&mut self, when: When) -> bool {
        self.seen += 1;
        match when {
            When::Always => true,
            When::Nth(number) => self.seen == number,
            When::Every { of, first } => {
                self.seen >= first && (self.seen - first).is_multiple_of(of.max(1))
            }
            When::Probability { percent, .. } => self.dice.random_range(0..100) < percent,
        }
    }
}

fn take_scripted(script: &mut VecDeque<ScriptedFault>, operation: Operation) -> Option<Action> {
    let position = script
        .iter()
        .position(|fault| fault.times > 0 && applies_to(&fault.operations, operation))?;
    let fault = script.get_mut(position)?;
    fault.times -= 1;
    let action = fault.action.clone();
    script.retain(|fault| fault.times > 0);
    Some(action)
}
