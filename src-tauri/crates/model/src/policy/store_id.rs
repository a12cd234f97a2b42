//! Tells which store a computer belongs to, from the sources that a policy names.

use serde::Serialize;

use super::{ManagedProfile, PolicyFinding};

/// What a source can ask the computer.
pub trait Computer {
    /// A variable that is set for all users; `None` where it is not set.
    ///
    /// # Errors
    /// What is wrong with the place that would set it.
    fn variable(&self, name: &str) -> Result<Option<String>, PolicyFinding>;
    /// A table beside the policy; `None` where there is none.
    ///
    /// # Errors
    /// What is wrong with the table.
    fn table(&self, file: &str) -> Result<Option<String>, PolicyFinding>;
}

/// Why nothing is sold under a managed profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ClosedReason {
    /// No source names a store, or not one that can be an id.
    NoStore,
    /// A source names several stores.
    SeveralStores,
    /// The policy's values of the profile, or what tells its store, cannot be used.
    Unusable,
}

/// Why the store of a managed profile cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    pub reason: ClosedReason,
    /// What cannot be used, where that is a file of its own.
    pub finding: Option<PolicyFinding>,
}

impl From<ClosedReason> for Closed {
    fn from(reason: ClosedReason) -> Self {
        let finding = None;
        Self { reason, finding }
    }
}

impl From<PolicyFinding> for Closed {
    fn from(finding: PolicyFinding) -> Self {
        Self {
            reason: ClosedReason::Unusable,
            finding: Some(finding),
        }
    }
}

/// The store id from the first source that answers, which must name exactly one. A source that cannot
/// be used leaves the store open: what it would have answered is not known. `host` is the name of the
/// computer.
///
/// # Errors
/// [`Closed`]: there is no default, because a sale under the wrong store is money in the wrong place.
pub fn store_id(
    profile: &ManagedProfile,
    computer: &dyn Computer,
    host: &str,
) -> Result<String, Closed> {
    for source in &profile.store_id {
        let mut found = answers(source, computer, host)?.ok_or(ClosedReason::Unusable)?;
        found.retain(|store| !store.is_empty());
        found.sort();
        found.dedup();
        match found.as_slice() {
            [] => {}
            [store] => return Ok(store.clone()),
            _ => return Err(ClosedReason::SeveralStores.into()),
        }
    }
    Err(ClosedReason::NoStore.into())
}

/// Whether a source has one of the known forms.
pub fn is_source(source: &str) -> bool {
    struct Nothing;
    impl Computer for Nothing {
        fn variable(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
            Ok(None)
        }
        fn table(&self, _: &str) -> Result<Option<String>, PolicyFinding> {
            Ok(None)
        }
    }
    answers(source, &Nothing, "").is_ok_and(|answers| answers.is_some())
}

/// The stores that a source names; `None` for a source, or a table, of an unknown form.
fn answers(
    source: &str,
    computer: &dyn Computer,
    host: &str,
) -> Result<Option<Vec<String>>, PolicyFinding> {
    let Some((kind, rest)) = source.split_once(':') else {
        return Ok(None);
    };
    Ok(match kind {
        "machine-env" => {
            let value = computer.variable(rest)?.unwrap_or_default();
            Some(value.split(',').map(|one| one.trim().to_owned()).collect())
        }
        "hostname" => in_host(rest, host).map(|found| found.into_iter().collect()),
        "table" => {
            let table = computer.table(rest)?.unwrap_or_default();
            // Quotes: another kind of table, whose host names would be missed as well.
            if table.contains('"') {
                return Ok(None);
            }
            let rows = table.lines().filter_map(|line| line.split_once(','));
            let here = rows.filter(|(name, _)| name.trim().eq_ignore_ascii_case(host));
            // As are more cells, of which no part is taken for a store.
            here.map(|(_, store)| (!store.contains(',')).then(|| store.trim().to_owned()))
                .collect()
        }
        _ => None,
    })
}

