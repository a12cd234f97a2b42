//! The token and what is said about people are never printed.

use std::fmt::Debug;

use warranty_api::{Contract, Lead, LeadCustomer, Personal, Token, TokenError};

use crate::operations::{Calls as _, Operation, TOKEN, batch, client};

const CANARIES: [&str; 4] = [TOKEN, "見本 太郎", "taro@example.com", "lead-1"];

#[track_caller]
fn assert_silent(printed: impl Debug) {
    for text in [format!("{printed:?}"), format!("{printed:#?}")] {
        for canary in CANARIES {
            assert!(!text.contains(canary), "{text}");
        }
    }
}

#[test]
fn neither_the_token_nor_a_client_that_has_it_prints_it() {
    assert_silent(Token::new(TOKEN).unwrap());
    assert_silent(client("https://warranty.example.com"));
}

#[test]
fn people_are_not_printed_wherever_they_stand() {
    assert_silent(Personal::new("taro@example.com"));
    assert_silent(batch());
    let success = Operation::GetContract.success();
    assert_silent(serde_json::from_str::<Contract>(success).unwrap());
    let lead = Operation::CreateLead.success();
    assert_silent(serde_json::from_str::<Lead>(lead).unwrap());
    assert_silent(LeadCustomer {
        email: Some(Personal::new("taro@example.com")),
    });
}

#[test]
fn a_token_is_what_a_header_can_carry_without_the_space_around_it() {
    assert_eq!(Token::new(" sample \r\n").unwrap().expose(), "sample");
    assert_eq!(Token::new("a b").unwrap().expose(), "a b");
    assert_eq!(Token::new("\u{feff}sample").unwrap().expose(), "sample");
    for (text, error) in [
        ("", TokenError::Empty),
        (" \t\n", TokenError::Empty),
        ("a\r\nX-Other: b", TokenError::Unsendable),
        ("合言葉", TokenError::Unsendable),
        ("a\u{7f}", TokenError::Unsendable),
        (&"x".repeat(2049), TokenError::TooLong),
    ] {
        assert_eq!(Token::new(text).unwrap_err(), error, "{text:?}");
    }
    assert!(Token::new(&"x".repeat(2048)).is_ok());
}
