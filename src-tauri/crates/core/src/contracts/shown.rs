//! Entries with their customers, as far as those can be decrypted.

use warranty_api::{ContractItem, ItemCustomer, ItemPlan, ItemProduct, Personal};

use super::{Contracts, CustomerState, SubmissionView};
use crate::encryption::{AssociatedData, Decrypted, Encrypted, json};
use crate::{Error, StoreError};
use warranty_store::submission_queries::KeptEntry;

/// A decrypted customer: name and e-mail.
type Customer = (Personal, Personal);

impl Contracts {
    /// Entries with their customers, as far as those can be decrypted.
    pub(crate) async fn shown(
        &self,
        kept: Vec<KeptEntry>,
    ) -> Result<Vec<SubmissionView>, StoreError> {
        let mut shown = Vec::with_capacity(kept.len());
        for KeptEntry { mut view, customer } in kept {
            match self.customer(&view.id, &customer).await? {
                Decrypted::Known((name, email)) => {
                    view.customer = CustomerState::Known;
                    view.customer_name = Some(name);
                    view.customer_email = Some(email);
                }
                Decrypted::Deleted => view.customer = CustomerState::Forgotten,
                Decrypted::Locked(_) => view.customer = CustomerState::Locked,
                Decrypted::Lost => view.customer = CustomerState::Lost,
            }
            shown.push(view);
        }
        Ok(shown)
    }

    /// What an entry sells, from its row and its customer; `None` when the customer was deleted or can
    /// no longer be read.
    pub(crate) async fn item_of(
        &self,
        KeptEntry { view, customer }: KeptEntry,
    ) -> Result<Option<ContractItem>, Error> {
        let customer = match self.customer(&view.id, &customer).await? {
            Decrypted::Known((name, email)) => ItemCustomer { name, email },
            Decrypted::Locked(error) => return Err(error.into()),
            Decrypted::Lost if self.encryption.waits_for_key(&customer).await? => {
                return Err(Error::KeyLost);
            }
            Decrypted::Deleted | Decrypted::Lost => return Ok(None),
        };
        Ok(Some(ContractItem {
            transaction_id: view.transaction_id,
            transaction_total: view.transaction_total,
            transaction_date: view.transaction_date,
            customer,
            product: ItemProduct {
                reference_id: view.product_reference_id,
                purchase_price: view.product_purchase_price,
            },
            plan: ItemPlan {
                purchase_price: view.plan_purchase_price,
                plan_id: view.plan_id,
            },
        }))
    }

    pub(super) async fn customer(
        &self,
        id: &str,
        customer: &Option<Encrypted>,
    ) -> Result<Decrypted<Customer>, StoreError> {
        let Some(encrypted) = customer else {
            return Ok(Decrypted::Deleted);
        };
        let place = AssociatedData::Customer(id);
        self.encryption.decrypt(place, encrypted, json).await
    }
}
