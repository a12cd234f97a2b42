//! `wdesk token`: stores the profile's access token from standard input in the keychain. A token is
//! never printed.

use std::io::{IsTerminal, Read};

use serde::Serialize;
use warranty_core::Desk;
use warranty_core::api::Token;
use warranty_core::policy;
use warranty_core::profile::{Profile, TokenState, set_managed_token};
use warranty_core::vault::KeychainVault;
use zeroize::Zeroizing;

use crate::args::TokenCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::messages::{named, text};
use crate::output::say;
use crate::session::Context;

/// Largest input in bytes, far more than any token.
const MAX_INPUT: usize = 64 * 1024;

/// Carries out a `token` command.
///
/// # Errors
/// [`Failure::Token`] when standard input is not a token; errors of the core.
pub async fn run(context: &Context, command: TokenCommand) -> Result<Exit, Failure> {
    match command {
        TokenCommand::Set => {
            let token = from_stdin()?;
            if let Some(profile) = set_managed(context, &token).await? {
                let token = TokenState::Present;
                return told(context, &Answer { profile, token });
            }
            context
                .changing(async |session| {
                    let profile = session.profile().await?;
                    session.desk.profiles.set_token(&profile.id, token).await?;
                    answer(context, &session.desk, profile).await
                })
                .await
        }
        TokenCommand::Status => {
            context
                .reading(async |session| {
                    answer(context, &session.desk, session.profile().await?).await
                })
                .await
        }
        TokenCommand::Remove => {
            context
                .changing(async |session| {
                    let profile = session.profile().await?;
                    session.desk.profiles.remove_token(&profile.id).await?;
                    answer(context, &session.desk, profile).await
                })
                .await
        }
    }
}

/// Stores it when `--profile` is the key of a managed profile, and returns the profile's name. Without the
/// lock of the data folder: the window may be open.
async fn set_managed(context: &Context, token: &Token) -> Result<Option<String>, Failure> {
    let Some(key) = context.named_profile() else {
        return Ok(None);
    };
    let policies = policy::of_this_computer();
    let policy = policy::load(&*policies, &context.data_dir()?, false);
    Ok(set_managed_token(&KeychainVault::new(), &policy, key, token).await?)
}

#[derive(Debug, Serialize)]
struct Answer {
    profile: String,
    token: TokenState,
}

async fn answer(context: &Context, desk: &Desk, profile: Profile) -> Result<Exit, Failure> {
    let token = desk.profiles.token_state(&profile.id).await?;
    let profile = profile.name;
    told(context, &Answer { profile, token })
}

fn told(context: &Context, answer: &Answer) -> Result<Exit, Failure> {
    context.output.result(answer, || {
        let profile = crate::table::visible(&answer.profile);
        format!("{profile}: {}\n", named("wdesk.token", &answer.token))
    })?;
    Ok(match answer.token {
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
        stdin.read_line(&mut typed).map_err(Failure::Stdin)?;
    } else {
        stdin
            .lock()
            .take(MAX_INPUT as u64)
            .read_to_string(&mut typed)
            .map_err(Failure::Stdin)?;
    }
    Token::new(&typed).map_err(Failure::Token)
}
