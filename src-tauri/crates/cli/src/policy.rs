//! `wdesk policy`: checks a policy before it goes out, and shows what counts here.

use std::collections::BTreeMap;
use std::path::Path;

use warranty_core::Desk;
use warranty_core::organization::PolicyReport;
use warranty_core::policy::{PolicyFinding, PolicyProblem, read, text_of};

use crate::args::PolicyCommand;
use crate::blockers::troubles;
use crate::messages::list;
use crate::{Context, Exit, Failure, Table, named, text};

pub async fn run(context: &Context, command: PolicyCommand) -> Result<Exit, Failure> {
    match command {
        PolicyCommand::Check { file } => check(context, &file),
        PolicyCommand::Show => {
            let report = async |desk: &Desk| Ok(desk.policy().await?);
            context.show(report, report_text).await
        }
    }
}

/// Strict: what a running program ignores is a mistake too.
fn check(context: &Context, file: &Path) -> Result<Exit, Failure> {
    let source = file.display().to_string();
    let findings = match text_of(file) {
        Ok(policy) => read(&source, &policy).1,
        Err(error) => vec![PolicyFinding {
            source,
            path: String::new(),
            problem: PolicyProblem::Unreadable,
            detail: error.to_string(),
        }],
    };
    let is_good = findings.is_empty();
    let document = BTreeMap::from([("findings", &findings)]);
    context.result(&document, || match is_good {
        true => text("wdesk.policy.good", &[("path", &file.display())]) + "\n",
        false => findings_text(&findings),
    })?;
    Ok(if is_good { Exit::Done } else { Exit::Unusable })
}

fn findings_text(findings: &[PolicyFinding]) -> String {
    Table::of(findings)
        .column("source", |finding| &finding.source)
        .column("value", |finding| &finding.path)
        .column("problem", |finding| {
            named("wdesk.policy.problem", &finding.problem)
        })
        .column("detail", |finding| &finding.detail)
        .text()
}

/// What cannot be used of a policy, in one line.
pub fn trouble_of(finding: &PolicyFinding) -> String {
    let PolicyFinding { source, path, .. } = finding;
    let problem = named("wdesk.policy.problem", &finding.problem);
    format!("{source} {path}: {problem}")
}

fn report_text(report: &PolicyReport) -> String {
    let mut shown = Table::of(&report.keys)
        .column("key", |key| &key.key)
        .column("level", |key| named("wdesk.policy.level", &key.level))
        .optional("source", |key| key.source.as_ref())
        .optional("value", |key| {
            Some(&key.value).filter(|value| !value.is_null())
        })
        .column("overruled", |key| {
            let others = key.overruled.iter();
            list(others.map(|other| format!("{} ({})", other.value, other.source)))
        })
        .text();
    let (last_good, closed) = (report.is_last_good, report.is_closed);
    for trouble in troubles(last_good, closed, &report.closed_profiles) {
        shown += &format!("\n{trouble}\n");
    }
    for name in &report.moved_profiles {
        shown += &format!("\n{}\n", text("wdesk.policy.moved", &[("name", name)]));
    }
    if !report.findings.is_empty() {
        shown += &format!("\n{}", findings_text(&report.findings));
    }
    shown
}
