//! A proxy and authorities that the settings name, with proxies that speak.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use warranty_api::{
    BaseUrl, Client, Error, NetworkSettings, NotSent, ProxyChoice, RootKind, StoreId, certificates,
};

use crate::listener::{Listener, Step, reply};
use crate::operations::{Calls as _, Operation, TOKEN, client_over, patient};
use crate::proxies::{Child, in_child};
use crate::tls::{answer, certified, service};

const SERVICE: &str = "https://warranty.invalid";

/// What a proxy does behind its answer to CONNECT.
enum Behind {
    /// Passes every byte on to this port.
    Tunnel(u16),
    /// Speaks TLS itself, with a certificate of its own authority.
    Inspect(TlsAcceptor),
}

/// A proxy that knows CONNECT alone; returns its address and what it read in the clear.
async fn proxy(behind: Behind) -> (String, Arc<Mutex<Vec<String>>>) {
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = socket.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let head = String::from_utf8(head).unwrap();
            assert!(head.starts_with("CONNECT "), "{head}");
            seen.lock().unwrap().push(head);
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            match &behind {
                Behind::Tunnel(port) => {
                    let mut service = TcpStream::connect(("127.0.0.1", *port)).await.unwrap();
                    let _ = copy_bidirectional(&mut stream, &mut service).await;
                }
                Behind::Inspect(acceptor) => {
                    if let Ok(mut stream) = acceptor.accept(stream).await {
                        answer(&mut stream).await;
                    }
                }
            }
        }
    });
    (url, heads)
}

fn through(proxy: &str, bypass: &str, authority: &str) -> NetworkSettings {
    NetworkSettings {
        proxy: ProxyChoice::Fixed {
            url: proxy.parse().unwrap(),
            bypass: bypass.to_owned(),
        },
        extra_roots: certificates(authority.as_bytes()).unwrap(),
        only_extra_roots: false,
    }
}

#[tokio::test]
async fn a_fixed_proxy_passes_on_what_it_cannot_read() {
    let service = service("warranty.invalid").await;
    let (url, heads) = proxy(Behind::Tunnel(service.port)).await;
    let client = client_over(SERVICE, patient(), &through(&url, "", &service.authority));
    Operation::GetPlan.call(&client).await.unwrap();
    assert_eq!(*service.requests.lock().unwrap(), 1);
    let heads = heads.lock().unwrap();
    assert_eq!(heads.len(), 1);
    assert!(heads[0].starts_with("CONNECT warranty.invalid:443 "));
    assert!(!heads[0].contains(TOKEN));
}

#[tokio::test]
async fn an_inspecting_proxy_is_believed_with_its_authority_alone_and_named() {
    let (acceptor, authority) = certified("warranty.invalid");
    let (url, _) = proxy(Behind::Inspect(acceptor)).await;
    let trusting = through(&url, "", &authority);
    let client = client_over(SERVICE, patient(), &trusting);
    Operation::GetPlan.call(&client).await.unwrap();
    let distrusting = NetworkSettings {
        extra_roots: Vec::new(),
        ..trusting.clone()
    };
    let client = client_over(SERVICE, patient(), &distrusting);
    let refused = Operation::BulkCreateContracts.call(&client).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::Tls))));

    let base_url = BaseUrl::parse(SERVICE).unwrap();
    let store = StoreId::new("store-sample-001").unwrap();
    let contact = Client::contact(base_url, &store, patient(), &trusting).await;
    let tls = contact.unwrap().tls.unwrap();
    assert_eq!(tls.root, RootKind::Private);
    assert_eq!(tls.certificates[0].issuer, "CN=Sample authority");
}

#[tokio::test]
async fn a_proxy_that_asks_for_a_password_is_named_and_nothing_is_sent() {
    let proxy = Listener::once(Step::Cut(reply(407, "{}"))).await;
    let (_, authority) = certified("warranty.invalid");
    let network = through(&proxy.url(), "", &authority);
    let client = client_over(SERVICE, patient(), &network);
    let result = Operation::BulkCreateContracts.call(&client).await;
    assert!(
        matches!(result, Err(Error::NotSent(NotSent::ProxyAuthentication))),
        "{result:?}"
    );
    assert!(!format!("{:?}", proxy.requests()).contains(TOKEN));
}

#[tokio::test]
async fn a_host_that_bypasses_the_fixed_proxy_is_reached_without_it() {
    let proxy = Listener::start(vec![]).await;
    let (_, authority) = certified("warranty.invalid");
    let network = through(&proxy.url(), "other.invalid,warranty.invalid", &authority);
    let client = client_over(SERVICE, patient(), &network);
    let result = Operation::GetPlan.call(&client).await;
    assert!(matches!(result, Err(Error::NotSent(NotSent::Name))));
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_direct_way_is_taken_whatever_proxy_the_machine_names() {
    if let Some(child) = Child::here() {
        let network = NetworkSettings {
            proxy: ProxyChoice::Direct,
            ..NetworkSettings::default()
        };
        let operation = Operation::GetPlan;
        return child.call_over(operation, patient(), &network).await;
    }
    let proxy = Listener::start(vec![]).await;
    let said = in_child(
        "settings::a_direct_way_is_taken_whatever_proxy_the_machine_names",
        SERVICE,
        &[("https_proxy", &proxy.url())],
    )
    .await;
    assert_eq!(said, "Err(NotSent(Name))");
    assert_eq!(proxy.connections(), 0);
}
