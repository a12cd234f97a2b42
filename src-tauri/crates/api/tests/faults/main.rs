//! Every fault the practice service can play × every operation, against the real client.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calls;
mod expected;
mod kept;
mod table;
