//! A desk's file with the contracts of two months: entered, sent and confirmed by the desk itself, by
//! several sellers, a day after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use warranty_core::api::{PlanFilter, ProductReference, Token};
use warranty_core::bulk::{RunState, SheetPart, SheetRow};
use warranty_core::clock::{Clock, Ids as _, SystemClock, SystemIds};
use warranty_core::contracts::{EnterMode, EntryDraft};
use warranty_core::outbox::RunUntil;
use warranty_core::vault::MemoryVault;
use warranty_core::{Desk, DeskOptions};

use crate::places::{OFFSET_MINUTES, Service, profile};
use crate::{Outcome, TOKEN, catalogue, sales};

/// Days with sales; the last is today.
const DAYS: u32 = 60;
/// Products that are sold.
const PRODUCTS: u32 = 24;
/// Plans of each that are sold.
const PLANS: u32 = 10;
/// Who sells.
const STAFF: [&str; 5] = ["S01", "S02", "S03", "S04", "S05"];
/// Longest wait for the service.
const SENT: Duration = Duration::from_secs(600);

/// Samples: family names and given names, as staff and imports write them.
const FAMILY: [&str; 12] = [
    "佐藤　",
    "髙橋 ",
    "山﨑　",
    "渡邉 ",
    "齋藤　",
    "ﾐﾎﾝ ",
    "サンプル　",
    "みほん ",
    "田中　",
    "Sample ",
    "Tanaka ",
    "Smith-Yamada ",
];
const GIVEN: [&str; 11] = [
    "太郎",
    "花子",
    "さくら",
    "ﾀﾛｳ",
    "ハナコ",
    "一郎",
    "陽菜",
    "Taro",
    "Emma",
    "José",
    "濵子",
];

/// A customer and a transaction who are sold to.
pub const CHOSEN: &str = "高橋 さくら";

/// What staff type to find some of them, a key at a time.
pub const TYPED: [&str; 14] = [
    "高橋 さくら",
    "たろう",
    "ミホン　タロウ",
    "渡辺",
    "斉藤 浜子",
    "佐藤 冷蔵庫",
    "さんぷる はなこ",
    "サンプル 落下・水濡れ補償",
    "tanaka emma",
    "smith",
    "jose",
    "t-0000042",
    "sample31@sample.invalid",
    "no such customer",
];

/// The file, and what opens it.
pub struct TwoMonths {
    folder: PathBuf,
    vault: Arc<MemoryVault>,
    clock: Arc<DayClock>,
    /// The last day with sales.
    pub last_day: NaiveDate,
}

/// The machine's clock, moved to the evening of the day that is sold on.
#[derive(Debug)]
struct DayClock {
    machine: SystemClock,
    behind: AtomicI64,
}

impl DayClock {
    /// Moves it to this evening of the store's clock.
    fn move_to(&self, day: NaiveDate) {
        let evening = day.and_time(NaiveTime::MIN).and_utc()
            + TimeDelta::hours(20)
            + TimeDelta::minutes(-i64::from(OFFSET_MINUTES));
        let behind = self.machine.now() - evening;
        self.behind
            .store(behind.num_milliseconds(), Ordering::Relaxed);
    }
}

impl Clock for DayClock {
    fn now(&self) -> DateTime<Utc> {
        self.machine.now() - TimeDelta::milliseconds(self.behind.load(Ordering::Relaxed))
    }
    fn monotonic(&self) -> Duration {
        self.machine.monotonic()
    }
}

impl TwoMonths {
    pub async fn make(folder: &Path, service: &Service, contracts: u32) -> Outcome<Self> {
        let clock = Arc::new(DayClock {
            machine: SystemClock::default(),
            behind: AtomicI64::new(0),
        });
        let local = clock.now() + TimeDelta::minutes(i64::from(OFFSET_MINUTES));
        let yesterday = local.date_naive() - TimeDelta::days(1);
        let made = Self {
            folder: folder.to_owned(),
            vault: Arc::default(),
            last_day: yesterday,
            clock,
        };
        let desk = made.open().await?;
        let entered = made.enter_all(&desk, service, contracts).await;
        desk.close().await;
        entered?;
        Ok(made)
    }

