//! A lead on paper: its token, to be typed or scanned, for a customer who may join later.
//!
//! Owns its content and its texts. The provider defines the use of the token; the slip says whom to
//! ask.

use qrcode::{EcLevel, QrCode};

use super::figures::{amount, moment, text};
use super::filling::{Lines, file_name};
use super::{Paper, PaperQr, Shop, Standing};
use crate::interface::Personal;
use crate::leads::LeadView;
use crate::profile::ProfileKind;
use crate::settings::Language;

/// Empty modules around the code, which readers need.
const MARGIN: usize = 4;

impl Shop<'_> {
    /// The slip of a lead that the service created, with its token.
    #[must_use]
    pub fn of_lead(&self, lead: &LeadView, token: &Personal) -> Paper {
        let say = |ja: &'static str, en: &'static str| match self.language {
            Language::Ja => ja,
            Language::En => en,
        };
        let words = super::words::words(self.language);
        let price = amount(lead.product_purchase_price, &self.profile.display.currency);
        let bought = moment(lead.transaction_date.get(), self.zone, self.language);
        let quantity = lead.quantity.to_string();
        let mut how = Lines::default()
            .text(words.store, Some(&self.profile.name))
            .code(words.store_id, self.own_store_id())
            .under(words.inquire);
        how.text = Some(
            say(
                "延長保証へのご加入については、この控えをお買い上げの店舗でご提示ください。",
                "To join the extended warranty, show this slip at the store where you bought the product.",
            )
            .to_owned(),
        );
        Paper {
            name: file_name("lead", &lead.transaction_id),
            language: self.language,
            standing: Standing::Report,
            shop: text(&self.profile.name),
            issued: format!(
                "{} {}",
                words.issued,
                moment(self.now, self.zone, self.language)
            ),
            title: say("延長保証 後日加入のご案内", "Extended warranty: join later").to_owned(),
            practice: (self.profile.kind == ProfileKind::Practice)
                .then(|| words.practice.to_owned()),
            notice: None,
            customer: None,
            codes: Lines::default()
                .code(say("加入用コード", "Lead token"), Some(token.expose()))
                .0,
            qr: qr(token.expose()),
            groups: vec![
                Lines::default()
                    .text(words.name, lead.product_title.as_deref())
                    .code(words.reference, Some(lead.product_reference_id.as_str()))
                    .text(words.price, Some(&price))
                    .text(say("数量", "Quantity"), Some(&quantity))
                    .under(words.product),
                Lines::default()
                    .code(words.transaction, Some(&lead.transaction_id))
                    .text(words.bought, Some(&bought))
                    .under(words.purchase),
            ],
            inquire: Some(how),
        }
    }
}

/// A text as a QR code; `None` when it is too long.
fn qr(text: &str) -> Option<PaperQr> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let dark = code.to_colors();
    let mut path = String::new();
    for (y, row) in dark.chunks(width).enumerate() {
        let mut x = 0;
        // Adjacent dark modules form one bar.
        for bar in row.chunk_by(|one, next| one == next) {
            if bar[0] == qrcode::Color::Dark {
                let (left, top, long) = (x + MARGIN, y + MARGIN, bar.len());
                path.push_str(&format!("M{left} {top}h{long}v1h-{long}z"));
            }
            x += bar.len();
        }
    }
    Some(PaperQr {
        side: u32::try_from(width + 2 * MARGIN).ok()?,
        path,
    })
}
