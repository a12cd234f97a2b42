//! `wdesk settings`: shows and changes the settings.

use warranty_core::settings::{Settings, USUAL_RETENTION_DAYS};

use crate::args::SettingsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages;
use crate::session::Context;
use crate::table::KeyValues;

/// Changes the given settings and shows all of them.
///
/// # Errors
/// Errors of the core.
pub async fn run(context: &Context, arguments: SettingsArgs) -> Result<Exit, Failure> {
    let Some(days) = arguments.retention_days else {
        return context
            .reading(async |session| show(context, &session.desk.settings().await?))
            .await;
    };
    context
        .changing(async |session| {
            let settings = Settings {
                retention_days: Some(days),
                ..session.desk.settings().await?
            };
            session.desk.settings_change(settings.clone()).await?;
            show(context, &settings)
        })
        .await
}

fn show(context: &Context, settings: &Settings) -> Result<Exit, Failure> {
    context.output.result(settings, || {
        let days = settings.retention_days.unwrap_or(USUAL_RETENTION_DAYS);
        let mut fields = KeyValues::default();
        fields
            .optional("language", settings.language.as_ref().map(messages::name))
            .optional("theme", settings.theme.as_ref().map(messages::name))
            .line("retentionDays", days.to_string());
        fields.text()
    })?;
    Ok(Exit::Done)
}
