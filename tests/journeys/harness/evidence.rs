//! Pictures of the window: asked for by a journey, or kept because one failed.

use std::backtrace::Backtrace;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Once;

use super::desk::Desk;
use super::page::until_some;

/// Folder for pictures; journeys take them only when it is set and not empty.
const PICTURES: &str = "WARRANTY_DESK_PICTURES";

impl Desk {
    /// Takes the next numbered picture of a journey, where pictures are wanted.
    pub async fn shot(&mut self, name: &str) {
        self.pictures += 1;
        let name = format!("{}-{:02}-{name}", self.language().short(), self.pictures);
        self.picture(&name).await;
    }

    /// Takes a picture of this name, where pictures are wanted. What is worth one can also be heard.
    pub async fn picture(&self, name: &str) {
        self.can_be_heard().await;
        let Some(folder) = pictures() else {
            return;
        };
        let picture = self.at_rest().await;
        fs::write(folder.join(format!("{name}.png")), picture).expect("the picture can be written");
    }

    /// The same of a page on which something turns for as long as it is to be seen.
    pub async fn picture_in_motion(&self, name: &str) {
        if let Some(folder) = pictures() {
            let picture = self.look().await.expect("a picture can be taken");
            fs::write(folder.join(format!("{name}.png")), picture)
                .expect("the picture can be written");
        }
    }

    /// What the window shows once it has painted what the page holds, as PNG: a picture shows the
    /// last frame that was painted, and on a busy machine painting comes late.
    async fn at_rest(&self) -> Vec<u8> {
        const FRAMES: &str = "
            const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => done()));";
        let mut last = Vec::new();
        until_some("the picture stands still", async || {
            self.client().execute_async(FRAMES, Vec::new()).await.ok()?;
            let now = self.look().await.expect("a picture can be taken");
            let still = now == last;
            last = now;
            still.then(|| last.clone())
        })
        .await
    }

    /// What the window showed last, as PNG. The driver waits for a frame that paints something. Without
    /// OpenGL an idle page paints nothing, so a transparent pixel is repainted until the picture is taken.
    async fn look(&self) -> Result<Vec<u8>, fantoccini::error::CmdError> {
        const PAINT_ON: &str = "
            const pixel = document.createElement('i');
            pixel.style.cssText = 'position: fixed; top: 0; left: 0; width: 1px; height: 1px';
            document.body.append(pixel);
            const clear = ['rgb(0 0 0 / 0)', 'rgb(255 255 255 / 0)'];
            const painting = setInterval(() => {
                clear.reverse();
                pixel.style.background = clear[0];
            }, 20);
            window.stopPainting = () => { clearInterval(painting); pixel.remove(); };";
        self.client().execute(PAINT_ON, Vec::new()).await?;
        let picture = self.client().screenshot().await;
        self.client()
            .execute("window.stopPainting()", Vec::new())
            .await?;
        picture
    }
}

/// The folder for pictures, where they are wanted.
pub fn pictures() -> Option<PathBuf> {
    let folder = std::env::var_os(PICTURES).filter(|folder| !folder.is_empty())?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).expect("the folder for pictures can be made");
    Some(folder)
}

/// Shortens what a failure prints to its message and the steps of the journey that led there: a whole
/// backtrace of asynchronous code is so long that a test report cuts off the page's text after it.
pub fn tell_failures_briefly() {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        panic::set_hook(Box::new(|failure| {
            eprintln!("{failure}");
            let trace = Backtrace::force_capture().to_string();
            for step in trace
                .lines()
                .filter(|line| line.contains("tests/journeys/"))
            {
                eprintln!("{}", step.trim());
            }
        }));
    });
}

/// How much of a window's log is repeated where the failure is told.
const LAST_LINES: usize = 40;
const LINE_WIDTH: usize = 300;

/// Keeps what the window of a failed journey shows and says, and tells it: where tests run for
/// others, what they print is often all that is left.
pub async fn keep(desk: &Desk) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts/failures");
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("journey").replace("::", "-");
    if let Err(error) = fs::create_dir_all(&folder) {
        eprintln!("no evidence could be kept: {error}");
        return;
    }
    let file = |ending: &str| folder.join(format!("{name}.{ending}"));
    if let Ok(picture) = desk.look().await {
        let _ = fs::write(file("png"), picture);
    }
    if let Ok(text) = desk
        .client()
        .execute("return document.body.innerText", Vec::new())
        .await
    {
        let text = text.as_str().unwrap_or_default();
        eprintln!("the page says:\n{text}\n");
        let _ = fs::write(file("txt"), text);
    }
    let log = desk.log();
    let lines: Vec<&str> = log.lines().collect();
    eprintln!("the window's log ends with:");
    for line in lines.iter().skip(lines.len().saturating_sub(LAST_LINES)) {
        eprintln!("{}", line.chars().take(LINE_WIDTH).collect::<String>());
    }
    let _ = fs::write(file("log"), log);
    eprintln!("what the window showed: {}", file("png").display());
}
