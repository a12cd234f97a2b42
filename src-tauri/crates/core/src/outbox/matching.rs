//! Which contract of an answer belongs to which item sent. Pure.
//!
//! Owns that content decides and position never does.

use std::collections::{HashMap, HashSet};

use warranty_api::{Contract, ContractItem};

/// What an item is known by: transaction, product, plan and the customer's e-mail.
///
/// The e-mail is compared without regard to case, since mail systems and services rewrite it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SaleKey {
    transaction_id: String,
    product: String,
    plan: String,
    email: String,
}

impl SaleKey {
    /// Of an item to send.
    pub(crate) fn of_item(item: &ContractItem) -> Self {
        Self {
            transaction_id: item.transaction_id.clone(),
            product: item.product.reference_id.as_str().to_owned(),
            plan: item.plan.plan_id.as_str().to_owned(),
            email: item.customer.email.expose().trim().to_lowercase(),
        }
    }

    /// Of a contract in an answer.
    pub(crate) fn of_contract(contract: &Contract) -> Self {
        Self {
            transaction_id: contract.transaction_id.clone(),
            product: contract.product.reference_id.as_str().to_owned(),
            plan: contract.plan.id.as_str().to_owned(),
            email: contract.customer.email.expose().trim().to_lowercase(),
        }
    }
}

/// An answer that does not account for what was sent, one to one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Items sent that the answer does not hold.
    pub missing: usize,
    /// Contracts in the answer that nobody sent.
    pub extra: usize,
    /// Contracts that answer for an item already answered for, or carry an id twice.
    pub doubled: usize,
}

/// For each item sent, in order, its contract.
pub(crate) fn pair<'a>(
    sent: &[ContractItem],
    answer: &'a [Contract],
) -> Result<Vec<&'a Contract>, Mismatch> {
    let mut mismatch = Mismatch::default();
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
