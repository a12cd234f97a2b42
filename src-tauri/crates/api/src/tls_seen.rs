//! What a server or an inspecting proxy shows in a TLS handshake, for a diagnosis.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, SecondsFormat};
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use x509_parser::prelude::{FromDer as _, X509Certificate, X509Name};

/// Longest name of a certificate, in characters.
const LONGEST_NAME: usize = 200;
const MOST_CERTIFICATES: usize = 10;

/// What the other end of the last TLS connection showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TlsSeen {
    /// `1.2` or `1.3`; `None` when the handshake ended before it was known.
    pub version: Option<&'static str>,
    /// The certificates that were sent, the server's first; at most 10.
    pub certificates: Vec<CertificateSeen>,
    /// What vouches for them.
    pub root: RootKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateSeen {
    pub subject: String,
    pub issuer: String,
    /// The last second that it is valid, RFC 3339.
    pub valid_until: String,
    /// SHA-256 of the certificate, in hexadecimal.
    pub sha256: String,
}

/// What vouches for a chain of certificates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RootKind {
    /// An authority that browsers trust everywhere.
    Public,
    /// An authority that this computer alone trusts, as of a proxy that inspects connections.
    Private,
    /// Nothing that this computer trusts, or the certificate is for another name or time.
    Untrusted,
}

/// Where a client writes what it was shown.
#[derive(Debug, Clone, Default)]
pub(crate) struct TlsRecord(Arc<Mutex<Option<TlsSeen>>>);

impl TlsRecord {
    /// The last handshake; `None` before the first.
    pub(crate) fn seen(&self) -> Option<TlsSeen> {
        self.last().clone()
    }

    /// Keeps what a server shows; `is_good`: it was found to be who it says.
    pub(crate) fn keep(
        &self,
        server: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
        is_good: bool,
    ) {
        let root = match is_good {
            false => RootKind::Untrusted,
            true if is_public(server, others, name, now) => RootKind::Public,
            true => RootKind::Private,
        };
        let chain = std::iter::once(server).chain(others);
        let certificates = chain.take(MOST_CERTIFICATES).map(CertificateSeen::of);
        *self.last() = Some(TlsSeen {
            version: None,
            certificates: certificates.collect(),
            root,
        });
    }

    pub(crate) fn set_version(&self, version: &'static str) {
        if let Some(seen) = &mut *self.last() {
            seen.version = Some(version);
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<TlsSeen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CertificateSeen {
    fn of(certificate: &CertificateDer<'_>) -> Self {
        let parsed = X509Certificate::from_der(certificate).ok();
        let parsed = parsed.as_ref().map(|(_, certificate)| certificate);
        let bounded = |name: &X509Name<'_>| name.to_string().chars().take(LONGEST_NAME).collect();
        let until = parsed.and_then(|c| {
            let until = DateTime::from_timestamp(c.validity().not_after.timestamp(), 0)?;
            Some(until.to_rfc3339_opts(SecondsFormat::Secs, true))
        });
        Self {
            subject: parsed.map(|c| bounded(c.subject())).unwrap_or_default(),
            issuer: parsed.map(|c| bounded(c.issuer())).unwrap_or_default(),
            valid_until: until.unwrap_or_default(),
            sha256: format!("{:x}", Sha256::digest(certificate)),
        }
    }
}

/// Whether an authority that browsers trust everywhere vouches for the chain.
fn is_public(
    server: &CertificateDer<'_>,
    others: &[CertificateDer<'_>],
    name: &ServerName<'_>,
    now: UnixTime,
) -> bool {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned());
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    verifier.is_ok_and(|verifier| {
        verifier
            .verify_server_cert(server, others, name, &[], now)
            .is_ok()
    })
}
