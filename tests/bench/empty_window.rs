//! A window of the same size with one word on its page: what the desk's window is measured against.

use tauri::http::Response;
use tauri::{WebviewUrl, WebviewWindowBuilder};

const PAGE: &[u8] = b"<!doctype html><body style='background:#eee'>empty</body>";

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            let html = Response::builder().header("content-type", "text/html");
            html.body(PAGE.to_vec()).unwrap_or_default()
        })
        .setup(|app| {
            let page = WebviewUrl::CustomProtocol("empty://localhost/".parse()?);
            WebviewWindowBuilder::new(app, "main", page)
                .title("Empty")
                .inner_size(1280.0, 800.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
