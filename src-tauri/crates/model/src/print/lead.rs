//! A lead on paper: its token, to be typed or scanned, for a customer who may join later.
//!
//! Owns its content and its texts. The provider defines the use of the token; the slip says whom to
//! ask.

use qrcode::{EcLevel, QrCode};

use super::figures::moment;
use super::filling::file_name;
use super::{Paper, PaperGroup, PaperQr, Shop, Standing, words};
use crate::interface::Personal;
use crate::leads::LeadView;

/// Empty modules around the code, which readers need.
const MARGIN: usize = 4;

impl Shop<'_> {
    /// The slip of a lead that the service created, with its token.
    pub fn of_lead(&self, lead: &LeadView, token: &Personal) -> Paper {
        let price = self.amount(lead.product_purchase_price);
        let bought = moment(lead.transaction_date.get(), self.zone, self.language);
        let quantity = lead.quantity.to_string();
        let how = PaperGroup {
            text: Some(self.say((
                "延長保証へのご加入については、この控えをお買い上げの店舗でご提示ください。",
                "To join the extended warranty, show this slip at the store where you bought the product.",
            ))),
            ..self
                .lines()
                .text(words::STORE, Some(&self.profile.name))
                .code(words::STORE_ID, self.own_store_id())
                .under(words::INQUIRE)
        };
        Paper {
            title: self.say(("延長保証 後日加入のご案内", "Extended warranty: join later")),
            codes: self
                .lines()
                .code(("加入用コード", "Enrollment code"), Some(token.expose()))
                .lines,
            qr: qr(token.expose()),
            groups: vec![
                self.lines()
                    .text(words::NAME, lead.product_title.as_deref())
                    .code(words::REFERENCE, Some(lead.product_reference_id.as_str()))
                    .text(words::PRICE, Some(&price))
                    .text(("数量", "Quantity"), Some(&quantity))
                    .under(words::PRODUCT),
                self.lines()
                    .code(words::TRANSACTION, Some(&lead.transaction_id))
                    .text(words::BOUGHT, Some(&bought))
                    .under(words::PURCHASE),
            ],
            inquire: Some(how),
            ..self.blank(Standing::Report, file_name("lead", &lead.transaction_id))
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
