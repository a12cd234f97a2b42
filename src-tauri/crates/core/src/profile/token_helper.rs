//! The program that prints the token of the logged-in user, where a policy names one.
//!
//! Owns when it runs: when no token is stored, and after a refusal; in one process and for each profile
//! at most once an hour, or sooner while it gives none.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::Command;
use warranty_api::{BaseUrl, Token};
use warranty_model::outbox::Blocker;
use warranty_runtime::work::lock;
use zeroize::Zeroizing;

use super::connection::{address_of, web_address};
use super::token::bind;
use super::{Profile, Profiles};
use crate::Result;

/// Why it gave no token; never with what it printed.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The program has so long.
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_BYTES: usize = 64 * 1024;
/// Of Windows: a program of the console opens no window.
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;
/// It runs at most once in so long, and up to a quarter more.
const AGAIN_AFTER: Duration = Duration::from_secs(3_600);
/// The same after it gave no token, twice as long after each further time: the network of a computer that was
/// just switched on may come later.
const AGAIN_AFTER_FAILURE: Duration = Duration::from_secs(60);

impl Profiles {
    /// A live profile's token: the stored one, or, while there is none or the service refused it, what
    /// the helper prints.
    pub(super) async fn token_or_help(
        &self,
        profile: &Profile,
        base_url: &BaseUrl,
    ) -> Result<Option<Token>> {
        let stored = self.token_for(&profile.id, base_url).await?;
        if stored.is_some() && !self.overviews.token_refused(&profile.id) {
            return Ok(stored);
        }
        Ok(self.helped(profile, base_url, stored).await)
    }

    /// Asks the helper for another token after the stored one was refused; it is used from then on.
    pub(crate) async fn help_after_refusal(&self, profile: &Profile) -> Result<()> {
        if self.helper_of(profile).is_some() {
            let base_url = address_of(profile)?;
            let stored = self.token_for(&profile.id, &base_url).await?;
            self.helped(profile, &base_url, stored).await;
        }
        Ok(())
    }

