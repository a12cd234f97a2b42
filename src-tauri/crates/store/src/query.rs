//! Statements: planned once for each connection, and their rows read by a function.
//!
//! Owns how a statement is run and what it gives. Names no table.

use rusqlite::types::FromSql;
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Params, Row};

use crate::{Result, Store};

/// What SQLite gave, or why it did not.
pub(crate) type Read<T> = Result<T, rusqlite::Error>;

/// The ways to run one statement.
pub(crate) trait Query {
    /// A statement, planned now or before.
    fn planned(&self, sql: &str) -> Read<CachedStatement<'_>>;

    /// Every row found, in the order of the statement.
    fn list<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.planned(sql)?.query_map(values, read)?.collect()
    }

    /// Calls a function with every row up to the first that cannot be read.
    fn each(&self, sql: &str, values: impl Params, mut take: impl FnMut(&Row<'_>)) {
        if let Ok(mut statement) = self.planned(sql)
            && let Ok(mut rows) = statement.query(values)
        {
            while let Ok(Some(row)) = rows.next() {
                take(row);
            }
        }
    }

    /// The first row found, if there is one.
    fn find<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> Read<T>,
    ) -> Read<Option<T>> {
        self.planned(sql)?.query_row(values, read).optional()
    }

    /// The one value of a statement that always gives a row: a count, or whether something is there.
    fn value<T: FromSql>(&self, sql: &str, values: impl Params) -> Read<T> {
        self.planned(sql)?.query_row(values, |row| row.get(0))
    }

    /// Changes rows; how many.
    fn change(&self, sql: &str, values: impl Params) -> Read<usize> {
        self.planned(sql)?.execute(values)
    }
}

impl Query for Connection {
    fn planned(&self, sql: &str) -> Read<CachedStatement<'_>> {
        self.prepare_cached(sql)
    }
}

/// The same for a method that runs a single statement. That their futures are `Send` is said here:
/// where they are used, the compiler does not find it out for every lifetime.
impl Store {
    pub(crate) fn list<T: Send + 'static>(
        &self,
        sql: impl AsRef<str> + Send + 'static,
        values: impl Params + Send + 'static,
        read: impl FnMut(&Row<'_>) -> Read<T> + Send + 'static,
    ) -> impl Future<Output = Result<Vec<T>>> + Send {
        self.call(move |connection| connection.list(sql.as_ref(), values, read))
    }

    pub(crate) fn find<T: Send + 'static>(
        &self,
        sql: impl AsRef<str> + Send + 'static,
        values: impl Params + Send + 'static,
        read: impl FnOnce(&Row<'_>) -> Read<T> + Send + 'static,
    ) -> impl Future<Output = Result<Option<T>>> + Send {
        self.call(move |connection| connection.find(sql.as_ref(), values, read))
    }

    pub(crate) fn change(
        &self,
        sql: &'static str,
        values: impl Params + Send + 'static,
    ) -> impl Future<Output = Result<usize>> + Send {
        self.write(move |transaction| transaction.change(sql, values))
    }

    pub(crate) fn value<T: FromSql + Send + 'static>(
        &self,
        sql: impl AsRef<str> + Send + 'static,
        values: impl Params + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send {
        self.call(move |connection| connection.value(sql.as_ref(), values))
    }
}
