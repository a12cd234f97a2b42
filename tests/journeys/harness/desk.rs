//! One window and its data folder, from opening to closing.

use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::Client;
use serde_json::json;
use tempfile::TempDir;

use super::driver::{Driver, window};
use super::language::Language;
use super::page::{until, until_some};
use super::processes;

/// Before the page's own scripts have done anything worth watching: notes what its policy forbids.
const WATCH: &str = "
    if (!window.forbidden) {
        window.forbidden = [];
        document.addEventListener('securitypolicyviolation', (event) => {
            window.forbidden.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
        });
    }";

/// How a window is started.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    language: Language,
    keychain: bool,
    talkative: bool,
}

impl Setup {
    /// For a person who speaks this language and chooses it on the first page.
    pub fn speaking(language: Language) -> Self {
        Self {
            language,
            keychain: true,
            talkative: false,
        }
    }

    /// In a session without a keychain.
    pub fn without_keychain(self) -> Self {
        Self {
            keychain: false,
            ..self
        }
    }

    /// With a program that writes all it can into its log.
    pub fn telling_everything(self) -> Self {
        Self {
            talkative: true,
            ..self
        }
    }

    /// Gives a program the environment of this setup.
    pub fn dress(&self, command: &mut Command) {
        command
            .env("LC_ALL", "C.UTF-8")
            // What the system's own libraries say is translated too.
            .env("LANGUAGE", self.language.short())
            .env("TZ", "Asia/Tokyo")
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true");
        if self.talkative {
            command.env("WARRANTY_DESK_LOG", "trace");
        }
        if !self.keychain {
            command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::speaking(Language::English)
    }
}

/// A person's view of the open window.
pub struct Desk {
    setup: Setup,
    folder: TempDir,
    driver: Driver,
    client: Client,
    /// The window's processes, as they were when it opened.
    program: Vec<u32>,
    pub(super) pictures: u32,
    /// Whether the driver sees the page.
    in_sight: bool,
}

impl Desk {
    pub(super) async fn open(setup: Setup) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (driver, client) = start(&setup, folder.path()).await;
        let mut desk = Self {
            setup,
            folder,
            driver,
            client,
            program: Vec::new(),
            pictures: 0,
            in_sight: true,
        };
        desk.ready().await;
        desk.press(&format!("language-{}", setup.language.short()))
            .await;
        desk.page_says(setup.language.word("firstRun.title")).await;
        desk
    }

    pub fn language(&self) -> Language {
        self.setup.language
    }

    /// Where the window keeps everything but the tokens.
    pub fn data_dir(&self) -> PathBuf {
        data_dir(self.folder.path())
    }

    /// The folder of that folder, with the log beside it.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The home of the person at the desk.
    pub fn saves_into(&self) -> PathBuf {
        saves_into(self.folder.path())
    }

    /// The program's processes and those that work for its page.
    pub fn processes(&self) -> Vec<u32> {
        let below = |pid: &u32| processes::children(*pid, "WebKit");
        let helpers = self.program.iter().flat_map(below);
        self.program.iter().copied().chain(helpers).collect()
    }

