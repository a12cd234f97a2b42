//! Generates products and plans from the tables, the same ones every time.

use serde::Serialize;

use super::{
    families::{BRANDS, COLOURS, FAMILIES, Family, Offer},
    sample,
};

/// Models of each family.
const MODELS: usize = 15;

/// Products cheaper than this have no plans.
const CHEAPEST_WITH_PLANS: i64 = 5_000;

/// A product of the sample catalogue. As JSON its fields are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SampleProduct {
    /// The service's id.
    pub id: String,
    /// The store's key: 13 digits beginning with 2, or another code of the store.
    pub reference_id: String,
    /// Title, in Japanese.
    pub title: String,
    /// Listed price.
    pub price: i64,
    /// Address of a picture under `sample.invalid`.
    pub image_url: String,
    /// Category.
    pub category: String,
    /// A made-up brand.
    pub brand: String,
    /// The warranty display flag of spec 4.5.
    pub display: bool,
    /// The plans offered for it.
    pub plans: Vec<SamplePlan>,
}

/// A plan of the sample catalogue. Terms are in months; the interface itself names no unit. As JSON its fields
/// are camelCase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SamplePlan {
    /// Plan id.
    pub id: String,
    /// The store's reference, where the sample store has linked the plan.
    pub store_reference_id: Option<String>,
    /// Title, in Japanese.
    pub title: String,
    /// Price.
    pub price: i64,
    /// Months.
    pub term_length: i64,
    /// Kind of service.
    pub service_type: &'static str,
    /// Kind of protection.
    pub protection_type: &'static str,
    /// Page under `sample.invalid`.
    pub url: String,
}

/// The whole catalogue, with the fixed products first.
pub(crate) fn products() -> Vec<SampleProduct> {
    let mut products = fixed();
    for (family_index, family) in FAMILIES.iter().enumerate() {
        for model in 0..MODELS {
            let number = products.len() + 1;
            products.push(generated(number, family_index, family, model));
        }
    }
    products
}

/// The products whose references `sample` names, numbered from 1.
#[rustfmt::skip]
const FIXED: [(&str, &str, i64, &str, &str, Offer, bool); 5] = [
    (sample::PRODUCT_REFRIGERATOR, "見本電機 冷凍冷蔵庫 470L 6ドア REF-470S ホワイト", 189_800, "冷蔵庫", "見本電機", Offer::Household, true),
    (sample::PRODUCT_NOTEBOOK, "SAMPLON ノートパソコン １４型 16GB/512GB NPC-1416S シルバー", 129_800, "パソコン", "SAMPLON", Offer::Portable, true),
    (sample::PRODUCT_CAMERA, "ｻﾝﾌﾟﾘｱ ミラーレス一眼カメラ ダブルズームキット CAM-300S ブラック", 148_000, "カメラ", "ｻﾝﾌﾟﾘｱ", Offer::Portable, true),
    (sample::PRODUCT_NOT_DISPLAYED, "例題製作所 ルームエアコン 6畳用 AIR-022S（受注終了）", 59_800, "エアコン", "例題製作所", Offer::Household, false),
    (sample::PRODUCT_WITHOUT_PLANS, "MIHON アルカリ乾電池 単3形 20本パック CSM-020S", 980, "消耗品", "MIHON", Offer::Nothing, true),
];

fn fixed() -> Vec<SampleProduct> {
    FIXED
        .iter()
        .enumerate()
        .map(
            |(index, (reference_id, title, price, category, brand, offer, display))| {
                SampleProduct {
                    id: product_id(index + 1),
                    reference_id: (*reference_id).to_owned(),
                    title: (*title).to_owned(),
                    price: *price,
                    image_url: image_url(reference_id),
                    category: (*category).to_owned(),
                    brand: (*brand).to_owned(),
                    display: *display,
                    plans: plans(reference_id, *price, *offer, Links::AllButLast),
                }
            },
        )
        .collect()
}

