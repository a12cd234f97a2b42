//! Builds the content of a document from an entry, or from the contract that the service returned.

use crate::interface::{Amount, Contract, Personal};
use chrono::{DateTime, FixedOffset, Utc};

use super::figures::{amount, moment, moment_written, term, text};
use super::words::{self, Words, addressed, words};
use super::{Paper, PaperGroup, PaperLine, PaperNotice, Standing};
use crate::contracts::SubmissionView;
use crate::outbox::confirmation;
use crate::plans::{self, PlanRecord};
use crate::profile::{Profile, ProfileKind, Zone};
use crate::settings::Language;

/// The issuer of a document, the time and the language.
#[derive(Debug)]
pub struct Shop<'a> {
    pub(super) profile: &'a Profile,
    pub(super) zone: Zone,
    pub(super) now: DateTime<FixedOffset>,
    pub(super) language: Language,
    words: &'static Words,
}

/// Collects lines; skips absent and blank values.
#[derive(Default)]
pub(super) struct Lines(pub(super) Vec<PaperLine>);

impl Lines {
    pub(super) fn text(mut self, name: &str, value: Option<&str>) -> Self {
        self.push(name, value, false);
        self
    }

    pub(super) fn code(mut self, name: &str, value: Option<&str>) -> Self {
        self.push(name, value, true);
        self
    }

    fn push(&mut self, name: &str, value: Option<&str>, code: bool) {
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            self.0.push(PaperLine {
                name: name.to_owned(),
                value: Personal::new(text(value)),
                code,
            });
        }
    }

    pub(super) fn under(self, title: &str) -> PaperGroup {
        PaperGroup {
            title: title.to_owned(),
            text: None,
            lines: self.0,
        }
    }
}

/// The data of a document's head.
struct Head<'a> {
    standing: Standing,
    transaction_id: &'a str,
    customer: Option<&'a Personal>,
    contract_id: Option<&'a str>,
    inquiry_code: Option<&'a str>,
    store: Option<&'a str>,
    store_id: Option<&'a str>,
    web_site: Option<&'a str>,
    plan_page: Option<&'a str>,
}

impl<'a> Shop<'a> {
    /// The shop of a profile, at the time the document is issued.
    #[must_use]
    pub fn new(profile: &'a Profile, now: DateTime<Utc>, language: Language) -> Self {
        let zone = profile.zone();
        Self {
            profile,
            zone,
            now: zone.at(now),
            language,
            words: words(language),
        }
    }

    /// The document of a contract that the service returned, with the fee entered here. The service
    /// only returns the price of the plan, which may differ from what the customer paid.
    pub fn of_contract(&self, contract: &Contract, entered: Option<Amount>) -> Paper {
        let words = self.words;
        let store = contract.store.as_ref();
        let head = Head {
            standing: match confirmation::reported(contract) {
                Some(_) => Standing::Reported,
                None => Standing::Registered,
            },
            transaction_id: &contract.transaction_id,
            customer: contract.customer.name.as_ref(),
            contract_id: Some(contract.id.as_str()),
            inquiry_code: contract.inquiry_code.as_deref(),
            store: store.and_then(|store| store.name.as_deref()),
            store_id: store.and_then(|store| store.id.as_deref()),
            web_site: store.and_then(|store| store.web_site.as_deref()),
            plan_page: contract.plan.url.as_deref(),
        };
        let date = |came: &Option<String>| came.as_deref().map(|came| self.date(came));
        let (plan, product) = (&contract.plan, &contract.product);
        let length = plan.term_length.map(|length| self.term(length));
        let fee = entered
            .or(plan.price.known())
            .map(|price| self.amount(price));
        let paid = product
            .purchase_price
            .known()
            .map(|price| self.amount(price));
        let groups = vec![
            Lines::default()
                .text(
                    words.name,
                    Some(plan.title.as_deref().unwrap_or(plan.id.as_str())),
                )
                .text(words.term, length.as_deref())
                .text(words.fee, fee.as_deref())
                .text(words.started, date(&contract.started_at).as_deref())
                .text(words.ended, date(&contract.ended_at).as_deref())
                .code(words.status, contract.status.known().as_deref())
                .under(words.plan),
            Lines::default()
                .text(words.name, product.title.as_deref())
                .text(words.brand, product.brand.as_deref())
                .code(words.serial, product.serial_number.as_deref())
                .code(words.reference, Some(product.reference_id.as_str()))
                .text(words.price, paid.as_deref())
                .under(words.product),
            Lines::default()
                .code(words.transaction, Some(&contract.transaction_id))
                .text(words.bought, date(&contract.transaction_date).as_deref())
                .under(words.purchase),
        ];
        self.sheet(&head, groups)
    }

