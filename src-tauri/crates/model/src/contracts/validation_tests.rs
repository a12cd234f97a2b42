use super::*;
use crate::contracts::EntryDraft;

/// The clock of Japan.
fn jst() -> Zone {
    Zone::fixed(9 * 60)
}

fn entry(draft: &EntryDraft) -> Result<ContractItem, Vec<FieldProblem>> {
    super::entry(draft, noon(), jst(), &KnownCodes::default())
}

fn noon() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-21T03:00:00.123Z")
        .unwrap()
        .to_utc()
}

fn date(text: &str) -> Result<String, Problem> {
    moment(text, noon(), jst()).map(|moment| moment.to_string())
}

fn draft() -> EntryDraft {
    EntryDraft {
        transaction_id: " Ｔ－0001 ".into(),
        transaction_total: "１２８,000".into(),
        transaction_date: "2026/11/20 18:05".into(),
        customer_name: "\u{3000}山田　太郎 ".into(),
        customer_email: " taro＠example.jp".into(),
        product_reference_id: "0012345678905".into(),
        product_purchase_price: "128000".into(),
        plan_id: "plan-1".into(),
        plan_purchase_price: "6,400".into(),
    }
}

#[test]
fn an_entry_as_a_spreadsheet_writes_it_becomes_a_contract_to_create() {
    let item = entry(&draft()).unwrap();
    assert_eq!(item.transaction_id, "T-0001");
    assert_eq!(item.transaction_total.get(), 128_000);
    assert_eq!(
        item.transaction_date.to_string(),
        "2026-11-20T18:05:00.000+09:00"
    );
    assert_eq!(item.customer.name.expose(), "山田　太郎");
    assert_eq!(item.customer.email.expose(), "taro@example.jp");
    assert_eq!(item.product.reference_id.as_str(), "0012345678905");
    assert_eq!(item.plan.purchase_price.get(), 6_400);
}

#[test]
fn every_field_in_error_is_named_at_once() {
    let problems = entry(&EntryDraft::default()).unwrap_err();
    let fields: Vec<Field> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(
        fields,
        [
            Field::TransactionId,
            Field::TransactionTotal,
            Field::CustomerName,
            Field::CustomerEmail,
            Field::ProductReferenceId,
            Field::ProductPurchasePrice,
            Field::PlanId,
            Field::PlanPurchasePrice,
        ]
    );
    assert!(
        problems
            .iter()
            .all(|problem| problem.problem == Problem::Missing)
    );
}

#[test]
fn amounts_are_whole_and_grouped_as_people_group() {
    for (text, number) in [
        ("0", 0),
        ("007", 7),
        ("1,234,567", 1_234_567),
        ("１，２３４", 1_234),
        (" 500 ", 500),
        ("￥９８，０００", 98_000),
        ("\\98,000", 98_000),
        ("98,000円", 98_000),
        ("¥ 98,000 円", 98_000),
        ("9007199254740991", 9_007_199_254_740_991),
    ] {
        assert_eq!(amount(text).map(Amount::get), Ok(number), "{text}");
    }
    for (text, problem) in [
        ("", Problem::Missing),
        ("\u{3000}", Problem::Missing),
        ("12.5", Problem::NotWholeNumber),
        ("12.0", Problem::NotWholeNumber),
        ("1,2", Problem::NotWholeNumber),
        ("1234,567", Problem::NotWholeNumber),
        (",123", Problem::NotWholeNumber),
        ("円", Problem::NotWholeNumber),
        ("¥", Problem::NotWholeNumber),
        ("--1", Problem::NotWholeNumber),
        ("¥¥1", Problem::NotWholeNumber),
        ("1円円", Problem::NotWholeNumber),
        ("98,000-", Problem::NotWholeNumber),
        ("1980\n2980", Problem::NotWholeNumber),
        ("①6640", Problem::NotWholeNumber),
        ("6640²", Problem::NotWholeNumber),
        ("$12", Problem::NotWholeNumber),
        ("#VALUE!", Problem::SpreadsheetError),
        ("\u{ffe5}-1", Problem::TooSmall),
        ("１２時", Problem::NotWholeNumber),
        ("-1", Problem::TooSmall),
        ("-¥1", Problem::TooSmall),
        ("\u{2212}1", Problem::TooSmall),
        ("9007199254740992", Problem::TooLarge),
        ("99999999999999999999", Problem::TooLarge),
        ("1.23E+11", Problem::SpreadsheetRounded),
        ("4e+12", Problem::SpreadsheetRounded),
        ("9E+12", Problem::SpreadsheetRounded),
    ] {
        assert_eq!(amount(text), Err(problem), "{text}");
    }
}

