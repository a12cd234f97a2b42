//! Leads: what creates one and what comes back (part 2 and 4.7).

use serde::{Deserialize, Serialize};

use super::wire::wire;
use super::{Amount, ContractProduct, Count, Personal, ProductReference, Stated, Timestamp};

wire! {
    /// A lead to create (part 4.7).
    pub struct LeadRequest {
        /// The business's transaction identifier.
        pub transaction_id: String,
        pub product: LeadProduct,
        /// The interface gives no bounds.
        pub quantity: Count,
        pub transaction_date: Timestamp,
    }

    pub struct LeadProduct {
        /// Business-side key.
        pub reference_id: ProductReference,
        pub purchase_price: Amount,
    }

    /// A lead as the service returns it.
    pub struct Lead {
        /// Token of the lead: a secret of the customer, which the service gives only once.
        pub token: Personal,
        /// The business's transaction identifier.
        pub transaction_id: Option<String>,
        pub customer: Option<LeadCustomer>,
        pub product: Stated<ContractProduct>,
        pub quantity: Stated<Count>,
        /// Date-time as it came.
        pub transaction_date: Option<String>,
        /// Shown as it came.
        pub status: Option<String>,
    }

    pub struct LeadCustomer {
        pub email: Option<Personal>,
    }
}
