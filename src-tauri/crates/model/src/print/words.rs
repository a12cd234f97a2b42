//! The texts of a sheet.

use super::Standing;
use crate::settings::Language;

/// A text in Japanese and in English.
pub type Text = (&'static str, &'static str);

pub const ISSUED: Text = ("発行", "Issued");
pub const PRACTICE: Text = (
    "練習用（SANDBOX） この用紙は見本です。実際の契約ではありません。",
    "SANDBOX: a practice sheet. This is not a real contract.",
);
pub const CONTRACT_ID: Text = ("契約ID", "Contract ID");
pub const INQUIRY_CODE: Text = ("お問い合わせコード", "Inquiry code");
pub const PLAN: Text = ("保証プラン", "Warranty plan");
pub const NAME: Text = ("名称", "Name");
pub const TERM: Text = ("保証期間", "Term");
pub const FEE: Text = ("保証料", "Warranty fee");
pub const STARTED: Text = ("保証開始", "Starts");
pub const ENDED: Text = ("保証終了", "Ends");
pub const STATUS: Text = ("契約の状態", "Contract status");
pub const PRODUCT: Text = ("対象商品", "Product covered");
pub const BRAND: Text = ("ブランド", "Brand");
pub const SERIAL: Text = ("製造番号", "Serial number");
pub const REFERENCE: Text = ("商品コード", "Product code");
pub const PRICE: Text = ("販売価格", "Price paid");
pub const PURCHASE: Text = ("ご購入", "Purchase");
pub const TRANSACTION: Text = ("取引番号", "Transaction");
pub const BOUGHT: Text = ("販売日時", "Date of sale");
pub const INQUIRE: Text = ("お問い合わせ", "Questions?");
pub const INQUIRE_WITH_CODE: Text = (
    "この保証についてのお問い合わせの際は、お問い合わせコードをお知らせください。",
    "When you ask about this warranty, please give your inquiry code.",
);
pub const INQUIRE_WITH_ID: Text = (
    "この保証についてのお問い合わせの際は、契約IDをお知らせください。",
    "When you ask about this warranty, please give your contract ID.",
);
pub const INQUIRE_WITHOUT: Text = (
    "登録が済むと、契約IDとお問い合わせコードが発行されます。お問い合わせの際は、お買い上げの店舗に取引番号をお知らせください。",
    "Your contract ID and inquiry code are issued once registration is done. Until then, please ask the store where you bought it and give the transaction number.",
);
pub const INQUIRE_NOT_REGISTERED: Text = (
    "このお申込みに契約IDは発行されません。ご不明な点は、お買い上げの店舗に取引番号をお知らせください。",
    "No contract ID is issued for this application. If you have questions, please ask the store where you bought it and give the transaction number.",
);
pub const STORE: Text = ("お買い上げ店舗", "Store");
pub const STORE_ID: Text = ("店舗ID", "Store ID");
pub const WEB_SITE: Text = ("店舗のサイト", "Web site");
pub const PLAN_PAGE: Text = ("プランのご案内", "About the plan");

/// The word for a status of the service, as on the screen. The interface names no values, so every
/// other value is printed unchanged.
pub fn status(language: Language, value: &str) -> &str {
    match value {
        "Active" => language.of(("有効", "Active")),
        other => other,
    }
}

/// What a sheet is called.
pub fn title(standing: Standing) -> Text {
    match standing {
        Standing::Report => ("締め確認表", "Close of day"),
        Standing::Registered => ("延長保証 ご契約内容", "Your extended warranty"),
        Standing::Accepted | Standing::Pending | Standing::Reported | Standing::NotRegistered => {
            ("延長保証 お申込み内容", "Extended warranty application")
        }
    }
}

/// The mark and the sentence of what is no registered contract.
pub fn notice(standing: Standing) -> Option<(Text, Text)> {
    const PENDING: Text = ("登録手続き中", "Registration pending");
    match standing {
        Standing::Registered | Standing::Report => None,
        Standing::Accepted => Some((
            PENDING,
            (
                "お申込みは受け付けられ、下の番号が発行されました。登録が済んだことは、まだ確認できていません。",
                "The application was accepted and the numbers below were issued. It has not been confirmed yet that the registration is complete.",
            ),
        )),
        Standing::Pending => Some((
            PENDING,
            (
                "お申込みの登録はまだ済んでいません。この用紙は保証契約の成立を示すものではありません。",
                "The application has not been registered yet. This document is not proof of a warranty contract.",
            ),
        )),
        Standing::Reported => Some((
            ("契約を確認中", "Being checked"),
            (
                "当店が、この契約の状態を保証の提供元に確認しています。この用紙は保証契約の成立を示すものではありません。",
                "We are checking the state of this contract with the warranty provider. This document is not proof of a warranty contract.",
            ),
        )),
        Standing::NotRegistered => Some((
            ("登録されていません", "Not registered"),
            (
                "このお申込みは登録されていません。この用紙は保証契約の成立を示すものではありません。",
                "This application is not registered. This document is not proof of a warranty contract.",
            ),
        )),
    }
}

/// The mark and the sentence of what the provider may have more than once.
pub const POSSIBLE_DUPLICATE: (Text, Text) = (
    ("重複を確認中", "Being checked for duplicates"),
    (
        "通信の都合により、この登録を複数回送信しました。重複がないことを当店が保証の提供元に確認します。",
        "Because an answer was lost, this registration was sent more than once. We will check with the warranty provider that it exists only once.",
    ),
);

/// How a customer is addressed.
pub fn addressed(language: Language, name: &str) -> String {
    match language {
        Language::Ja => format!("{name} 様"),
        Language::En => name.to_owned(),
    }
}
