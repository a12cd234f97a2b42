//! Entries into batches. Pure.
//!
//! Owns that a batch holds at most ten and never two that an answer could not tell apart.

use std::collections::HashSet;

use warranty_api::{ContractItem, MAX_CONTRACTS_PER_REQUEST};

use super::matching::SaleKey;

/// The items' indexes, cut into batches, each in the order given.
pub(crate) fn cut(items: &[ContractItem]) -> Vec<Vec<usize>> {
    let mut batches: Vec<(Vec<usize>, HashSet<SaleKey>)> = Vec::new();
    // Batches before this one are full.
    let mut open = 0;
    for (index, item) in items.iter().enumerate() {
        let key = SaleKey::of_item(item);
        let fits = batches[open..]
            .iter()
            .position(|(members, keys)| {
                members.len() < MAX_CONTRACTS_PER_REQUEST && !keys.contains(&key)
            })
            .map(|position| open + position);
        match fits {
            Some(position) => {
                batches[position].0.push(index);
                batches[position].1.insert(key);
            }
            None => batches.push((vec![index], HashSet::from([key]))),
        }
        while batches
            .get(open)
            .is_some_and(|(members, _)| members.len() == MAX_CONTRACTS_PER_REQUEST)
        {
            open += 1;
        }
    }
    batches.into_iter().map(|(members, _)| members).collect()
}
