//! Lists: their first rows, or with `--export FILE` all of them in a file.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use warranty_core::contracts::EntryFilter;
use warranty_core::encryption::Customers;
use warranty_core::export::{Exported, List};
use warranty_core::files::Format;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::plans::PlanList;
use warranty_core::{Desk, Error};

use crate::values::whole;
use crate::{Context, Exit, Failure, StopSignal, messages, say, text};

/// The file of an exported list. Its extension decides the format.
#[derive(Debug, Clone)]
pub struct ListFile {
    pub path: PathBuf,
    format: Format,
}

/// How much of a list is shown, or where all of it is written.
#[derive(Debug, Clone, Args)]
pub struct ListOptions {
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>)]
    limit: u32,
    /// Write the whole list to this file, which must not exist yet; its name ends in .csv or .xlsx
    #[arg(long, value_name = "FILE", value_parser = list_file, conflicts_with = "limit")]
    export: Option<ListFile>,
}

pub fn list_file(text: &str) -> Result<ListFile, String> {
    let path = PathBuf::from(text);
    match Format::named(&path) {
        Some(format) => Ok(ListFile { path, format }),
        None => Err("its name must end in .csv or .xlsx".to_owned()),
    }
}

/// Checks in advance that a file can be created.
pub fn try_place(path: &Path) -> Result<(), Failure> {
    private_file::try_place(path).map_err(Failure::write(path))
}

impl Context {
    /// Writes the first rows of a list that `read` gives, or all of it to a file.
    pub async fn list<T: Serialize>(
        &self,
        options: ListOptions,
        all: &List,
        read: impl AsyncFnOnce(&Desk, u32) -> Result<Vec<T>, Error>,
        shown: impl FnOnce(&[T]) -> String,
    ) -> Result<Exit, Failure> {
        let ListOptions { limit, export } = options;
        if let Some(file) = &export {
            return list(self, all, file).await;
        }
        let first = async |desk: &Desk| {
            // One more shows whether these are all.
            let mut rows = read(desk, limit.saturating_add(1)).await?;
            if rows.len() > limit as usize {
                rows.truncate(limit as usize);
                say(text("wdesk.listedFirst", &[("shown", &limit)]));
            }
            Ok(rows)
        };
        self.show(first, |rows| shown(rows)).await
    }
}

/// Writes all rows of a list to a file that must not exist yet.
pub async fn list(context: &Context, list: &List, file: &ListFile) -> Result<Exit, Failure> {
    let ListFile { path, format } = file;
    try_place(path)?;
    // Exports are recorded in the journal where this process may write it.
    context
        .remembering(async |desk: &Desk| {
            let mut stop = StopSignal::new()?;
            // A stopped export leaves no partial file.
            let written = tokio::select! {
                written = desk.exports.list(list, path, *format, Existing::Refuse) => written,
                () = stop.received() => return Err(Failure::stopped()),
            };
            let unread = finish(context, path, written)?.unread_customers;
            if unread > 0 {
                say_unread(desk, list, unread).await?;
            }
            let not_searched = if let List::Entries { filter } = list {
                !all_searched(desk, filter).await?
            } else {
                false
            };
            Ok(Exit::first(&[(unread > 0 || not_searched, Exit::Person)]))
        })
        .await
}

/// Writes a product's plans to a file that must not exist yet.
pub async fn plan_list(
    context: &Context,
    desk: &Desk,
    plan_list: &PlanList,
    ListFile { path, format }: &ListFile,
) -> Result<Exit, Failure> {
    let written = desk
        .exports
        .plan_list(plan_list, path, *format, Existing::Refuse);
    finish(context, path, written.await)?;
    Ok(Exit::Done)
}

fn finish(
    context: &Context,
    file: &Path,
    written: Result<Exported, Error>,
) -> Result<Exported, Failure> {
    let written = written.map_err(Failure::of_file(file))?;
    let path = file.display().to_string();
    let Exported {
        rows,
        unread_customers,
    } = written;
    let document = json!({ "file": path, "rows": rows, "unreadCustomers": unread_customers });
    context.result(&document, || {
        text("wdesk.exported", &[("count", &rows), ("path", &path)]) + "\n"
    })?;
    Ok(written)
}

/// Reports that this many customers, or notes of leads, are empty in the file, and why.
async fn say_unread(desk: &Desk, list: &List, count: u64) -> Result<(), Failure> {
    let key = if matches!(list, List::Leads { .. }) {
        "wdesk.unreadNotes"
    } else {
        "wdesk.unreadCustomers"
    };
    let why = why_unread(desk).await?;
    say(text(key, &[("count", &count), ("why", &why)]));
    Ok(())
}

/// Whether a search went through the names of all customers; says so if not.
pub async fn all_searched(desk: &Desk, filter: &EntryFilter) -> Result<bool, Failure> {
    if filter.text.is_empty() || !desk.contracts.lacks_customers().await {
        return Ok(true);
    }
    let why = why_unread(desk).await?;
    say(text("wdesk.customers.notSearched", &[("why", &why)]));
    Ok(false)
}

async fn why_unread(desk: &Desk) -> Result<String, Failure> {
    Ok(match desk.encryption.state().await? {
        Customers::Readable => text("wdesk.customers.oldKey", &[]),
        customers @ (Customers::Keychain(_) | Customers::KeyLost) => messages::customers(customers),
    })
}
