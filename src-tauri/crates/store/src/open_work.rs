//! What of a profile is not finished, counted over every table in which something can wait.

use super::runs::OPEN_FILES;
use crate::{Result, Store, submissions};
use warranty_model::overview::OpenWork;

impl Store {
    /// How many sales and leads of all live profiles are not sent, or not known to be; rows of a
    /// job that are no entries yet count too.
    pub async fn unsent(&self) -> Result<u32> {
        self.value(
            "SELECT (SELECT COUNT(*) FROM submission s JOIN profile p ON p.id = s.profile_id
                     WHERE p.kind = 'live'
                     AND s.state IN ('draft', 'queued', 'inFlight', 'held', 'unknown'))
                 + (SELECT COUNT(*) FROM lead l JOIN profile p ON p.id = l.profile_id
                     WHERE p.kind = 'live' AND l.state IN ('queued', 'inFlight'))
                 + (SELECT COALESCE(SUM(MAX(
                         r.rows - r.entered - r.already_entered - r.rejected, 0)), 0)
                     FROM run r JOIN profile p ON p.id = r.profile_id
                     WHERE p.kind = 'live' AND r.kind = 'contracts'
                     AND r.state IN ('running', 'paused'))",
            [],
        )
        .await
    }

    /// The counts of a profile, without its drafts.
    pub async fn open_work(&self, profile_id: &str) -> Result<OpenWork> {
        self.call_for(profile_id, |connection, profile_id| {
            let outbox = submissions::summary(connection, profile_id)?;
            connection
                .prepare_cached(&format!(
                    "SELECT
                         (SELECT COALESCE(SUM(CASE
                                     WHEN state = 'staged' THEN rows
                                     WHEN state IN ('running', 'paused')
                                         THEN MAX(rows - entered - already_entered - back, 0)
                                             + (SELECT COALESCE(SUM(b.size), 0) FROM batch b
                                                 WHERE b.profile_id = ?1 AND b.state IN ('queued', 'held')
                                                 AND b.run = r.number AND r.state = 'paused')
                                     WHEN state = 'done' THEN rejected - back
                                     WHEN rejected_taken THEN 0
                                     ELSE rows - entered - already_entered
                                         + (SELECT COUNT(*) FROM submission s
                                             WHERE s.run = r.number AND s.state = 'cancelled'
                                             AND s.resolved_with IS NULL) END), 0)
                             FROM (SELECT *, rejected * rejected_taken AS back FROM run
                                 WHERE profile_id = ?1 AND source = 'sheet' AND hidden = 0
                                 AND (whole = 1 OR state <> 'staged')) r),
                         (SELECT COUNT(*) {OPEN_FILES}),
                         (SELECT COUNT(*) FROM lead WHERE profile_id = ?1
                             AND state IN ('queued', 'inFlight')),
                         (SELECT COUNT(*) FROM lead WHERE profile_id = ?1 AND state = 'unknown'),
                         (SELECT COUNT(*) FROM lead WHERE profile_id = ?1 AND state = 'rejected')"
                ))?
                .query_row([profile_id], |row| {
                    Ok(OpenWork {
                        outbox,
                        sheet_rows: row.get(0)?,
                        runs: row.get(1)?,
                        leads_waiting: row.get(2)?,
                        leads_unanswered: row.get(3)?,
                        leads_rejected: row.get(4)?,
                        ..OpenWork::default()
                    })
                })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use warranty_model::bulk::Runs;

    use crate::test_fixtures;

    #[tokio::test]
    async fn rows_of_a_sheet_wait_until_they_are_entered_or_a_person_has_them_back() {
        // Of ten rows one is entered, and two are rejected.
        for (state, whole, taken, open) in [
            ("staged", 0, 0, 0),
            ("staged", 1, 0, 10),
            ("running", 1, 0, 9),
            ("running", 1, 1, 7),
            ("paused", 1, 1, 7),
            ("done", 1, 0, 2),
            ("done", 1, 1, 0),
            ("cancelled", 1, 0, 9),
            ("cancelled", 1, 1, 0),
        ] {
            let (_folder, store) = test_fixtures::store().await;
            let run = format!(
                "source = 'sheet', state = '{state}', rows = 10, entered = 1, rejected = 2,
                 rejected_taken = {taken}, whole = {whole}"
            );
            test_fixtures::inserted(&store, "run", run).await;
            let work = store.open_work("profile").await.unwrap();
            assert_eq!(work.sheet_rows, open, "{state} {whole} {taken}");
        }
    }

    #[tokio::test]
    async fn entered_rows_of_a_sheet_that_is_paused_before_they_are_sent_wait_on_the_sheet() {
        let (_folder, store) = test_fixtures::store().await;
        for (number, ids) in [(1, ["sent"]), (2, ["queued"]), (3, ["corrected"])] {
            test_fixtures::frozen(&store, test_fixtures::freeze(number, &ids)).await;
        }
        let of_sheet = "source = 'sheet', rows = 3, entered = 3, whole = 1";
        let run = test_fixtures::inserted(&store, "run", of_sheet).await;
        // The batch of a corrected row is of no run, so nothing keeps it back.
        for of_run in [
            "UPDATE submission SET run = ?1",
            "UPDATE batch SET run = ?1, state = CASE id WHEN '1' THEN 'accepted' ELSE state END
                 WHERE id <> '3'",
        ] {
            store.change(of_run, [run]).await.unwrap();
        }
        for (state, open) in [("done", 0), ("paused", 1)] {
            let turn = "UPDATE run SET state = ?1";
            store.change(turn, [state]).await.unwrap();
            let work = store.open_work("profile").await.unwrap();
            assert_eq!((work.sheet_rows, work.runs), (open, 0), "{state}");
        }
    }

    #[tokio::test]
    async fn an_import_is_unfinished_while_nobody_has_its_rejected_rows_also_once_it_is_cancelled()
    {
        for (state, taken, hidden, open) in [
            ("done", 0, 0, 1),
            ("cancelled", 0, 0, 1),
            ("cancelled", 1, 0, 0),
            ("cancelled", 0, 1, 0),
        ] {
            let (_folder, store) = test_fixtures::store().await;
            let run = format!(
                "state = '{state}', rows = 10, rejected = 2, rejected_taken = {taken},
                 hidden = {hidden}, whole = 1"
            );
            test_fixtures::inserted(&store, "run", run).await;
            let work = store.open_work("profile").await.unwrap();
            assert_eq!(work.runs, open, "{state} {taken} {hidden}");
        }
    }

    #[tokio::test]
    async fn imports_that_are_unfinished_are_all_listed_before_the_newer_ones() {
        let (_folder, store) = test_fixtures::store().await;
        for (id, run) in [
            ("paused", "state = 'paused'"),
            ("to correct", "state = 'done', rejected = 2"),
            ("of the sheet", "state = 'running', source = 'sheet'"),
            ("done", "state = 'done'"),
        ] {
            let run = format!("id = '{id}', rows = 10, whole = 1, {run}");
            test_fixtures::inserted(&store, "run", run).await;
        }
        for (limit, listed) in [
            (1, "to correct, paused"),
            (3, "to correct, paused, done"),
            (9, "to correct, paused, done, of the sheet"),
        ] {
            let runs = store.runs("profile", Runs::Latest(limit)).await.unwrap();
            let ids: Vec<&str> = runs.iter().map(|run| run.view.id.as_str()).collect();
            assert_eq!(ids.join(", "), listed, "{limit}");
        }
    }

    #[tokio::test]
    async fn a_sheet_has_all_rows_back_of_runs_that_it_does_not_name_and_of_others_what_it_says() {
        let (_folder, store) = test_fixtures::store().await;
        let runs = [
            ("named", "done"),
            ("left", "done"),
            ("never begun", "staged"),
        ];
        for (id, state) in runs {
            let run = format!(
                "id = '{id}', source = 'sheet', state = '{state}', rows = 10, rejected = 2, whole = 1"
            );
            test_fixtures::inserted(&store, "run", run).await;
        }
        let open = async || store.open_work("profile").await.unwrap().sheet_rows;
        assert_eq!(open().await, 14);
        for (back, left) in [(None, 2), (Some(1), 2), (Some(2), 0)] {
            let named = vec![("named".to_owned(), back)];
            store.note_sheet_runs("profile", named).await.unwrap();
            assert_eq!(open().await, left, "{back:?}");
        }
        assert!(store.run("never begun").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn rows_of_a_job_that_are_no_entries_yet_are_not_sent_either() {
        for (state, unsent) in [("running", 8), ("paused", 8), ("staged", 1), ("done", 1)] {
            let (_folder, store) = test_fixtures::store().await;
            test_fixtures::frozen(&store, test_fixtures::freeze(1, &["one"])).await;
            let run = format!("state = '{state}', rows = 10, entered = 1, rejected = 2");
            test_fixtures::inserted(&store, "run", run).await;
            assert_eq!(store.unsent().await.unwrap(), unsent, "{state}");
        }
    }
}
