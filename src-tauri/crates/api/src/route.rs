//! The way a request takes, without sending one.

use hyper_util::client::proxy::matcher::Matcher;

use crate::BaseUrl;

/// The way to a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Host that a connection is made to: the proxy's when there is one.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether it is a proxy of this computer's settings.
    pub is_proxy: bool,
}

/// The way that a client takes to an address, by the same rules and settings.
#[must_use]
pub fn route(base_url: &BaseUrl) -> Route {
    let proxy = if base_url.is_loopback() {
        None
    } else {
        let address = base_url.as_str().parse().ok();
        address.and_then(|address| Matcher::from_system().intercept(&address))
    };
    if let Some(proxy) = proxy {
        let uri = proxy.uri();
        let usual = if uri.scheme_str() == Some("https") {
            443
        } else {
            80
        };
        return Route {
            host: uri.host().unwrap_or_default().to_owned(),
            port: uri.port_u16().unwrap_or(usual),
            is_proxy: true,
        };
    }
    let url = base_url.join(&[]);
    Route {
        host: url
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
            .to_owned(),
        port: url.port_or_known_default().unwrap_or_default(),
        is_proxy: false,
    }
}
