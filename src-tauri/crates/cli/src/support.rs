//! `wdesk support`: the bundle for whoever helps.

use serde::Serialize;
use warranty_core::Error;
use warranty_core::api::ProductReference;
use warranty_core::files::WriteError;
use warranty_core::files::private_file::{self, Existing};
use warranty_core::support::write_bundle_without_desk;

use crate::args::SupportCommand;
use crate::exit::Exit;
use crate::failure::{Failure, code};
use crate::messages::text;
use crate::output::say;
use crate::session::Context;

/// The result.
#[derive(Serialize)]
struct Bundled {
    file: String,
    files: Vec<String>,
}

/// Carries out `support`.
///
/// # Errors
/// [`Failure::Export`] when the file cannot be written; errors of the core.
pub async fn run(context: &Context, command: SupportCommand) -> Result<Exit, Failure> {
    let SupportCommand::Bundle {
        out,
        product,
        mask_ids,
    } = command;
    let product = product.map(ProductReference::new).transpose();
    let product = product.map_err(Failure::id("--product"))?;
    let failure = |source| Failure::Export {
        path: out.clone(),
        source,
    };
    private_file::try_place(&out).map_err(|error| failure(WriteError::Io(error)))?;
    let written = context
        .reading(async |session| {
            let desk = &session.desk;
            let files = desk.support_files(&session.data_dir, product, mask_ids);
            let files = files.await?;
            desk.write_support_bundle(&files, &out, Existing::Refuse)
                .await?;
            Ok(files)
        })
        .await;
    let written = match written {
        Err(Failure::Desk(error)) if !matches!(error, Error::Write(_)) => {
            // Help is needed most when the desk cannot be opened.
            let code = code(&error);
            say(Failure::Desk(error).message());
            write_bundle_without_desk(&context.data_dir()?, &code, &out)
        }
        Err(Failure::Desk(error)) => Err(error),
        other => Ok(other?),
    };
    let files = match written {
        Err(Error::Write(source)) => return Err(failure(source)),
        written => written?.into_iter().map(|file| file.name).collect(),
    };
    let file = out.display().to_string();
    context.output.done(&Bundled { file, files }, |bundled| {
        let files = bundled.files.join("\n  ");
        let values = [("path", &*bundled.file), ("files", &*files)];
        text("wdesk.supportBundled", &values) + "\n"
    })
}
