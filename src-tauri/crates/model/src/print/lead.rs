//! A lead on paper: its token, to be typed or scanned, for a customer who may join later.
//!
//! Owns its content. The provider defines the use of the token; the slip says whom to
//! ask.

use qrcode::{EcLevel, QrCode};

use super::figures::moment;
use super::{Paper, PaperGroup, PaperQr, Shop, Standing};
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
            text: Some(self.say("lead.how")),
            ..self
                .lines()
                .text("store", Some(&self.profile.name))
                .code("storeId", self.own_store_id())
                .under("inquire")
        };
        Paper {
            title: self.say("lead.title"),
            codes: self.lines().code("lead.code", Some(token.expose())).lines,
            qr: qr(token.expose()),
            groups: vec![
                self.lines()
                    .text("name", lead.product_title.as_deref())
                    .code("reference", Some(lead.product_reference_id.as_str()))
                    .text("price", Some(&price))
                    .text("lead.quantity", Some(&quantity))
                    .under("product"),
                self.lines()
                    .code("transaction", Some(&lead.transaction_id))
                    .text("bought", Some(&bought))
                    .under("purchase"),
            ],
            inquire: Some(how),
            ..self.blank(Standing::Report)
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
