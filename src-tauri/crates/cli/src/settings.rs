//! `wdesk settings`: shows and changes the settings.

use warranty_core::Desk;
use warranty_core::settings::{Settings, USUAL_RETENTION_DAYS};

use crate::messages::name;
use crate::{Context, Exit, Failure, KeyValues};

pub async fn run(context: &Context, retention_days: Option<u32>) -> Result<Exit, Failure> {
    let Some(days) = retention_days else {
        return context
            .show(async |desk| Ok(desk.settings().await?), shown)
            .await;
    };
    let change = async |desk: &Desk| {
        let settings = Settings {
            retention_days: Some(days),
            ..desk.settings().await?
        };
        desk.settings_change(settings.clone()).await?;
        context.done(&settings, shown)
    };
    context.changing(change).await
}

fn shown(settings: &Settings) -> String {
    let mut fields = KeyValues::default();
    fields
        .optional("language", settings.language.as_ref().map(name))
        .optional("theme", settings.theme.as_ref().map(name))
        .line(
            "retentionDays",
            settings.retention_days.unwrap_or(USUAL_RETENTION_DAYS),
        );
    fields.text()
}
