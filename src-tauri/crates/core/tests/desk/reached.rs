//! Whether the service is there: told of each profile by itself.

use std::net::TcpListener;

use warranty_core::notice::Notice;

use crate::harness::{Stage, until};
use crate::sales::{id, sale};

#[tokio::test]
async fn practising_makes_no_live_service_look_reached() {
    let stage = Stage::practising().await;
    let practice = stage.desk.current_profile().await.unwrap().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut draft = stage.draft("本店");
    draft.base_url = format!("http://{silent}");
    let live = stage
        .desk
        .profile_connect(draft, stage.token())
        .await
        .unwrap();
    assert_eq!(stage.desk.status().await.unwrap().online, None);
    let mut notices = stage.desk.notices();
    stage.desk.outbox_start();
    let online = async || stage.desk.status().await.unwrap().online;

    let register = async || {
        stage
            .desk
            .contract_register(&id(), &sale(0), &[])
            .await
            .unwrap()
    };
    register().await;
    until("the live service is missed", async || {
        online().await == Some(false)
    })
    .await;
    stage.desk.profile_use(&practice.id).await.unwrap();
    register().await;
    until("the practice service is reached", async || {
        online().await == Some(true)
    })
    .await;
    stage.desk.profile_use(&live.id).await.unwrap();
    assert_eq!(online().await, Some(false));

    while let Ok(notice) = notices.try_recv() {
        if let Notice::ConnectionChanged { profile_id, online } = notice {
            assert_eq!(online, profile_id == practice.id);
        }
    }
}
