//! What a person does with a page: look, wait, press, type. Elements are found by their test id.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::{Value, json};

use super::desk::Desk;

/// Longest a person should ever wait for anything here; machines that build and test are slow.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// What was on its way when the power went is asked for again only once the service has had its time.
pub const UNTIL_REPEATED: Duration = Duration::from_secs(90);
const GLANCE: Duration = Duration::from_millis(40);

/// Looks until it is so, and fails with `what` when patience ends.
pub async fn until(what: &str, is_so: impl AsyncFnMut() -> bool) {
    until_within(PATIENCE, what, is_so).await;
}

/// The same with a patience of its own.
pub async fn until_within(patience: Duration, what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < patience, "waited in vain: {what}");
        tokio::time::sleep(GLANCE).await;
    }
}

/// Looks until there is something to see, and returns it.
pub async fn until_some<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let mut seen = None;
    let look = async || {
        seen = look().await;
        seen.is_some()
    };
    until(what, look).await;
    seen.expect("it was seen")
}

/// The selector of a test id.
pub fn named(testid: &str) -> String {
    format!("[data-testid=\"{testid}\"]")
}

impl Desk {
    /// Runs a script in the page that calls an element `it`, and returns what it returns.
    pub async fn script_at(&self, testid: &str, script: &str) -> Value {
        let element = format!("document.querySelector('{}')", named(testid));
        self.script(&format!("const it = {element}; {script}"))
            .await
    }

    /// What a command answers when the page calls it with arguments made by a script, or its error.
    pub async fn calls(&self, command: &str, arguments: &str) -> Result<Value, Value> {
        let script = format!(
            "const done = arguments[0];
             window.__TAURI_INTERNALS__.invoke({}, {arguments}).then(
                 (value) => done({{ Ok: value ?? null }}), (error) => done({{ Err: error ?? null }}))",
            json!(command)
        );
        serde_json::from_value(self.script_answers(&script).await).expect("an answer")
    }

    /// Waits until an element is shown.
    pub async fn see(&self, testid: &str) -> Element {
        self.see_where(&named(testid)).await
    }

    /// Waits until an element of this selector is shown.
    pub async fn see_where(&self, css: &str) -> Element {
        until_some(&format!("{css} is shown"), async || {
            let found = self.client().find(Locator::Css(css)).await.ok()?;
            found.is_displayed().await.ok()?.then_some(found)
        })
        .await
    }

    /// Whether an element is there now.
    pub async fn shows(&self, testid: &str) -> bool {
        self.client()
            .find(Locator::Css(&named(testid)))
            .await
            .is_ok()
    }

    /// Waits until an element is not there.
    pub async fn sees_no(&self, testid: &str) {
        until(&format!("{testid} is gone"), async || {
            !self.shows(testid).await
        })
        .await;
    }

    /// The text of an element, once it has any.
    pub async fn text(&self, testid: &str) -> String {
        until_some(&format!("{testid} has a text"), async || {
            let css = named(testid);
            let found = self.client().find(Locator::Css(&css)).await.ok()?;
            let text = found.text().await.ok()?;
            (!text.is_empty()).then_some(text)
        })
        .await
    }

    /// Waits until an element says this.
    pub async fn reads(&self, testid: &str, wanted: &str) {
        let mut last = String::new();
        let what = format!("{testid} reads “{wanted}”");
        let start = Instant::now();
        while last != wanted {
            assert!(
                start.elapsed() < PATIENCE,
                "waited in vain: {what}; it reads “{last}”"
            );
            last = self.text(testid).await;
            tokio::time::sleep(GLANCE).await;
        }
    }

