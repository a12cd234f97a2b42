//! Canaries: texts that must not turn up, and the search for them in every form they could take.
//!
//! Shared by test binaries of several packages, which include it by path; so it knows nothing of any
//! of them and uses the standard library alone.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

/// Fewest bytes of a half that is searched for by itself: less would turn up by chance.
const SHORTEST_HALF: usize = 8;

/// A text that must not turn up, with every form it could turn up in.
///
/// Each half is searched for as well as the whole, because a database may cut a value in two between
/// its pages: so each half of the text has to be unlike anything else, and at least eight bytes.
pub struct Canary {
    what: &'static str,
    needles: Vec<Needle>,
    /// Whether any needle begins with these two bytes, by their value.
    begins: Vec<bool>,
}

struct Needle {
    form: &'static str,
    bytes: Vec<u8>,
}

/// Where a canary turned up, and in which form; its own text is not in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Find {
    /// Which canary.
    pub what: &'static str,
    /// Which form.
    pub form: &'static str,
    /// The file, or whatever the caller named.
    pub place: String,
}

impl fmt::Display for Find {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {} in {}", self.what, self.form, self.place)
    }
}

impl Canary {
    /// A canary by what it stands for (`token`, `e-mail`) and its text.
    pub fn new(what: &'static str, text: &str) -> Self {
        let mut needles = Vec::new();
        for (form, bytes) in forms(text) {
            let (front, back) = bytes.split_at(bytes.len() / 2);
            for bytes in [front, back] {
                assert!(
                    bytes.len() >= SHORTEST_HALF,
                    "the canary of the {what} is too short"
                );
                needles.push(Needle {
                    form,
                    bytes: bytes.to_vec(),
                });
            }
        }
        let mut begins = vec![false; 1 << 16];
        for needle in &needles {
            begins[start(&needle.bytes)] = true;
        }
        Self {
            what,
            needles,
            begins,
        }
    }

    /// Every form in which it is in these bytes.
    fn forms_in(&self, bytes: &[u8]) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        for (at, pair) in bytes.windows(2).enumerate() {
            if self.begins[start(pair)] {
                let here = self.needles.iter();
                found.extend(
                    here.filter(|needle| bytes[at..].starts_with(&needle.bytes))
                        .map(|needle| needle.form),
                );
            }
        }
        found
    }
}

/// Searches bytes; `place` is what a find names.
pub fn search_bytes(canaries: &[Canary], place: &str, bytes: &[u8]) -> Vec<Find> {
    let finds = |canary: &Canary| {
        let what = canary.what;
        let forms = canary.forms_in(bytes).into_iter();
        forms
            .map(|form| Find {
                what,
                form,
                place: place.to_owned(),
            })
            .collect::<Vec<_>>()
    };
    canaries.iter().flat_map(finds).collect()
}

