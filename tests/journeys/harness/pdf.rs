//! What a printed page shows: its text, its size, and where its ink is.

use std::path::{Path, PathBuf};
use std::process::Command;

use unicode_normalization::UnicodeNormalization;

use super::desk::Desk;
use super::evidence;

/// Pixels an inch in which ink is looked for.
const FINENESS: f64 = 72.0;
const MM_PER_INCH: f64 = 25.4;

/// A PDF file that the window wrote.
#[derive(Debug)]
pub struct Pdf(PathBuf);

impl Desk {
    /// The file that was printed last. It is taken away, so that the next one is another.
    pub async fn printed(&self) -> Pdf {
        // The button is busy until the file is whole.
        self.see_where("[data-testid=paper-print]:not([aria-busy=true])")
            .await;
        let folder = self.saves_into().join("printed");
        let mut files = std::fs::read_dir(folder).expect("a folder that can be read");
        // Its name is in the language of the session.
        let file = files.next().expect("a file was printed").expect("its name");
        let taken = self.folder().join("printed.pdf");
        std::fs::rename(file.path(), &taken).expect("it can be moved");
        Pdf(taken)
    }
}

impl Pdf {
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Whether it says this, however its lines are broken and its words spaced.
    pub fn says(&self, words: &str) -> bool {
        self.text().contains(&close(words))
    }

    /// Its text without white space and hyphens, in the usual forms of its characters: fonts lead back from a
    /// shape to a radical or a ligature that looks the same. Digits beside Latin letters may be
    /// missing, since the web view's PDF does not name them; they are there to be seen.
    pub fn text(&self) -> String {
        let read = run(Command::new("pdftotext").arg(&self.0).arg("-"));
        // The one radical on a sheet that has no usual form by the tables.
        close(&String::from_utf8_lossy(&read)).replace('\u{2ed1}', "長")
    }

    /// How many pages it has, and their width and height in whole millimetres.
    pub fn pages(&self) -> (u32, u32, u32) {
        let told = run(Command::new("pdfinfo").arg(&self.0));
        let told = String::from_utf8_lossy(&told).into_owned();
        let line = |name: &str| {
            told.lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_else(|| panic!("no {name} in {told}"))
                .trim()
                .to_owned()
        };
        let size = line("Page size:");
        let mut points = size
            .split_whitespace()
            .filter_map(|word| word.parse::<f64>().ok());
        let mut mm = || {
            let points = points.next().expect("a page has two sides");
            (points / 72.0 * MM_PER_INCH).round() as u32
        };
        (line("Pages:").parse().expect("a number"), mm(), mm())
    }

    /// How far the nearest ink is from the left, right, top and bottom edge of the first page, in
    /// millimetres.
    pub fn margins(&self) -> [f64; 4] {
        let picture = run(Command::new("pdftoppm")
            .args(["-gray", "-singlefile", "-r"])
            .arg(FINENESS.to_string())
            .arg(&self.0));
        let (width, height, pixels) = grey(&picture);
        let (mut left, mut right, mut top, mut bottom) = (width, width, height, height);
        for (at, _) in pixels.iter().enumerate().filter(|(_, ink)| **ink < 200) {
            let (x, y) = (at % width, at / width);
            left = left.min(x);
            right = right.min(width - 1 - x);
            top = top.min(y);
            bottom = bottom.min(height - 1 - y);
        }
        [left, right, top, bottom].map(|pixels| pixels as f64 / FINENESS * MM_PER_INCH)
    }

    /// What a scanner reads of the codes on the first page.
    pub fn scanned(&self) -> String {
        let picture = self.0.with_extension("scan");
        run(Command::new("pdftoppm")
            .args(["-png", "-singlefile", "-r", "150"])
            .arg(&self.0)
            .arg(&picture));
        let read = run(Command::new("zbarimg")
            .args(["--quiet", "--raw"])
            .arg(picture.with_extension("scan.png")));
        String::from_utf8_lossy(&read).trim().to_owned()
    }

    /// Keeps a picture of the first page under this name, where pictures are wanted.
    pub fn picture(&self, name: &str) {
        let Some(folder) = evidence::pictures() else {
            return;
        };
        run(Command::new("pdftoppm")
            .args(["-png", "-singlefile", "-r", "96"])
            .arg(&self.0)
            .arg(folder.join(name)));
    }
}

/// Words as they are compared: a hyphen at the end of a line is taken for one that only parts a word.
fn close(words: &str) -> String {
    words
        .nfkc()
        .filter(|c| !c.is_whitespace() && *c != '-')
        .collect()
}

/// Width, height and pixels of a grey picture as `pdftoppm` writes it.
fn grey(picture: &[u8]) -> (usize, usize, &[u8]) {
    let mut rest = picture;
    let mut word = || {
        let end = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .expect("the head ends");
        let (word, behind) = rest.split_at(end);
        rest = &behind[1..];
        String::from_utf8_lossy(word).into_owned()
    };
    assert_eq!(word(), "P5");
    let width = word().parse().expect("a width");
    let height = word().parse().expect("a height");
    assert_eq!(word(), "255");
    (width, height, rest)
}

fn run(command: &mut Command) -> Vec<u8> {
    let done = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} can be run: {error}"));
    assert!(
        done.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    done.stdout
}
