//! The way a request takes, without sending one.

use hyper_util::client::proxy::matcher::Matcher;

use crate::BaseUrl;
use crate::network::{NetworkSettings, ProxyChoice};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Host that a connection is made to: the proxy's when there is one.
    pub host: String,
    pub port: u16,
    pub is_proxy: bool,
}

/// The way that a client takes to an address, by the same rules and settings.
pub fn route(base_url: &BaseUrl, network: &NetworkSettings) -> Route {
    let matcher = match &network.proxy {
        _ if base_url.is_loopback() => None,
        ProxyChoice::Direct => None,
        ProxyChoice::System => Some(Matcher::from_system()),
        ProxyChoice::Fixed { url, bypass } => {
            Some(Matcher::builder().all(url.as_str()).no(bypass).build())
        }
    };
    let address = base_url.as_str().parse().ok();
    let proxy = matcher.and_then(|matcher| matcher.intercept(&address?));
    let url = base_url.join(&[]);
    let (host, port) = match proxy.as_ref().map(|proxy| proxy.uri()) {
        Some(uri) => {
            let usual = if uri.scheme_str() == Some("https") {
                443
            } else {
                80
            };
            (uri.host(), uri.port_u16().unwrap_or(usual))
        }
        None => (
            url.host_str(),
            url.port_or_known_default().unwrap_or_default(),
        ),
    };
    // As a lookup of its address takes it: an IPv6 address without brackets.
    let host = host.unwrap_or_default().trim_matches(['[', ']']);
    Route {
        host: host.to_owned(),
        port,
        is_proxy: proxy.is_some(),
    }
}
