//! The words of a sheet, in both languages.

use super::Standing;
use crate::settings::Language;

/// Every name and sentence of a sheet.
#[derive(Debug)]
pub(super) struct Words {
    pub issued: &'static str,
    pub practice: &'static str,
    pub contract_id: &'static str,
    pub inquiry_code: &'static str,
    pub plan: &'static str,
    pub name: &'static str,
    pub term: &'static str,
    pub fee: &'static str,
    pub started: &'static str,
    pub ended: &'static str,
    pub status: &'static str,
    pub product: &'static str,
    pub brand: &'static str,
    pub serial: &'static str,
    pub reference: &'static str,
    pub price: &'static str,
    pub purchase: &'static str,
    pub transaction: &'static str,
    pub bought: &'static str,
    pub inquire: &'static str,
    pub inquire_with_code: &'static str,
    pub inquire_with_id: &'static str,
    pub inquire_without: &'static str,
    pub inquire_not_registered: &'static str,
    pub store: &'static str,
    pub store_id: &'static str,
    pub web_site: &'static str,
    pub plan_page: &'static str,
}

const JA: Words = Words {
    issued: "発行",
    practice: "練習用（SANDBOX） この用紙は見本です。実際の契約ではありません。",
    contract_id: "契約ID",
    inquiry_code: "お問い合わせコード",
    plan: "保証プラン",
    name: "名称",
    term: "保証期間",
    fee: "保証料",
    started: "保証開始",
    ended: "保証終了",
    status: "契約の状態",
    product: "対象商品",
    brand: "ブランド",
    serial: "製造番号",
    reference: "商品コード",
    price: "販売価格",
    purchase: "ご購入",
    transaction: "取引番号",
    bought: "販売日時",
    inquire: "お問い合わせ",
    inquire_with_code: "この保証についてのお問い合わせの際は、お問い合わせコードをお知らせください。",
    inquire_with_id: "この保証についてのお問い合わせの際は、契約IDをお知らせください。",
    inquire_without: "登録が済むと、契約IDとお問い合わせコードが発行されます。お問い合わせの際は、お買い上げの店舗に取引番号をお知らせください。",
    inquire_not_registered: "このお申込みに契約IDは発行されません。ご不明な点は、お買い上げの店舗に取引番号をお知らせください。",
    store: "お買い上げ店舗",
    store_id: "店舗ID",
    web_site: "店舗のサイト",
    plan_page: "プランのご案内",
};

const EN: Words = Words {
    issued: "Issued",
    practice: "SANDBOX: a practice sheet. This is not a real contract.",
    contract_id: "Contract ID",
    inquiry_code: "Inquiry code",
    plan: "Warranty plan",
    name: "Name",
    term: "Term",
    fee: "Warranty fee",
    started: "Starts",
    ended: "Ends",
    status: "Contract status",
    product: "Product covered",
    brand: "Brand",
    serial: "Serial number",
    reference: "Product code",
    price: "Price paid",
    purchase: "Purchase",
    transaction: "Transaction",
    bought: "Date of sale",
    inquire: "Questions?",
    inquire_with_code: "When you ask about this warranty, please give your inquiry code.",
    inquire_with_id: "When you ask about this warranty, please give your contract ID.",
    inquire_without: "Your contract ID and inquiry code are issued once registration is done. Until then, please ask the store where you bought it and give the transaction number.",
    inquire_not_registered: "No contract ID is issued for this application. If you have questions, please ask the store where you bought it and give the transaction number.",
    store: "Store",
    store_id: "Store ID",
    web_site: "Web site",
    plan_page: "About the plan",
};

pub fn words(language: Language) -> &'static Words {
    match language {
        Language::Ja => &JA,
        Language::En => &EN,
    }
}

/// What a sheet is called.
pub fn title(language: Language, standing: Standing) -> &'static str {
    match (language, standing) {
        (Language::Ja, Standing::Report) => "締め確認表",
        (Language::En, Standing::Report) => "Close of day",
        (Language::Ja, Standing::Registered) => "延長保証 ご契約内容",
        (
            Language::Ja,
            Standing::Accepted | Standing::Pending | Standing::Reported | Standing::NotRegistered,
        ) => "延長保証 お申込み内容",
        (Language::En, Standing::Registered) => "Your extended warranty",
        (
            Language::En,
            Standing::Accepted | Standing::Pending | Standing::Reported | Standing::NotRegistered,
        ) => "Extended warranty application",
    }
}

/// The mark and the sentence of what is no registered contract.
pub fn notice(language: Language, standing: Standing) -> Option<(&'static str, &'static str)> {
    match (language, standing) {
        (_, Standing::Registered | Standing::Report) => None,
        (Language::Ja, Standing::Accepted) => Some((
            "登録手続き中",
            "お申込みは受け付けられ、下の番号が発行されました。登録が済んだことは、まだ確認できていません。",
        )),
        (Language::Ja, Standing::Pending) => Some((
            "登録手続き中",
            "お申込みの登録はまだ済んでいません。この用紙は保証契約の成立を示すものではありません。",
        )),
        (Language::Ja, Standing::Reported) => Some((
            "契約を確認中",
            "店舗が、この契約の状態を保証の提供元に確認しています。この用紙は保証契約の成立を示すものではありません。",
        )),
        (Language::Ja, Standing::NotRegistered) => Some((
            "登録されていません",
            "このお申込みは店舗で登録されませんでした。この用紙は保証契約の成立を示すものではありません。",
        )),
        (Language::En, Standing::Accepted) => Some((
            "Registration pending",
            "The application was accepted and the numbers below were issued. That registration is complete has not been confirmed yet.",
        )),
        (Language::En, Standing::Pending) => Some((
            "Registration pending",
            "The application has not been registered yet. This sheet does not show a warranty contract.",
        )),
        (Language::En, Standing::Reported) => Some((
            "Being checked",
            "The store is checking the state of this contract with the warranty provider. This sheet does not show a warranty contract.",
        )),
        (Language::En, Standing::NotRegistered) => Some((
            "Not registered",
            "The store did not register this application. This sheet does not show a warranty contract.",
        )),
    }
}

/// The mark and the sentence of what the provider may have more than once.
pub fn possible_duplicate(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Ja => (
            "重複を確認中",
            "通信の都合により、この登録を複数回送信しました。重複がないことを店舗が保証の提供元に確認します。",
        ),
        Language::En => (
            "Being checked for duplicates",
            "Because an answer was lost, this registration was sent more than once. The store checks with the warranty provider that it exists only once.",
        ),
    }
}

/// How a customer is addressed.
pub fn addressed(language: Language, name: &str) -> String {
    match language {
        Language::Ja => format!("{name} 様"),
        Language::En => name.to_owned(),
    }
}