    /// Opens it, without sending anything.
    pub async fn open(&self) -> Outcome<Desk> {
        let options = DeskOptions {
            clock: Arc::clone(&self.clock) as _,
            ..DeskOptions::new(self.folder.clone(), Arc::clone(&self.vault) as _)
        };
        Ok(Desk::open(options).await?)
    }

    async fn enter_all(&self, desk: &Desk, service: &Service, contracts: u32) -> Outcome<()> {
        let profile = desk.profiles.add(profile(service)).await?;
        desk.profiles
            .set_token(&profile.id, Token::new(TOKEN)?)
            .await?;
        for product in 0..PRODUCTS {
            let product = ProductReference::new(catalogue::product(product))?;
            desk.plans.refresh(&product, PlanFilter::Any).await?;
        }
        let files = DAYS * u32::try_from(STAFF.len())?;
        for (number, staff) in (0..files).zip(STAFF.iter().cycle()) {
            let day = self.day(number / u32::try_from(STAFF.len())?);
            self.clock.move_to(day);
            desk.staff.enter(Some(staff))?;
            let sold = |number: u32| u64::from(contracts) * u64::from(number) / u64::from(files);
            let (from, to) = (sold(number).try_into()?, sold(number + 1).try_into()?);
            let rows = (from..to).map(|row| sale(row, day)).collect();
            enter(desk, &profile.id, rows).await?;
            send(desk, false).await?;
        }
        let confirmed = send(desk, true).await?;
        if confirmed != contracts {
            return Err(format!("{confirmed} of {contracts} contracts are confirmed").into());
        }
        Ok(())
    }

    fn day(&self, number: u32) -> NaiveDate {
        self.last_day - TimeDelta::days(i64::from(DAYS - 1 - number))
    }
}

fn sale(row: u32, day: NaiveDate) -> SheetRow {
    // Primes, so that names, products and plans do not run in step.
    let one = |all: u32, step: u32| row.wrapping_mul(step) % all;
    let (family, given) = (FAMILY[one(12, 7) as usize], GIVEN[one(11, 5) as usize]);
    let product = catalogue::product(one(PRODUCTS, 13));
    let plan = one(PLANS, 3);
    SheetRow {
        draft: EntryDraft {
            transaction_id: format!("T-{row:07}"),
            transaction_total: sales::PRICE.to_string(),
            transaction_date: format!("{day} {:02}:{:02}", 10 + one(9, 1), one(60, 7)),
            customer_name: format!("{family}{given}"),
            customer_email: format!("sample{row}@sample.invalid"),
            plan_id: format!("plan-{product}-{plan}"),
            product_reference_id: product,
            product_purchase_price: sales::PRICE.to_string(),
            plan_purchase_price: (sales::FEE + plan).to_string(),
        },
        confirmed: Vec::new(),
    }
}

/// Enters rows as the sheet does.
async fn enter(desk: &Desk, profile_id: &str, rows: Vec<SheetRow>) -> Outcome<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let id = SystemIds.uuid().to_string();
    let part = SheetPart {
        profile_id: profile_id.to_owned(),
        after: 0,
        rows,
        last: true,
    };
    desk.bulk.stage_sheet(&id, part).await?;
    desk.bulk
        .start(&id, EnterMode::AllOrNothing, &|_, _| {})
        .await?;
    let run = desk.bulk.enter(&id, &|_, _| {}).await?;
    if run.state != RunState::Done {
        return Err(format!("rows were not entered: {run:?}").into());
    }
    Ok(())
}

/// Sends what waits; returns how many contracts are confirmed.
async fn send(desk: &Desk, confirmed: bool) -> Outcome<u32> {
    let until = RunUntil {
        confirmed,
        at_most: SENT,
    };
    Ok(desk.outbox.run(until, &|_| {}).await?.confirmed)
}
