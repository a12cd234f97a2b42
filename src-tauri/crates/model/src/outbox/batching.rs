//! Entries into batches.
//!
//! Owns that a batch has at most ten items, and never two that an answer could not distinguish.

use std::collections::HashSet;

use crate::interface::{ContractItem, MAX_CONTRACTS_PER_REQUEST};

use super::matching::SaleKey;

/// The items' indexes, cut into batches, each in the order given. Those marked in `alone`, by the
/// same index, get a batch of their own; indexes beyond its end are not marked.
pub fn cut(items: &[ContractItem], alone: &[bool]) -> Vec<Vec<usize>> {
    let is_alone = |index: usize| alone.get(index).copied().unwrap_or(false);
    let mut batches: Vec<(Vec<usize>, HashSet<SaleKey>)> = Vec::new();
    // Batches before this one take no more.
    let mut open = 0;
    for (index, item) in items.iter().enumerate() {
        let key = SaleKey::of_item(item);
        let fits = batches[open..]
            .iter()
            .position(|(members, keys)| {
                members.len() < MAX_CONTRACTS_PER_REQUEST
                    && !keys.contains(&key)
                    && !members.iter().copied().any(is_alone)
            })
            .filter(|_| !is_alone(index))
            .map(|position| open + position);
        match fits {
            Some(position) => {
                batches[position].0.push(index);
                batches[position].1.insert(key);
            }
            None => batches.push((vec![index], HashSet::from([key]))),
        }
        while batches.get(open).is_some_and(|(members, _)| {
            members.len() == MAX_CONTRACTS_PER_REQUEST || members.iter().copied().any(is_alone)
        }) {
            open += 1;
        }
    }
    batches.into_iter().map(|(members, _)| members).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::outbox::samples::item;

    #[test]
    fn twenty_five_entries_make_three_batches_in_order() {
        let items: Vec<_> = (0..25).map(|n| item(&format!("T{n}"), "p", "a")).collect();
        let batches = cut(&items, &[]);
        let expected: Vec<Vec<usize>> =
            vec![(0..10).collect(), (10..20).collect(), (20..25).collect()];
        assert_eq!(batches, expected);
    }

    #[test]
    fn what_stands_alone_shares_its_batch_with_nothing() {
        let items: Vec<_> = (0..5).map(|n| item(&format!("T{n}"), "p", "a")).collect();
        let batches = cut(&items, &[false, true, false, true]);
        assert_eq!(batches, [vec![0, 2, 4], vec![1], vec![3]]);
    }

    proptest! {
        #[test]
        fn every_entry_is_in_one_batch_and_no_batch_holds_two_alike(
            kinds in prop::collection::vec(0..8_u8, 0..80),
        ) {
            let items: Vec<_> = kinds.iter().map(|n| item(&format!("T{n}"), "p", "a")).collect();
            let batches = cut(&items, &[]);
            let mut all: Vec<usize> = batches.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..items.len()).collect::<Vec<_>>());
            for batch in batches {
                prop_assert!((1..=MAX_CONTRACTS_PER_REQUEST).contains(&batch.len()));
                prop_assert!(batch.is_sorted());
                let keys: HashSet<_> =
                    batch.iter().map(|index| SaleKey::of_item(&items[*index])).collect();
                prop_assert_eq!(keys.len(), batch.len());
            }
        }
    }
}