#[test]
fn codes_keep_their_zeros_and_lose_nothing_else() {
    assert_eq!(code("0001").as_deref(), Ok("0001"));
    assert_eq!(code("ＡＢ－１２").as_deref(), Ok("AB-12"));
    assert_eq!(code("12E45").as_deref(), Ok("12E45"));
    assert_eq!(code("4.90E+12"), Err(Problem::SpreadsheetRounded));
    assert_eq!(code("9E+12"), Err(Problem::SpreadsheetRounded));
    assert_eq!(code("1,23457E+11"), Err(Problem::SpreadsheetRounded));
    assert_eq!(code("1.20E-06"), Err(Problem::SpreadsheetRounded));
    assert_eq!(code("1E-06").as_deref(), Ok("1E-06"));
    assert_eq!(code("#N/A"), Err(Problem::SpreadsheetError));
    assert_eq!(code("########"), Err(Problem::SpreadsheetError));
    assert_eq!(code("#1").as_deref(), Ok("#1"));
    assert_eq!(code("a\u{0}b"), Err(Problem::BadCharacters));
    assert_eq!(code("a\u{200b}b"), Err(Problem::BadCharacters));
    assert_eq!(code(&"x".repeat(512)).as_deref(), Ok(&*"x".repeat(512)));
    assert_eq!(code(&"x".repeat(513)), Err(Problem::TooLong));
    let none = KnownCodes::default();
    assert_eq!(none.product_reference(".."), Err(Problem::BadCharacters));
}

#[test]
fn only_the_width_of_ascii_is_made_plain_in_codes() {
    assert_eq!(code(" Ｔ１\u{3000}").as_deref(), Ok("T1"));
    for text in ["T①", "ｱｲｳ-1", "アイウ-1", "㈱1", "T²", "ﬁ1"] {
        assert_eq!(code(text).as_deref(), Ok(text));
        assert_eq!(typed_code(text).as_deref(), Ok(text));
    }
}

#[test]
fn a_code_that_is_known_as_it_is_written_is_used_byte_for_byte() {
    let mut known = KnownCodes::default();
    known.note("ＡＢ－１");
    known.note("1.23E+11");
    assert_eq!(
        known.product_reference(" ＡＢ－１ ").unwrap().as_str(),
        "ＡＢ－１"
    );
    assert_eq!(known.plan_id("ＡＢ－１").unwrap().as_str(), "ＡＢ－１");
    assert_eq!(known.plan_id("1.23E+11").unwrap().as_str(), "1.23E+11");
    assert_eq!(
        known.product_reference("ＡＢ－２").unwrap().as_str(),
        "AB-2"
    );
    assert_eq!(known.plan_id("2.23E+11"), Err(Problem::SpreadsheetRounded));
}

#[test]
fn a_name_on_two_lines_is_one_name() {
    for text in ["見本\n太郎", "見本 \r\n 太郎", "\n見本\u{2028}\n太郎\n"] {
        assert_eq!(name(text).unwrap(), "見本 太郎");
    }
    assert_eq!(name("見本\u{3000}太郎").unwrap(), "見本\u{3000}太郎");
    assert_eq!(name("\n \n").err(), Some(Problem::Missing));
    assert_eq!(name("見本\t太郎").err(), Some(Problem::BadCharacters));
}

