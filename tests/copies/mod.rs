//! A folder that is copied away and put back whole, as a person does it by hand.
//!
//! Shared by test binaries of several packages, which include it by path.

use std::fs;
use std::path::Path;

pub fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&place).unwrap();
            copy_all(&path, &place);
        } else {
            fs::copy(path, place).unwrap();
        }
    }
}

pub fn put_back(kept: &Path, folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
    copy_all(kept, folder);
}
