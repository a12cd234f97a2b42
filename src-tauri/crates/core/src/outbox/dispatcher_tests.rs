//! Closing while many tasks end at the same time.

use std::sync::mpsc;
use std::time::Duration;

use crate::testing;

const ROUNDS: usize = 300;
const TASKS: usize = 64;

#[test]
fn closing_comes_to_its_end_however_many_lay_their_work_down_at_once() {
    let (ended, end) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (_folder, desk) = testing::new_desk().await;
            for _ in 0..ROUNDS {
                let guards: Vec<_> = (0..TASKS)
                    .map(|number| {
                        desk.context
                            .work
                            .begin_lead(&number.to_string(), "a")
                            .unwrap()
                    })
                    .collect();
                let closing = tokio::spawn({
                    let desk = desk.clone();
                    async move { desk.outbox.stop().await }
                });
                for guard in guards {
                    tokio::spawn(async move { drop(guard) });
                }
                closing.await.unwrap();
            }
        });
        ended.send(()).unwrap();
    });
    // A runtime whose threads wait for each other cannot measure a time itself.
    let came = end.recv_timeout(Duration::from_secs(120));
    assert!(came.is_ok(), "closing never ended");
}