    pub async fn page_text(&self) -> String {
        let text = self.script("return document.body.innerText").await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page says this somewhere.
    pub async fn page_says(&self, wanted: &str) {
        until(&format!("the page says “{wanted}”"), async || {
            self.page_text().await.contains(wanted)
        })
        .await;
    }

    pub async fn holds(&self, testid: &str) -> String {
        let value = self.see(testid).await.prop("value").await;
        value.ok().flatten().unwrap_or_default()
    }

    pub async fn comes_to_hold(&self, testid: &str, wanted: &str) {
        until(&format!("{testid} holds “{wanted}”"), async || {
            self.holds(testid).await == wanted
        })
        .await;
    }

    /// The message tied to a box as its error, once there is one.
    pub async fn problem_at(&self, testid: &str) -> String {
        const PROBLEM: &str = "
            if (it?.getAttribute('aria-invalid') !== 'true') return null;
            const note = document.getElementById(it.getAttribute('aria-describedby'));
            return note?.innerText ?? null";
        until_some(&format!("{testid} shows a problem"), async || {
            let problem = self.script_at(testid, PROBLEM).await;
            problem.as_str().map(str::to_owned)
        })
        .await
    }

    /// Presses an element as soon as it can be pressed.
    pub async fn press(&self, testid: &str) {
        self.press_where(&named(testid)).await;
    }

    /// Presses the element of this selector as soon as it can be pressed.
    pub async fn press_where(&self, css: &str) {
        let start = Instant::now();
        while let Err(hindrance) = self.try_to_press(css).await {
            assert!(
                start.elapsed() < PATIENCE,
                "{css} cannot be pressed: {hindrance}"
            );
            tokio::time::sleep(GLANCE).await;
        }
    }

    async fn try_to_press(&self, css: &str) -> Result<(), String> {
        let words = |error: fantoccini::error::CmdError| format!("{error:?}");
        let element = self.client().find(Locator::Css(css)).await.map_err(words)?;
        let disabled = element.attr("aria-disabled").await.map_err(words)?;
        if disabled.is_some() || !element.is_enabled().await.map_err(words)? {
            return Err("it is disabled".to_owned());
        }
        let Err(error) = element.click().await else {
            return Ok(());
        };
        let above = format!(
            "const box = document.querySelector({}).getBoundingClientRect();
             const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
             return above?.outerHTML.slice(0, 200)",
            serde_json::json!(css)
        );
        let above = self.client().execute(&above, Vec::new()).await;
        Err(format!("{error:?}; at its middle is {above:?}"))
    }

    /// Waits until an element is shown and scrolls it to where a person would: at the rim of what
    /// scrolls, the driver does not take it for one that can be used.
    pub async fn bring_into_view(&self, testid: &str) -> Element {
        let element = self.see(testid).await;
        self.script_at(testid, "it.scrollIntoView({ block: 'center' })")
            .await;
        element
    }

    /// Replaces what a box holds.
    pub async fn write(&self, testid: &str, text: &str) {
        let element = self.bring_into_view(testid).await;
        let mut written = element.clear().await;
        if written.is_ok() && !text.is_empty() {
            written = element.send_keys(text).await;
        }
        written.unwrap_or_else(|error| panic!("{testid}: {error}"));
        let held = self.holds(testid).await;
        assert_eq!(held, text, "{testid} took what was typed");
    }

    /// Test id of the element that has the focus.
    pub async fn focus(&self) -> String {
        const FOCUSED: &str = "return document.activeElement?.dataset.testid ?? ''";
        let focused = self.script(FOCUSED).await;
        focused.as_str().unwrap_or_default().to_owned()
    }

    pub async fn focus_is_at(&self, testid: &str) {
        until(&format!("{testid} has the focus"), async || {
            self.focus().await == testid
        })
        .await;
    }

    /// Puts the focus on an element without pressing it.
    pub async fn has_focus_put_at(&self, testid: &str) {
        self.see(testid).await;
        self.script_at(testid, "it.focus()").await;
        self.focus_is_at(testid).await;
    }

    /// Two clicks at the same place, as quick as they come.
    pub async fn double_click(&self, testid: &str) {
        let element = self.see(testid).await;
        self.script(
            "window.presses = 0;
             window.addEventListener('pointerdown', () => window.presses++, { capture: true })",
        )
        .await;
        let press = PointerAction::Down {
            button: MOUSE_BUTTON_LEFT,
        };
        let release = PointerAction::Up {
            button: MOUSE_BUTTON_LEFT,
        };
        let twice = MouseActions::new("mouse".into())
            .then(PointerAction::MoveToElement {
                element,
                duration: None,
                x: 0.0,
                y: 0.0,
            })
            .then(press.clone())
            .then(release.clone())
            .then(press)
            .then(release);
        self.client()
            .perform_actions(twice)
            .await
            .unwrap_or_else(|error| panic!("{testid} cannot be clicked: {error}"));
        let presses = self.script("return window.presses").await;
        assert_eq!(presses, 2, "both clicks reached the page");
    }

    pub async fn colour_of(&self, testid: &str) -> String {
        const COLOURS: &str = "const style = getComputedStyle(it);
             return style.backgroundColor + style.backgroundImage";
        let colours = self.script_at(testid, COLOURS).await;
        colours.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys as a person does: one after the other, with pauses no scanner makes.
    pub async fn keys(&self, keys: &[Stroke]) {
        const PAUSE: Duration = Duration::from_millis(90);
        let actions = keys
            .iter()
            .fold(KeyActions::new("keyboard".into()), |actions, stroke| {
                let (held, key) = stroke.parts();
                let mut actions = actions;
                if let Some(held) = held {
                    actions = actions.then(KeyAction::Down { value: held });
                }
                actions = actions
                    .then(KeyAction::Down { value: key })
                    .then(KeyAction::Up { value: key });
                if let Some(held) = held {
                    actions = actions.then(KeyAction::Up { value: held });
                }
                actions.then(KeyAction::Pause { duration: PAUSE })
            });
        self.client()
            .perform_actions(actions)
            .await
            .unwrap_or_else(|error| panic!("the keys could not be pressed: {error}"));
    }
}

/// One key, perhaps with another held.
#[derive(Debug, Clone, Copy)]
pub enum Stroke {
    Char(char),
    Key(Key),
    Alt(char),
    Shift(Key),
    Control(Key),
    ControlChar(char),
}

impl Stroke {
    fn parts(self) -> (Option<char>, char) {
        match self {
            Self::Char(char) => (None, char),
            Self::Key(key) => (None, key.into()),
            Self::Alt(char) => (Some(Key::Alt.into()), char),
            Self::ControlChar(char) => (Some(Key::Control.into()), char),
            Self::Control(key) => (Some(Key::Control.into()), key.into()),
            Self::Shift(key) => (Some(Key::Shift.into()), key.into()),
        }
    }
}

pub fn typed(text: &str) -> Vec<Stroke> {
    text.chars().map(Stroke::Char).collect()
}
