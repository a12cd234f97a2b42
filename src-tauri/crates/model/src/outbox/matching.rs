//! Which contract of an answer belongs to which item sent.
//!
//! Owns that content decides and position never does.

use std::collections::{HashMap, HashSet};

use crate::contracts::sale::{self, Sale};
use crate::interface::{Amount, Contract, ContractId, ContractItem, Personal};

/// What an item is known by: transaction, product, plan and the customer's e-mail.
///
/// The e-mail is compared without regard to case, since mail systems and services rewrite it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SaleKey {
    sale: Sale,
    /// `None` for a contract that does not say it, which is then no item's.
    email: Option<String>,
}

impl SaleKey {
    pub fn of_item(item: &ContractItem) -> Self {
        Self {
            sale: sale::of(item),
            email: Some(compared(&item.customer.email)),
        }
    }

    pub fn of_contract(contract: &Contract) -> Self {
        let (product, plan) = (&contract.product.reference_id, &contract.plan.id);
        Self {
            sale: (
                contract.transaction_id.clone(),
                product.as_str().to_owned(),
                plan.as_str().to_owned(),
            ),
            email: contract.customer.email.as_ref().map(compared),
        }
    }
}

fn compared(email: &Personal) -> String {
    email.expose().trim().to_lowercase()
}

/// Whether a contract's amounts are those of the sale, as far as it says.
pub fn same_amounts(total: Amount, price: Amount, contract: &Contract) -> bool {
    contract.transaction_total.agrees_with(total)
        && contract.product.purchase_price.agrees_with(price)
}

/// An answer that does not account for what was sent, one to one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mismatch {
    /// Items sent that the answer does not hold.
    pub missing: usize,
    /// Items of the answer that were not sent, or that are no contracts.
    pub extra: usize,
    /// Contracts that answer for an item already answered for, or carry an id twice.
    pub doubled: usize,
}

/// A contract that an answer names for an item, beside others or with another e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The place of the item among those sent.
    pub place: usize,
    pub contract_id: ContractId,
    /// Whether the answer names another contract for it as well.
    pub twice: bool,
}

/// The contracts of an answer, those that are of sales sent first, whoever the customer is.
pub fn of_these_first<'a>(sent: &[ContractItem], answer: &'a [Contract]) -> Vec<&'a Contract> {
    let wanted: Vec<SaleKey> = sent.iter().map(SaleKey::of_item).collect();
    let (mut contracts, others): (Vec<_>, Vec<_>) = answer.iter().partition(|contract| {
        let key = SaleKey::of_contract(contract);
        wanted.iter().any(|wanted| wanted.sale == key.sale)
    });
    contracts.extend(others);
    contracts
}

/// What an answer names for the items sent, whatever else it holds. A contract of the same sale with another
/// e-mail is the item's only if the answer has none with its own, and no other item is of that sale.
pub fn named(sent: &[ContractItem], answer: &[Contract]) -> Vec<Named> {
    let keys: Vec<SaleKey> = sent.iter().map(SaleKey::of_item).collect();
    let of = |is_it: &dyn Fn(&SaleKey) -> bool| -> Vec<&ContractId> {
        let found = answer
            .iter()
            .filter(|contract| is_it(&SaleKey::of_contract(contract)));
        found.map(|contract| &contract.id).collect()
    };
    let named = keys.iter().enumerate().filter_map(|(place, key)| {
        let mut ids = of(&|found| found == key);
        let alone = keys.iter().filter(|other| other.sale == key.sale).count() == 1;
        if ids.is_empty() && alone {
            ids = of(&|found| found.sale == key.sale);
        }
        let (first, others) = ids.split_first()?;
        Some(Named {
            place,
            contract_id: (*first).clone(),
            twice: others.iter().any(|other| other != first),
        })
    });
    named.collect()
}