    /// The document of an entry made here, with the cached data of its plan.
    pub fn of_entry(&self, entry: &SubmissionView, plan: Option<&PlanRecord>) -> Paper {
        let words = self.words;
        let known = plan.map(|record| &record.plan);
        let head = Head {
            standing: entry.into(),
            transaction_id: &entry.transaction_id,
            customer: entry.customer_name.as_ref(),
            contract_id: entry.contract_id.as_ref().map(|id| id.as_str()),
            inquiry_code: entry.inquiry_code.as_deref(),
            store: None,
            store_id: None,
            web_site: None,
            plan_page: known.and_then(|plan| plan.url.as_deref()),
        };
        let length = known
            .and_then(|plan| plan.term_length)
            .map(|length| self.term(length));
        let title = entry
            .plan_title
            .as_deref()
            .or_else(|| known.and_then(|plan| plan.title.as_deref()))
            .unwrap_or(entry.plan_id.as_str());
        let bought = moment(entry.transaction_date.get(), self.zone, self.language);
        let groups = vec![
            Lines::default()
                .text(words.name, Some(title))
                .text(words.term, length.as_deref())
                .text(words.fee, Some(&self.amount(entry.plan_purchase_price)))
                .under(words.plan),
            Lines::default()
                .text(words.name, entry.product_title.as_deref())
                .code(words.reference, Some(entry.product_reference_id.as_str()))
                .text(
                    words.price,
                    Some(&self.amount(entry.product_purchase_price)),
                )
                .under(words.product),
            Lines::default()
                .code(words.transaction, Some(&entry.transaction_id))
                .text(words.bought, Some(&bought))
                .under(words.purchase),
        ];
        self.sheet(&head, groups)
    }

    fn sheet(&self, head: &Head<'_>, groups: Vec<PaperGroup>) -> Paper {
        let words = self.words;
        let store = head.store.unwrap_or(&self.profile.name);
        let how = match (head.standing, head.inquiry_code, head.contract_id) {
            (Standing::NotRegistered, _, _) => words.inquire_not_registered,
            (_, Some(_), _) => words.inquire_with_code,
            (_, None, Some(_)) => words.inquire_with_id,
            (_, None, None) => words.inquire_without,
        };
        let inquire = PaperGroup {
            text: Some(how.to_owned()),
            ..Lines::default()
                .text(words.store, Some(store))
                .code(
                    words.store_id,
                    head.store_id.or_else(|| self.own_store_id()),
                )
                .code(words.web_site, host(head.web_site).as_deref())
                .code(words.plan_page, host(head.plan_page).as_deref())
                .under(words.inquire)
        };
        let name = head.inquiry_code.or(head.contract_id);
        Paper {
            name: file_name("warranty", name.unwrap_or(head.transaction_id)),
            language: self.language,
            standing: head.standing,
            shop: text(store),
            issued: format!(
                "{} {}",
                words.issued,
                moment(self.now, self.zone, self.language)
            ),
            title: words::title(self.language, head.standing).to_owned(),
            practice: (self.profile.kind == ProfileKind::Practice)
                .then(|| words.practice.to_owned()),
            notice: words::notice(self.language, head.standing).map(|(mark, text)| PaperNotice {
                mark: mark.to_owned(),
                text: text.to_owned(),
            }),
            customer: head
                .customer
                .map(|name| name.expose().trim())
                .filter(|name| !name.is_empty())
                .map(|name| Personal::new(addressed(self.language, &text(name)))),
            codes: Lines::default()
                .code(words.inquiry_code, head.inquiry_code)
                .code(words.contract_id, head.contract_id)
                .0,
            qr: None,
            groups,
            inquire: Some(inquire),
        }
    }

    pub(super) fn own_store_id(&self) -> Option<&str> {
        (self.profile.kind == ProfileKind::Live).then_some(self.profile.store_id.as_str())
    }

    fn date(&self, came: &str) -> String {
        moment_written(came, self.zone, self.language)
    }

    fn amount(&self, price: Amount) -> String {
        amount(price, &self.profile.display.currency)
    }

    fn term(&self, length: crate::interface::Count) -> String {
        term(length, &self.profile.display.term_unit)
    }
}

impl Paper {
    /// The same document with the notice that the provider may have the contract more than once.
    pub fn with_possible_duplicate(self) -> Self {
        let (mark, text) = words::possible_duplicate(self.language);
        let notice = match self.notice {
            Some(notice) => PaperNotice {
                text: format!("{} {text}", notice.text),
                ..notice
            },
            None => PaperNotice {
                mark: mark.to_owned(),
                text: text.to_owned(),
            },
        };
        Self {
            notice: Some(notice),
            ..self
        }
    }
}

/// The host of an address that may be opened, in ASCII form; `None` for any other address.
fn host(address: Option<&str>) -> Option<String> {
    address
        .and_then(plans::page)
        .map(|page| plans::shown(&page))
}

/// A file name that every file system accepts, for any code.
pub(super) fn file_name(of: &str, code: &str) -> String {
    const LONGEST: usize = 60;
    let plain: String = code
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(LONGEST)
        .collect();
    format!("{of}-{}", plain.trim_matches('-'))
        .trim_end_matches('-')
        .to_owned()
}