/// The part of a host's name that stands at `{store:N}`, N characters, in a pattern whose `*` at the
/// end stands for any rest. `Some(None)` when the name does not fit, `None` for no pattern.
fn in_host(pattern: &str, host: &str) -> Option<Option<String>> {
    let (before, rest) = pattern.split_once("{store:")?;
    let (length, after) = rest.split_once('}')?;
    let length: usize = length.parse().ok()?;
    let fits = || {
        let rest = strip_ignoring_case(host, before)?;
        let store: String = rest.chars().take(length).collect();
        let tail = rest.strip_prefix(store.as_str())?;
        let fits = match after.strip_suffix('*') {
            Some(after) => strip_ignoring_case(tail, after).is_some(),
            None => tail.eq_ignore_ascii_case(after),
        };
        (fits && store.chars().count() == length).then_some(store)
    };
    Some(fits())
}

fn strip_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Till;

    impl Computer for Till {
        fn variable(&self, name: &str) -> Result<Option<String>, PolicyFinding> {
            let value = match name {
                "STORE" => "0042",
                "STORES" => "0042, 0043",
                _ => return Ok(None),
            };
            Ok(Some(value.to_owned()))
        }
        fn table(&self, file: &str) -> Result<Option<String>, PolicyFinding> {
            let table = match file {
                "stores.csv" => "host,store\nJP-0042-TILL1, s-42\njp-0043-till1,s-43\n",
                "named.csv" => "jp-0042-till1,s-42,Shinjuku",
                "quoted.csv" => "\"jp-0042-till1\",\"s-42\"",
                "reversed.csv" => "store,host\ns-42,jp-0042-till1",
                _ => return Ok(None),
            };
            Ok(Some(table.to_owned()))
        }
    }

    fn told(sources: &[&str]) -> Result<String, ClosedReason> {
        let profile = ManagedProfile {
            key: "k".to_owned(),
            name: "n".to_owned(),
            base_url: String::new(),
            store_id: sources.iter().map(|&source| source.to_owned()).collect(),
            utc_offset: String::new(),
            time_zone: None,
            display: None,
            facts: None,
            token_helper: None,
        };
        store_id(&profile, &Till, "jp-0042-till1").map_err(|closed| closed.reason)
    }

    #[test]
    fn a_table_with_a_third_column_or_quoted_cells_names_no_store_instead_of_a_wrong_one() {
        for table in ["table:named.csv", "table:quoted.csv"] {
            // Nor does another source decide then.
            let sources = [table, "machine-env:STORE"];
            assert_eq!(told(&sources), Err(ClosedReason::Unusable), "{table}");
        }
        assert_eq!(told(&["table:reversed.csv"]), Err(ClosedReason::NoStore));
    }

    #[test]
    fn the_first_source_that_answers_names_exactly_one_store() {
        let store = |id: &str| Ok(id.to_owned());
        assert_eq!(told(&["machine-env:STORE"]), store("0042"));
        assert_eq!(
            told(&["machine-env:NONE", "hostname:JP-{store:4}-*"]),
            store("0042")
        );
        assert_eq!(told(&["hostname:JP-{store:4}-till1"]), store("0042"));
        assert_eq!(
            told(&["hostname:XX-{store:4}-*", "table:stores.csv"]),
            store("s-42")
        );
        assert_eq!(
            told(&["hostname:JP-{store:40}*"]),
            Err(ClosedReason::NoStore)
        );
        assert_eq!(told(&["hostname:JP-{store:4}"]), Err(ClosedReason::NoStore));
        assert_eq!(told(&["table:other.csv"]), Err(ClosedReason::NoStore));
        // A second source never decides what the first left open between two.
        assert_eq!(
            told(&["machine-env:STORES", "machine-env:STORE"]),
            Err(ClosedReason::SeveralStores)
        );
        assert_eq!(told(&["guess"]), Err(ClosedReason::Unusable));
        assert_eq!(told(&["hostname:JP"]), Err(ClosedReason::Unusable));
    }
}
