//! Leads at rest.

use rusqlite::Connection;

/// Leads that were on their way when a process ended become unknown.
pub(crate) fn interrupt_in_flight(connection: &mut Connection) -> Result<(), rusqlite::Error> {
    connection.execute("UPDATE lead SET state = 'unknown' WHERE state = 'inFlight'", [])?;
    Ok(())
}
