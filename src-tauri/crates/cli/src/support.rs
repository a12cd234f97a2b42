//! `wdesk support`: the bundle for whoever helps.

use serde_json::json;
use warranty_core::api::ProductReference;
use warranty_core::files::private_file::Existing;
use warranty_core::support::write_bundle_without_desk;
use warranty_core::{Desk, Error};

use crate::args::SupportCommand;
use crate::export::try_place;
use crate::failure::code;
use crate::{Context, Exit, Failure, say, text};

pub async fn run(context: &Context, command: SupportCommand) -> Result<Exit, Failure> {
    let SupportCommand::Bundle {
        out,
        product,
        mask_ids,
    } = command;
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    try_place(&out)?;
    let data_dir = context.data_dir()?;
    let write = async |desk: &Desk| {
        let files = desk.support_files(&data_dir, product, mask_ids).await?;
        desk.write_support_bundle(&files, &out, Existing::Refuse)
            .await?;
        Ok(files)
    };
    let written = match context.reading(write).await {
        Err(Failure::Desk(error @ (Error::Write(_) | Error::UnknownProfile(_)))) => Err(error),
        Err(Failure::Desk(error)) => {
            // Help is needed most when the desk cannot be opened.
            let code = code(&error);
            say(Failure::Desk(error).message());
            write_bundle_without_desk(&data_dir, &code, &out)
        }
        other => Ok(other?),
    };
    let files = written.map_err(Failure::of_file(&out))?;
    let path = out.display().to_string();
    let files: Vec<String> = files.into_iter().map(|file| file.name).collect();
    context.done(&json!({ "file": path, "files": files }), |_| {
        let files = files.join(", ");
        text(
            "wdesk.supportBundled",
            &[("path", &path), ("files", &files)],
        ) + "\n"
    })
}
