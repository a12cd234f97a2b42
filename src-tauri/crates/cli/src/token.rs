//! `wdesk token`: stores the profile's access token from standard input in the keychain. A token is
//! never printed.

use std::io::{IsTerminal, Read};

use serde_json::json;
use warranty_core::Desk;
use warranty_core::api::Token;
use warranty_core::policy;
use warranty_core::profile::{Profile, TokenState, set_managed_token};
use warranty_core::vault::KeychainVault;
use zeroize::Zeroizing;

use crate::args::TokenCommand;
use crate::session::profile;
use crate::table::visible;
use crate::{Context, Exit, Failure, named, say, text};

/// Largest input in bytes, far more than any token.
const MAX_INPUT: usize = 64 * 1024;

pub async fn run(context: &Context, command: TokenCommand) -> Result<Exit, Failure> {
    match command {
        TokenCommand::Set => {
            let token = from_stdin()?;
            if let Some(profile) = set_managed(context, &token).await? {
                return show(context, &profile, TokenState::Present);
            }
            let set = async |desk: &Desk| {
                let profile = profile(desk).await?;
                desk.profiles.set_token(&profile.id, token).await?;
                answer(context, desk, profile).await
            };
            context.changing(set).await
        }
        TokenCommand::Status => {
            let status = async |desk: &Desk| answer(context, desk, profile(desk).await?).await;
            context.reading(status).await
        }
        TokenCommand::Remove => {
            let remove = async |desk: &Desk| {
                let profile = profile(desk).await?;
                desk.profiles.remove_token(&profile.id).await?;
                answer(context, desk, profile).await
            };
            context.changing(remove).await
        }
    }
}

/// Stores it when `--profile` is the key of a managed profile, and returns the profile's name. Without the
/// lock of the data folder: the window may be open.
async fn set_managed(context: &Context, token: &Token) -> Result<Option<String>, Failure> {
    let Some(key) = &context.profile else {
        return Ok(None);
    };
    // One that a person named so is meant before one that the organization calls so.
    let named = context.reading(profile).await.ok();
    let policies = policy::of_this_computer();
    let policy = policy::load(&*policies, &context.data_dir()?, false);
    let named = named.map(|profile| profile.id);
    Ok(set_managed_token(&KeychainVault::new(), &policy, key, named, token).await?)
}

async fn answer(context: &Context, desk: &Desk, profile: Profile) -> Result<Exit, Failure> {
    let token = desk.profiles.token_state(&profile.id).await?;
    show(context, &profile.name, token)
}

fn show(context: &Context, profile: &str, token: TokenState) -> Result<Exit, Failure> {
    context.result(&json!({ "profile": profile, "token": token }), || {
        format!("{}: {}\n", visible(profile), named("wdesk.token", &token))
    })?;
    Ok(match token {
        TokenState::Present | TokenState::Absent | TokenState::OtherServer => Exit::Done,
        TokenState::Unavailable => Exit::Unusable,
    })
}

fn from_stdin() -> Result<Token, Failure> {
    let stdin = std::io::stdin();
    // Allocated at full size, because a reallocation would leave a copy of the token in memory.
    let mut typed = Zeroizing::new(String::with_capacity(MAX_INPUT));
    if stdin.is_terminal() {
        say(text("wdesk.token.typed", &[]));
        stdin
            .read_line(&mut typed)
            .map_err(Failure::because("stdin"))?;
    } else {
        stdin
            .lock()
            .take(MAX_INPUT as u64)
            .read_to_string(&mut typed)
            .map_err(Failure::because("stdin"))?;
    }
    Token::new(&typed).map_err(Failure::because("badToken"))
}
