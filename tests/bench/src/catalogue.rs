//! Made-up plans: a hundred thousand of them, in Japanese and Latin words.

use warranty_core::Desk;
use warranty_core::api::{PlanFilter, ProductReference};

use crate::places::{Service, profile};
use crate::{Outcome, sales};

/// Products whose plans are searched.
pub const PRODUCTS: u32 = 1_000;
/// Plans of each.
pub const PLANS_OF_EACH: u32 = 100;

const GOODS: [&str; 12] = [
    "冷蔵庫 Refrigerator",
    "洗濯機 Washing machine",
    "ノートパソコン Notebook PC",
    "エアコン Air conditioner",
    "液晶テレビ LCD television",
    "電子レンジ Microwave oven",
    "ﾌﾟﾘﾝﾀｰ Printer",
    "スマートフォン Smartphone",
    "掃除機 Vacuum cleaner",
    "デジタルカメラ Digital camera",
    "炊飯器 Rice cooker",
    "食器洗い機 Dishwasher",
];
const KINDS: [&str; 5] = [
    "スタンダード Standard",
    "プレミアム Premium",
    "落下・水濡れ補償 Accident",
    "出張修理 On-site",
    "自然故障 Breakdown",
];

/// What people type to find some of them, a key at a time.
pub const TYPED: [&str; 12] = [
    "冷蔵庫",
    "れいぞうこ",
    "プレミアム 60",
    "ノートパソコン プレミアム",
    "プリンター",
    "落下・水濡れ補償",
    "standard",
    "refrigerator premium",
    "air conditioner 36",
    "no such thing",
    "9100000000500",
    "plan-9100000000042-17",
];

/// The reference of a product by its number.
pub fn product(number: u32) -> String {
    format!("91000000{number:05}")
}

/// Whether a product is one of these.
pub fn has(product: &str) -> bool {
    product.starts_with("91000000")
}

/// The plans of a product as the service lists them.
pub fn listing(product: &str) -> String {
    let number: u32 = product
        .trim_start_matches("91000000")
        .parse()
        .unwrap_or_default();
    let plans: Vec<String> = (0..PLANS_OF_EACH)
        .map(|plan| {
            let goods = GOODS[((number + plan / 40) % 12) as usize];
            let kind = KINDS[(plan % 5) as usize];
            let months = 12 * (1 + plan % 10);
            format!(
                "{{\"id\":\"plan-{product}-{plan}\",\"storeReferenceId\":\"EW-{number}-{plan}\",\
                 \"title\":\"延長保証 {kind} {goods} {months}\",\"price\":{},\
                 \"termLength\":{months},\"serviceType\":\"repair\",\"protectionType\":\"extended\",\
                 \"url\":\"https://sample.invalid/plans/{product}/{plan}\"}}",
                sales::FEE + plan
            )
        })
        .collect();
    format!("[{}]", plans.join(","))
}

/// Lets a new desk remember all of them, under a profile of this service.
pub async fn remember(desk: &Desk, service: &Service) -> Outcome<()> {
    desk.profiles.add(profile(service)).await?;
    let mut remembered = 0;
    for number in 0..PRODUCTS {
        let product = ProductReference::new(product(number))?;
        let listed = desk.plans.refresh(&product, PlanFilter::Any).await?;
        remembered += listed.plans.len();
    }
    let wanted = PRODUCTS * PLANS_OF_EACH;
    if remembered != wanted as usize {
        return Err(format!("{remembered} of {wanted} plans").into());
    }
    Ok(())
}
