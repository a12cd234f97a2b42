//! The provider: its books, its memory for keys, and what it does with a request.
//!
//! Owns the truth about what was sold. It knows nothing of the desk, and how an answer travels is
//! not its matter.

use std::collections::HashMap;
use std::time::Duration;

use rand::Rng as _;
use rand::rngs::StdRng;
use warranty_api::{Contract, ContractBatch, ContractId, ContractItem};

use crate::outbox::samples::contract;
use crate::profile::{BulkFact, ProviderFacts};

/// The reference of a product the provider does not have.
pub(super) const UNKNOWN_PRODUCT: &str = "missing";

/// What a provider does with keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Every answer is kept and given again.
    All,
    /// Only successes are kept.
    Successes,
    /// They are not looked at.
    Ignored,
    /// They are kept for so many seconds.
    Forgotten(u64),
    /// Kept, and the first answer is given whatever the body.
    BodyBlind,
    /// Kept, and another body is refused.
    RefusesChanged,
    /// Kept, and a request that comes while its first is in work is refused.
    Conflict,
}

/// When a contract can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visible {
    AtOnce,
    /// After so many seconds.
    Late(u64),
    Never,
}

/// One provider's ways.
#[derive(Debug, Clone)]
pub(super) struct Temper {
    pub keys: Keys,
    /// Whether a bulk request is made whole or not at all.
    pub whole: bool,
    pub visible: Visible,
    /// The status of its error object for a bad request.
    pub refusal: u16,
    /// What the store knows of it: nothing, or the truth.
    pub facts: ProviderFacts,
}

/// A contract in the books.
#[derive(Debug, Clone)]
pub(super) struct Sold {
    pub contract: Contract,
    pub key: String,
    pub transaction: String,
    pub at: Duration,
}

/// What came of a request.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Made(Vec<Contract>),
    /// A product is not there.
    Refused,
    /// The first request with this key is in work, or its body was another one.
    Conflict,
}

/// Work that was taken on and is not done yet.
#[derive(Debug, Clone)]
struct Work {
    number: u64,
    came: Duration,
    due: Duration,
    scope: String,
    key: String,
    body: Vec<u8>,
}

/// A provider.
#[derive(Debug)]
pub(super) struct Provider {
    pub temper: Temper,
    pub books: Vec<Sold>,
    /// The token it takes, by profile.
    pub accepts: HashMap<String, String>,
    memory: HashMap<(String, String), (Vec<u8>, Reply, Duration)>,
    works: Vec<Work>,
    replies: HashMap<u64, Reply>,
    numbers: u64,
}

impl Temper {
    /// A provider that does what the desk hopes for.
    pub(super) fn plain() -> Self {
        Self {
            keys: Keys::All,
            whole: true,
            visible: Visible::AtOnce,
            refusal: 400,
            facts: ProviderFacts::default(),
        }
    }

    /// A provider as the dice want it.
    pub(super) fn drawn(dice: &mut StdRng) -> Self {
        let keys = match dice.random_range(0..10) {
            0..=2 => Keys::All,
            3 => Keys::Successes,
            4 => Keys::Ignored,
            5 => Keys::Forgotten(dice.random_range(5..900)),
            6 => Keys::Forgotten(dice.random_range(900..7200)),
            7 => Keys::BodyBlind,
            8 => Keys::RefusesChanged,
            _ => Keys::Conflict,
        };
        let whole = dice.random_bool(0.5);
        let visible = match dice.random_range(0..8) {
            0..=3 => Visible::AtOnce,
            4..=6 => Visible::Late(dice.random_range(1..1200)),
            _ => Visible::Never,
        };
        let refusal = [400, 400, 404, 422, 200, 500][dice.random_range(0..6)];
        let told = dice.random_bool(0.4);
        let bulk = match (told, whole) {
            (false, _) => BulkFact::Unknown,
            (true, true) => BulkFact::AllOrNothing,
            (true, false) => BulkFact::Partial,
        };
        let key_replay_seconds = dice.random_bool(0.4).then(|| keys.kept_for(whole));
        Self {
            keys,
            whole,
            visible,
            refusal,
            facts: ProviderFacts {
                bulk,
                key_replay_seconds,
            },
        }
    }

    /// Whether a repeat can make a sale twice although the provider said nothing untrue.
    pub(super) fn may_double(&self) -> bool {
        match self.keys {
            Keys::Ignored | Keys::Forgotten(_) => true,
            // What was refused in part is done again.
            Keys::Successes => !self.whole,
            Keys::All | Keys::BodyBlind | Keys::RefusesChanged | Keys::Conflict => false,
        }
    }

