//! The sample catalogue: a made-up electronics store with made-up brands, the same on every machine.
//! Knows nothing of the database that is filled with it.

mod families;
mod generate;

pub(crate) use generate::products;
pub use generate::{SamplePlan, SampleProduct};

/// Id of the one store this service knows.
pub const STORE_ID: &str = "store-sample-001";

/// Name of the store; says in Japanese that it is for practice and a sample.
pub(crate) const STORE_NAME: &str = "練習用ストア（サンプル）";

/// Web site of the store. The name is reserved and never resolves.
pub(crate) const STORE_WEB_SITE: &str = "https://sample.invalid";

/// Logo of the store.
pub(crate) const STORE_LOGO_URL: &str = "https://sample.invalid/logo.png";

/// Days of the maker's own warranty, the same for every sample product.
pub(crate) const MAKER_WARRANTY_DAYS: i64 = 365;

/// Where the maker's own warranty is described.
pub(crate) const MAKER_WARRANTY_URL: &str = "https://sample.invalid/maker-warranty";

/// References of sample products that never change, for tests and instructions. They are 13 digits beginning with
/// 2, the range that stores may assign themselves.
pub mod sample {
    /// Every sample product with its plans, as in a new sandbox; the interface has no list of products.
    pub fn catalogue() -> Vec<super::SampleProduct> {
        super::products()
    }

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

    /// The refrigerator's plan of 3 years.
    pub const REFRIGERATOR_PLAN_3_YEARS: &str = "plan-2000000000015-standard-36";
    /// The refrigerator's plan of 5 years.
    pub const REFRIGERATOR_PLAN_5_YEARS: &str = "plan-2000000000015-standard-60";
    /// The refrigerator's plan of 10 years, without a `storeReferenceId`.
    pub const REFRIGERATOR_PLAN_10_YEARS: &str = "plan-2000000000015-standard-120";
}