    /// Asks the helper of the chosen profile when this process saw its token refused.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store); [`Error::Vault`](crate::Error::Vault).
    pub async fn help_if_refused(&self) -> Result<()> {
        match self.current().await? {
            Some(profile) if self.overviews.token_refused(&profile.id) => {
                self.help_after_refusal(&profile).await
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Lets the helper of a profile, if any, give its first token before something is to be sent.
    pub(crate) async fn help_at_first_need(&self, profile: &Profile) {
        if self.helper_of(profile).is_some()
            && let Ok(base_url) = address_of(profile)
        {
            // What keeps the token away is shown where it is needed.
            let _ = self.token_or_help(profile, &base_url).await;
        }
    }

    /// What the helper prints, used from then on; otherwise the stored token.
    async fn helped(
        &self,
        profile: &Profile,
        base_url: &BaseUrl,
        stored: Option<Token>,
    ) -> Option<Token> {
        if stored.is_none() {
            // Its end tells the window that there is a token.
            let missing = Some(Blocker::NoToken);
            self.overviews.set_blocker(&profile.id, missing);
        }
        let Some(token) = self.ask_helper(profile, base_url).await else {
            return stored;
        };
        if stored.is_none_or(|stored| stored.expose() != token.expose()) {
            self.token_changed(&profile.id);
        }
        Some(token)
    }

    /// The helper that the policy names for a profile; `None` while the policy has the profile at
    /// another server than it sends to: the token would be for that one.
    fn helper_of(&self, profile: &Profile) -> Option<String> {
        let managed = self.context.managed_profiles();
        let managed = managed.into_iter().find(|one| one.id() == profile.id)?;
        let wanted = web_address(&managed.base_url).ok()?.origin();
        let moved = address_of(profile).ok()?.origin() != wanted;
        managed.token_helper.filter(|_| !moved)
    }

    /// What the helper prints, stored in the keychain; `None` when there is no helper, when it ran not
    /// long ago, and when it fails.
    async fn ask_helper(&self, profile: &Profile, base_url: &BaseUrl) -> Option<Token> {
        if self.context.read_only {
            return None;
        }
        let program = self.helper_of(profile)?;
        let context = &self.context;
        let failed = {
            let mut helped = lock(&context.helped);
            let (failed, next) = helped.entry(profile.id.clone()).or_default();
            let now = context.clock.monotonic();
            if *next > now {
                return None;
            }
            // While it runs, it is not started once more.
            *next = now.saturating_add(AGAIN_AFTER);
            *failed
        };
        let token = self.run_helper(&program, profile, base_url).await;
        let failed = match &token {
            Ok(_) => 0,
            Err(error) => {
                tracing::warn!(%error, "the token helper gave no token");
                failed.saturating_add(1)
            }
        };
        let wait = wait_after(failed).mul_f64(1.0 + context.ids.fraction() / 4.0);
        let next = context.clock.monotonic().saturating_add(wait);
        lock(&context.helped).insert(profile.id.clone(), (failed, next));
        token.ok()
    }

    /// What this program prints, stored in the keychain.
    async fn run_helper(
        &self,
        program: &str,
        profile: &Profile,
        base_url: &BaseUrl,
    ) -> Result<Token, Failure> {
        if !self.context.policies.trusts(program.as_ref()) {
            return Err("it is not where only the administrator can change it".into());
        }
        let token = printed(program).await?;
        let entry = bind(&token, base_url).map_err(|_| "the token is too long")?;
        self.keep_token(&profile.id, entry).await?;
        let context = &self.context;
        let line = context.journal_write("token.helped", &profile.name, None);
        if let Err(error) = line.await {
            tracing::warn!(%error, "the journal does not name the token of the helper");
        }
        Ok(token)
    }
}

/// How long it does not run after it failed so often in a row.
fn wait_after(failed: u32) -> Duration {
    let Some(more) = failed.checked_sub(1) else {
        return AGAIN_AFTER;
    };
    let wait = AGAIN_AFTER_FAILURE.saturating_mul(2_u32.saturating_pow(more));
    wait.min(AGAIN_AFTER)
}

/// What a program prints, when it ends well and in time; otherwise it is ended.
async fn printed(program: &str) -> Result<Token, Failure> {
    tokio::time::timeout(PATIENCE, run(program)).await?
}

/// Runs it without a shell or input; its errors are not read.
async fn run(program: &str) -> Result<Token, Failure> {
    let mut command = Command::new(program);
    #[cfg(windows)]
    command.creation_flags(CREATE_NO_WINDOW);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut running = command.spawn()?;
    // Allocated at full size, because a reallocation would leave a copy of the token in memory.
    let mut words = Zeroizing::new(Vec::with_capacity(MOST_BYTES + 1));
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    let stdout = running.stdout.take().ok_or("its output is closed")?;
    let mut stdout = stdout.take(most.saturating_add(1));
    stdout.read_to_end(&mut words).await?;
    if words.len() > MOST_BYTES {
        return Err("it printed too much".into());
    }
    let ended = running.wait().await?;
    if !ended.success() {
        return Err(ended.to_string().into());
    }
    Ok(Token::new(std::str::from_utf8(&words)?.trim())?)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::{PATIENCE, printed};

    /// Whether a process was started with this in its arguments; of one that has ended there are none left.
    fn runs(program: &str) -> bool {
        let processes = fs::read_dir("/proc").unwrap();
        processes.flatten().any(|process| {
            let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&arguments).contains(program)
        })
    }

    // The paused clock jumps on as soon as nothing but the helper is waited for.
    #[tokio::test(start_paused = true)]
    async fn a_helper_that_does_not_end_is_ended_after_thirty_seconds_and_gives_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("helper");
        // It stops itself: a second process would outlive it.
        fs::write(&program, "#!/bin/sh\nkill -STOP $$\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let program = program.to_str().unwrap();
        let start = tokio::time::Instant::now();
        assert!(printed(program).await.is_err());
        assert_eq!(start.elapsed().as_secs(), PATIENCE.as_secs());
        while runs(program) {
            tokio::task::yield_now().await;
        }
    }
}