/// For each item sent, in order, its contract. `unreadable`: how many items the answer holds that are no
/// contracts.
pub fn pair<'a>(
    sent: &[ContractItem],
    answer: &'a [Contract],
    unreadable: usize,
) -> Result<Vec<&'a Contract>, Mismatch> {
    let mut mismatch = Mismatch {
        // Nothing was ever sent with nothing in it: what is not known to be sent is not answered.
        missing: usize::from(sent.is_empty()),
        extra: unreadable,
        ..Mismatch::default()
    };
    let mut found: HashMap<SaleKey, &Contract> = HashMap::new();
    let wanted: HashSet<SaleKey> = sent.iter().map(SaleKey::of_item).collect();
    let mut ids = HashSet::new();
    for contract in answer {
        let key = SaleKey::of_contract(contract);
        if !wanted.contains(&key) {
            mismatch.extra += 1;
        } else if !ids.insert(&contract.id) || found.insert(key, contract).is_some() {
            mismatch.doubled += 1;
        }
    }
    let mut pairs = Vec::with_capacity(sent.len());
    for item in sent {
        // Taken out, so that two equal items can never share one contract.
        match found.remove(&SaleKey::of_item(item)) {
            Some(contract) => pairs.push(contract),
            None => mismatch.missing += 1,
        }
    }
    if mismatch == Mismatch::default() {
        Ok(pairs)
    } else {
        Err(mismatch)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::outbox::samples::{contract, item};

    #[test]
    fn what_is_not_known_to_be_sent_is_never_accounted_for() {
        assert!(pair(&[], &[], 0).is_err());
    }

    #[test]
    fn the_case_of_an_e_mail_does_not_matter_and_everything_else_does() {
        let sent = [item("T1", "p", "a")];
        let mut answer = contract("C1", &sent[0]);
        answer.customer.email = Some(Personal::new("CUSTOMER@Sample.invalid"));
        assert!(pair(&sent, &[answer.clone()], 0).is_ok());
        for other in [Some(Personal::new("other@sample.invalid")), None] {
            answer.customer.email = other;
            assert_eq!(
                pair(&sent, &[answer.clone()], 0).unwrap_err(),
                Mismatch {
                    missing: 1,
                    extra: 1,
                    doubled: 0
                }
            );
        }
        for other in [
            item("t1", "p", "a"),
            item("T1", "P", "a"),
            item("T1", "p", "A"),
        ] {
            assert!(pair(&sent, &[contract("C1", &other)], 0).is_err());
        }
    }

    #[test]
    fn one_contract_never_answers_for_two_items() {
        let twice = [item("T1", "p", "a"), item("T1", "p", "a")];
        assert_eq!(
            pair(&twice, &[contract("C1", &twice[0])], 0)
                .unwrap_err()
                .missing,
            1
        );
        let sent = [item("T1", "p", "a"), item("T2", "p", "a")];
        let same_id = [contract("C1", &sent[0]), contract("C1", &sent[1])];
        assert!(pair(&sent, &same_id, 0).is_err());
    }

    proptest! {
        /// Whatever is dropped, doubled or added, only a one-to-one answer is believed.
        #[test]
        fn only_a_permutation_of_what_was_sent_is_believed(
            picks in prop::collection::vec(0..6_usize, 0..9),
        ) {
            let sent: Vec<_> = (0..4).map(|n| item(&format!("T{n}"), "p", "a")).collect();
            let others: Vec<_> = (0..6).map(|n| item(&format!("T{n}"), "p", "a")).collect();
            let answer: Vec<_> = picks
                .iter()
                .enumerate()
                .map(|(index, pick)| contract(&format!("C{index}"), &others[*pick]))
                .collect();
            let mut sorted = picks.clone();
            sorted.sort_unstable();
            let believed = pair(&sent, &answer, 0);
            prop_assert_eq!(believed.is_ok(), sorted == [0, 1, 2, 3]);
            if let Ok(contracts) = believed {
                for (item, contract) in sent.iter().zip(contracts) {
                    prop_assert_eq!(&item.transaction_id, &contract.transaction_id);
                }
            }
        }
    }
}
