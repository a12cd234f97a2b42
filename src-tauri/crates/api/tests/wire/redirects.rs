//! A redirect could carry the token to another host; none is followed.

use warranty_api::{Error, Unreadable};

use crate::listener::{Listener, Step, reply, reply_with};
use crate::operations::{ERROR_OBJECT, Operation, call_each, client, client_within, hasty};

#[tokio::test]
async fn no_redirect_of_any_kind_is_followed() {
    let elsewhere = Listener::start(vec![]).await;
    let location = format!("Location: {}/v1/plans/p-1\r\n", elsewhere.url());
    let statuses = [301, 302, 303, 307, 308];
    for operation in Operation::ALL {
        let steps =
            statuses.map(|status| Step::Cut(reply_with(status, &location, operation.success())));
        for (status, result) in statuses.iter().zip(call_each(operation, &steps).await) {
            assert!(
                matches!(&result, Err(Error::Unreadable { status: seen, reason: Unreadable::Redirect, .. }) if seen == status),
                "{operation:?} {status}: {result:?}"
            );
        }
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_redirect_to_another_path_of_the_same_host_is_not_followed_either() {
    let answer = reply_with(307, "Location: /v1/contracts/bulk\r\n", "");
    let listener = Listener::once(Step::Answer(answer)).await;
    let result = Operation::CreateContracts
        .call(&client(&listener.url()))
        .await;
    assert!(matches!(
        result,
        Err(Error::Unreadable {
            status: 307,
            reason: Unreadable::Redirect,
            ..
        })
    ));
    assert_eq!(listener.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_is_named_as_one_even_when_its_body_never_comes() {
    let head =
        b"HTTP/1.1 302 Found\r\nLocation: https://portal.invalid/\r\nContent-Length: 99\r\n\r\n";
    for step in [Step::Cut(head.to_vec()), Step::Stall(head.to_vec())] {
        let listener = Listener::once(step).await;
        let result = Operation::GetPlan
            .call(&client_within(&listener.url(), hasty()))
            .await;
        assert!(
            matches!(
                result,
                Err(Error::Unreadable {
                    status: 302,
                    reason: Unreadable::Redirect,
                    ..
                })
            ),
            "{result:?}"
        );
    }
}

#[tokio::test]
async fn an_error_object_counts_even_with_the_status_of_a_redirect() {
    let listener = Listener::once(Step::Answer(reply(302, ERROR_OBJECT))).await;
    let result = Operation::GetPlan.call(&client(&listener.url())).await;
    assert!(matches!(result, Err(Error::Refused { status: 302, .. })));
}
