//! Every page as staff see it: nothing runs over the window's edge, in either language, light or
//! dark, on small windows, and nothing shuts anybody out. The README's pictures are taken here.

use serde_json::json;
use warranty_sandbox::sample;

use crate::harness::{Desk, Language, Sale, Setup, journey, until};

const PAGES: [&str; 9] = [
    "register",
    "sheet",
    "import",
    "plans",
    "products",
    "contracts",
    "leads",
    "outbox",
    "settings",
];
const SIZES: [(u32, u32); 2] = [(1280, 800), (1024, 700)];

#[tokio::test(flavor = "multi_thread")]
async fn the_pictures_of_the_readme() {
    journey(
        Setup::speaking(Language::Japanese),
        async |desk: &mut Desk| {
            desk.sized(1280, 800).await;
            desk.practise().await;
            desk.register(&Sale::of_a_refrigerator()).await;
            desk.receipt_is(&["confirmed"]).await;
            desk.scan_and_see_plans(sample::PRODUCT_NOTEBOOK).await;
            desk.keys(&[crate::harness::Stroke::Char('2')]).await;
            desk.write("transaction-id", "POS-20261121-0002").await;
            desk.write("transaction-total", "139780").await;
            desk.write("customer-name", "例示 花子").await;
            desk.write("customer-email", "hanako.reiji@sample.invalid")
                .await;
            desk.fits().await;
            desk.picture("readme-register-ja").await;
        },
    )
    .await;
    journey(Setup::default(), async |desk: &mut Desk| {
        desk.sized(1280, 800).await;
        desk.practise().await;
        desk.wears("dark").await;
        desk.go_to("plans").await;
        desk.write("plans-reference", sample::PRODUCT_REFRIGERATOR)
            .await;
        desk.press("plans-show").await;
        desk.see("plan-row").await;
        desk.fits().await;
        desk.picture("readme-plans-en-dark").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_in_japanese_runs_over_the_edge() {
    every_page(Language::Japanese).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_in_english_runs_over_the_edge() {
    every_page(Language::English).await;
}

#[allow(clippy::print_stdout, reason = "the proof's line")]
async fn every_page(language: Language) {
    journey(Setup::speaking(language), async |desk: &mut Desk| {
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
            let worn = self
                .script("return document.documentElement.dataset.theme ?? ''")
                .await;
            (worn == json!(theme)).then_some(())
        })
        .await;
    }

    /// Nothing on the page asks to be scrolled sideways.
    pub async fn fits(&self) {
        let over = self
            .script(
                "const edge = document.documentElement.clientWidth;
                 if (document.documentElement.scrollWidth <= edge) return [];
                 return [...document.body.querySelectorAll('*')]
                     .filter((element) => element.getBoundingClientRect().right > edge + 1)
                     .map((element) => element.tagName + ' ' + (element.dataset.testid ?? element.className))",
            )
            .await;
        assert_eq!(over, json!([]), "these run over the edge");
    }
}
