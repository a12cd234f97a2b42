//! The verifier of a client: asks another one whether a server is who it says, remembers what that found
//! good, and keeps what was shown.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};

use crate::tls_seen::TlsRecord;
use crate::verdicts::Remembered;

#[derive(Debug)]
pub(crate) struct Verifier {
    pub(crate) inner: Arc<dyn ServerCertVerifier>,
    /// `None` where verifying asks nothing of the system or the network, and takes no time.
    pub(crate) remembered: Option<Remembered>,
    /// Where what was shown is kept.
    pub(crate) record: Option<TlsRecord>,
}

impl Verifier {
    fn set_version(&self, version: &'static str) {
        if let Some(record) = &self.record {
            record.set_version(version);
        }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verify = || {
            self.inner
                .verify_server_cert(server, others, name, ocsp, now)
        };
        let verdict = match &self.remembered {
            Some(remembered) => remembered.verdict(server, name, now, verify),
            None => verify(),
        };
        if let Some(record) = &self.record {
            record.keep(server, others, name, now, verdict.as_ref().map(|_| ()));
        }
        verdict
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.set_version("1.2");
        self.inner
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.set_version("1.3");
        self.inner
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}
