//! The web view's data folder: inside the data folder, readable by this user only, and emptied at each
//! start.
//!
//! The page stores nothing in it.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A name that no other program uses, since any folder may be given for the data: this one is deleted with
/// all that is in it.
const FOLDER: &str = "warranty-desk-webview";

/// Creates an empty data folder for the web view.
pub fn fresh(data_dir: &Path) -> io::Result<PathBuf> {
    let folder = data_dir.join(FOLDER);
    match fs::remove_dir_all(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    create(data_dir, true)?;
    create(&folder, false)?;
    Ok(folder)
}

fn create(folder: &Path, with_parents: bool) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(with_parents);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::fresh;

    #[test]
    fn what_the_web_view_left_is_gone_at_the_next_start() {
        let data_dir = tempfile::tempdir().unwrap();
        let folder = fresh(&data_dir.path().join("new")).unwrap();
        fs::create_dir_all(folder.join("storage")).unwrap();
        fs::write(folder.join("storage/left"), "left").unwrap();
        let again = fresh(&data_dir.path().join("new")).unwrap();
        assert_eq!(again, folder);
        assert_eq!(fs::read_dir(again).unwrap().count(), 0);
    }

    #[test]
    fn a_web_site_in_the_folder_given_for_the_data_stays() {
        let data_dir = tempfile::tempdir().unwrap();
        let site = data_dir.path().join("web");
        fs::create_dir(&site).unwrap();
        fs::write(site.join("index.html"), "mine").unwrap();
        fresh(data_dir.path()).unwrap();
        assert!(site.join("index.html").exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_look_into_it() {
        use std::os::unix::fs::PermissionsExt;

        let data_dir = tempfile::tempdir().unwrap();
        let folder = fresh(&data_dir.path().join("new")).unwrap();
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(folder.parent().unwrap()), 0o700);
    }
}
