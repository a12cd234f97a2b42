//! The one window: its construction, its restrictions and its title.
//!
//! The page cannot navigate elsewhere, open windows, use the network, download or get permissions.

use std::path::Path;

use tauri::webview::{NewWindowResponse, PermissionResponse};
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use warranty_core::profile::{Profile, ProfileKind};

use crate::webview_data;

/// Label of the window; the capability file names it too.
pub const MAIN: &str = "main";

const NAME: &str = "Warranty Desk";

/// A proxy that does not exist, so that the web view has no network. A web view connects to links
/// in advance, before navigation can be denied. Only system services may listen on this port
/// (discard), and normally none does.
const NO_NETWORK: &str = "http://127.0.0.1:9";

/// Arguments of WebView2: those that it would get without these, and no way past the proxy by WebRTC.
const ON_WINDOWS: &str = "--disable-features=msWebOOUI,msPdfOOUI,msSmartScreenProtection \
    --autoplay-policy=no-user-gesture-required \
    --webrtc-ip-handling-policy=disable_non_proxied_udp";

/// Opens the window on the program's own page.
pub fn open(app: &AppHandle, data_dir: &Path) -> tauri::Result<WebviewWindow> {
    let builder = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()));
    let builder = match webview_data::fresh(data_dir) {
        Ok(folder) => builder.data_directory(folder),
        // The window opens anyway and shows the problem of the disk.
        Err(error) => {
            tracing::warn!(%error, "the web view has no folder and keeps nothing");
            builder.incognito(true)
        }
    };
    let builder = match Url::parse(NO_NETWORK) {
        Ok(nowhere) if !cfg!(dev) => builder
            .proxy_url(nowhere)
            .additional_browser_args(&format!("{ON_WINDOWS} --proxy-server={NO_NETWORK}")),
        Ok(_) | Err(_) => builder,
    };
    #[cfg(target_os = "linux")]
    let builder = crate::first_show::hidden(builder);
    let window = builder
        .title(NAME)
        .inner_size(1280.0, 800.0)
        // The free area of a 1024 by 700 screen at 200 %, without the desktop's bars.
        .min_inner_size(480.0, 320.0)
        .devtools(cfg!(dev))
        // WebView2 would remember what was typed, customers' names too, and offer it to the next person.
        .general_autofill_enabled(false)
        .on_navigation(is_our_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        // Files leave the desk only as exports.
        .on_download(|_, _| false)
        // No camera, no location, no clipboard.
        .on_permission_request(|_, _| PermissionResponse::Deny)
        .build()?;
    #[cfg(target_os = "linux")]
    {
        crate::first_show::at_the_latest(&window);
        crate::webview_recovery::reload_after_crash(&window)?;
    }
    Ok(window)
}

/// Brings the window to the front when the program is started a second time. `false` when the window
/// is closed; one that can show nothing more is closed here.
pub fn raise(app: &AppHandle) -> bool {
    let Some(window) = app.get_webview_window(MAIN) else {
        return false;
    };
    // WebView2 closes the page's view with its browser process: the view answers no more, and the window stays blank.
    if cfg!(windows) && window.url().is_err() && window.destroy().is_ok() {
        return false;
    }
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be raised");
    }
    true
}

/// Shows in the title whether the profile is practice or live, so that the two are not confused.
pub fn set_title(app: &AppHandle, profile: Option<&Profile>) {
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
    // What stands for the scheme on Windows.
    let own_host =
        cfg!(windows) && url.scheme() == "http" && url.host_str() == Some("tauri.localhost");
    let dev_server = cfg!(dev) && url.host_str() == Some("localhost");
    (own_scheme || own_host) && url.port().is_none() || dev_server
}

#[cfg(test)]
mod tests {
    use super::{NO_NETWORK, Url, is_our_page};

    #[test]
    fn the_proxy_without_a_network_is_a_valid_address() {
        let nowhere = Url::parse(NO_NETWORK).unwrap();
        assert_eq!(nowhere.host_str(), Some("127.0.0.1"));
    }

    #[test]
    fn the_window_goes_nowhere_but_to_its_own_pages() {
        for (address, ours) in [
            ("tauri://localhost/index.html", true),
            ("tauri://localhost:8080/", false),
            ("http://tauri.localhost/index.html", cfg!(windows)),
            ("http://tauri.localhost:8080/", false),
            ("https://tauri.localhost/", false),
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
