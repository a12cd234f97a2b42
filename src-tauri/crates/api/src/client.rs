//! The seven operations as methods.
//!
//! Owns what each operation sends: method, path, headers, body. Does not know how a request is
//! transported (`transport`) or what a reply means (`answer`).

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Method, Request};
use serde::Serialize;
use thiserror::Error as ThisError;
use url::Url;
use uuid::Uuid;
use warranty_model::redaction::Masked;
use zeroize::Zeroizing;

use crate::answer::{self, Shape, items, list, object};
use crate::network::NetworkSettings;
use crate::tls_seen::{TlsRecord, TlsSeen};
use crate::transport::Transport;
use crate::{
    Answer, BaseUrl, BulkContracts, Contract, ContractId, Error, Lead, LeadRequest, NotSent, Plan,
    PlanFilter, PlanId, PlanUpdate, PlanWithProduct, Product, ProductReference, ProductUpsert,
    StoreId, Timeouts, Token,
};

const TOKEN: HeaderName = HeaderName::from_static("x-service-auth-token");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("x-idempotency-key");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const IDENTITY: HeaderValue = HeaderValue::from_static("identity");

/// A client of one service with one token. Cheap to clone. The error of a call says what may have
/// happened at the service.
#[derive(Debug, Clone)]
pub struct Client {
    inner: Arc<Inner>,
    observer: Option<Arc<dyn Observer>>,
}

/// Is called with how each request of a client ended; receives no content of requests or replies.
pub trait Observer: Send + Sync + std::fmt::Debug {
    /// A request ended; `with_token` says whether the token was sent with it.
    fn request_ended(&self, with_token: bool, result: Result<(), &Error>);
}

#[derive(Debug)]
struct Inner {
    base_url: BaseUrl,
    token: Option<Token>,
    transport: Transport,
}

/// The HTTP client could not be set up on this computer.
#[derive(Debug, ThisError)]
pub enum ClientError {
    #[error("the network stack could not be set up: {0}")]
    Http(#[from] reqwest::Error),
    #[error("TLS could not be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// What an answer, or the attempt to get one, showed of the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    /// The time on the service's clock; `None` without an answer that has a date.
    pub time: Option<SystemTime>,
    /// What was shown in the TLS handshake; `None` without one.
    pub tls: Option<TlsSeen>,
}

impl Client {
    /// Creates a client; sends nothing.
    ///
    /// # Errors
    /// [`ClientError`] when the TLS or proxy settings of the computer cannot be read.
    pub fn new(
        base_url: BaseUrl,
        token: Option<Token>,
        timeouts: Timeouts,
        network: &NetworkSettings,
    ) -> Result<Self, ClientError> {
        let transport = Transport::new(&base_url, timeouts, network, None)?;
        Ok(Self {
            inner: Arc::new(Inner {
                base_url,
                token,
                transport,
            }),
            observer: None,
        })
    }

