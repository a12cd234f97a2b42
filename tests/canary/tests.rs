//! The search finds what is planted, in every form, whole and cut in two, and nothing else.

use super::*;

const TEXT: &str = "canary-5b7e+見本@q41z.example";

fn canaries() -> [Canary; 2] {
    [
        Canary::new("planted", TEXT),
        Canary::new("other", "nobody-wrote-this-anywhere"),
    ]
}

fn found(bytes: &[u8]) -> Vec<&'static str> {
    let finds = search_bytes(&canaries(), "here", bytes);
    assert!(finds.iter().all(|find| find.what == "planted"), "{finds:?}");
    finds.into_iter().map(|find| find.form).collect()
}

/// Written by other tools: `base64`, `xxd`, `iconv` and Python's `urllib` and `json`.
const PLANTED: [(&str, &[u8]); 9] = [
    ("UTF-8", TEXT.as_bytes()),
    (
        "hex",
        b"63616e6172792d356237652be8a68be69cac407134317a2e6578616d706c65",
    ),
    (
        "HEX",
        b"63616E6172792D356237652BE8A68BE69CAC407134317A2E6578616D706C65",
    ),
    (
        "percent form",
        b"canary-5b7e%2B%E8%A6%8B%E6%9C%AC%40q41z.example",
    ),
    (
        "percent form, small",
        b"canary-5b7e%2b%e8%a6%8b%e6%9c%ac%40q41z.example",
    ),
    ("JSON escapes", b"canary-5b7e+\\u898b\\u672c@q41z.example"),
    ("base64", b"Y2FuYXJ5LTViN2Ur6KaL5pysQHE0MXouZXhhbXBsZQ=="),
    ("base64", b"eGNhbmFyeS01YjdlK+imi+acrEBxNDF6LmV4YW1wbGU="),
    ("base64", b"eHhjYW5hcnktNWI3ZSvopovmnKxAcTQxei5leGFtcGxl"),
];

#[test]
fn a_planted_canary_is_found_in_each_form() {
    for (form, planted) in PLANTED {
        let bytes = [b"\0before ", planted, b" after\xff"].concat();
        assert!(found(&bytes).contains(&form), "{form}");
    }
    let wide: Vec<u16> = TEXT.encode_utf16().collect();
    let le: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let be: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    assert!(found(&le).contains(&"UTF-16LE"));
    assert!(found(&be).contains(&"UTF-16BE"));
}

#[test]
fn a_canary_cut_in_two_anywhere_is_found() {
    for (form, planted) in PLANTED {
        for cut in 0..=planted.len() {
            let (front, back) = planted.split_at(cut);
            let bytes = [front, &[0; 40], back].concat();
            assert!(found(&bytes).contains(&form), "{form} cut at {cut}");
        }
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    assert!(found(b"").is_empty());
    assert!(found(b"c").is_empty());
    assert!(found("canary 見本 example canary-5 41z.example".as_bytes()).is_empty());
    assert_none(&[]);
}

#[test]
fn a_tree_is_searched_whole_names_included_but_for_what_is_skipped() {
    let name = format!("warranty-canary-{}", std::process::id());
    let root = std::env::temp_dir().join(name);
    let (deep, skipped) = (root.join("a/b"), root.join("skipped"));
    fs::create_dir_all(&deep).unwrap();
    fs::create_dir_all(&skipped).unwrap();
    for place in [deep.join("log"), skipped.join("log")] {
        fs::write(place, TEXT).unwrap();
    }
    fs::write(deep.join(format!("{TEXT}.txt")), "nothing").unwrap();
    let finds = search_tree(&canaries(), &root, &[&skipped]);
    fs::remove_dir_all(&root).unwrap();
    let places: BTreeSet<&str> = finds.iter().map(|find| find.place.as_str()).collect();
    assert_eq!(places.len(), 2, "{finds:?}");
    assert!(places.iter().any(|place| place.ends_with("a/b/log")));
    assert!(places.iter().any(|place| place.starts_with("the name of ")));
}
