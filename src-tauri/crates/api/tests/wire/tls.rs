//! Certificates: authorities of the machine are trusted, a store's own included; others are not.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair,
    date_time_ymd,
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use warranty_api::{
    BaseUrl, Client, Error, NetworkSettings, NotSent, RootKind, StoreId, TlsSeen, certificates,
};

use crate::listener::reply;
use crate::operations::{Calls as _, Operation, client, client_over, patient};
use crate::proxies::{Child, in_child};

/// A service whose certificate, made out to `name`, is signed by an authority of the store's own.
pub struct Service {
    pub port: u16,
    pub authority: String,
    pub requests: Arc<std::sync::Mutex<usize>>,
}

impl Service {
    fn url(&self) -> String {
        format!("https://localhost:{}", self.port)
    }
}

/// What a server needs to show a certificate for a name, and the authority that signed it.
pub fn certified(name: &str) -> (TlsAcceptor, String) {
    certified_for(name, [1975, 4095])
}

/// As [`certified`], valid from the beginning of one year to that of another.
fn certified_for(name: &str, years: [i32; 2]) -> (TlsAcceptor, String) {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.distinguished_name = DistinguishedName::new();
    authority
        .distinguished_name
        .push(DnType::CommonName, "Sample authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = authority.self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let mut leaf = CertificateParams::new(vec![name.to_owned()]).unwrap();
    [leaf.not_before, leaf.not_after] = years.map(|year| date_time_ymd(year, 1, 1));
    let leaf = leaf.signed_by(&key, &issuer).unwrap();

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
    (TlsAcceptor::from(Arc::new(config)), root.pem())
}

pub async fn service(name: &str) -> Service {
    serve(certified(name)).await
}

async fn serve((acceptor, authority): (TlsAcceptor, String)) -> Service {
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
            if answer(&mut stream).await {
                *count.lock().unwrap() += 1;
            }
        }
    });
    Service {
        port,
        authority,
        requests,
    }
}

/// Reads a request and answers with a plan; false when there was none.
pub async fn answer(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> bool {
    let mut bytes = vec![0; 65536];
    if !stream.read(&mut bytes).await.is_ok_and(|read| read > 0) {
        return false;
    }
    let plan = reply(200, Operation::GetPlan.success());
    stream.write_all(&plan).await.unwrap();
    let _ = stream.shutdown().await;
    true
}

#[tokio::test]
async fn an_unknown_authority_is_not_sent_and_named() {
    let service = service("localhost").await;
    let client = client(&service.url());
    for operation in Operation::ALL {
        let result = operation.call(&client).await;
        assert!(
            matches!(result, Err(Error::NotSent(NotSent::Tls))),
            "{operation:?}: {result:?}"
        );
    }
    assert_eq!(*service.requests.lock().unwrap(), 0);
}

#[tokio::test]
async fn an_authority_of_the_settings_is_trusted_beside_those_of_the_machine_or_alone() {
    let service = service("localhost").await;
    for only_extra_roots in [false, true] {
        let network = NetworkSettings {
            extra_roots: certificates(service.authority.as_bytes()).unwrap(),
            only_extra_roots,
            ..NetworkSettings::default()
        };
        let client = client_over(&service.url(), patient(), &network);
        Operation::GetPlan.call(&client).await.unwrap();
    }
    let (_, other) = certified("localhost");
    let network = NetworkSettings {
        extra_roots: certificates(other.as_bytes()).unwrap(),
        only_extra_roots: true,
        ..NetworkSettings::default()
    };
    let client = client_over(&service.url(), patient(), &network);
    let result = Operation::GetPlan.call(&client).await;
    assert!(matches!(result, Err(Error::NotSent(NotSent::Tls))));
}

#[test]
fn a_byte_order_mark_hides_no_authority() {
    let two = [certified("localhost").1, certified("localhost").1].concat();
    let marked = format!("\u{feff}{two}");
    assert_eq!(certificates(two.as_bytes()).unwrap().len(), 2);
    assert_eq!(
        certificates(marked.as_bytes()),
        certificates(two.as_bytes())
    );
}

#[test]
fn a_file_without_an_authority_is_refused() {
    for text in [
        "",
        "no certificate",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\n",
    ] {
        assert_eq!(certificates(text.as_bytes()), None, "{text}");
    }
}

#[tokio::test]
async fn a_diagnosis_names_what_the_server_shows_and_whether_this_computer_trusts_it() {
    let service = service("localhost").await;
    let base_url = BaseUrl::parse(&service.url()).unwrap();
    let store = StoreId::new("store-sample-001").unwrap();
    let mut network = NetworkSettings::default();
    let mut roots = Vec::new();
    for _ in 0..2 {
        let contact = Client::contact(base_url.clone(), &store, patient(), &network);
        let tls = contact.await.unwrap().tls.unwrap();
        assert_eq!(tls.certificates.len(), 1);
        assert_eq!(tls.certificates[0].subject, "CN=rcgen self signed cert");
        assert_eq!(tls.certificates[0].issuer, "CN=Sample authority");
        assert_eq!(tls.certificates[0].sha256.len(), 64);
        roots.push((tls.root, tls.version));
        network.extra_roots = certificates(service.authority.as_bytes()).unwrap();
    }
    assert_eq!(
        roots,
        [
            (RootKind::Untrusted, None),
            (RootKind::Private, Some("1.3"))
        ]
    );
}

/// What a diagnosis and a sale find at a service with a certificate for these years.
async fn found(name: &str, years: [i32; 2]) -> (TlsSeen, Result<u16, Error>) {
    let service = serve(certified_for(name, years)).await;
    let network = NetworkSettings {
        extra_roots: certificates(service.authority.as_bytes()).unwrap(),
        ..NetworkSettings::default()
    };
    let base_url = BaseUrl::parse(&service.url()).unwrap();
    let store = StoreId::new("store-sample-001").unwrap();
    let contact = Client::contact(base_url, &store, patient(), &network).await;
    let client = client_over(&service.url(), patient(), &network);
    let sold = Operation::BulkCreateContracts.call(&client).await;
    (contact.unwrap().tls.unwrap(), sold)
}

#[tokio::test]
async fn a_certificate_for_another_time_or_name_is_told_from_an_unknown_authority() {
    for (name, years, expected, sale) in [
        (
            "localhost",
            [2000, 2001],
            RootKind::WrongTime,
            NotSent::CertificateTime,
        ),
        (
            "localhost",
            [3000, 3001],
            RootKind::WrongTime,
            NotSent::CertificateTime,
        ),
        (
            "other.example.com",
            [2000, 3000],
            RootKind::WrongName,
            NotSent::Tls,
        ),
    ] {
        let (tls, sold) = found(name, years).await;
        assert_eq!(tls.root, expected);
        let shown = &tls.certificates[0];
        assert_eq!(shown.valid_from, format!("{}-01-01T00:00:00Z", years[0]));
        assert_eq!(shown.valid_until, format!("{}-01-01T00:00:00Z", years[1]));
        assert!(
            matches!(sold, Err(Error::NotSent(why)) if why == sale),
            "{sold:?}"
        );
    }
}

/// Runs one reading call in a process whose trusted authorities are those of the service.
async fn call_trusting(test: &str, service: &Service) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authorities.pem");
    std::fs::write(&file, &service.authority).unwrap();
    in_child(
        test,
        &service.url(),
        &[("SSL_CERT_FILE", file.to_str().unwrap())],
    )
    .await
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