    pub(super) fn word(&self) -> &'static str {
        match self.keys {
            Keys::All => "replays all",
            Keys::Successes => "replays successes",
            Keys::Ignored => "ignores keys",
            Keys::Forgotten(_) => "forgets keys",
            Keys::BodyBlind => "body-blind",
            Keys::RefusesChanged => "refuses a changed body",
            Keys::Conflict => "conflict while in work",
        }
    }
}

impl Keys {
    fn kept_for(self, whole: bool) -> u32 {
        match self {
            Self::Ignored => 0,
            Self::Successes if !whole => 0,
            Self::Forgotten(seconds) => u32::try_from(seconds).unwrap(),
            Self::All
            | Self::Successes
            | Self::BodyBlind
            | Self::RefusesChanged
            | Self::Conflict => 24 * 60 * 60,
        }
    }
}

impl Provider {
    pub(super) fn new(temper: Temper) -> Self {
        Self {
            temper,
            books: Vec::new(),
            accepts: HashMap::new(),
            memory: HashMap::new(),
            works: Vec::new(),
            replies: HashMap::new(),
            numbers: 0,
        }
    }

    /// Takes a request on, to be done at a time, whoever still waits for it.
    pub(super) fn take_on(
        &mut self,
        scope: &str,
        key: &str,
        body: &[u8],
        (came, due): (Duration, Duration),
    ) -> u64 {
        self.numbers += 1;
        self.works.push(Work {
            number: self.numbers,
            came,
            due,
            scope: scope.to_owned(),
            key: key.to_owned(),
            body: body.to_vec(),
        });
        self.numbers
    }

    /// Does what is due by now.
    pub(super) fn work_until(&mut self, now: Duration) {
        loop {
            let next = self
                .works
                .iter()
                .enumerate()
                .filter(|(_, work)| work.due <= now)
                .min_by_key(|(_, work)| (work.due, work.number))
                .map(|(index, _)| index);
            let Some(index) = next else { return };
            let work = self.works.remove(index);
            let reply = self.process(&work);
            self.replies.insert(work.number, reply);
        }
    }

    /// What came of a request that is done.
    pub(super) fn reply(&mut self, number: u64) -> Option<Reply> {
        self.replies.remove(&number)
    }

    /// Whether anything is still to be done with this key.
    pub(super) fn in_work(&self, key: &str) -> bool {
        self.works.iter().any(|work| work.key == key)
    }

    fn process(&mut self, work: &Work) -> Reply {
        let remembered = (work.scope.clone(), work.key.clone());
        let kept = self
            .memory
            .get(&remembered)
            .filter(|(_, reply, at)| match self.temper.keys {
                Keys::Ignored => false,
                Keys::Forgotten(seconds) => work.came < *at + Duration::from_secs(seconds),
                Keys::Successes => matches!(reply, Reply::Made(_)),
                Keys::All | Keys::BodyBlind | Keys::RefusesChanged | Keys::Conflict => true,
            });
        if let Some((body, reply, _)) = kept {
            let changed = *body != work.body;
            return match self.temper.keys {
                Keys::RefusesChanged if changed => Reply::Conflict,
                Keys::All
                | Keys::Successes
                | Keys::Ignored
                | Keys::Forgotten(_)
                | Keys::BodyBlind
                | Keys::RefusesChanged
                | Keys::Conflict => reply.clone(),
            };
        }
        if self.temper.keys == Keys::Conflict && self.in_work(&work.key) {
            return Reply::Conflict;
        }
        let batch: ContractBatch = serde_json::from_slice(&work.body).unwrap();
        let missing = |item: &ContractItem| item.product.reference_id.as_str() == UNKNOWN_PRODUCT;
        let refused = batch.items().iter().any(missing);
        let reply = if refused && self.temper.whole {
            Reply::Refused
        } else {
            let made = batch
                .items()
                .iter()
                .filter(|item| !missing(item))
                .map(|item| self.sell(item, &work.key, work.due))
                .collect();
            if refused {
                Reply::Refused
            } else {
                Reply::Made(made)
            }
        };
        self.memory
            .insert(remembered, (work.body.clone(), reply.clone(), work.due));
        reply
    }

    /// Makes one contract.
    pub(super) fn sell(&mut self, item: &ContractItem, key: &str, at: Duration) -> Contract {
        let made = contract(&format!("C{}", self.books.len() + 1), item);
        self.books.push(Sold {
            contract: made.clone(),
            key: key.to_owned(),
            transaction: item.transaction_id.clone(),
            at,
        });
        made
    }

    /// The contract of an id, if it can be read now.
    pub(super) fn find(&self, id: &ContractId, now: Duration) -> Option<&Contract> {
        let sold = self.books.iter().find(|sold| sold.contract.id == *id)?;
        let shown = match self.temper.visible {
            Visible::AtOnce => true,
            Visible::Late(seconds) => now >= sold.at + Duration::from_secs(seconds),
            Visible::Never => false,
        };
        shown.then_some(&sold.contract)
    }
}
