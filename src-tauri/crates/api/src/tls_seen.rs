//! What a server or an inspecting proxy shows in a TLS handshake, for a diagnosis.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, SecondsFormat};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, Error, RootCertStore};
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
    /// The time on this computer's clock, RFC 3339.
    pub now: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateSeen {
    pub subject: String,
    pub issuer: String,
    /// The first second that it is valid, RFC 3339.
    pub valid_from: String,
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
    /// Nothing: the certificate has expired or is not valid yet by this computer's clock.
    WrongTime,
    /// Nothing: the certificate is for another name.
    WrongName,
    /// Nothing that this computer trusts.
    Untrusted,
}

impl RootKind {
    /// Why nothing vouches for a server.
    pub(crate) fn of(error: &Error) -> Self {
        use CertificateError::{
            Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet,
            NotValidYetContext,
        };
        let Error::InvalidCertificate(error) = error else {
            return Self::Untrusted;
        };
        if matches!(
            error,
            Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. }
        ) {
            Self::WrongTime
        } else if matches!(error, NotValidForName | NotValidForNameContext { .. }) {
            Self::WrongName
        } else {
            Self::Untrusted
        }
    }

    pub fn is_trusted(self) -> bool {
        matches!(self, Self::Public | Self::Private)
    }
}

/// Where a client writes what it was shown.
#[derive(Debug, Clone, Default)]
pub(crate) struct TlsRecord(Arc<Mutex<Option<TlsSeen>>>);

impl TlsRecord {
    /// The last handshake; `None` before the first.
    pub(crate) fn seen(&self) -> Option<TlsSeen> {
        self.last().clone()
    }

    /// Keeps what a server shows, and whether it was found to be who it says.
    pub(crate) fn keep(
        &self,
        server: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
        verdict: Result<(), &Error>,
    ) {
        let root = match verdict {
            Err(error) => RootKind::of(error),
            Ok(()) if is_public(server, others, name, now) => RootKind::Public,
            Ok(()) => RootKind::Private,
        };
        let chain = std::iter::once(server).chain(others);
        let certificates = chain.take(MOST_CERTIFICATES).map(CertificateSeen::of);
        *self.last() = Some(TlsSeen {
            version: None,
            certificates: certificates.collect(),
            root,
            now: rfc3339(i64::try_from(now.as_secs()).unwrap_or(i64::MAX)),
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
        let [from, until] = parsed.map_or_else(Default::default, |c| {
            [c.validity().not_before, c.validity().not_after].map(|time| rfc3339(time.timestamp()))
        });
        Self {
            subject: parsed.map(|c| bounded(c.subject())).unwrap_or_default(),
            issuer: parsed.map(|c| bounded(c.issuer())).unwrap_or_default(),
            valid_from: from,
            valid_until: until,
            sha256: format!("{:x}", Sha256::digest(certificate)),
        }
    }
}

fn rfc3339(seconds: i64) -> String {
    let time = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
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
