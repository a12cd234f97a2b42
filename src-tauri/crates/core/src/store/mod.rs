//! The two database files.
