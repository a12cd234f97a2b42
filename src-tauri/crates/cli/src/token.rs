//! `wdesk token`: the profile's access token, from standard input to the keychain and never back.

use std::io::{IsTerminal, Read};

use serde::Serialize;
use warranty_core::api::Token;
use warranty_core::profile::TokenState;
use zeroize::Zeroizing;

use crate::args::TokenCommand;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;
use crate::session::Context;

/// Most bytes read from standard input: far more than any token.
const MOST: usize = 64 * 1024;

/// Carries out a `token` command.
///
/// # Errors
/// [`Failure::Token`] when standard input is none; the keychain's and the desk's own.
pub async fn run(context: &Context, command: TokenCommand) -> Result<Exit, Failure> {
    match command {
        TokenCommand::Set => {
            let token = from_stdin()?;
            context
                .changing(async |session| {
                    let profile = session.profile().await?;
                    session.desk.token_set(&profile.id, token).await?;
                    let state = session.desk.token_state(&profile.id).await?;
                    answer(context, profile.name, state)
                })
                .await
        }
        TokenCommand::Status => {
            context
                .reading(async |session| {
                    let profile = session.profile().await?;
                    let state = session.desk.token_state(&profile.id).await?;
                    answer(context, profile.name, state)
                })
                .await
        }
        TokenCommand::Remove => {
            context
                .changing(async |session| {
                    let profile = session.profile().await?;
                    session.desk.token_remove(&profile.id).await?;
                    let state = session.desk.token_state(&profile.id).await?;
                    answer(context, profile.name, state)
                })
                .await
        }
    }
}

#[derive(Debug, Serialize)]
struct Answer {
    profile: String,
    token: TokenState,
}

fn answer(context: &Context, profile: String, token: TokenState) -> Result<Exit, Failure> {
    let answer = Answer { profile, token };
    context.output.result(&answer, || {
        let word = match token {
            TokenState::Present => "a token is kept in the keychain",
            TokenState::Absent => "no token is kept",
            TokenState::OtherServer => {
                "the token that is kept was given for another server and is not used; give it again \
                 with `wdesk token set`"
            }
            TokenState::Unavailable => "the keychain could not be asked",
        };
        format!("{}: {word}\n", crate::table::visible(&answer.profile))
    })?;
    Ok(match token {
        TokenState::Present | TokenState::Absent | TokenState::OtherServer => Exit::Done,
        TokenState::Unavailable => Exit::Unusable,
    })
}

fn from_stdin() -> Result<Token, Failure> {
    let stdin = std::io::stdin();
    // Room for all of it from the start: growing would leave copies behind.
    let mut text = Zeroizing::new(String::with_capacity(MOST));
    if stdin.is_terminal() {
        say("Type or paste the token and press Enter. It can be seen; a pipe or a file hides it.");
        stdin.read_line(&mut text).map_err(Failure::Stdin)?;
    } else {
        stdin
            .lock()
            .take(MOST as u64)
            .read_to_string(&mut text)
            .map_err(Failure::Stdin)?;
    }
    Token::new(&text).map_err(Failure::Token)
}
