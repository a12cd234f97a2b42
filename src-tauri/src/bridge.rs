//! The list of commands and events of the front end.
//!
//! `ui/src/ipc/bindings.ts` is generated from it.

use tauri_specta::{Builder, collect_commands, collect_events};
use warranty_core::files::{RunKind, column_aliases};

use crate::{commands, events};

/// Collects commands, named by their files in `commands`.
macro_rules! by_file {
    ($($file:ident: $($command:ident),+;)+) => {
        collect_commands![$($(commands::$file::$command),+),+]
    };
}

/// Every command and event the front end may use.
pub fn builder() -> Builder<tauri::Wry> {
    Builder::<tauri::Wry>::new()
        .constant("columnAliases", column_aliases::aliases(RunKind::Contracts))
        .commands(by_file! {
            status: status, settings_change, staff_policy_change, staff_enter, encryption_key_renew,
                rescue, rescue_seen;
            profiles: profiles, profile_practise, practice_try_out, profile_connect, profile_change,
                profile_use, profile_remove, token_set, token_remove, connection_test;
            plans: plans_cached, plans_refresh, plans_search, plan_cached, plan_open,
                plan_page_open, plan_link, store_reference_used_by, plans_refresh_all,
                plans_refresh_cancel;
            products: products_list, product_last_known, product_put;
            contracts: contract_check, contracts_check_rows, contract_register, submission,
                contracts_list, contract_lookup, contract_recents;
            days: day;
            drafts: draft_keep, drafts, draft_drop;
            papers: paper, paper_print;
            imports: file_choose, file_look, file_stage, file_reconcile, run_rejected_save;
            leads: lead_create, lead, leads, lead_send_again, lead_cancel, lead_follow_up;
            lists: list_export;
            support: diagnose, policy, support_files, support_save;
            outbox: outbox_case, outbox_resolve, attended;
            runs: sheet_stage, run_check, run_check_stop, run_start, run_pause, run_resume,
                run_cancel, run_answer, sheet_follows, run_forget, runs, run, run_rows;
        })
        .events(collect_events![events::DeskNotice, events::FileDrag])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use specta_typescript::Typescript;

    use super::builder;

    /// The generated TypeScript. Each call writes into its own folder, since tests run in parallel.
    fn typescript() -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bindings.ts");
        builder().export(Typescript::default(), &file).unwrap();
        std::fs::read_to_string(&file).unwrap()
    }

    #[test]
    fn the_generated_typescript_is_up_to_date() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/ipc/bindings.ts");
        let fresh = typescript();
        if std::env::var_os("WRITE_BINDINGS").is_some() {
            std::fs::write(&file, &fresh).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap();
        assert!(
            fresh == committed,
            "the bridge has changed: run `make bindings` and commit the result"
        );
    }

    #[test]
    fn the_page_may_call_the_commands_of_the_bridge_and_no_other() {
        let permissions = include_str!("../permissions/desk.toml");
        let allowed: BTreeSet<&str> = permissions
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
            .collect();
        let script = typescript();
        let offered: BTreeSet<&str> = script
            .split("__TAURI_INVOKE(\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        assert!(!offered.is_empty());
        assert_eq!(allowed, offered);
    }
}
