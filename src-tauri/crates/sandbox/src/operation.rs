//! The seven operations of the interface, by name. Knows nothing of how they are carried out.

use serde::{Deserialize, Serialize};

/// One operation of the interface (spec part 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// `POST /v1/contracts/bulk` (4.1).
    BulkCreateContracts,
    /// `GET /v1/contracts/{contractId}` (4.2).
    GetContract,
    /// `PUT /v1/products/upsert` (4.3).
    UpsertProduct,
    /// `PUT /v1/plans/{planId}` (4.4).
    UpdatePlan,
    /// `GET /v1/plans` (4.5).
    ListPlans,
    /// `GET /v1/plans/{planId}` (4.6).
    GetPlan,
    /// `POST /v1/leads` (4.7).
    CreateLead,
}

impl Operation {
    /// Whether the authentication header is required (spec part 5): none is listed for the plan listing.
    pub fn needs_token(self) -> bool {
        self != Self::ListPlans
    }

    /// Every operation, in the order of the specification.
    #[cfg(feature = "faults")]
    pub const ALL: [Operation; 7] = [
        Operation::BulkCreateContracts,
        Operation::GetContract,
        Operation::UpsertProduct,
        Operation::UpdatePlan,
        Operation::ListPlans,
        Operation::GetPlan,
        Operation::CreateLead,
    ];
}
