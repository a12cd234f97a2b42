use std::time::Duration;

use futures::FutureExt as _;

use super::*;
use crate::settings;

#[tokio::test(start_paused = true)]
async fn a_process_killed_from_outside_changes_nothing_more() {
    let medium = Medium::new(|| Fate::Kept);
    let store = medium.store();
    let write = store.write(|change| settings::set(change, "theme", Some("light")));
    let mut writing = Box::pin(write);
    assert!(writing.as_mut().now_or_never().is_none());
    medium.crash();
    let hour = Duration::from_secs(3600);
    assert!(tokio::time::timeout(hour, writing).await.is_err());
    let kept = medium.look(|connection| settings::get(connection, "theme").unwrap());
    assert_eq!(kept, None);
}
