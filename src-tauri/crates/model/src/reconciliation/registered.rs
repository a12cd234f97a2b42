//! The sales registered here, and which of them a row of the list is.

use std::collections::HashMap;

use serde::Serialize;

use super::{ListedSale, number};
use crate::Field;
use crate::day::Date;
use crate::interface::Amount;
use crate::submission_state::SubmissionState;

/// A sale as it is registered here, without its customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredSale {
    pub id: String,
    /// Id of the profile that it was entered under.
    #[serde(skip)]
    pub profile_id: String,
    pub state: SubmissionState,
    pub transaction_id: String,
    /// The day of the sale on the store's clock.
    pub date: Date,
    pub transaction_total: Amount,
    pub product_reference_id: String,
    pub product_title: Option<String>,
    pub product_purchase_price: Amount,
    pub plan_id: String,
    pub plan_title: Option<String>,
    /// The warranty fee.
    pub plan_purchase_price: Amount,
    /// Whether the service may have it more than once, and the provider's answer is not recorded yet.
    pub duplicate_possible: bool,
}

impl RegisteredSale {
    pub(super) fn needs_attention(&self) -> bool {
        self.duplicate_possible
            || matches!(
                self.state,
                SubmissionState::Unknown | SubmissionState::NeedsPerson
            )
    }

    pub fn is_finished(&self) -> bool {
        matches!(
            self.state,
            SubmissionState::Accepted | SubmissionState::Confirmed
        )
    }
}

/// Registered sales without a matching row so far, by the [`number`] of their transactions.
pub(super) struct Registered {
    pub(super) sales: Vec<Option<RegisteredSale>>,
    by_transaction: HashMap<String, Vec<usize>>,
}

impl Registered {
    pub(super) fn new(sales: Vec<RegisteredSale>) -> Self {
        let mut by_transaction: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, sale) in sales.iter().enumerate() {
            let of_transaction = by_transaction.entry(number(&sale.transaction_id));
            of_transaction.or_default().push(at);
        }
        Self {
            sales: sales.into_iter().map(Some).collect(),
            by_transaction,
        }
    }

    fn of(&self, row: &ListedSale) -> &[usize] {
        let found = self.by_transaction.get(&number(&row.draft.transaction_id));
        found.map_or(&[], Vec::as_slice)
    }

    /// Pairs rows, in order, with sales of the same transaction, however it is written, that are wanted with
    /// their differences; returns the rows without one.
    pub(super) fn pair(
        &mut self,
        rows: Vec<ListedSale>,
        wanted: impl Fn(&ListedSale, &[Field], &RegisteredSale) -> bool,
        mut paired: impl FnMut(ListedSale, RegisteredSale),
    ) -> Vec<ListedSale> {
        let mut open = Vec::new();
        for row in rows {
            match self.take(&row, &wanted) {
                Some(sale) => paired(row, sale),
                None => open.push(row),
            }
        }
        open
    }

    fn take(
        &mut self,
        row: &ListedSale,
        wanted: impl Fn(&ListedSale, &[Field], &RegisteredSale) -> bool,
    ) -> Option<RegisteredSale> {
        let fits = |at: &&usize| {
            let sale = self.sales[**at].as_ref();
            sale.is_some_and(|sale| {
                sale.state.may_be_sold() && wanted(row, &row.differences(sale), sale)
            })
        };
        let at = *self.of(row).iter().find(fits)?;
        self.sales[at].take()
    }

    /// An entry of the same transaction, however it is written, product and plan that is not a contract.
    pub(super) fn not_sold(&self, row: &ListedSale) -> Option<RegisteredSale> {
        let same = |sale: &&RegisteredSale| {
            let differences = row.differences(sale);
            !sale.state.may_be_sold()
                && !differences.contains(&Field::ProductReferenceId)
                && !differences.contains(&Field::PlanId)
        };
        let mut sales = self
            .of(row)
            .iter()
            .filter_map(|at| self.sales[*at].as_ref());
        sales.find(same).cloned()
    }
}
