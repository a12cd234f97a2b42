//! Remembers for an hour which certificates the system found good.
//!
//! Windows asks their authority in a handshake whether they were withdrawn, and waits ten seconds where a firewall
//! drops the question: the connection is lost by then, and without this the next one would be too.

use std::sync::{Mutex, PoisonError};

use rustls::Error;
use rustls::client::danger::ServerCertVerified;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

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

/// What was found good where these authorities are trusted beside those of the system.
#[derive(Debug)]
pub(crate) struct Remembered {
    pub(crate) extra_roots: Vec<CertificateDer<'static>>,
    pub(crate) verdicts: &'static Verdicts,
}

impl Remembered {
    /// The verdict of `verify`, which is not asked if it found the same good within the hour.
    pub(crate) fn verdict(
        &self,
        server: &CertificateDer<'_>,
        name: &ServerName<'_>,
        now: UnixTime,
        verify: impl FnOnce() -> Result<ServerCertVerified, Error>,
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
        let verdict = verify()?;
        let mut verdicts = verdicts();
        verdicts.retain(|(known, _)| *known != good);
        if verdicts.len() >= MOST_VERDICTS {
            verdicts.remove(0);
        }
        verdicts.push((good, now.as_secs()));
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustls::CertificateError;

    use super::*;

    const BAD: &[u8] = b"bad";

    #[test]
    fn a_certificate_found_good_is_not_verified_again_within_the_hour_and_every_other_is() {
        let verdicts: &'static Verdicts = Box::leak(Box::default());
        let remembering = |extra_roots: &[&'static [u8]]| Remembered {
            extra_roots: extra_roots.iter().map(|root| (*root).into()).collect(),
            verdicts,
        };
        let (plain, trusting) = (remembering(&[]), remembering(&[b"root"]));
        let start = 1_000_000;
        for (remembered, server, name, second, is_asked) in [
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
            let mut was_asked = false;
            let verify = || {
                was_asked = true;
                match server {
                    BAD => Err(CertificateError::Revoked.into()),
                    _ => Ok(ServerCertVerified::assertion()),
                }
            };
            let now = UnixTime::since_unix_epoch(Duration::from_secs(second));
            let name_of = name.try_into().unwrap();
            let verdict = remembered.verdict(&server.into(), &name_of, now, verify);
            assert_eq!(verdict.is_ok(), server != BAD);
            assert_eq!(was_asked, is_asked, "{server:?} {name} {second}");
        }
    }

    #[test]
    fn few_certificates_are_remembered() {
        let remembered = Remembered {
            extra_roots: Vec::new(),
            verdicts: Box::leak(Box::default()),
        };
        for leaf in 0..=u8::try_from(MOST_VERDICTS).unwrap() {
            let name = "shop.example".try_into().unwrap();
            let now = UnixTime::since_unix_epoch(Duration::ZERO);
            let leaf = CertificateDer::from(vec![leaf]);
            let good = || Ok(ServerCertVerified::assertion());
            remembered.verdict(&leaf, &name, now, good).unwrap();
        }
        let verdicts = remembered.verdicts.lock().unwrap();
        assert_eq!(verdicts.len(), MOST_VERDICTS);
        assert_eq!(verdicts[0].0.server.as_ref(), [1]);
    }
}
