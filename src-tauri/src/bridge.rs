//! The list of commands and events of the front end.
//!
//! `ui/src/ipc/bindings.ts` is generated from it.

use tauri_specta::{Builder, collect_commands, collect_events};
use warranty_core::files::{RunKind, column_aliases};

use crate::{commands, events};

/// Every command and event the front end may use.
pub fn builder() -> Builder<tauri::Wry> {
    Builder::<tauri::Wry>::new()
        .constant("columnAliases", column_aliases::aliases(RunKind::Contracts))
        .commands(collect_commands![
            commands::status::status,
            commands::status::settings_change,
            commands::status::staff_policy_change,
            commands::status::staff_enter,
            commands::status::encryption_key_renew,
            commands::status::rescue,
            commands::status::rescue_seen,
            commands::profiles::profiles,
            commands::profiles::profile_practise,
            commands::profiles::practice_try_out,
            commands::profiles::profile_connect,
            commands::profiles::profile_change,
            commands::profiles::profile_use,
            commands::profiles::profile_add_warnings,
            commands::profiles::profile_remove,
            commands::profiles::profile_remove_warnings,
            commands::profiles::token_set,
            commands::profiles::token_remove,
            commands::profiles::connection_test,
            commands::plans::plans_cached,
            commands::plans::plans_refresh,
            commands::plans::plans_search,
            commands::plans::plan_cached,
            commands::plans::plan_open,
            commands::plans::plan_page_open,
            commands::plans::plan_link,
            commands::plans::store_reference_used_by,
            commands::plans::plans_refresh_all,
            commands::plans::plans_refresh_cancel,
            commands::products::products,
            commands::products::products_list,
            commands::products::product_last_known,
            commands::products::product_put,
            commands::contracts::contract_check,
            commands::contracts::contracts_check_rows,
            commands::contracts::contract_register,
            commands::contracts::submission,
            commands::contracts::submissions,
            commands::contracts::contracts_list,
            commands::contracts::contract_lookup,
            commands::contracts::contract_recents,
            commands::days::day,
            commands::drafts::draft_keep,
            commands::drafts::drafts,
            commands::drafts::draft_drop,
            commands::papers::paper,
            commands::papers::paper_print,
            commands::papers::paper_save,
            commands::imports::file_choose,
            commands::imports::file_look,
            commands::imports::file_stage,
            commands::imports::file_reconcile,
            commands::imports::run_rejected_save,
            commands::leads::lead_create,
            commands::leads::leads,
            commands::leads::lead_send_again,
            commands::leads::lead_cancel,
            commands::leads::lead_follow_up,
            commands::leads::lead_token,
            commands::leads::lead_token_shown,
            commands::lists::list_export,
            commands::support::diagnose,
            commands::support::policy,
            commands::support::support_files,
            commands::support::support_save,
            commands::outbox::outbox_case,
            commands::outbox::outbox_resolve,
            commands::outbox::attended,
            commands::runs::sheet_stage,
            commands::runs::run_check,
            commands::runs::run_check_stop,
            commands::runs::run_start,
            commands::runs::run_pause,
            commands::runs::run_resume,
            commands::runs::run_cancel,
            commands::runs::run_answer,
            commands::runs::sheet_follows,
            commands::runs::run_forget,
            commands::runs::runs,
            commands::runs::run,
            commands::runs::run_rows,
        ])
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
