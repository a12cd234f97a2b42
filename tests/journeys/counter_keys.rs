//! One sale in as few keys as there can be, counted; the ledger says what was sold.

use fantoccini::key::Key;
use serde_json::json;
use warranty_sandbox::{Operation, sample};

use crate::harness::{Desk, Language, Sale, Service, Setup, Stroke, journey, journey_in, typed};
use crate::live::was_sold_once;

/// What a pair of hands did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Hands {
    pub scans: usize,
    /// Keys that say what to do.
    pub keys: usize,
    /// Characters typed.
    characters: usize,
}

impl Hands {
    async fn scan_product(&mut self, desk: &Desk, code: &str) {
        self.scans += 1;
        desk.scan_and_see_plans(code).await;
    }

    async fn scan(&mut self, desk: &Desk, code: &str) {
        self.scans += 1;
        desk.scan(code).await;
    }

    pub async fn press(&mut self, desk: &Desk, stroke: Stroke) {
        self.keys += 1;
        desk.keys(&[stroke]).await;
    }

    pub async fn write(&mut self, desk: &Desk, text: &str) {
        self.characters += text.chars().count();
        desk.keys(&typed(text)).await;
    }
}

/// Up to the box of the total: product, plan and transaction.
async fn begins(desk: &Desk, hands: &mut Hands, sale: &Sale) {
    desk.focus_is_at("product-reference").await;
    hands.scan_product(desk, sale.product).await;
    hands.press(desk, Stroke::Char('2')).await;
    desk.focus_is_at("transaction-id").await;
    desk.price_is_filled_in("product-price").await;
    hands.scan(desk, sale.transaction_id).await;
    desk.focus_is_at("transaction-total").await;
    assert_eq!(desk.holds("transaction-id").await, sale.transaction_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_takes_two_scans_and_four_keys_beside_what_is_typed() {
    journey(Setup::default(), async |desk: &mut Desk| {
        let service = Service::start().await;
        desk.connect(&service).await;
        let sale = Sale::of_a_refrigerator();
        let name = "Mihon Taro";
        let mut hands = Hands::default();
        begins(desk, &mut hands, &sale).await;
        hands.write(desk, sale.total).await;
        hands.press(desk, Stroke::Key(Key::Enter)).await;
        desk.focus_is_at("customer-name").await;
        hands.write(desk, name).await;
        hands.press(desk, Stroke::Key(Key::Enter)).await;
        desk.focus_is_at("customer-email").await;
        hands.write(desk, sale.email).await;
        hands.press(desk, Stroke::Key(Key::F12)).await;
        desk.receipt_is(&["confirmed"]).await;
        was_sold_once(&service, &sale).await;
        assert_eq!(service.count(Operation::BulkCreateContracts), 1);
        let characters = sale.total.len() + name.len() + sale.email.len();
        let fewest = Hands {
            scans: 2,
            keys: 4,
            characters,
        };
        assert_eq!(hands, fewest);
        println!("PROOF one sale: {hands:?}, 1 contract in the ledger");

        // The same key again, on the empty form, sells nothing.
        desk.focus_is_at("product-reference").await;
        desk.keys(&[Stroke::Key(Key::F12), Stroke::Key(Key::F12)])
            .await;
        assert_eq!(service.sold().await.len(), 1);
        a_second_product_takes_over_the_sale_with_one_key(desk, &service, &sale).await;
    })
    .await;
}

async fn a_second_product_takes_over_the_sale_with_one_key(
    desk: &Desk,
    service: &Service,
    sale: &Sale,
) {
    assert_eq!(desk.holds("transaction-id").await, "");
    let mut hands = Hands::default();
    hands.press(desk, Stroke::Alt('n')).await;
    desk.focus_is_at("product-reference").await;
    hands.scan_product(desk, sample::PRODUCT_NOTEBOOK).await;
    hands.press(desk, Stroke::Char('1')).await;
    desk.price_is_filled_in("product-price").await;
    hands.press(desk, Stroke::Key(Key::F12)).await;
    assert_eq!((hands.scans, hands.keys, hands.characters), (1, 3, 0));
    service.comes_to_have_sold(2).await;
    let sold = service.sold().await;
    for contract in &sold {
        assert_eq!(contract.transaction_id, sale.transaction_id);
        assert_eq!(contract.customer_email, sale.email);
        assert_eq!(contract.transaction_total.to_string(), sale.total);
    }
    assert_ne!(
        sold[0].product_reference_id, sold[1].product_reference_id,
        "{sold:?}"
    );
}

/// What an input method tells the page while a name is composed and confirmed with Enter, as WebKit
/// orders it. Returns whether the confirming Enter reached anybody.
const COMPOSE: &str = "
    const box = document.activeElement;
    const tell = (type, data) =>
        box.dispatchEvent(new CompositionEvent(type, { data, bubbles: true, cancelable: true }));
    const compose = (steps) => {
        const before = box.value;
        tell('compositionstart', '');
        for (const step of steps) {
            tell('compositionupdate', step);
            box.value = before + step;
            box.dispatchEvent(new InputEvent('input',
                { data: step, inputType: 'insertCompositionText', isComposing: true, bubbles: true }));
        }
        tell('compositionend', steps.at(-1));
        const enter = new KeyboardEvent('keydown',
            { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true });
        Object.defineProperty(enter, 'keyCode', { value: 229 });
        return box.dispatchEvent(enter);
    };";

#[tokio::test(flavor = "multi_thread")]
async fn with_japanese_input_the_same_keys_register_the_same_sale() {
    journey_in(Language::Japanese, async |desk: &mut Desk| {
            let service = Service::start().await;
            desk.connect(&service).await;
            let sale = Sale::of_a_refrigerator();
            let mut hands = Hands::default();
            begins(desk, &mut hands, &sale).await;
            hands.write(desk, sale.total).await;
            hands.press(desk, Stroke::Key(Key::Enter)).await;
            desk.focus_is_at("customer-name").await;
            let heard = desk
                .script(&format!(
                    "{COMPOSE} return compose(['み', 'みほ', 'みほん', '見本', '見本 ', '見本 太郎'])"
                ))
                .await;
            assert_eq!(heard, json!(false), "the confirming Enter is taken");
            desk.focus_is_at("customer-name").await;
            assert_eq!(desk.holds("customer-name").await, sale.customer);
            hands.press(desk, Stroke::Key(Key::Enter)).await;
            desk.focus_is_at("customer-email").await;
            // In full width, as an open input method types it.
            desk.script(&format!(
                "{COMPOSE} return compose(['ｔａｒｏ．ｍｉｈｏｎ＠ｓａｍｐｌｅ．ｉｎｖａｌｉｄ'])"
            ))
            .await;
            hands.press(desk, Stroke::Key(Key::F12)).await;
            desk.receipt_is(&["confirmed"]).await;
            was_sold_once(&service, &sale).await;
            assert_eq!((hands.scans, hands.keys), (2, 4));

            // A scan that the input method made full width is a scan.
            desk.has_focus_put_at("customer-name").await;
            desk.script(&format!(
                "{COMPOSE}
                 const wide = [...'{}'].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
                 compose(wide.map((_, last) => wide.slice(0, last + 1).join('')))",
                sample::PRODUCT_NOTEBOOK
            ))
            .await;
            desk.see("plan-option").await;
            assert_eq!(
                desk.holds("product-reference").await,
                sample::PRODUCT_NOTEBOOK
            );
            assert_eq!(desk.holds("customer-name").await, "");
            assert_eq!(service.sold().await.len(), 1);
        },
    )
    .await;
}
