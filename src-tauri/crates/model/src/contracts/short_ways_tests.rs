//! The short ways through the checks of a field, held against the plain ones.

use proptest::prelude::*;

use super::*;

/// Texts as fields have them: codes, amounts, moments, names and addresses of both scripts and
/// widths, spreadsheets' own words, and what no field should have.
fn texts() -> impl Strategy<Value = String> {
    const WORDS: &str = "
        0 1 9 12 000 128 2026 a E e Ｅ + ＋ - − ー ― . , ,000 ， @ ＠ ; < > ( ） [ ] _ 。 １ ２３ ﾊﾞ が 山田 髙 é 円 ¥ ￥ # ## #N/A
        #REF! 1.23E+11 4e+12 / 11/20 -11-20 : ： 18:05 時 分 令和8年 R8 元 年 月 日 (土) 午後 AM pm T t Z +09:00
        example.jp taro plan-9";
    const CHARACTERS: &str =
        " \u{3000}\t\n\r\0\u{7f}\u{85}\u{ad}\u{200b}\u{202e}\u{feff}\u{3099}\\";
    let words = WORDS.split_whitespace().map(str::to_owned);
    let pieces: Vec<String> = words.chain(CHARACTERS.chars().map(String::from)).collect();
    let pieces = prop::sample::select(pieces);
    let few = prop::collection::vec(pieces, 0..8).prop_map(|pieces| pieces.concat());
    let long =
        (0..3_usize, 120..560_usize).prop_map(|(at, count)| ["x", "山", "1"][at].repeat(count));
    prop_oneof![8 => few, 4 => "\\PC{0,10}", 4 => "[a1山 .@#,E+:/]{0,9}", 1 => long]
}

proptest! {
    #[test]
    fn codes_names_and_addresses_are_judged_as_by_the_plain_way(text in texts()) {
        let plain = sound(plain_width(&text));
        let id = |code: Cow<'_, str>| PlanId::new(code).map_err(id_problem);
        prop_assert_eq!(KnownCodes::default().plan_id(&text), plain.clone().and_then(id));
        prop_assert_eq!(code(&text), plain);
        prop_assert_eq!(typed_code(&text), sound(hyphened(plain_width(&text))));
        prop_assert_eq!(name(&text), any_name(&text));
        prop_assert_eq!(email(&text), any_email(&text));
    }

    #[test]
    fn amounts_are_judged_as_by_the_plain_way(text in "[0-9０-９,，]{0,12}|[0-9]{1,3}(,[0-9]{2,4}){0,4}") {
        let plain = plain_width(&text);
        let digits = lenient_parse::whole(&plain).ok_or(Problem::NotWholeNumber);
        let number = digits.and_then(|(_, digits)| {
            let number: i64 = digits.parse().map_err(|_| Problem::TooLarge)?;
            Amount::new(number).map_err(|_| Problem::TooLarge)
        });
        let expected = if plain.is_empty() { Err(Problem::Missing) } else { number };
        prop_assert_eq!(amount(&text), expected);
    }

    /// The parser of all notations can read the usual ones too, though they no longer reach it.
    #[test]
    fn usual_dates_are_read_as_by_the_plain_way(
        text in "(20[0-9]{2}|0000|99999|2026)[-/.](1?[0-9]|02|11)[-/](29|[0-3]?[0-9])(([ T]|  |)[0-9]{1,3}(:[0-9]{0,3}){0,3}([.]5|Z|[+]09:00| PM)?)?",
    ) {
        let zone = Zone::fixed(540);
        let plain = Timestamp::parse(&text).ok().or_else(|| {
            zone.of_local(lenient_parse::local(&text)?).map(Timestamp::new)
        });
        let plain = plain.filter(|found| YEARS.contains(&found.get().year()));
        prop_assert_eq!(moment(&text, DateTime::UNIX_EPOCH, zone).ok(), plain);
    }
}
