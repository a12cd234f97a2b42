//! Validates a profile as typed, before it is stored.

use crate::interface::{BaseUrl, BaseUrlError, StoreId};
use chrono_tz::Tz;

use super::{Display, ProfileDraft};
use crate::contracts::validation::{code, id_problem};
use crate::{Field, FieldProblem, Problem, Problems, one_line};

/// Longest name, in characters.
const MAX_NAME: usize = 100;

/// Longest id of a store, in characters.
const MAX_STORE_ID: usize = 128;

/// Longest label, in characters; a longer one is truncated.
const MAX_LABEL: usize = 20;

/// The range of offsets that clocks use, in minutes east of UTC.
const OFFSETS: std::ops::RangeInclusive<i32> = -14 * 60..=14 * 60;

/// The draft as it is stored: texts trimmed, address and store id normalised, labels truncated.
pub fn check(draft: &ProfileDraft) -> Result<ProfileDraft, Vec<FieldProblem>> {
    let mut problems = Problems::default();
    let name = problems.note(name(&draft.name));
    let base_url = problems.value(Field::BaseUrl, base_url(&draft.base_url));
    let store_id = problems.value(Field::StoreId, store_id(&draft.store_id));
    let offset = problems.note(offset(draft.utc_offset_minutes));
    let time_zone = problems.note(time_zone(draft.time_zone.as_deref()));
    let sound = || {
        offset?;
        Some(ProfileDraft {
            name: name?,
            base_url: base_url?.as_str().to_owned(),
            store_id: store_id?.as_str().to_owned(),
            display: display(&draft.display),
            time_zone: time_zone?,
            ..draft.clone()
        })
    };
    sound().ok_or(problems.0)
}

/// Checks what a connection test needs.
pub fn service(draft: &ProfileDraft) -> Result<(BaseUrl, StoreId), Vec<FieldProblem>> {
    let mut problems = Problems::default();
    let base_url = problems.value(Field::BaseUrl, base_url(&draft.base_url));
    let store_id = problems.value(Field::StoreId, store_id(&draft.store_id));
    base_url.zip(store_id).ok_or(problems.0)
}

pub fn name(text: &str) -> Result<String, FieldProblem> {
    one_line(text, MAX_NAME).map_err(|problem| FieldProblem::new(Field::ProfileName, problem))
}

pub fn offset(minutes: i32) -> Result<(), FieldProblem> {
    if OFFSETS.contains(&minutes) {
        Ok(())
    } else if minutes < 0 {
        Err(FieldProblem::new(Field::UtcOffset, Problem::TooSmall))
    } else {
        Err(FieldProblem::new(Field::UtcOffset, Problem::TooLarge))
    }
}

/// Checks the name of a time zone, ignoring case.
pub fn time_zone(typed: Option<&str>) -> Result<Option<String>, FieldProblem> {
    match typed.map(str::trim).filter(|name| !name.is_empty()) {
        None => Ok(None),
        Some(name) => Tz::from_str_insensitive(name)
            .map(|zone| Some(zone.name().to_owned()))
            .map_err(|_| FieldProblem::new(Field::TimeZone, Problem::NotTimeZone)),
    }
}

/// The labels in their stored form.
pub fn display(typed: &Display) -> Display {
    let label = |text: &str| -> String {
        let shown = text.trim().chars().filter(|c| !c.is_control());
        shown.take(MAX_LABEL).collect()
    };
    Display {
        currency: label(&typed.currency),
        term_unit: label(&typed.term_unit),
    }
}

fn store_id(text: &str) -> Result<StoreId, Problem> {
    let text = code(text)?;
    if text.chars().count() > MAX_STORE_ID {
        return Err(Problem::TooLong);
    }
    StoreId::new(text).map_err(id_problem)
}

