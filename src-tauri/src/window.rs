//! The one window: how it is made, what it may show, what its title says.
//!
//! Its page goes nowhere else, opens nothing, has no network, downloads nothing and is granted
//! nothing of this computer. What the web view wants to keep lies beside the desk's own files.

use std::path::Path;

use tauri::webview::{DownloadEvent, NewWindowResponse, PermissionKind, PermissionResponse};
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindowBuilder};
use warranty_core::profile::{Profile, ProfileKind};

use crate::{dropping, web_files, web_process};

/// Label of the window; the capability file names it too.
pub const MAIN: &str = "main";

const NAME: &str = "Warranty Desk";

/// Where the web view is told to find the network: nowhere. The page needs none, and a web view
/// connects ahead of a link being followed, before anybody can forbid it. The port is one that only
/// the system itself could listen at, and does not.
const NO_NETWORK: &str = "http://127.0.0.1:9";

/// Opens the window. It shows the program's own pages and goes nowhere else.
///
/// # Errors
/// When the system cannot make a window.
pub fn open(app: &AppHandle, data_dir: &Path) -> tauri::Result<()> {
    let builder = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()));
    let builder = match web_files::fresh(data_dir) {
        Ok(folder) => builder.data_directory(folder),
        // The window must open all the same: it is where the person reads what is wrong with the disk.
        Err(error) => {
            tracing::warn!(%error, "the web view has no folder and keeps nothing");
            builder.incognito(true)
        }
    };
    let builder = match Url::parse(NO_NETWORK) {
        Ok(nowhere) if !cfg!(dev) => builder.proxy_url(nowhere),
        Ok(_) | Err(_) => builder,
    };
    let window = builder
        .title(NAME)
        .inner_size(1280.0, 800.0)
        // A screen of 1024 by 700 at 200 % has this much of it, less the desktop's own bars.
        .min_inner_size(480.0, 320.0)
        .devtools(cfg!(dev))
        .on_navigation(is_our_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, event| is_downloaded(&event))
        .on_permission_request(|_, kind| granted(kind))
        .build()?;
    dropping::listen(&window);
    web_process::revive(&window)
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

/// Nothing is downloaded: files leave the desk only where a person asks for an export.
fn is_downloaded(_: &DownloadEvent<'_>) -> bool {
    false
}

/// Nothing of this computer is granted to a page: no camera, no place, no clipboard to read.
fn granted(_: PermissionKind) -> PermissionResponse {
    PermissionResponse::Deny
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{NO_NETWORK, Url, is_our_page};

    #[test]
    fn the_way_to_no_network_is_an_address() {
        let nowhere = Url::parse(NO_NETWORK).unwrap();
        assert_eq!(nowhere.host_str(), Some("127.0.0.1"));
    }

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
