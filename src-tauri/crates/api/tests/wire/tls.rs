//! Certificates: authorities of the machine are trusted, a store's own included; others are not.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use warranty_api::{Error, NotSent};

use crate::listener::reply;
use crate::operations::{Operation, client, patient};
use crate::proxies::{Child, in_child};

/// A service whose certificate, made out to `name`, is signed by an authority of the store's own.
struct Service {
    port: u16,
    authority: String,
    requests: Arc<std::sync::Mutex<usize>>,
}

async fn service(name: &str) -> Service {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(vec![name.to_owned()])
        .unwrap()
        .signed_by(&key, &issuer)
        .unwrap();

    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![leaf.der().clone()],
            PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        )
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    let requests = Arc::new(std::sync::Mutex::new(0));
    let count = Arc::clone(&requests);
    tokio::spawn(async move {
        loop {
            let (stream, _) = socket.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut bytes = vec![0; 65536];
            if stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {
                *count.lock().unwrap() += 1;
                let body = Operation::GetPlan.success();
                stream.write_all(&reply(200, body)).await.unwrap();
                let _ = stream.shutdown().await;
            }
        }
    });
    Service {
        port,
        authority: root.pem(),
        requests,
    }
}

#[tokio::test]
async fn an_unknown_authority_is_not_sent_and_named() {
    let service = service("localhost").await;
    let client = client(&format!("https://localhost:{}", service.port));
    for operation in Operation::ALL {
        let result = operation.call(&client).await;
        assert!(
            matches!(result, Err(Error::NotSent(NotSent::Tls))),
            "{operation:?}: {result:?}"
        );
    }
    assert_eq!(*service.requests.lock().unwrap(), 0);
}

/// Runs one reading call in a process whose trusted authorities are those of the service.
async fn call_trusting(test: &str, service: &Service) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authorities.pem");
    std::fs::write(&file, &service.authority).unwrap();
    let url = format!("https://localhost:{}", service.port);
    in_child(test, &url, &[("SSL_CERT_FILE", file.to_str().unwrap())]).await
}

// The variable that replaces the authorities is read on these systems alone.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[tokio::test]
async fn an_authority_the_machine_trusts_is_trusted() {
    if let Some(child) = Child::here() {
        return child.call(Operation::GetPlan, patient()).await;
    }
    let service = service("localhost").await;
    let said = call_trusting("tls::an_authority_the_machine_trusts_is_trusted", &service).await;
    assert_eq!(said, "Ok(200)");
    assert_eq!(*service.requests.lock().unwrap(), 1);
}

#[cfg(all(unix, not(target_vendor = "apple")))]
#[tokio::test]
async fn a_certificate_made_out_to_another_name_is_not_sent_and_named() {
    if let Some(child) = Child::here() {
        return child.call(Operation::GetPlan, patient()).await;
    }
    let service = service("other.example.com").await;
    let test = "tls::a_certificate_made_out_to_another_name_is_not_sent_and_named";
    let said = call_trusting(test, &service).await;
    assert_eq!(said, "Err(NotSent(Tls))");
    assert_eq!(*service.requests.lock().unwrap(), 0);
}