fn base_url(text: &str) -> Result<BaseUrl, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::Missing);
    }
    let parsed = BaseUrl::parse(text).map(BaseUrl::without_version);
    parsed.map_err(|error| match error {
        BaseUrlError::NotAnAddress => Problem::NotWebAddress,
        BaseUrlError::NotSecure => Problem::NotSecure,
        BaseUrlError::Extras => Problem::BadCharacters,
        BaseUrlError::TooLong => Problem::TooLong,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::named;

    fn draft() -> ProfileDraft {
        ProfileDraft {
            name: " 本店 ".to_owned(),
            base_url: "https://service.example/base/".to_owned(),
            store_id: "ｓ-１ ".to_owned(),
            utc_offset_minutes: 540,
            time_zone: None,
            display: Display::default(),
            facts: super::super::ProviderFacts::default(),
        }
    }

    fn problems(change: impl Fn(&mut ProfileDraft)) -> Vec<(Field, Problem)> {
        let mut draft = draft();
        change(&mut draft);
        named(check(&draft))
    }

    #[test]
    fn a_sound_draft_is_trimmed_and_made_plain() {
        let sound = check(&draft()).unwrap();
        assert_eq!(sound.name, "本店");
        assert_eq!(sound.base_url, "https://service.example/base");
        assert_eq!(sound.store_id, "s-1");
    }

    #[test]
    fn every_field_says_what_is_wrong_with_it() {
        assert_eq!(
            problems(|draft| {
                draft.name = " ".to_owned();
                draft.base_url = String::new();
                draft.store_id = "\u{3000}".to_owned();
                draft.utc_offset_minutes = 900;
            }),
            [
                (Field::ProfileName, Problem::Missing),
                (Field::BaseUrl, Problem::Missing),
                (Field::StoreId, Problem::Missing),
                (Field::UtcOffset, Problem::TooLarge),
            ]
        );
        assert_eq!(
            problems(|draft| draft.store_id = "..".to_owned()),
            [(Field::StoreId, Problem::BadCharacters)]
        );
    }

    #[test]
    fn a_server_is_the_same_with_a_dot_its_own_port_or_a_version_at_the_end_of_its_address() {
        for address in [
            "https://SERVICE.example.:443/",
            "https://service.example/v1/",
        ] {
            let mut draft = draft();
            draft.base_url = address.to_owned();
            let sound = check(&draft).unwrap();
            assert_eq!(sound.base_url, "https://service.example", "{address}");
        }
    }

    #[test]
    fn every_text_of_a_profile_has_a_longest_length() {
        let too_long = |field| [(field, Problem::TooLong)];
        assert_eq!(
            problems(|draft| draft.name = "x".repeat(MAX_NAME + 1)),
            too_long(Field::ProfileName)
        );
        assert!(problems(|draft| draft.store_id = "x".repeat(MAX_STORE_ID)).is_empty());
        assert_eq!(
            problems(|draft| draft.store_id = "x".repeat(MAX_STORE_ID + 1)),
            too_long(Field::StoreId)
        );
        let address = |length: usize| {
            let host = "https://service.example/";
            format!("{host}{}", "x".repeat(length - host.len()))
        };
        assert!(problems(|draft| draft.base_url = address(500)).is_empty());
        assert_eq!(
            problems(|draft| draft.base_url = address(501)),
            too_long(Field::BaseUrl)
        );
    }

    #[test]
    fn only_a_safe_web_address_is_taken() {
        for (address, problem) in [
            ("service", Problem::NotWebAddress),
            ("http://service.example", Problem::NotSecure),
            ("ftp://service.example", Problem::NotSecure),
            ("https://user@service.example", Problem::BadCharacters),
            ("https://service.example/?a=b", Problem::BadCharacters),
        ] {
            assert_eq!(
                problems(|draft| draft.base_url = address.to_owned()),
                [(Field::BaseUrl, problem)],
                "{address}"
            );
        }
        assert!(problems(|draft| draft.base_url = "http://127.0.0.1:8080".to_owned()).is_empty());
    }

    #[test]
    fn offsets_go_from_fourteen_hours_west_to_fourteen_hours_east() {
        for minutes in [-840, 0, 345, 840] {
            assert!(problems(|draft| draft.utc_offset_minutes = minutes).is_empty());
        }
        assert_eq!(
            problems(|draft| draft.utc_offset_minutes = -841),
            [(Field::UtcOffset, Problem::TooSmall)]
        );
    }

    #[test]
    fn a_time_zone_is_one_of_the_database_whatever_its_case() {
        let zone = |name| time_zone(Some(name)).map_err(|found| found.problem);
        assert_eq!(
            zone(" europe/berlin "),
            Ok(Some("Europe/Berlin".to_owned()))
        );
        assert_eq!(zone(" "), Ok(None));
        for name in ["Berlin", "Europe/Atlantis", "+09:00"] {
            assert_eq!(zone(name), Err(Problem::NotTimeZone), "{name}");
        }
    }
}