    /// The same client with the same connections; its requests are reported to this observer.
    pub fn observed(&self, observer: Arc<dyn Observer>) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            observer: Some(observer),
        }
    }

    /// Creates one to ten contracts (part 4.1). `body` is the frozen JSON of a
    /// [`crate::ContractBatch`], sent byte for byte; `key` is a v4 UUID, as part 4.1 recommends.
    pub async fn create_contracts(
        &self,
        body: impl Into<Zeroizing<Vec<u8>>> + Send,
        key: Uuid,
    ) -> Result<Answer<BulkContracts>, Error> {
        let mut request = self.authenticated(Method::POST, &["v1", "contracts", "bulk"])?;
        let key = HeaderValue::from_str(&key.to_string())
            .map_err(|_| Error::NotSent(NotSent::Unsendable))?;
        request.headers_mut().insert(IDEMPOTENCY_KEY, key);
        // Wiped from memory once it is sent.
        *request.body_mut() = Some(Bytes::from_owner(body.into()).into());
        self.send(request, items).await
    }

    /// Reads a contract (part 4.2). One just created may not be found yet.
    pub async fn get_contract(&self, id: &ContractId) -> Result<Answer<Contract>, Error> {
        let request = self.authenticated(Method::GET, &["v1", "contracts", id.as_str()])?;
        self.send(request, object).await
    }

    /// Creates or overwrites a product by its reference (part 4.3).
    pub async fn upsert_product(&self, product: &ProductUpsert) -> Result<Answer<Product>, Error> {
        let mut request = self.authenticated(Method::PUT, &["v1", "products", "upsert"])?;
        set_body(&mut request, product)?;
        self.send(request, object).await
    }

    /// Sets a plan's store reference (part 4.4).
    pub async fn update_plan(
        &self,
        id: &PlanId,
        update: &PlanUpdate,
    ) -> Result<Answer<Plan>, Error> {
        let mut request = self.authenticated(Method::PUT, &["v1", "plans", id.as_str()])?;
        set_body(&mut request, update)?;
        self.send(request, object).await
    }

    /// Lists the plans of a product at a store (part 4.5); no token is sent.
    pub async fn list_plans(
        &self,
        product: &ProductReference,
        store: &StoreId,
        filter: Option<PlanFilter>,
    ) -> Result<Answer<Vec<Plan>>, Error> {
        let mut query = vec![("productId", product.as_str()), ("storeId", store.as_str())];
        query.extend(filter.map(|filter| ("status", filter.as_str())));
        let url = self.inner.base_url.join_query(&["v1", "plans"], &query);
        self.send(request(Method::GET, url), list).await
    }

    /// Asks once for the plans of no product, without a token, and returns what was shown on the way.
    ///
    /// # Errors
    /// [`ClientError`], as when a client is created. No answer is not an error.
    pub async fn contact(
        base_url: BaseUrl,
        store: &StoreId,
        timeouts: Timeouts,
        network: &NetworkSettings,
    ) -> Result<Contact, ClientError> {
        let record = TlsRecord::default();
        let transport = Transport::new(&base_url, timeouts, network, Some(&record))?;
        let query = [("productId", "none"), ("storeId", store.as_str())];
        let url = base_url.join_query(&["v1", "plans"], &query);
        let reply = transport.send(request(Method::GET, url)).await;
        Ok(Contact {
            time: reply.ok().and_then(|reply| reply.date),
            tls: record.seen(),
        })
    }

    /// Reads a plan with its product (part 4.6).
    pub async fn get_plan(&self, id: &PlanId) -> Result<Answer<PlanWithProduct>, Error> {
        let request = self.authenticated(Method::GET, &["v1", "plans", id.as_str()])?;
        self.send(request, object).await
    }

    /// Creates a lead (part 4.7). The interface gives no safe way to retry.
    pub async fn create_lead(&self, lead: &LeadRequest) -> Result<Answer<Lead>, Error> {
        let mut request = self.authenticated(Method::POST, &["v1", "leads"])?;
        set_body(&mut request, lead)?;
        self.send(request, object).await
    }

    fn authenticated(&self, method: Method, segments: &[&str]) -> Result<Request, Error> {
        let token = self.inner.token.as_ref();
        let token = token.ok_or(Error::NotSent(NotSent::NoToken))?;
        let mut value = HeaderValue::from_str(token.expose())
            .map_err(|_| Error::NotSent(NotSent::Unsendable))?;
        value.set_sensitive(true);
        let mut request = request(method, self.inner.base_url.join(segments));
        request.headers_mut().insert(TOKEN, value);
        Ok(request)
    }

    async fn send<T>(&self, request: Request, shape: Shape<T>) -> Result<Answer<T>, Error> {
        let with_token = request.headers().contains_key(TOKEN);
        let reply = self.inner.transport.send(request).await;
        let result = reply.and_then(|reply| answer::read(reply, shape));
        let result = result.map_err(|error| self.without_token(error));
        if let Some(observer) = &self.observer {
            observer.request_ended(with_token, result.as_ref().map(|_| ()));
        }
        result
    }

    /// The words of a refusal are kept and shown: a service may repeat the token in them.
    fn without_token(&self, mut error: Error) -> Error {
        if let (Error::Refused { error, .. }, Some(token)) = (&mut error, &self.inner.token) {
            let token = Masked::of([token.expose()]);
            for words in [&mut error.request_id, &mut error.code, &mut error.error] {
                *words = token.masked(words);
            }
        }
        error
    }
}

/// Part 4 requires the first two headers on every endpoint, including reads. `Accept-Encoding`
/// asks for a reply without compression.
fn request(method: Method, url: Url) -> Request {
    let mut request = Request::new(method, url);
    request.headers_mut().insert(CONTENT_TYPE, JSON);
    request.headers_mut().insert(ACCEPT, JSON);
    request.headers_mut().insert(ACCEPT_ENCODING, IDENTITY);
    request
}

fn set_body<T: Serialize>(request: &mut Request, value: &T) -> Result<(), Error> {
    let body = serde_json::to_vec(value).map_err(|_| Error::NotSent(NotSent::Unsendable))?;
    *request.body_mut() = Some(body.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_marked_so_that_a_printed_request_hides_it() {
        let base = BaseUrl::parse("https://warranty.example.com").unwrap();
        let token = Token::new("sample-token").unwrap();
        let client = Client::new(
            base,
            Some(token),
            Timeouts::default(),
            &NetworkSettings::default(),
        )
        .unwrap();
        let request = client
            .authenticated(Method::GET, &["v1", "plans", "p-1"])
            .unwrap();
        assert_eq!(request.headers()[TOKEN], "sample-token");
        assert!(!format!("{request:?}").contains("sample-token"));
    }
}
