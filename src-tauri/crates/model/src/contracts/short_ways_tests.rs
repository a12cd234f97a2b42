//! The short ways through the checks of a field, held against the plain ones.

use chrono::{FixedOffset, NaiveTime, TimeZone, Timelike};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

/// Texts as fields have them: codes, amounts, moments, names and addresses of both scripts and
/// widths, spreadsheets' own words, and what no field should have.
fn texts() -> impl Strategy<Value = String> {
    const WORDS: &str = "
        0 1 9 12 000 128 2026 a E e Ｅ + ＋ - − ー ― . , ,000 ， @ ＠ ; < > １ ２３ ﾊﾞ が 山田 髙 é 円 ¥ ￥ # ## #N/A
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
    prop_oneof![8 => few, 4 => "\\PC{0,10}", 4 => "[a1山 .@#,E+]{0,9}", 1 => long]
}

fn plainly(text: &str) -> String {
    text.nfkc().collect::<String>().trim().to_owned()
}

fn spoilt_plainly(text: &str) -> Result<(), Problem> {
    let rounded = text
        .split_once(['e', 'E'])
        .is_some_and(|(mantissa, exponent)| {
            let digits =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
            let power = exponent.strip_prefix('+').is_some_and(digits);
            power && whole.len() == 1 && digits(whole) && digits(fraction)
        });
    if rounded {
        return Err(Problem::SpreadsheetRounded);
    }
    let errors = [
        "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
        "#DATA!",
    ];
    let marks = text.len() > 2 && text.bytes().all(|byte| byte == b'#');
    if marks || errors.contains(&text) {
        return Err(Problem::SpreadsheetError);
    }
    Ok(())
}

fn hyphened_plainly(text: &str) -> String {
    let text = plainly(text);
    let dashes = "ー‐‑‒–—―−";
    if text.chars().all(|c| c.is_ascii() || dashes.contains(c)) {
        text.chars()
            .map(|c| if dashes.contains(c) { '-' } else { c })
            .collect()
    } else {
        text
    }
}

fn code_plainly(text: &str) -> Result<String, Problem> {
    let text: String = text
        .trim()
        .chars()
        .map(|c| match c {
            '！'..='～' => c.to_string().nfkc().next().unwrap_or(c),
            '\u{3000}' => ' ',
            _ => c,
        })
        .collect();
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    if text.chars().any(unseen) {
        return Err(Problem::BadCharacters);
    }
    spoilt_plainly(&text)?;
    if text.len() > MOST_IN_CODE {
        return Err(Problem::TooLong);
    }
    Ok(text)
}

fn name_plainly(text: &str) -> Result<String, Problem> {
    let lines: Vec<&str> = text
        .trim()
        .split([
            '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
        ])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let text = lines.join(" ");
    let text = text.as_str();
    if text.chars().all(|c| c.is_whitespace() || unseen(c)) && !text.chars().any(char::is_control) {
        return Err(Problem::Missing);
    }
    if text.chars().any(char::is_control) {
        return Err(Problem::BadCharacters);
    }
    if spoilt_plainly(text) == Err(Problem::SpreadsheetError) {
        return Err(Problem::SpreadsheetError);
    }
    if text.chars().count() > MOST_IN_NAME {
        return Err(Problem::TooLong);
    }
    Ok(text.to_owned())
}

fn email_plainly(text: &str) -> Result<String, Problem> {
    let text = hyphened_plainly(text);
    if text.is_empty() {
        return Err(Problem::Missing);
    }
    if text.len() > MOST_IN_EMAIL {
        return Err(Problem::TooLong);
    }
    if spoilt_plainly(&text) == Err(Problem::SpreadsheetError) {
        return Err(Problem::SpreadsheetError);
    }
    let parts: Vec<&str> = text.split('@').collect();
    let [local, domain] = parts.as_slice() else {
        return Err(Problem::NotEmail);
    };
    let odd = |c: char| c.is_whitespace() || unseen(c) || ",;<>".contains(c);
    let labels: Vec<&str> = domain.split('.').collect();
    if local.is_empty() || labels.len() < 2 || labels.contains(&"") || text.chars().any(odd) {
        return Err(Problem::NotEmail);
    }
    Ok(text)
}

/// An amount without signs, currencies and units: those have no short way.
fn digits_plainly(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split(',').collect();
    let digits =
        |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = groups.len() == 1
        || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    (groups.iter().all(digits) && grouped).then(|| groups.concat())
}

fn time_plainly(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M:%S%.f")
        .or_else(|_| NaiveTime::parse_from_str(text, "%H:%M"))
        .ok()
        .filter(|time| time.nanosecond() < 1_000_000_000)
}

proptest! {
    #[test]
    fn codes_names_and_addresses_are_judged_as_by_the_plain_way(text in texts()) {
        prop_assert_eq!(code(&text).map(Cow::into_owned), code_plainly(&text));
        let id = |code| PlanId::new(code).map_err(id_problem);
        let known = KnownCodes::default();
        prop_assert_eq!(known.plan_id(&text), code_plainly(&text).and_then(id));
        prop_assert_eq!(name(&text).map(Cow::into_owned), name_plainly(&text));
        prop_assert_eq!(email(&text).map(Cow::into_owned), email_plainly(&text));
    }

    #[test]
    fn amounts_are_judged_as_by_the_plain_way(text in "[0-9０-９,，]{0,12}|[0-9]{1,3}(,[0-9]{2,4}){0,4}") {
        let plain = plainly(&text);
        let number = digits_plainly(&plain).ok_or(Problem::NotWholeNumber).and_then(|digits| {
            let number: i64 = digits.parse().map_err(|_| Problem::TooLarge)?;
            Amount::new(number).map_err(|_| Problem::TooLarge)
        });
        let expected = if plain.is_empty() { Err(Problem::Missing) } else { number };
        prop_assert_eq!(amount(&text), expected);
    }

    #[test]
    fn times_of_day_are_read_as_by_the_plain_way(clock in "[0-9]{1,3}(:[0-9]{0,3}){1,3}([.][0-9]{0,3})?") {
        let read = moment(&format!("2026/11/20 {clock}"), DateTime::UNIX_EPOCH, Zone::fixed(540));
        let expected = time_plainly(&clock).and_then(|time| {
            let date = chrono::NaiveDate::from_ymd_opt(2026, 11, 20)?;
            let offset = FixedOffset::east_opt(540 * 60)?;
            offset.from_local_datetime(&date.and_time(time)).single().map(Timestamp::new)
        });
        prop_assert_eq!(read.ok(), expected);
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
