//! What axe says of the page as it is shown now, colours included.

use serde_json::json;

use super::desk::Desk;

/// From the front end's own packages; `make unit` installs them.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/ui/node_modules/axe-core/axe.min.js"
);

/// WCAG 2.2, levels A and AA, and what axe calls good practice.
const RUN: &str = "
    const tell = arguments[arguments.length - 1];
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    axe.run(document, { runOnly: tags, resultTypes: ['violations'] }).then(
        (found) => tell({
            held: found.passes.length,
            violations: found.violations.map((one) =>
                one.id + ': ' + one.nodes.map((node) => node.target.join(' ')).join(', ')),
        }),
        (error) => tell({ held: 0, violations: [String(error)] }),
    );";

/// Texts that no screen reader gets from WebKitGTK: it leaves out a `span` that is a box of its own, as
/// every item of a flexible row is, with all text in it. A heading, what is named by its content, and a
/// paragraph or a list item without another role still hand the text on; a `div` is never left out.
const UNHEARD: &str = "
    const named = 'p:not([role]), li:not([role]), h1, h2, h3, h4, label, legend, summary, button, a, option, ' +
        '[aria-hidden=true], [role=cell], [role=gridcell], [role=columnheader], ' +
        '[role=option], [role=button]';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const unheard = new Set();
    while (texts.nextNode()) {
        const text = texts.currentNode;
        let box = text.parentElement;
        if (text.data.trim() === '' || !box.checkVisibility({ visibilityProperty: true })) continue;
        while (/^(inline|contents)/.test(getComputedStyle(box).display)) box = box.parentElement;
        const plain = box.tagName === 'SPAN' && !box.closest(named) &&
            ![...box.attributes].some(({ name }) => /^(role|title|tabindex|aria-)/.test(name));
        if (plain && getComputedStyle(box).display === 'block') unheard.add(box.outerHTML.slice(0, 200));
    }
    return [...unheard];";

impl Desk {
    /// Fails when the page shuts anybody out; says how many rules were applied and held.
    pub async fn is_accessible(&self) -> u64 {
        let known = self.script("return typeof window.axe").await;
        if known != json!("object") {
            let axe = std::fs::read_to_string(AXE).expect("the front end's packages are installed");
            self.script(&format!("{axe};window.axe = axe")).await;
        }
        let found = self.script_answers(RUN).await;
        assert_eq!(found["violations"], json!([]), "the page shuts people out");
        self.can_be_heard().await;
        let held = found["held"].as_u64().expect("a number of rules");
        assert!(held > 0, "axe looked at nothing");
        held
    }

    /// Fails when a text that is shown is none to a screen reader.
    pub async fn can_be_heard(&self) {
        let unheard = self.script(UNHEARD).await;
        assert_eq!(unheard, json!([]), "no screen reader gets these texts");
    }
}
