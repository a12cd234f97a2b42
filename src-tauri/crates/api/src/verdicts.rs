//! Remembers for an hour which certificates the system found good.
//!
//! Windows asks their authority in a handshake whether they were withdrawn, and waits ten seconds where a firewall
//! drops the question: the connection is lost by then, and without this the next one would be too.

use std::sync::{Mutex, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};

const LASTING_SECONDS: u64 = 3_600;
const MOST_VERDICTS: usize = 8;

/// What was found good, and the second of it, in the order of finding.
pub(crate) type Verdicts = Mutex<Vec<(Good, u64)>>;

/// Shared by all clients of this process, because most are made for the same service.
pub(crate) static VERDICTS: Verdicts = Verdicts::new(Vec::new());

/// A server's certificate and name, and the authorities that were trusted beside those of the system.
#[derive(Debug, PartialEq)]
pub(crate) struct Good {
    server: CertificateDer<'static>,
    name: ServerName<'static>,
    extra_roots: Vec<CertificateDer<'static>>,
}

/// Verifies as another verifier does, unless that found the same good within the hour.
#[derive(Debug)]
pub(crate) struct Remembering<V> {
    pub(crate) inner: V,
    pub(crate) extra_roots: Vec<CertificateDer<'static>>,
    pub(crate) verdicts: &'static Verdicts,
}

impl<V: ServerCertVerifier> ServerCertVerifier for Remembering<V> {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let good = Good {
            server: server.clone().into_owned(),
            name: name.to_owned(),
            extra_roots: self.extra_roots.clone(),
        };
        let verdicts = || self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let lasts = |found: u64| (found..found + LASTING_SECONDS).contains(&now.as_secs());
        if verdicts()
            .iter()
            .any(|(known, found)| *known == good && lasts(*found))
        {
            return Ok(ServerCertVerified::assertion());
        }
        let verdict = self
            .inner
            .verify_server_cert(server, others, name, ocsp, now)?;
        let mut verdicts = verdicts();
        verdicts.retain(|(known, _)| *known != good);
        if verdicts.len() >= MOST_VERDICTS {
            verdicts.remove(0);
        }
        verdicts.push((good, now.as_secs()));
        Ok(verdict)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use rustls::CertificateError;

    use super::*;

    /// Refuses one certificate, and counts how often it is asked.
    #[derive(Debug, Clone, Default)]
    struct Asked(Arc<AtomicUsize>);

    const BAD: &[u8] = b"bad";

    impl ServerCertVerifier for Asked {
        fn verify_server_cert(
            &self,
            server: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if server.as_ref() == BAD {
                return Err(CertificateError::Revoked.into());
            }
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn verify_tls13_signature(
            &self,
            _: &[u8],
            _: &CertificateDer<'_>,
            _: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            Ok(HandshakeSignatureValid::assertion())
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            Vec::new()
        }
    }

    #[test]
    fn a_certificate_found_good_is_not_verified_again_within_the_hour_and_every_other_is() {
        let asked = Asked::default();
        let verdicts: &'static Verdicts = Box::leak(Box::default());
        let remembering = |extra_roots: &[&'static [u8]]| Remembering {
            inner: asked.clone(),
            extra_roots: extra_roots.iter().map(|root| (*root).into()).collect(),
            verdicts,
        };
        let (plain, trusting) = (remembering(&[]), remembering(&[b"root"]));
        let start = 1_000_000;
        for (verifier, server, name, second, is_asked) in [
            (&plain, b"leaf".as_slice(), "shop.example", start, true),
            (&plain, b"leaf", "shop.example", start, false),
            (&plain, b"leaf", "other.example", start, true),
            (&plain, b"another leaf", "shop.example", start, true),
            (&trusting, b"leaf", "shop.example", start, true),
            (&trusting, b"leaf", "shop.example", start, false),
            (&plain, BAD, "shop.example", start, true),
            (&plain, BAD, "shop.example", start, true),
            (
                &plain,
                b"leaf",
                "shop.example",
                start + LASTING_SECONDS - 1,
                false,
            ),
            (&plain, b"leaf", "shop.example", start - 1, true),
            (
                &plain,
                b"leaf",
                "shop.example",
                start + LASTING_SECONDS,
                true,
            ),
            (
                &plain,
                b"leaf",
                "shop.example",
                start + LASTING_SECONDS,
                false,
            ),
        ] {
            let before = asked.0.load(Ordering::Relaxed);
            let verdict = verifier.verify_server_cert(
                &server.into(),
                &[],
                &name.try_into().unwrap(),
                &[],
                UnixTime::since_unix_epoch(Duration::from_secs(second)),
            );
            assert_eq!(verdict.is_ok(), server != BAD);
            let was_asked = asked.0.load(Ordering::Relaxed) > before;
            assert_eq!(was_asked, is_asked, "{server:?} {name} {second}");
        }
    }

    #[test]
    fn few_certificates_are_remembered() {
        let verifier = Remembering {
            inner: Asked::default(),
            extra_roots: Vec::new(),
            verdicts: Box::leak(Box::default()),
        };
        for leaf in 0..=u8::try_from(MOST_VERDICTS).unwrap() {
            let name = "shop.example".try_into().unwrap();
            let now = UnixTime::since_unix_epoch(Duration::ZERO);
            let leaf = CertificateDer::from(vec![leaf]);
            verifier
                .verify_server_cert(&leaf, &[], &name, &[], now)
                .unwrap();
        }
        let verdicts = verifier.verdicts.lock().unwrap();
        assert_eq!(verdicts.len(), MOST_VERDICTS);
        assert_eq!(verdicts[0].0.server.as_ref(), [1]);
    }
}
