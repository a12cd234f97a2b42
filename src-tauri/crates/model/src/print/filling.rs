//! Builds the content of a document from an entry, or from the contract that the service returned.

use crate::interface::{Amount, Contract, Count, Personal, ProductReference};
use chrono::{DateTime, FixedOffset, Utc};

use super::figures::{amount, moment, moment_written, term, text};
use super::{Paper, PaperGroup, PaperLine, PaperNotice, Standing};
use crate::contracts::SubmissionView;
use crate::outbox::confirmation;
use crate::plans::{PlanRecord, page_host};
use crate::profile::{Profile, ProfileKind, Zone};
use crate::settings::Language;
use crate::texts::{self, wire_name};

/// The issuer of a document, the time and the language.
#[derive(Debug)]
pub struct Shop<'a> {
    pub(super) profile: &'a Profile,
    /// The store of the sale: an entry keeps its own when the profile moves to another.
    pub(super) store_id: String,
    pub(super) zone: Zone,
    pub(super) now: DateTime<FixedOffset>,
    pub(super) language: Language,
}

/// Collects lines; skips absent and blank values.
pub(super) struct Lines {
    pub(super) language: Language,
    pub(super) lines: Vec<PaperLine>,
}

impl Lines {
    /// `name` is a key of `printed.*.json`, here and below.
    pub(super) fn text(self, name: &str, value: Option<&str>) -> Self {
        self.line(name, value, false)
    }

    pub(super) fn code(self, name: &str, value: Option<&str>) -> Self {
        self.line(name, value, true)
    }

    fn line(mut self, name: &str, value: Option<&str>, code: bool) -> Self {
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            self.lines.push(PaperLine {
                name: said(self.language, name),
                value: Personal::new(text(value)),
                code,
            });
        }
        self
    }

    pub(super) fn under(self, title: &str) -> PaperGroup {
        PaperGroup {
            title: said(self.language, title),
            text: None,
            lines: self.lines,
        }
    }
}

/// What a document says, from an entry or from the service.
struct Facts<'a> {
    standing: Standing,
    transaction_id: &'a str,
    bought: Option<String>,
    customer: Option<&'a Personal>,
    contract_id: Option<&'a str>,
    inquiry_code: Option<&'a str>,
    plan_title: &'a str,
    term: Option<Count>,
    fee: Option<Amount>,
    plan_page: Option<&'a str>,
    product_title: Option<&'a str>,
    reference: &'a ProductReference,
    price: Option<Amount>,
    /// What the service returned, for what an entry does not have.
    contract: Option<&'a Contract>,
}

impl<'a> Shop<'a> {
    /// The shop of a profile, at the time the document is issued.
    pub fn new(profile: &'a Profile, now: DateTime<Utc>, language: Language) -> Self {
        let zone = profile.zone();
        Self {
            profile,
            store_id: profile.store_id.clone(),
            zone,
            now: zone.at(now),
            language,
        }
    }

    /// The same shop, for a sale of this store, where one is known.
    #[must_use]
    pub fn at_store(self, store_id: Option<String>) -> Self {
        let store_id = store_id.unwrap_or(self.store_id);
        Self { store_id, ..self }
    }

    /// The document of a contract that the service returned, with the fee entered here. The service
    /// only returns the price of the plan, which may differ from what the customer paid: it is not
    /// printed.
    pub fn of_contract(&self, contract: &Contract, entered: Option<Amount>) -> Paper {
        let (plan, product) = (&contract.plan, &contract.product);
        self.sheet(&Facts {
            standing: match confirmation::reported(Some(&self.store_id), contract) {
                Some(_) => Standing::Reported,
                None => Standing::Registered,
            },
            transaction_id: &contract.transaction_id,
            bought: self.date(contract.transaction_date.as_deref()),
            customer: contract.customer.name.as_ref(),
            contract_id: Some(contract.id.as_str()),
            inquiry_code: contract.inquiry_code.as_deref(),
            plan_title: plan.title.as_deref().unwrap_or(plan.id.as_str()),
            term: plan.term_length,
            fee: entered,
            plan_page: plan.url.as_deref(),
            product_title: product.title.as_deref(),
            reference: &product.reference_id,
            price: product.purchase_price.known(),
            contract: Some(contract),
        })
    }

    /// The document of an entry made here, with the cached data of its plan.
    pub fn of_entry(&self, entry: &SubmissionView, plan: Option<&PlanRecord>) -> Paper {
        let plan = plan.map(|record| &record.plan);
        let cached_title = plan.and_then(|plan| plan.title.as_deref());
        let title = entry.plan_title.as_deref().or(cached_title);
        let bought = moment(entry.transaction_date.get(), self.zone, self.language);
        let standing = Standing::from(entry);
        // A contract that the service only named may be none: what it is known by there is not printed.
        let named = matches!(standing, Standing::Pending | Standing::NotRegistered);
        let contract_id = entry.contract_id.as_ref().filter(|_| !named);
        let inquiry_code = entry.inquiry_code.as_deref().filter(|_| !named);
        self.sheet(&Facts {
            standing,
            transaction_id: &entry.transaction_id,
            bought: Some(bought),
            customer: entry.customer_name.as_ref(),
            contract_id: contract_id.map(|id| id.as_str()),
            inquiry_code,
            plan_title: title.unwrap_or(entry.plan_id.as_str()),
            term: plan.and_then(|plan| plan.term_length),
            fee: Some(entry.plan_purchase_price),
            plan_page: plan.and_then(|plan| plan.url.as_deref()),
            product_title: entry.product_title.as_deref(),
            reference: &entry.product_reference_id,
            price: Some(entry.product_purchase_price),
            contract: None,
        })
    }

