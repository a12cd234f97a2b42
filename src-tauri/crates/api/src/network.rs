//! How this computer reaches a service: the proxy and the certificate authorities.

use std::sync::Arc;

use reqwest::{ClientBuilder, NoProxy, Proxy};
use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier as SystemVerifier;
use url::Url;

use crate::tls_seen::TlsRecord;
use crate::verdicts::{Remembered, VERDICTS};
use crate::verifier::Verifier;
use crate::{BaseUrl, ClientError};

/// How this computer reaches a service. The default is what the system says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkSettings {
    /// The proxy. A service on loopback is always reached directly.
    pub proxy: ProxyChoice,
    /// Certificate authorities to trust beside those of the system.
    pub extra_roots: Vec<CertificateDer<'static>>,
    pub only_extra_roots: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProxyChoice {
    /// What the system and the environment say.
    #[default]
    System,
    /// None, whatever the system says.
    Direct,
    Fixed {
        url: Url,
        /// Hosts, domains and networks reached directly, separated by commas.
        bypass: String,
    },
}

/// The certificates in a text of PEM blocks; other blocks are left out. `None`: the text holds no
/// certificate, or one that cannot be read.
pub fn certificates(pem: &[u8]) -> Option<Vec<CertificateDer<'static>>> {
    // Some editors put a byte order mark in front, which would hide the first.
    let pem = pem.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(pem);
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let found = found.ok()?;
    let mut store = RootCertStore::empty();
    for certificate in &found {
        store.add(certificate.clone()).ok()?;
    }
    (!found.is_empty()).then_some(found)
}

impl NetworkSettings {
    /// Sets proxy and trust of a client; with a record, also keeps what the server shows.
    pub(crate) fn apply(
        &self,
        builder: ClientBuilder,
        base_url: &BaseUrl,
        record: Option<&TlsRecord>,
    ) -> Result<ClientBuilder, ClientError> {
        let builder = builder.tls_backend_preconfigured(self.tls(record)?);
        if base_url.is_loopback() {
            // A proxy would connect to its own loopback, and would receive the token.
            return Ok(builder.no_proxy());
        }
        Ok(match &self.proxy {
            ProxyChoice::System => builder,
            ProxyChoice::Direct => builder.no_proxy(),
            ProxyChoice::Fixed { url, bypass } => {
                let proxy = Proxy::all(url.clone())?.no_proxy(NoProxy::from_string(bypass));
                builder.no_proxy().proxy(proxy)
            }
        })
    }

    fn tls(&self, record: Option<&TlsRecord>) -> Result<ClientConfig, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let verifier = self.verifier(&provider, record.cloned())?;
        Ok(ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth())
    }

    fn verifier(
        &self,
        provider: &Arc<CryptoProvider>,
        record: Option<TlsRecord>,
    ) -> Result<Verifier, rustls::Error> {
        let provider = Arc::clone(provider);
        if !self.only_extra_roots {
            // Without any the plain one: on Windows the other needs a chain engine of its own.
            let inner = if self.extra_roots.is_empty() {
                SystemVerifier::new(provider)?
            } else {
                SystemVerifier::new_with_extra_roots(self.extra_roots.clone(), provider)?
            };
            return Ok(Verifier {
                inner: Arc::new(inner),
                remembered: Some(Remembered {
                    extra_roots: self.extra_roots.clone(),
                    verdicts: &VERDICTS,
                }),
                record,
            });
        }
        let mut roots = RootCertStore::empty();
        for root in &self.extra_roots {
            roots.add(root.clone())?;
        }
        let inner = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|error| rustls::Error::General(error.to_string()))?;
        Ok(Verifier {
            inner,
            remembered: None,
            record,
        })
    }
}
