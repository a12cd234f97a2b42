//! The statements that keep the searched texts of plans in step with the cache.

use rusqlite::Connection;

use super::search_index::{Kinds, ProductPlans, SearchIndex};
use crate::query::{Query as _, Read};

/// Products read ahead at once: a search waits for them.
const READ_AHEAD: usize = 20;

#[derive(Debug, Default)]
pub(super) struct LastSearched {
    profile_id: String,
    /// What SQLite says of changes that came from other connections; `None` before the first search.
    version: Option<i64>,
    pub(super) index: SearchIndex,
}

/// Numbers of the first plans that contain all of these normalised words, by product and id.
pub(super) fn numbers(
    connection: &Connection,
    last: &mut LastSearched,
    profile_id: &str,
    words: &[String],
    limit: usize,
) -> Read<Vec<i64>> {
    last.follow(connection, profile_id)?;
    last.index.find(words, limit, |reference, kinds| {
        product_plans(connection, profile_id, reference, kinds)
    })
}

/// Reads the next products that no search of the profile searched last has reached yet; `false` when
/// there were none.
pub(super) fn read_ahead(
    connection: &Connection,
    last: &mut LastSearched,
    profile_id: &str,
) -> Read<bool> {
    // What was written since the last search, the next one finds out.
    if last.profile_id != profile_id {
        return Ok(false);
    }
    last.index.read_ahead(READ_AHEAD, |reference, kinds| {
        product_plans(connection, profile_id, reference, kinds)
    })
}

impl LastSearched {
    /// Takes note of what changed since the last search.
    fn follow(&mut self, connection: &Connection, profile_id: &str) -> Read<()> {
        // Asked first: a change that comes after is seen by the next search.
        let version = connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        let touched = references(connection, "SELECT product_reference FROM touched", [])?;
        let changed = !touched.is_empty();
        let known = self.version == Some(version) && self.profile_id == profile_id;
        if !known || (changed && self.index.is_littered()) {
            *self = Self {
                profile_id: profile_id.to_owned(),
                version: Some(version),
                index: SearchIndex::of(references(
                    connection,
                    "SELECT DISTINCT product_reference FROM plan WHERE profile_id = ?1",
                    [profile_id],
                )?),
            };
        } else {
            for reference in touched {
                self.index.touch(reference);
            }
        }
        if changed {
            connection.execute("DELETE FROM touched", [])?;
        }
        Ok(())
    }
}

/// References of products; an empty one means none.
fn references(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Read<Vec<String>> {
    connection.list(sql, values, |row| {
        let reference: Option<String> = row.get(0)?;
        Ok(reference.unwrap_or_default())
    })
}

fn product_plans(
    connection: &Connection,
    profile_id: &str,
    reference: &str,
    kinds: &mut Kinds,
) -> Read<ProductPlans> {
    let title: Option<String> = connection
        .find(
            "SELECT title FROM product WHERE profile_id = ?1 AND reference_id = ?2",
            [profile_id, reference],
            |row| row.get(0),
        )?
        .flatten();
    let mut product_plans = ProductPlans::new(reference, title.as_deref());
    // The plus sign keeps SQLite from going through all plans by their ids to have them in order.
    let mut plans = connection.prepare_cached(
        "SELECT number, id, store_reference_id, title, service_type, protection_type FROM plan
         WHERE profile_id = ?1 AND product_reference IS nullif(?2, '') ORDER BY +id",
    )?;
    let mut plans = plans.query([profile_id, reference])?;
    while let Some(plan) = plans.next()? {
        let text =
            |column: usize| Ok::<_, rusqlite::Error>(plan.get_ref(column)?.as_str_or_null()?);
        let (own, kind) = ([text(1)?, text(2)?], [text(3)?, text(4)?, text(5)?]);
        product_plans.put(plan.get(0)?, own, kind, kinds);
    }
    product_plans.shrink();
    Ok(product_plans)
}