    fn sheet(&self, facts: &Facts<'_>) -> Paper {
        let contract = facts.contract;
        let product = contract.map(|contract| &contract.product);
        let store = contract.and_then(|contract| contract.store.as_ref());
        let shop = store.and_then(|store| store.name.as_deref());
        let shop = shop.unwrap_or(&self.profile.name);
        let amount = |price: Option<Amount>| price.map(|price| self.amount(price));
        let length = facts
            .term
            .map(|length| term(length, &self.profile.display.term_unit));
        let started = self.date(contract.and_then(|contract| contract.started_at.as_deref()));
        let ended = self.date(contract.and_then(|contract| contract.ended_at.as_deref()));
        let status = contract.and_then(|contract| contract.status.known());
        // The interface names no values, so every other one is printed unchanged.
        let status = status.map(|status| match status.as_str() {
            "Active" => texts::text(self.language, "rawValue.Active", &[]),
            _ => status,
        });
        let brand = product.and_then(|product| product.brand.as_deref());
        let serial = product.and_then(|product| product.serial_number.as_deref());
        let groups = vec![
            self.lines()
                .text("name", Some(facts.plan_title))
                .text("term", length.as_deref())
                .text("fee", amount(facts.fee).as_deref())
                .text("started", started.as_deref())
                .text("ended", ended.as_deref())
                .text("status", status.as_deref())
                .under("plan"),
            self.lines()
                .text("name", facts.product_title)
                .text("brand", brand)
                .code("serial", serial)
                .code("reference", Some(facts.reference.as_str()))
                .text("price", amount(facts.price).as_deref())
                .under("product"),
            self.lines()
                .code("transaction", Some(facts.transaction_id))
                .text("bought", facts.bought.as_deref())
                .under("purchase"),
        ];
        let how = match (facts.standing, facts.inquiry_code, facts.contract_id) {
            (Standing::NotRegistered, _, _) => "inquireNotRegistered",
            (_, Some(_), _) => "inquireWithCode",
            (_, None, Some(_)) => "inquireWithId",
            (_, None, None) => "inquireWithout",
        };
        let store_id = store.and_then(|store| store.id.as_deref());
        let web_site = store.and_then(|store| store.web_site.as_deref());
        let inquire = PaperGroup {
            text: Some(self.say(how)),
            ..self
                .lines()
                .text("store", Some(shop))
                .code("storeId", store_id.or_else(|| self.own_store_id()))
                .code("webSite", page_host(web_site).as_deref())
                .code("planPage", page_host(facts.plan_page).as_deref())
                .under("inquire")
        };
        let notice = match facts.standing {
            Standing::Registered | Standing::Report => None,
            Standing::Accepted
            | Standing::Pending
            | Standing::Reported
            | Standing::NotRegistered => Some(wire_name(&facts.standing)),
        };
        let notice = notice.map(|name| PaperNotice {
            mark: self.say(&format!("mark.{name}")),
            text: self.say(&format!("notice.{name}")),
        });
        let customer = facts.customer.map(|name| name.expose().trim());
        Paper {
            shop: text(shop),
            notice,
            customer: customer.filter(|name| !name.is_empty()).map(|name| {
                let values: &texts::Values<'_> = &[("name", &text(name))];
                Personal::new(texts::text(self.language, "printed.addressed", values))
            }),
            codes: self
                .lines()
                .code("inquiryCode", facts.inquiry_code)
                .code("contractId", facts.contract_id)
                .lines,
            groups,
            inquire: Some(inquire),
            ..self.blank(facts.standing)
        }
    }

    /// A document with its head alone.
    pub(super) fn blank(&self, standing: Standing) -> Paper {
        let practice = self.profile.kind == ProfileKind::Practice;
        let issued = moment(self.now, self.zone, self.language);
        Paper {
            language: self.language,
            standing,
            shop: text(&self.profile.name),
            issued: format!("{} {issued}", self.say("issued")),
            title: self.say(match standing {
                Standing::Report => "title.report",
                Standing::Registered => "title.registered",
                Standing::Accepted
                | Standing::Pending
                | Standing::Reported
                | Standing::NotRegistered => "title.application",
            }),
            practice: practice.then(|| self.say("practice")),
            notice: None,
            customer: None,
            codes: Vec::new(),
            qr: None,
            groups: Vec::new(),
            inquire: None,
        }
    }

    /// The text of a key of `printed.*.json`.
    pub(super) fn say(&self, key: &str) -> String {
        said(self.language, key)
    }

    pub(super) fn lines(&self) -> Lines {
        Lines {
            language: self.language,
            lines: Vec::new(),
        }
    }

    pub(super) fn own_store_id(&self) -> Option<&str> {
        (self.profile.kind == ProfileKind::Live).then_some(self.store_id.as_str())
    }

    fn date(&self, came: Option<&str>) -> Option<String> {
        came.map(|came| moment_written(came, self.zone, self.language))
    }

    pub(super) fn amount(&self, price: Amount) -> String {
        amount(price, &self.profile.display.currency)
    }
}

impl Paper {
    /// The same document with the notice that the provider may have the contract more than once.
    pub fn with_possible_duplicate(mut self) -> Self {
        let text = said(self.language, "notice.duplicate");
        if let Some(notice) = &mut self.notice {
            notice.text = texts::sentences(&notice.text, &text);
        } else {
            let mark = said(self.language, "mark.duplicate");
            self.notice = Some(PaperNotice { mark, text });
        }
        self
    }
}

fn said(language: Language, key: &str) -> String {
    texts::text(language, &format!("printed.{key}"), &[])
}