    /// Ports at which the program listens, but for the one it is driven through.
    pub fn listens_at(&self) -> Vec<u16> {
        let all = self.program.iter().flat_map(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let environment = String::from_utf8_lossy(&environment).into_owned();
            let drivers = environment
                .split('\0')
                .find_map(|line| line.strip_prefix("WEBKIT_INSPECTOR_SERVER="))
                .and_then(|address| address.rsplit_once(':')?.1.parse().ok());
            let mut ports = processes::listens_at(*pid);
            ports.retain(|port| Some(*port) != drivers);
            ports
        });
        all.collect()
    }

    /// What the window and the driver wrote to standard error.
    pub fn log(&self) -> String {
        self.driver.log()
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Ends the program without warning and starts it anew on the same data.
    pub async fn cut_the_power_and_start_again(&mut self) {
        self.start_again_after(|_| {}).await;
    }

    /// The same, with something happening to the data folder while nothing runs.
    pub async fn start_again_after(&mut self, happens: impl FnOnce(&Path)) {
        self.has_asked_for_nothing_forbidden().await;
        processes::kill(&self.program);
        self.gone().await;
        happens(&self.data_dir());
        let (driver, client) = start(&self.setup, self.folder.path()).await;
        self.driver = driver;
        self.client = client;
        self.in_sight = true;
        self.ready().await;
    }

    /// Starts the program a second time on this data folder and waits for it to end.
    pub async fn start_a_second_time(&self, data_dir: &Path) -> std::process::ExitStatus {
        let mut command = Command::new(window());
        self.setup.dress(&mut command);
        let mut second = command
            .arg("--data-dir")
            .arg(data_dir)
            .spawn()
            .expect("the program starts");
        until_some("the second start ends", async || {
            second.try_wait().expect("it can be waited for")
        })
        .await
    }

    /// Waits until the window has ended and another one is open on this data folder, which is out of sight.
    pub async fn is_followed_by(&mut self, data_dir: &Path) {
        until("the next window is open", async || {
            let ended = self.program.iter().all(|pid| processes::has_ended(*pid));
            ended && data_dir.exists() && !self.titles().is_empty()
        })
        .await;
        self.program = processes::of(data_dir);
        self.in_sight = false;
    }

    /// How many programs run on this data folder.
    pub fn windows(&self) -> usize {
        processes::of(&self.data_dir()).len()
    }

    /// The page has tried nothing that its content policy forbids.
    pub async fn has_asked_for_nothing_forbidden(&self) {
        if !self.in_sight {
            return;
        }
        let forbidden = self.script("return window.forbidden").await;
        assert_eq!(forbidden, json!([]), "the content policy stopped the page");
    }

    /// Runs a script in the page, as hostile code in it would, and returns what it returns.
    pub async fn script(&self, script: &str) -> serde_json::Value {
        self.client
            .execute(script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("the script failed: {error}"))
    }

    /// Runs a script that answers later, by calling its first argument.
    pub async fn script_answers(&self, script: &str) -> serde_json::Value {
        self.client
            .execute_async(script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("the script failed: {error}"))
    }

    /// What the page's policy has forbidden so far; it is forgotten then.
    pub async fn forbidden_until_now(&self) -> String {
        self.script("return window.forbidden.splice(0)")
            .await
            .to_string()
    }

    /// Processes that draw pages for the window.
    pub fn page_processes(&self) -> Vec<u32> {
        self.program
            .iter()
            .flat_map(|pid| processes::children(*pid, "WebKitWeb"))
            .collect()
    }

    /// Ends the process that draws the page, as the system does when memory runs out. The driver
    /// loses sight of the page for good; hands can still reach it.
    pub async fn kill_the_page(&mut self) {
        let drawing = self.page_processes();
        assert!(!drawing.is_empty(), "a process draws the page");
        processes::kill(&drawing);
        until("the page's process has ended", async || {
            drawing.iter().all(|pid| processes::has_ended(*pid))
        })
        .await;
        self.in_sight = false;
    }

    /// Waits until the program has ended by itself.
    pub async fn has_ended(&mut self) {
        self.gone().await;
        self.program.clear();
        self.in_sight = false;
    }

    pub(super) async fn close(mut self) {
        // A window that already ended cannot be closed; what counts is that none is left, nor one that
        // was started again and never stood: no other could open beside it.
        let _ = self.client.clone().close().await;
        self.program.extend(processes::of(&self.data_dir()));
        processes::kill(&self.program);
        self.gone().await;
    }

    async fn gone(&self) {
        until("the window has ended", async || {
            let ended = self.program.iter().all(|pid| processes::has_ended(*pid));
            ended && processes::no_window_is_announced()
        })
        .await;
    }

    async fn ready(&mut self) {
        self.program = processes::of(&self.data_dir());
        const SHOWN: &str = "return document.querySelector('#app')?.childElementCount > 0";
        until("the page is there", async || {
            let shown = self.client.execute(SHOWN, Vec::new()).await;
            shown.is_ok_and(|shown| shown == true)
        })
        .await;
        self.script(WATCH).await;
    }
}

async fn start(setup: &Setup, folder: &Path) -> (Driver, Client) {
    let place = saves_into(folder);
    std::fs::create_dir_all(&place).expect("the place for files can be made");
    let driver = Driver::start(setup, folder.join("window.log"), &place).await;
    let client = driver.open(&data_dir(folder)).await;
    (driver, client)
}

fn saves_into(folder: &Path) -> PathBuf {
    folder.join("saved")
}

fn data_dir(folder: &Path) -> PathBuf {
    folder.join("data")
}