/// Searches a file, or every file below a folder, names included, but for what is below `skipped`.
/// Links are not followed; what vanishes meanwhile is passed over; what cannot be read fails the test.
pub fn search_tree(canaries: &[Canary], root: &Path, skipped: &[&Path]) -> Vec<Find> {
    let mut finds = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(path) = open.pop() {
        if skipped.iter().any(|skip| path.starts_with(skip)) {
            continue;
        }
        let Ok(kind) = fs::symlink_metadata(&path).map(|data| data.file_type()) else {
            continue;
        };
        let place = path.display().to_string();
        if let Some(name) = path.file_name() {
            let named = format!("the name of {place}");
            finds.extend(search_bytes(canaries, &named, name.as_encoded_bytes()));
        }
        if kind.is_dir() {
            let Ok(entries) = fs::read_dir(&path) else {
                continue;
            };
            open.extend(entries.flatten().map(|entry| entry.path()));
        } else if kind.is_file() {
            match fs::read(&path) {
                Ok(bytes) => finds.extend(search_bytes(canaries, &place, &bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => panic!("{place}: {error}"),
            }
        }
    }
    finds.sort();
    finds
}

/// Searches what every process of this user may see of a running one: its arguments and environment.
#[cfg(target_os = "linux")]
pub fn search_process(canaries: &[Canary], pid: u32) -> Vec<Find> {
    let folder = Path::new("/proc").join(pid.to_string());
    let search = |name: &str| search_tree(canaries, &folder.join(name), &[]);
    [search("cmdline"), search("environ")].concat()
}

/// Fails the test when a canary turned up.
#[track_caller]
pub fn assert_none(finds: &[Find]) {
    let lines: Vec<String> = finds.iter().map(ToString::to_string).collect();
    assert!(finds.is_empty(), "found:\n{}", lines.join("\n"));
}

fn start(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

/// Every form of a text, with what each is called.
fn forms(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let utf8 = text.as_bytes();
    let hex = |unit: fn(&u8) -> String| -> Vec<u8> {
        utf8.iter().map(unit).collect::<String>().into_bytes()
    };
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let mut forms: Vec<(&'static str, Vec<u8>)> = vec![
        ("UTF-8", utf8.to_vec()),
        ("UTF-16LE", utf16(u16::to_le_bytes)),
        ("UTF-16BE", utf16(u16::to_be_bytes)),
        ("hex", hex(|byte| format!("{byte:02x}"))),
        ("HEX", hex(|byte| format!("{byte:02X}"))),
        ("percent form", percent(text, |byte| format!("%{byte:02X}"))),
        (
            "percent form, small",
            percent(text, |byte| format!("%{byte:02x}")),
        ),
        ("percent form of all", hex(|byte| format!("%{byte:02X}"))),
        (
            "JSON escapes",
            escaped(text, |unit| format!("\\u{unit:04x}")),
        ),
        (
            "JSON escapes, capital",
            escaped(text, |unit| format!("\\u{unit:04X}")),
        ),
        ("numbers", hex(|byte| format!("{byte},"))),
        ("numbers, spaced", hex(|byte| format!("{byte}, "))),
    ];
    for before in 0..3 {
        forms.push(("base64", base64(utf8, before, b'+', b'/')));
        forms.push(("base64url", base64(utf8, before, b'-', b'_')));
    }
    forms
}

/// Everything but what a URL may hold as it is.
fn percent(text: &str, unit: fn(u8) -> String) -> Vec<u8> {
    let mut form = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            form.push(char::from(byte));
        } else {
            form.push_str(&unit(byte));
        }
    }
    form.into_bytes()
}

/// Everything beyond ASCII, and quotes and backslashes, as careful writers of JSON do.
fn escaped(text: &str, unit: fn(u16) -> String) -> Vec<u8> {
    let mut form = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => form.extend(['\\', character]),
            _ if character.is_ascii() => form.push(character),
            _ => {
                let mut units = [0; 2];
                let units = character.encode_utf16(&mut units);
                form.extend(units.iter().map(|one| unit(*one)));
            }
        }
    }
    form.into_bytes()
}

/// The characters of base64 that depend on nothing but the text, when as many other bytes stand
/// `before` it in its group of three.
fn base64(text: &[u8], before: usize, plus: u8, slash: u8) -> Vec<u8> {
    let first = (before * 8).div_ceil(6);
    let bits = (before + text.len()) * 8;
    let digit = |at: usize| {
        let value = (at * 6..at * 6 + 6).fold(0_u8, |value, bit| {
            let byte = (bit / 8).checked_sub(before).map_or(0, |byte| text[byte]);
            value << 1 | (byte >> (7 - bit % 8) & 1)
        });
        match value {
            0..=25 => b'A' + value,
            26..=51 => b'a' + value - 26,
            52..=61 => b'0' + value - 52,
            62 => plus,
            _ => slash,
        }
    };
    (first..bits / 6).map(digit).collect()
}

#[cfg(test)]
mod tests;
