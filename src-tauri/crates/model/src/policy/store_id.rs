//! Tells which store a computer belongs to, from the sources that a policy names.

use serde::Serialize;

use super::{ManagedProfile, PolicyFinding, PolicyProblem};

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

/// The stores that a source names; `None` for a source of an unknown form.
fn answers(
    source: &str,
    computer: &dyn Computer,
    host: &str,
) -> Result<Option<Vec<String>>, PolicyFinding> {
    let Some((kind, rest)) = source.split_once(':') else {
        return Ok(None);
    };
    Ok(match kind {
        _ if rest.is_empty() => None,
        "machine-env" => {
            let value = computer.variable(rest)?.unwrap_or_default();
            Some(value.split(',').map(|one| one.trim().to_owned()).collect())
        }
        "hostname" => in_host(rest, host).map(|found| found.into_iter().collect()),
        "table" if rest.contains(['/', '\\']) || matches!(rest, "." | "..") => None,
        "table" => match computer.table(rest)? {
            None => Some(Vec::new()),
            Some(table) => Some(in_table(&table, host).ok_or_else(|| PolicyFinding {
                source: rest.to_owned(),
                path: String::new(),
                problem: PolicyProblem::WrongValue,
                detail: "not `host,store` and lines of these two, without quotes".to_owned(),
            })?),
        },
        _ => None,
    })
}

/// The stores of a host in a table; `None` for one of another form, in which the host could be missed.
fn in_table(table: &str, host: &str) -> Option<Vec<String>> {
    // Excel puts a mark before the first line.
    let table = table.strip_prefix('\u{feff}').unwrap_or(table);
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let mut rows = lines.map(|line| {
        let (name, store) = line.split_once(',')?;
        let is_row = !line.contains('"') && !store.contains(',');
        is_row.then(|| (name.trim(), store.trim()))
    });
    let (name, store) = rows.next()??;
    if !name.eq_ignore_ascii_case("host") || !store.eq_ignore_ascii_case("store") {
        return None;
    }
    let mut found = Vec::new();
    for row in rows {
        let (name, store) = row?;
        if name.eq_ignore_ascii_case(host) {
            found.push(store.to_owned());
        }
    }
    Some(found)
}

/// The part of a host's name that stands at `{store:N}`, N characters, in a pattern whose `*` at the
/// end stands for any rest. `Some(None)` when the name does not fit, `None` for no pattern, or one that no
/// name could fit.
fn in_host(pattern: &str, host: &str) -> Option<Option<String>> {
    let (before, rest) = pattern.split_once("{store:")?;
    let (length, after) = rest.split_once('}')?;
    let length: usize = length.parse().ok().filter(|length| *length > 0)?;
    let end = after.strip_suffix('*');
    let is_name = |part: &str| !part.contains(['*', '{', '}']);
    if !is_name(before) || !is_name(end.unwrap_or(after)) {
        return None;
    }
    let fits = || {
        let rest = strip_ignoring_case(host, before)?;
        let store: String = rest.chars().take(length).collect();
        let tail = rest.strip_prefix(store.as_str())?;
        let fits = match end {
            Some(end) => strip_ignoring_case(tail, end).is_some(),
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
                "excel.csv" => "\u{feff}Host, Store\r\njp-0042-till1,s-42\r\n\r\n",
                "named.csv" => "host,store\njp-0042-till1,s-42,Shinjuku",
                "elsewhere.csv" => "host,store\njp-0043-till1,s-43,Shibuya",
                "quoted.csv" => "host,store\n\"jp-0042-till1\",\"s-42\"",
                "reversed.csv" => "store,host\ns-42,jp-0042-till1",
                "bare.csv" => "jp-0042-till1,s-42",
                "semicolons.csv" => "host;store\njp-0042-till1;s-42",
                "tabs.csv" => "host\tstore\njp-0042-till1\ts-42",
                "mixed.csv" => "host,store\njp-0042-till1;s-42",
                "empty.csv" => "",
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
    fn a_table_of_another_form_names_no_store_and_lets_no_later_source_decide() {
        for table in [
            "named",
            "elsewhere",
            "quoted",
            "reversed",
            "bare",
            "semicolons",
            "tabs",
            "mixed",
            "empty",
        ] {
            let source = format!("table:{table}.csv");
            let told = told(&[&source, "machine-env:STORE"]);
            assert_eq!(told, Err(ClosedReason::Unusable), "{table}");
        }
        assert_eq!(told(&["table:excel.csv"]), Ok("s-42".to_owned()));
    }

    #[test]
    fn the_first_source_that_answers_names_exactly_one_store() {
        use ClosedReason::{NoStore, SeveralStores, Unusable};

        for (sources, expected) in [
            (&["machine-env:STORE"][..], Ok("0042")),
            (&["machine-env:NONE", "hostname:JP-{store:4}-*"], Ok("0042")),
            (&["hostname:JP-{store:4}-till1"], Ok("0042")),
            (&["hostname:XX-{store:4}-*", "table:stores.csv"], Ok("s-42")),
            (&["hostname:JP-{store:40}*"], Err(NoStore)),
            (&["hostname:JP-{store:4}"], Err(NoStore)),
            (&["table:other.csv"], Err(NoStore)),
            // A second source never decides what the first left open between two.
            (
                &["machine-env:STORES", "machine-env:STORE"],
                Err(SeveralStores),
            ),
            (&["guess"], Err(Unusable)),
            (&["hostname:JP"], Err(Unusable)),
            // No name of a computer has a star, and no store an id without a character.
            (&["hostname:*-{store:4}-till1"], Err(Unusable)),
            (&["hostname:JP-{store:4}-*1"], Err(Unusable)),
            (&["hostname:JP-{store:4}**"], Err(Unusable)),
            (&["hostname:JP-{store:4}-{store:5}"], Err(Unusable)),
            (&["hostname:JP-{store:0}*"], Err(Unusable)),
            (&["table:/etc/stores.csv"], Err(Unusable)),
            (&[r"table:C:\stores.csv"], Err(Unusable)),
            (&["table:.."], Err(Unusable)),
            (&["table:"], Err(Unusable)),
            (&["machine-env:"], Err(Unusable)),
        ] {
            let expected = expected.map(str::to_owned);
            assert_eq!(told(sources), expected, "{sources:?}");
        }
    }
}
