//! `wdesk policy`: checks a policy before it goes out, and shows what counts here.

use std::path::Path;

use serde::Serialize;
use warranty_core::Desk;
use warranty_core::organization::PolicyReport;
use warranty_core::policy::{PolicyFinding, PolicyProblem, read};

use crate::args::PolicyCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{named, text};
use crate::session::Context;
use crate::table::Table;

/// Carries out a `policy` command.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, command: PolicyCommand) -> Result<Exit, Failure> {
    match command {
        PolicyCommand::Check { file } => check(context, &file),
        PolicyCommand::Show => {
            let report = async |desk: &Desk| Ok(desk.policy().await?);
            context.show(report, report_text).await
        }
    }
}

/// The result of a check.
#[derive(Serialize)]
struct Checked {
    findings: Vec<PolicyFinding>,
}

/// Strict: what a running program ignores is a mistake too.
fn check(context: &Context, file: &Path) -> Result<Exit, Failure> {
    let path = file.display().to_string();
    let findings = match std::fs::read_to_string(file) {
        Ok(policy) => read(&path, &policy).1,
        Err(error) => vec![PolicyFinding {
            source: path.clone(),
            path: String::new(),
            problem: PolicyProblem::Unreadable,
            detail: error.to_string(),
        }],
    };
    let checked = Checked { findings };
    context.output.result(&checked, || {
        if checked.findings.is_empty() {
            text("wdesk.policy.good", &[("path", &path)]) + "\n"
        } else {
            findings_text(&checked.findings)
        }
    })?;
    Ok(if checked.findings.is_empty() {
        Exit::Done
    } else {
        Exit::Unusable
    })
}

fn findings_text(findings: &[PolicyFinding]) -> String {
    let mut table = Table::new(&["source", "value", "problem", "detail"]);
    for finding in findings {
        table.row([
            finding.source.clone(),
            finding.path.clone(),
            named("wdesk.policy.problem", &finding.problem),
            finding.detail.clone(),
        ]);
    }
    table.text()
}

fn report_text(report: &PolicyReport) -> String {
    let mut table = Table::new(&["key", "level", "source", "value", "overruled"]);
    for shown in &report.keys {
        let overruled: Vec<String> = shown
            .overruled
            .iter()
            .map(|other| format!("{} ({})", other.value, other.source))
            .collect();
        table.row([
            shown.key.to_owned(),
            named("wdesk.policy.level", &shown.level),
            shown.source.clone().unwrap_or_default(),
            shown.value.to_string(),
            overruled.join(", "),
        ]);
    }
    let mut told = table.text();
    for (so, key) in [
        (report.is_last_good, "lastGood"),
        (report.is_closed, "closed"),
    ] {
        if so {
            told += &format!("\n{}\n", text(&format!("wdesk.policy.{key}"), &[]));
        }
    }
    for closed in &report.closed_profiles {
        let name = ("name", closed.name.as_str());
        let reason = named("wdesk.policy.reason", &closed.reason);
        let closed = text("wdesk.policy.closedProfile", &[name, ("reason", &reason)]);
        told += &format!("\n{closed}\n");
    }
    if !report.findings.is_empty() {
        told += &format!("\n{}", findings_text(&report.findings));
    }
    told
}
