//! Mouse and keyboard of the display itself, which the page cannot tell from a person's.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_MIDDLE, MOUSE_BUTTON_RIGHT, MouseActions,
    PointerAction,
};

use super::desk::Desk;
use super::language::Language;
use super::page::{until, until_some};

/// How long a person looks at a dialog that stays open before they write the path anew.
const A_LOOK: Duration = Duration::from_secs(3);

impl Desk {
    /// Clicks an element with each button a mouse has.
    pub async fn click_with_each_button(&self, testid: &str) {
        for button in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_MIDDLE, MOUSE_BUTTON_RIGHT] {
            let element = self.see(testid).await;
            let click = MouseActions::new("mouse".into())
                .then(PointerAction::MoveToElement {
                    element,
                    duration: None,
                    x: 0.0,
                    y: 0.0,
                })
                .then(PointerAction::Down { button })
                .then(PointerAction::Up { button });
            self.client()
                .perform_actions(click)
                .await
                .unwrap_or_else(|error| panic!("{testid} cannot be clicked: {error}"));
        }
    }

    /// Answers the system's own dialog of this title with a path, typed into it and confirmed, as a
    /// person does who knows where the file is.
    pub async fn answers_the_dialog(&self, title: &str, path: &Path) {
        let path = path.to_str().expect("a path that can be typed");
        dialog_is_open(title).await;
        // A slash opens the box for a path, and what is typed while it opens may be lost: a person
        // sees that, and writes the path anew.
        xdotool(&["key", "slash"]);
        let mut written: Option<Instant> = None;
        until(&format!("the dialog “{title}” is gone"), async || {
            if window_named(title).is_none() {
                return true;
            }
            if written.is_none_or(|at| at.elapsed() > A_LOOK) {
                xdotool(&["key", "ctrl+a"]);
                xdotool(&["type", "--delay", "12", path]);
                xdotool(&["key", "Return"]);
                written = Some(Instant::now());
            }
            false
        })
        .await;
    }

    /// Titles of all windows on the display, as the system shows them.
    pub fn titles(&self) -> Vec<String> {
        let titles = answer(&[EVERY_WINDOW, &["getwindowname", "%@"]].concat());
        titles.lines().map(str::to_owned).collect()
    }

    /// Closes the window by the button of its frame, of which the window manager tells the program.
    pub fn closes_the_window(&self) {
        let told = Command::new("/usr/bin/python3")
            .args(["-c", include_str!("close_window.py"), &window_id()])
            .status()
            .expect("python can be run");
        assert!(told.success(), "the window cannot be closed: {told}");
    }

    /// Answers the question about what is not sent, which closing the window asks.
    pub async fn answers_about_closing(&self, keys: &[&str]) {
        let title = self.language().word("closing.title");
        self.answers_by_keys(title, keys).await;
    }

    /// Prints by the first printer of the system's print dialog, which writes a file here.
    pub async fn prints_into_a_file(&self) {
        let title = match self.language() {
            Language::Japanese => "印刷",
            Language::English => "Print",
        };
        self.press("paper-print").await;
        self.answers_by_keys(title, &["Down", "alt+p"]).await;
    }

    /// Closes the dialog that names the open folder after a start on another one.
    pub async fn answers_about_the_open_folder(&self) {
        let title = self.language().word("secondStart.title");
        self.answers_by_keys(title, &["Return"]).await;
    }

    /// Answers the system's own dialog that asks about a server which is new here.
    pub async fn confirms_the_server(&self) {
        self.answers_about_the_server(&["Tab", "Return"]).await;
    }

    /// Answers it without reading: the Enter that ends a scan, or Escape, which closes it.
    pub async fn presses_about_the_server(&self, key: &str) {
        self.answers_about_the_server(&[key]).await;
    }

    async fn answers_about_the_server(&self, keys: &[&str]) {
        let title = self.language().word("serverApproval.title");
        self.answers_by_keys(title, keys).await;
    }

    async fn answers_by_keys(&self, title: &str, keys: &[&str]) {
        dialog_is_open(title).await;
        xdotool(&[&["key", "--delay", "60"], keys].concat());
        until(&format!("the dialog “{title}” is gone"), async || {
            window_named(title).is_none()
        })
        .await;
    }

    /// Presses keys of the display's own keyboard, as X names them: what is copied by these lies on
    /// the display's clipboard, as another program would find it.
    pub fn presses_by_hand(&self, keys: &[&str]) {
        xdotool(&["windowfocus", "--sync", &window_id()]);
        let mut line = vec!["key", "--delay", "60"];
        line.extend(keys);
        xdotool(&line);
    }

    /// Takes an element with the mouse and drops it in the middle of the page. The page must note in
    /// `window.dragged` when that ends.
    pub async fn drag_by_hand(&self, testid: &str) {
        const PLACES: &str = "const box = it.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2, innerWidth / 2, innerHeight / 2]
                 .map(Math.round)";
        let places = self.script_at(testid, PLACES).await;
        let places = places.as_array().expect("four numbers").iter();
        let places: Vec<_> = places.map(ToString::to_string).collect();
        let window = window_id();
        let to = |x: &str, y: &str| xdotool(&["mousemove", "--window", &window, x, y]);
        to(&places[0], &places[1]);
        xdotool(&["mousedown", "1"]);
        // A hand passes through places between; the web view takes a press for a drag only then, and
        // not before it has answered the press itself.
        let mut steps = (1..=8_i32).cycle();
        until("the drag has begun", async || {
            let step = steps.next().expect("a cycle goes on");
            let between = |from: &str, to: &str| {
                let (from, to): (i32, i32) = (number(from), number(to));
                (from + (to - from) * step / 8).to_string()
            };
            to(
                &between(&places[0], &places[2]),
                &between(&places[1], &places[3]),
            );
            self.dragged("dragstart").await
        })
        .await;
        to(&places[2], &places[3]);
        xdotool(&["mouseup", "1"]);
        until("the drag has ended", async || self.dragged("dragend").await).await;
    }

    /// Whether the page noted this event of a drag.
    async fn dragged(&self, event: &str) -> bool {
        let noted = self.script("return window.dragged").await;
        noted.to_string().contains(event)
    }
}

/// Waits for the dialog of this title, and gives it the keyboard focus, as no window manager does it here.
async fn dialog_is_open(title: &str) {
    let what = format!("the dialog “{title}” is open");
    let dialog = until_some(&what, async || window_named(title)).await;
    xdotool(&["windowfocus", "--sync", &dialog]);
}

fn number(text: &str) -> i32 {
    text.parse().expect("a whole number")
}

fn window_id() -> String {
    window_named("Warranty Desk").expect("the window is there")
}

/// The visible window whose title holds this. Titles are compared here: the search of xdotool reads
/// its pattern by the locale, and finds nothing that is Japanese.
fn window_named(title: &str) -> Option<String> {
    let windows = answer(EVERY_WINDOW);
    let mut windows = windows.lines();
    let found = windows.find(|id| answer(&["getwindowname", id]).contains(title));
    found.map(str::to_owned)
}

const EVERY_WINDOW: &[&str] = &["search", "--onlyvisible", "--name", "."];

fn answer(arguments: &[&str]) -> String {
    let found = Command::new("xdotool")
        .args(arguments)
        .output()
        .expect("xdotool can be run");
    String::from_utf8_lossy(&found.stdout).into_owned()
}

fn xdotool(arguments: &[&str]) {
    let done = Command::new("xdotool")
        .args(arguments)
        .status()
        .expect("xdotool can be run");
    assert!(done.success(), "xdotool {arguments:?}: {done}");
}
