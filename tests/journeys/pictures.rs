//! Every page as staff see it: nothing runs over the window's edge, in either language, light or
//! dark, on small windows, and nothing shuts anybody out. The README's pictures are taken here.

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::sample;

use crate::day::sell_on_the_days_before;
use crate::harness::{Desk, Language, Sale, Stroke, journey_in, until};

const PAGES: [&str; 10] = [
    "register",
    "sheet",
    "today",
    "import",
    "plans",
    "products",
    "contracts",
    "leads",
    "outbox",
    "settings",
];
const SIZES: [(u32, u32); 2] = [(1440, 900), (1024, 700)];
/// What is left of them at 200 %.
const AT_200_PERCENT: [(u32, u32); 2] = [(640, 400), (512, 350)];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes the README's pictures: make pictures"]
async fn the_pictures_of_the_readme() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
        desk.sized(1280, 800).await;
        desk.practise().await;
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["confirmed"]).await;
        desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
        desk.keys(&[Stroke::Char('2')]).await;
        desk.write("transaction-id", "POS-20261121-0002").await;
        desk.write("transaction-total", "139780").await;
        desk.write("customer-name", "例示 花子").await;
        desk.write("customer-email", "hanako.reiji@sample.invalid")
            .await;
        desk.fits().await;
        desk.picture("readme-register-ja").await;

        desk.press("register-clear").await;
        desk.start_again_after(sell_on_the_days_before).await;
        desk.go_to("today").await;
        desk.reads("today-contracts", "4").await;
        desk.see("today-staff").await;
        desk.fits().await;
        desk.picture("readme-today-ja").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_in_japanese_runs_over_the_edge_at_any_size_or_at_200_percent() {
    every_page(Language::Japanese).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_in_english_runs_over_the_edge_at_any_size_or_at_200_percent() {
    every_page(Language::English).await;
}

#[allow(clippy::print_stdout, reason = "the proof's line")]
async fn every_page(language: Language) {
    journey_in(language, async |desk: &mut Desk| {
        desk.fits().await;
        desk.practise().await;
        desk.register(&Sale::of_a_refrigerator()).await;
        desk.receipt_is(&["confirmed"]).await;
        let contract_id = desk.text("receipt-contract-id").await;
        desk.look_up(&contract_id).await;
        desk.go_to("plans").await;
        desk.write("plans-reference", sample::PRODUCT_REFRIGERATOR)
            .await;
        desk.press("plans-show").await;
        desk.see("plan-row").await;
        desk.go_to("register").await;
        desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
        let mut checked = 0;
        for theme in ["light", "dark"] {
            desk.wears(theme).await;
            for (width, height) in SIZES {
                desk.sized(width, height).await;
                for page in PAGES {
                    desk.go_to(page).await;
                    desk.fits().await;
                    checked += desk.is_accessible().await;
                    desk.picture(&format!("{}-{page}-{theme}-{width}", language.short()))
                        .await;
                }
            }
        }
        for (width, height) in AT_200_PERCENT {
            desk.sized(width, height).await;
            for page in PAGES {
                desk.go_to(page).await;
                desk.fits().await;
                desk.picture(&format!("{}-{page}-200-{width}", language.short()))
                    .await;
            }
            // The sheet alone scrolls within, and never away from where one types.
            desk.go_to("sheet").await;
            desk.focus_is_at("grid-box").await;
            for stroke in [Stroke::Key(Key::PageDown), Stroke::Key(Key::End)] {
                desk.keys(&[stroke]).await;
                desk.cursor_is_in_sight().await;
            }
        }
        println!("PROOF axe: {checked} rules held on {} pages in {}, light and dark, at two sizes: 0 violations",
            PAGES.len(), language.short());
    })
    .await;
}

impl Desk {
    /// Chooses a theme in the settings.
    pub async fn wears(&self, theme: &str) {
        self.go_to("settings").await;
        self.press(&format!("theme-{theme}")).await;
        until(&format!("the window is {theme}"), async || {
            let worn = self.script("return document.documentElement.dataset.theme");
            worn.await == theme
        })
        .await;
    }

    /// The cell of the sheet that is typed into can be seen.
    async fn cursor_is_in_sight(&self) {
        const IN_SIGHT: &str = "
            const cell = document.getElementById(it.getAttribute('aria-activedescendant'));
            const place = cell?.getBoundingClientRect();
            return Boolean(place) && place.top >= 0 && place.bottom <= innerHeight
                && place.left >= 0 && place.right <= innerWidth";
        until("the cursor of the sheet is in sight", async || {
            self.script_at("grid-box", IN_SIGHT).await == true
        })
        .await;
    }

    /// Nothing on the page asks to be scrolled sideways.
    pub async fn fits(&self) {
        let over = self
            .script(
                "const over = (scroller) => {
                     if (!scroller || scroller.scrollWidth <= scroller.clientWidth) return [];
                     const edge = scroller.getBoundingClientRect().left + scroller.clientWidth;
                     return [...scroller.querySelectorAll('*')]
                         .filter((element) => element.getBoundingClientRect().right > edge + 1)
                         .map((element) => element.tagName + ' ' + (element.dataset.testid ?? element.className));
                 };
                 return [document.documentElement, document.querySelector('#content')].flatMap(over)",
            )
            .await;
        assert_eq!(over, json!([]), "these run over the edge");
    }
}
