//! Mouse and keyboard of the display itself, which the page cannot tell from a person's.

use std::process::Command;

use fantoccini::actions::{
    InputSource, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_MIDDLE, MOUSE_BUTTON_RIGHT, MouseActions,
    PointerAction,
};

use super::desk::Desk;
use super::page::{named, until};

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

    /// Takes an element with the mouse and drops it in the middle of the page. The page must note in
    /// `window.dragged` when that ends.
    pub async fn drag_by_hand(&self, testid: &str) {
        let script = format!(
            "const box = document.querySelector('{}').getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2, innerWidth / 2, innerHeight / 2]
                 .map(Math.round)",
            named(testid)
        );
        let places: Vec<String> = self
            .script(&script)
            .await
            .as_array()
            .expect("four numbers")
            .iter()
            .map(ToString::to_string)
            .collect();
        let window = window_id();
        let to = |x: &str, y: &str| xdotool(&["mousemove", "--window", &window, x, y]);
        to(&places[0], &places[1]);
        xdotool(&["mousedown", "1"]);
        // A hand passes through places between; the web view takes a press for a drag only then.
        for step in 1..=8_i32 {
            let between = |from: &str, to: &str| {
                let (from, to): (i32, i32) = (number(from), number(to));
                (from + (to - from) * step / 8).to_string()
            };
            to(
                &between(&places[0], &places[2]),
                &between(&places[1], &places[3]),
            );
        }
        xdotool(&["mouseup", "1"]);
        until("the drag has ended", async || {
            let dragged = self.script("return window.dragged").await;
            dragged.to_string().contains("dragend").then_some(())
        })
        .await;
    }
}

fn number(text: &str) -> i32 {
    text.parse().expect("a whole number")
}

fn window_id() -> String {
    let found = Command::new("xdotool")
        .args(["search", "--onlyvisible", "--name", "Warranty Desk"])
        .output()
        .expect("xdotool can be run");
    let ids = String::from_utf8_lossy(&found.stdout).into_owned();
    ids.lines().next().expect("the window is there").to_owned()
}

fn xdotool(arguments: &[&str]) {
    let done = Command::new("xdotool")
        .args(arguments)
        .status()
        .expect("xdotool can be run");
    assert!(done.success(), "xdotool {arguments:?}: {done}");
}