#[test]
fn an_e_mail_address_has_one_at_sign_and_a_dotted_domain() {
    for text in [
        "a@b.jp",
        "taro.yamada+x@mail.example.co.jp",
        "x..y@docomo.example.jp",
        "x.@docomo.example.jp",
        "o'neill/x#1@example.jp",
        "見本@日本語.example",
        "a@例え.テスト",
        "josé@example.québec",
        "a@example.xn--zckzah0",
    ] {
        assert!(email(text).is_ok(), "{text}");
    }
    for text in [
        "a",
        "a@b",
        "@b.jp",
        "a@",
        "a@b@c.jp",
        "a>@b.jp",
        "a;b@c.jp",
        "a b@c.jp",
        "a@b..jp",
        "a@.jp",
        "a@b.",
        "a@b.jp,c@d.jp",
        "<a@b.jp>",
        "a\u{200b}@b.jp",
        "taro@example.jp（携帯）",
        "メール：taro@example.jp",
        "mailto:taro@example.jp",
        "taro@example.jp、",
        "taro@example.ne。jp",
        "taro@example.jp/090-1234-5678",
        "[taro@example.jp]",
        "taro@example.jp携帯",
        "taro@example.jp様",
        "taro@example.jp090-1234-5678",
        "連絡先taro@example.jp",
    ] {
        assert_eq!(email(text).err(), Some(Problem::NotEmail), "{text}");
    }
    assert_eq!(
        email(&format!("{}@b.jp", "a".repeat(250))).err(),
        Some(Problem::TooLong)
    );
    assert_eq!(email("#N/A").err(), Some(Problem::SpreadsheetError));
}

#[test]
fn names_stay_as_typed() {
    assert_eq!(name(" 髙橋　ﾊﾅ ").unwrap(), "髙橋　ﾊﾅ");
    assert_eq!(name("#REF!").err(), Some(Problem::SpreadsheetError));
    assert_eq!(name("\u{200b}\u{2060} ").err(), Some(Problem::Missing));
    assert_eq!(name("a\u{0}b").err(), Some(Problem::BadCharacters));
    assert_eq!(name(&"山".repeat(201)).err(), Some(Problem::TooLong));
}

#[test]
fn a_date_with_an_offset_keeps_it_and_a_local_one_gets_the_profiles() {
    for (text, expected) in [
        (
            "2026-11-20T18:05:00.250+08:00",
            "2026-11-20T18:05:00.250+08:00",
        ),
        ("2026-11-20T09:05:00Z", "2026-11-20T09:05:00.000+00:00"),
        ("2026-11-20 18:05:00+09:00", "2026-11-20T18:05:00.000+09:00"),
        ("2026-11-20T18:05:09", "2026-11-20T18:05:09.000+09:00"),
        ("2026-11-20 18:05:09.5", "2026-11-20T18:05:09.500+09:00"),
        ("2026/11/20 8:05", "2026-11-20T08:05:00.000+09:00"),
        ("2026/1/5", "2026-01-05T00:00:00.000+09:00"),
        ("２０２６／１１／２０", "2026-11-20T00:00:00.000+09:00"),
        ("2024-02-29", "2024-02-29T00:00:00.000+09:00"),
        (
            "令和８年１１月２０日　１０時５分",
            "2026-11-20T10:05:00.000+09:00",
        ),
        ("\u{32ff}8.11.20", "2026-11-20T00:00:00.000+09:00"),
        ("R8/11/20", "2026-11-20T00:00:00.000+09:00"),
    ] {
        assert_eq!(date(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn no_date_at_all_is_now_with_the_profiles_offset() {
    assert_eq!(date(" ").as_deref(), Ok("2026-11-21T12:00:00.000+09:00"));
}

#[test]
fn days_that_do_not_exist_are_refused() {
    for text in [
        "2026-02-29",
        "2026/13/01",
        "2026-11-31 10:00",
        "2026-11-20 25:00",
        "2026-11-20 10:60",
        "2026-11-20 23:59:60",
        "2026年11月20日 23:59:60",
        "20-11-2026",
        "11/20/2026",
        "46346",
        "yesterday",
        "0026-01-01",
        "12026-01-01",
    ] {
        assert_eq!(date(text), Err(Problem::NotDateTime), "{text}");
    }
}

#[test]
fn hyphens_of_an_open_input_method_are_hyphens_in_codes_and_addresses_and_nowhere_else() {
    for dash in "-ーｰ‐‑–—―−－".chars() {
        let typed = format!("Ｐ{dash}１");
        assert_eq!(typed_code(&typed).as_deref(), Ok("P-1"), "{dash}");
    }
    assert_eq!(typed_code("セーター1").as_deref(), Ok("セーター1"));
    assert_eq!(
        code("PLAN–3Y").as_deref(),
        Ok("PLAN–3Y"),
        "as its provider writes it"
    );
    let address = email("taroーm@sample.invalid").unwrap();
    assert_eq!(address, "taro-m@sample.invalid");
    assert_eq!(name("ポール ー").unwrap(), "ポール ー");
}
