//! The sample catalogue: a made-up electronics store with made-up brands, the same on every machine. Its products are
//! in `products.json`. Knows nothing of the database that is filled with it.

use serde::{Deserialize, Serialize};

/// Id of the one store this service knows.
pub const STORE_ID: &str = "store-sample-001";
/// Name of the store; says in Japanese that it is for practice and a sample.
pub(crate) const STORE_NAME: &str = "練習用ストア（サンプル）";
/// Web site of the store. The name is reserved and never resolves.
pub(crate) const STORE_WEB_SITE: &str = "https://sample.invalid";
pub(crate) const STORE_LOGO_URL: &str = "https://sample.invalid/logo.png";
/// The maker's own warranty is the same for every sample product.
pub(crate) const MAKER_WARRANTY_DAYS: i64 = 365;
pub(crate) const MAKER_WARRANTY_URL: &str = "https://sample.invalid/maker-warranty";

/// References of sample products that never change, for tests and instructions. They are 13 digits beginning with
/// 2, the range that stores may assign themselves.
pub mod sample {
    // Every sample product with its plans, as in a new sandbox; the interface has no list of products.
    pub use super::products as catalogue;

    /// A refrigerator with plans of 3, 5 and 10 years; the longest has no `storeReferenceId`.
    pub const PRODUCT_REFRIGERATOR: &str = "2000000000015";
    /// A notebook computer with plans of 3 and 5 years and one for accidents, which has no `storeReferenceId`.
    pub const PRODUCT_NOTEBOOK: &str = "2000000000022";
    /// A camera with plans of 3 and 5 years and one for accidents, which has no `storeReferenceId`.
    pub const PRODUCT_CAMERA: &str = "2000000000039";
    /// A product whose warranty display flag is false: its plans are listed by `Any` but not by `Live`.
    pub const PRODUCT_NOT_DISPLAYED: &str = "2000000000046";
    /// A product for which no plan is offered.
    pub const PRODUCT_WITHOUT_PLANS: &str = "2000000000053";

    pub const REFRIGERATOR_PLAN_3_YEARS: &str = "plan-2000000000015-standard-36";
    pub const REFRIGERATOR_PLAN_5_YEARS: &str = "plan-2000000000015-standard-60";
    /// The refrigerator's plan of 10 years, without a `storeReferenceId`.
    pub const REFRIGERATOR_PLAN_10_YEARS: &str = "plan-2000000000015-standard-120";
}

/// A product of the sample catalogue. As JSON its fields are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleProduct {
    /// The service's id.
    pub id: String,
    /// The store's key: 13 digits beginning with 2, or another code of the store.
    pub reference_id: String,
    pub title: String,
    pub price: i64,
    /// Address of a picture under `sample.invalid`.
    pub image_url: String,
    pub category: String,
    pub brand: String,
    /// The warranty display flag of spec 4.5.
    pub display: bool,
    pub plans: Vec<SamplePlan>,
}

/// A plan of the sample catalogue. As JSON its fields are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SamplePlan {
    pub id: String,
    /// The store's reference, where the sample store has linked the plan.
    pub store_reference_id: Option<String>,
    pub title: String,
    pub price: i64,
    /// In months; the interface itself names no unit.
    pub term_length: i64,
    pub service_type: &'static str,
    pub protection_type: &'static str,
    /// Page under `sample.invalid`.
    pub url: String,
}

/// A line of `products.json`: reference, title, price, category, brand, offer, links and display.
#[derive(Deserialize)]
struct Line(String, String, i64, String, String, Offer, Links, bool);

/// Which plans are offered for a product.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Offer {
    /// Large appliances: 3, 5 and 10 years.
    Household,
    /// Portable devices: 3 and 5 years, and accidents.
    Portable,
    /// Small appliances: 3 and 5 years.
    Small,
    /// Consumables and what is cheap: none.
    Nothing,
}

/// Which of a product's plans the store has linked already.
#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum Links {
    None,
    All,
    AllButLast,
}

/// The whole catalogue, with the products first whose references `sample` names.
pub fn products() -> Vec<SampleProduct> {
    lines()
        .unwrap_or_default()
        .into_iter()
        .enumerate()
        .map(
            |(index, Line(reference_id, title, price, category, brand, offer, links, display))| {
                SampleProduct {
                    id: format!("product-sample-{:04}", index + 1),
                    image_url: format!("https://sample.invalid/images/{reference_id}.jpg"),
                    plans: plans(&reference_id, price, &offer, &links),
                    reference_id,
                    title,
                    price,
                    category,
                    brand,
                    display,
                }
            },
        )
        .collect()
}

/// Part of this program; a test reads it.
fn lines() -> serde_json::Result<Vec<Line>> {
    serde_json::from_str(include_str!("products.json"))
}

fn plans(reference_id: &str, price: i64, offer: &Offer, links: &Links) -> Vec<SamplePlan> {
    const STANDARD: (&str, &str, &str) = ("standard", "Repair", "ExtendedWarranty");
    const ACCIDENT: (&str, &str, &str) = ("accident", "RepairOrReplace", "AccidentalDamage");
    // Kind of plan, months, price in per mille of the product's price.
    let terms: &[((&str, &'static str, &'static str), i64, i64)] = match offer {
        Offer::Household => &[(STANDARD, 36, 35), (STANDARD, 60, 50), (STANDARD, 120, 95)],
        Offer::Portable => &[(STANDARD, 36, 50), (STANDARD, 60, 80), (ACCIDENT, 36, 120)],
        Offer::Small => &[(STANDARD, 36, 40), (STANDARD, 60, 60)],
        Offer::Nothing => &[],
    };
    let plan = |(index, (kind, months, per_mille)): (usize, &((&str, _, _), i64, i64))| {
        let (kind, service_type, protection_type) = *kind;
        let last = index + 1 == terms.len();
        let linked = *links == Links::All || (*links == Links::AllButLast && !last);
        let id = format!("plan-{reference_id}-{kind}-{months}");
        let years = months / 12;
        let reference = || format!("EW{years:02}{}-{reference_id}", &kind[..1].to_uppercase());
        SamplePlan {
            store_reference_id: linked.then(reference),
            title: match kind {
                "accident" => format!("物損あんしん保証 {years}年"),
                _ => format!("延長保証 {years}年"),
            },
            price: (price * per_mille / 10_000).max(1) * 10,
            term_length: *months,
            service_type,
            protection_type,
            url: format!("https://sample.invalid/plans/{id}"),
            id,
        }
    };
    terms.iter().enumerate().map(plan).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_catalogue_has_a_few_hundred_products_and_no_reference_twice() {
        let products = products();
        let references: HashSet<_> = products.iter().map(|p| &p.reference_id).collect();
        assert_eq!(products.len(), 320);
        assert_eq!(references.len(), 320);
    }

    #[test]
    fn plan_ids_are_unique_and_every_kind_of_eligibility_occurs() {
        let products = products();
        let plans: Vec<_> = products.iter().flat_map(|p| &p.plans).collect();
        let ids: HashSet<_> = plans.iter().map(|p| &p.id).collect();
        assert_eq!(ids.len(), plans.len());
        assert!(plans.iter().any(|p| p.store_reference_id.is_some()));
        assert!(plans.iter().any(|p| p.store_reference_id.is_none()));
        assert!(products.iter().any(|p| !p.display && !p.plans.is_empty()));
        assert!(products.iter().any(|p| p.plans.is_empty()));
    }
}