fn generated(number: usize, family_index: usize, family: &Family, model: usize) -> SampleProduct {
    let brand = BRANDS[(family_index * 3 + model) % BRANDS.len()];
    let colour = COLOURS[(family_index + model * 5) % COLOURS.len()];
    let feature_index = model % family.features.len();
    let feature = family.features[feature_index];
    let price = price(family, feature_index, model);
    // Most stores have some articles with codes of their own.
    let reference_id = if number.is_multiple_of(9) {
        format!("SKU-{}-{number:04}", family.prefix)
    } else {
        in_store_code(number)
    };
    let links = match number % 3 {
        0 => Links::None,
        1 => Links::All,
        _ => Links::AllButLast,
    };
    SampleProduct {
        id: product_id(number),
        title: format!(
            "{brand} {} {feature} {}-{}{} {colour}",
            family.noun,
            family.prefix,
            100 + feature_index * 100 + model * 7,
            ["S", "W", "X", "Z"][model % 4],
        ),
        price,
        image_url: image_url(&reference_id),
        category: family.category.to_owned(),
        brand: brand.to_owned(),
        display: number % 11 != 7,
        plans: if price < CHEAPEST_WITH_PLANS {
            Vec::new()
        } else {
            plans(&reference_id, price, family.offer, links)
        },
        reference_id,
    }
}

/// Rises with the feature, differs slightly by model, and ends in 80 as prices in shops often do.
fn price(family: &Family, feature_index: usize, model: usize) -> i64 {
    let (low, high) = family.prices;
    let steps = family.features.len() * MODELS - 1;
    let step = feature_index * MODELS + model;
    let exact = low + (high - low) * whole(step) / whole(steps);
    (exact / 100).max(1) * 100 - 20
}

/// Which of a product's plans the store has linked already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    None,
    All,
    AllButLast,
}

fn plans(reference_id: &str, price: i64, offer: Offer, links: Links) -> Vec<SamplePlan> {
    const STANDARD: (&str, &str, &str) = ("standard", "Repair", "ExtendedWarranty");
    const ACCIDENT: (&str, &str, &str) = ("accident", "RepairOrReplace", "AccidentalDamage");
    // Kind of plan, months, price in per mille of the product's price.
    let terms: &[((&str, &str, &str), i64, i64)] = match offer {
        Offer::Household => &[(STANDARD, 36, 35), (STANDARD, 60, 50), (STANDARD, 120, 95)],
        Offer::Portable => &[(STANDARD, 36, 50), (STANDARD, 60, 80), (ACCIDENT, 36, 120)],
        Offer::Small => &[(STANDARD, 36, 40), (STANDARD, 60, 60)],
        Offer::Nothing => &[],
    };
    terms
        .iter()
        .enumerate()
        .map(
            |(index, ((kind, service_type, protection_type), months, per_mille))| {
                let last = index + 1 == terms.len();
                let linked = links == Links::All || (links == Links::AllButLast && !last);
                let id = format!("plan-{reference_id}-{kind}-{months}");
                let years = months / 12;
                SamplePlan {
                    store_reference_id: linked.then(|| {
                        format!("EW{years:02}{}-{reference_id}", &kind[..1].to_uppercase())
                    }),
                    title: match *protection_type {
                        "AccidentalDamage" => format!("物損あんしん保証 {years}年"),
                        _ => format!("延長保証 {years}年"),
                    },
                    price: (price * per_mille / 10_000).max(1) * 10,
                    term_length: *months,
                    service_type,
                    protection_type,
                    url: format!("https://sample.invalid/plans/{id}"),
                    id,
                }
            },
        )
        .collect()
}

fn product_id(number: usize) -> String {
    format!("product-sample-{number:04}")
}

fn image_url(reference_id: &str) -> String {
    format!("https://sample.invalid/images/{reference_id}.jpg")
}

/// Thirteen digits beginning with 2, the last one the usual check digit.
fn in_store_code(number: usize) -> String {
    let digits = format!("2{number:011}");
    let sum: u32 = digits
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| digit * weight)
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
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
    fn fixed_references_have_the_numbers_that_the_generator_would_assign() {
        for (index, fixed) in FIXED.iter().enumerate() {
            assert_eq!(fixed.0, in_store_code(index + 1));
        }
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

    #[test]
    fn every_price_is_positive_and_every_plan_costs_less_than_its_product() {
        for product in products() {
            assert!(product.price > 0, "{product:?}");
            for plan in &product.plans {
                assert!(plan.price > 0 && plan.price < product.price, "{plan:?}");
            }
        }
    }
}
