//! How the web view paints on a computer without a graphics card (Linux).
//!
//! There OpenGL is emulated on the processor: it composites the whole window for every letter typed,
//! takes longer to start than the page takes to paint, and has left windows blank. Without it the web
//! view paints only what has changed.

use std::path::Path;

/// What WebKitGTK asks for.
const WITHOUT_OPENGL: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
/// With either of these a person has chosen, and that stays.
const CHOSEN: [&str; 2] = [WITHOUT_OPENGL, "WEBKIT_FORCE_COMPOSITING_MODE"];
/// What is there when a driver of a graphics card is loaded: Linux's own, NVIDIA's, and Windows' for
/// Linux.
const CARDS: [&str; 3] = ["dri/renderD128", "nvidiactl", "dxg"];

/// Lets the web view paint without OpenGL when there is certainly no graphics card. Call it before
/// anything of the window starts.
pub fn choose() {
    if CHOSEN.iter().all(|name| std::env::var_os(name).is_none())
        && !has_graphics_card(Path::new("/dev"))
        && let Err(error) = gtk::glib::setenv(WITHOUT_OPENGL, "1", false)
    {
        tracing::warn!(%error, "the web view paints as it does with a graphics card");
    }
}

fn has_graphics_card(devices: &Path) -> bool {
    // A folder that cannot be read may hold one.
    devices.read_dir().is_err() || CARDS.iter().any(|card| devices.join(card).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_paints_only_where_no_graphics_card_can_be() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_graphics_card(devices.path()));
        // The screen alone, as of a virtual machine.
        std::fs::create_dir(devices.path().join("dri")).unwrap();
        std::fs::write(devices.path().join("dri/card0"), "").unwrap();
        assert!(!has_graphics_card(devices.path()));
        for card in CARDS {
            let file = devices.path().join(card);
            std::fs::write(&file, "").unwrap();
            assert!(has_graphics_card(devices.path()), "{card}");
            std::fs::remove_file(file).unwrap();
        }
        assert!(has_graphics_card(&devices.path().join("missing")));
    }
}
