//! The one window: how it is made, what it may show, what its title says.

use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindowBuilder};
use warranty_core::profile::{Profile, ProfileKind};

/// Label of the window; the capability file names it too.
const MAIN: &str = "main";

const NAME: &str = "Warranty Desk";

/// Opens the window. It shows the program's own pages and goes nowhere else.
///
/// # Errors
/// When the system cannot make a window.
pub fn open(app: &AppHandle) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title(NAME)
        .inner_size(1280.0, 800.0)
        .min_inner_size(800.0, 560.0)
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_our_page)
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny)
        .build()
        .map(|_| ())
}

/// Brings the window to the front, when a second start of the program was stopped. `false` when
/// there is none any more.
pub fn raise(app: &AppHandle) -> bool {
    let Some(window) = app.get_webview_window(MAIN) else {
        return false;
    };
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be raised");
    }
    true
}

/// Writes into the title whether this is practice or live, so that the two are never confused.
pub fn name_after(app: &AppHandle, profile: Option<&Profile>) {
    let title = match profile {
        None => NAME.to_owned(),
        Some(profile) => match profile.kind {
            ProfileKind::Practice => format!("練習用 SANDBOX · {} — {NAME}", profile.name),
            ProfileKind::Live => format!("{} — {NAME}", profile.name),
        },
    };
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.set_title(&title)
    {
        tracing::warn!(%error, "the title could not be set");
    }
}

fn is_our_page(url: &Url) -> bool {
    let own_scheme = url.scheme() == "tauri" && url.host_str() == Some("localhost");
    let own_host =
        matches!(url.scheme(), "http" | "https") && url.host_str() == Some("tauri.localhost");
    let dev_server = cfg!(dev) && url.host_str() == Some("localhost");
    own_scheme || own_host || dev_server
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::is_our_page;

    #[test]
    fn the_window_goes_nowhere_but_to_its_own_pages() {
        for (address, ours) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/index.html", true),
            ("https://example.invalid/", false),
            ("http://tauri.localhost.example.invalid/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
            ("javascript:alert(1)", false),
        ] {
            assert_eq!(is_our_page(&address.parse().unwrap()), ours, "{address}");
        }
    }
}
