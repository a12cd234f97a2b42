//! The base address of the service, and the addresses below it.
//!
//! Owns the rule that a request travels only over TLS or on loopback. Does not send anything.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Host, Position, Url};

/// Everything but letters, digits and `-._~`. An id that looks percent-encoded is encoded once
/// more, since `%2E%2E` left alone would climb to another resource.
pub(crate) const ALL_BUT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Longest base address, in bytes. The service's own paths come behind it.
const MAX_BASE_URL: usize = 500;

/// The base address: `https`, or `http` on loopback alone; no user, query or fragment; at most 500
/// bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BaseUrl(Url);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseUrlError {
    NotAnAddress,
    /// `http` on a host that is not this machine, or another scheme.
    NotSecure,
    /// A user, a query or a fragment.
    Extras,
    /// Of more than 500 bytes.
    TooLong,
}

impl BaseUrl {
    /// Reads and checks an address. A trailing slash does not matter.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let url = Url::parse(text.trim()).map_err(|_| BaseUrlError::NotAnAddress)?;
        let mut base = Self(url);
        let is_loopback = base.is_loopback();
        let url = &mut base.0;
        if url.host().is_none() {
            return Err(BaseUrlError::NotAnAddress);
        }
        if url.as_str().len() > MAX_BASE_URL {
            return Err(BaseUrlError::TooLong);
        }
        match (url.scheme(), is_loopback) {
            ("https", _) | ("http", true) => {}
            _ => return Err(BaseUrlError::NotSecure),
        }
        if !url.username().is_empty()
            || url.password().is_some()
            || url.query().is_some()
            || url.fragment().is_some()
        {
            return Err(BaseUrlError::Extras);
        }
        // A dot at its end names the same host.
        if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')) {
            let host = host.to_owned();
            url.set_host(Some(&host))
                .map_err(|_| BaseUrlError::NotAnAddress)?;
        }
        Ok(base)
    }

    /// The same without a version at its end, with which every path of the interface begins (part 9).
    #[must_use]
    pub fn without_version(self) -> Self {
        let Self(mut url) = self;
        if let Some(base) = url.path().trim_end_matches('/').strip_suffix("/v1") {
            let base = base.to_owned();
            url.set_path(&base);
        }
        Self(url)
    }

    /// The address without a trailing slash.
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// The server: scheme, host and, where it is not the scheme's own, port. It holds no space.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// What a person can compare.
    pub fn host(&self) -> String {
        shown_host(&self.0).to_owned()
    }

    /// Whether the service is on this very machine.
    pub fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// The address of a path below the base; segments are percent-encoded whole.
    pub fn join(&self, segments: &[&str]) -> Url {
        let mut url = self.0.clone();
        let mut path = url.path().trim_end_matches('/').to_owned();
        for segment in segments {
            path.push('/');
            path.extend(utf8_percent_encode(segment, ALL_BUT_UNRESERVED));
        }
        url.set_path(&path);
        url
    }

    /// The address of a path below the base with a query; names and values are percent-encoded,
    /// a space as `%20`, which every reader of a query understands.
    pub fn join_query(&self, segments: &[&str], query: &[(&str, &str)]) -> Url {
        let mut url = self.join(segments);
        let pairs = query.iter().map(|(name, value)| {
            let encoded = |text| utf8_percent_encode(text, ALL_BUT_UNRESERVED);
            format!("{}={}", encoded(name), encoded(value))
        });
        url.set_query(Some(&pairs.collect::<Vec<_>>().join("&")));
        url
    }
}

/// Host and, where it is not the scheme's own, port: the form of an address that a person sees.
pub fn shown_host(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}
