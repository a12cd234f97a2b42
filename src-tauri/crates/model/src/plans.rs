//! Plans as they are shown. Parts 4.4, 4.5 and 4.6.

use serde::{Deserialize, Serialize};

use crate::interface::{
    Amount, Plan, PlanFilter, PlanId, PlanProduct, ProductReference, Timestamp, shown_host,
};

/// The plans of one product, as the desk knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanList {
    pub product_reference: ProductReference,
    pub product_title: Option<String>,
    pub product_price: Option<Amount>,
    pub filter: PlanFilter,
    /// The plans in the service's order.
    pub plans: Vec<Plan>,
    /// When the service returned this; `None` if it was never asked.
    pub fetched_at: Option<Timestamp>,
    /// Age of this data, in whole seconds; `None` also when the clock was set back since.
    pub age_seconds: Option<u32>,
    pub source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Cache,
    /// The service, just now.
    Service,
}

/// A plan from the cache or read by id, with the known data of its product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanRecord {
    pub plan: Plan,
    pub product_reference: Option<ProductReference>,
    pub product: Option<PlanProduct>,
    /// The host of its page, if that is an https address that may be opened; with a non-default
    /// port, and in ASCII form.
    pub page_host: Option<String>,
    /// When the service returned this.
    pub fetched_at: Timestamp,
    /// Age of this data, in whole seconds; `None` when the clock was set back since.
    pub age_seconds: Option<u32>,
    pub source: Source,
}

/// The result of linking a plan, verified by reading it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LinkReport {
    /// The plan as read after the change.
    pub plan: Plan,
    /// The reference before the change.
    pub previous: Option<String>,
    /// Other known plans with the same store reference.
    pub also_used_by: Vec<PlanId>,
}

/// An address that may be opened in the browser: https, with a host, without a user name, which
/// could be mistaken for the host.
pub fn page(address: &str) -> Option<url::Url> {
    let page = url::Url::parse(address.trim()).ok()?;
    let plain = page.username().is_empty() && page.password().is_none();
    let named = page.host_str().is_some_and(|host| !host.is_empty());
    (page.scheme() == "https" && plain && named).then_some(page)
}

/// The host of an address that may be opened, in ASCII form; `None` for any other address.
pub fn page_host(address: Option<&str>) -> Option<String> {
    Some(shown_host(&page(address?)?).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_shown_as_it_will_be_asked_for() {
        for (address, host) in [
            ("https://sample.invalid/plans/1", "sample.invalid"),
            ("https://sample.invalid:443/", "sample.invalid"),
            ("https://sample.invalid:8443/", "sample.invalid:8443"),
            ("https://SAMPLE.invalid/", "sample.invalid"),
            // Letters that look like Latin ones, and full-width ones that are taken for them.
            (
                "https://\u{455}\u{430}mple.invalid/",
                "xn--mple-43d5t.invalid",
            ),
            ("https://\u{ff53}ample.invalid/", "sample.invalid"),
            ("https://見本.invalid/", "xn--8pvz87e.invalid"),
            ("https://[::1]:8443/", "[::1]:8443"),
        ] {
            let found = page_host(Some(address));
            assert_eq!(found.as_deref(), Some(host), "{address}");
        }
    }

    #[test]
    fn only_https_pages_with_a_host_may_be_opened() {
        for address in [
            "http://example.invalid/",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "https://",
            "https:///",
            "https://good.example@evil.example/",
            "//example.invalid",
            "example.invalid",
            "",
        ] {
            assert!(
                page(address).is_none(),
                "{address} gave {:?}",
                page(address)
            );
        }
        let opened = page(" https://sample.invalid/plans/1?a=b ").map(String::from);
        assert_eq!(
            opened.as_deref(),
            Some("https://sample.invalid/plans/1?a=b")
        );
    }
}
