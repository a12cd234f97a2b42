//! The practice service inside the window's process: loopback, a random port, its own token.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::net::TcpSocket;
use warranty_core::api::{Amount, BaseUrl, ProductReference};
use warranty_core::encryption::PracticeEncryption;
use warranty_core::products::{KnownFrom, ProductHint};
use warranty_core::{Desk, PracticeService};
use warranty_messages::ErrorCode;
use warranty_sandbox::{Cipher, Database, Options, Sandbox, Situation, delete_before, sample};

use crate::error::UiError;

#[derive(Debug)]
pub struct Practice {
    sandbox: Sandbox,
    /// A reserved port that refuses connections, while the network is simulated as down.
    refusing: Option<TcpSocket>,
}

/// Situations that staff can try out while practising. Each start begins with the usual one.
#[derive(Debug, Clone, Copy, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PracticeSituation {
    /// The service answers.
    Usual,
    /// It cannot be reached.
    Offline,
    /// It refuses contracts and leads.
    Refused,
    /// It processes contracts and leads, but the answer gets lost.
    Unknown,
}

/// Its database in the data folder, shared with `wdesk`.
const FILE: &str = "practice.db";

/// How often old practice data is deleted.
const DELETION_INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);

impl Practice {
    /// Starts it with a database in the desk's folder, and attaches it to the desk.
    pub async fn start(desk: &Desk, data_dir: &Path) -> Result<Self, UiError> {
        let encryption = desk.encryption.for_practice().await?;
        let sandbox = Sandbox::start(Options {
            database: Database::Encrypted(
                data_dir.join(FILE),
                Arc::new(PracticeCipher(encryption)),
            ),
            ..Options::default()
        })
        .await
        .map_err(|error| {
            tracing::error!(%error, "the practice service did not start");
            ErrorCode::PracticeNotRunning
        })?;
        desk.attach_practice(service_of(&sandbox).ok_or(ErrorCode::PracticeNotRunning)?);
        Ok(Self {
            sandbox,
            refusing: None,
        })
    }

    /// Detaches it from the desk and stops it. Its data is kept in the file.
    pub async fn stop(self, desk: &Desk) {
        desk.detach_practice();
        self.sandbox.stop().await;
    }

    /// Simulates a situation until another one is chosen or the program ends.
    pub fn try_out(&mut self, desk: &Desk, situation: PracticeSituation) -> Result<(), ErrorCode> {
        let service = service_of(&self.sandbox).ok_or(ErrorCode::PracticeNotRunning)?;
        self.sandbox.set_situation(match situation {
            PracticeSituation::Usual | PracticeSituation::Offline => Situation::Usual,
            PracticeSituation::Refused => Situation::Refuses,
            PracticeSituation::Unknown => Situation::LosesAnswers,
        });
        if matches!(situation, PracticeSituation::Offline) {
            let (refusing, base_url) = refusing_port().ok_or(ErrorCode::PracticeNotRunning)?;
            self.refusing = Some(refusing);
            desk.attach_practice(PracticeService {
                base_url,
                ..service
            });
        } else if self.refusing.take().is_some() {
            desk.attach_practice(service);
        }
        Ok(())
    }
}

/// Deletes practice data older than the desk's retention time, now and every few hours, whichever
/// profile is selected.
pub async fn delete_old(desk: &Desk, data_dir: &Path) {
    let (desk, file) = (desk.clone(), data_dir.join(FILE));
    delete_old_now(&desk, &file).await;
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(DELETION_INTERVAL).await;
            delete_old_now(&desk, &file).await;
        }
    });
}

async fn delete_old_now(desk: &Desk, file: &Path) {
    match desk.encryption.retention_cutoff().await {
        Ok(None) => {}
        Ok(Some(before)) => {
            if let Err(error) = delete_before(file.to_owned(), before).await {
                tracing::warn!(%error, "old practice data could not be deleted now");
            }
        }
        Err(error) => {
            tracing::warn!(%error, "the retention time of practice data could not be read")
        }
    }
}

/// Encrypts the practice service's file with the desk's key, because staff may type real customers while
/// practising.
#[derive(Debug)]
struct PracticeCipher(PracticeEncryption);

impl Cipher for PracticeCipher {
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        self.0.encrypt(plaintext)
    }
    fn decrypt(&self, ciphertext: &[u8]) -> Option<Vec<u8>> {
        self.0.decrypt(ciphertext)
    }
    fn is_persistent(&self) -> bool {
        self.0.is_persistent()
    }
}

/// Adds the sample catalogue to the desk's list of products, because the interface has no list of products.
pub async fn add_sample_products(desk: &Desk) -> Result<(), UiError> {
    let hints = sample::catalogue()
        .into_iter()
        .filter_map(|product| {
            Some(ProductHint {
                reference_id: ProductReference::new(product.reference_id).ok()?,
                title: Some(product.title),
                price: Amount::new(product.price).ok(),
                image_url: Some(product.image_url),
                category: Some(product.category),
                brand: Some(product.brand),
            })
        })
        .collect();
    desk.catalog.remember(hints, KnownFrom::Practice).await?;
    Ok(())
}

/// A reserved port on this computer that refuses connections; no other program can take it.
fn refusing_port() -> Option<(TcpSocket, BaseUrl)> {
    let socket = TcpSocket::new_v4().ok()?;
    socket
        .bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
        .ok()?;
    let base_url = BaseUrl::parse(&format!("http://{}", socket.local_addr().ok()?)).ok()?;
    Some((socket, base_url))
}

fn service_of(sandbox: &Sandbox) -> Option<PracticeService> {
    PracticeService::at(&sandbox.base_url(), sandbox.token(), sandbox.store_id())
}
