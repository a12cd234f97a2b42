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
    /// The operations on which the authentication header is required (spec part 5).
    pub const WITH_TOKEN: [Operation; 6] = [
        Operation::BulkCreateContracts,
        Operation::GetContract,
        Operation::UpsertProduct,
        Operation::UpdatePlan,
        Operation::GetPlan,
        Operation::CreateLead,
    ];

    /// Whether the authentication header is required: the specification lists none for the plan listing.
    pub fn needs_token(self) -> bool {
        Self::WITH_TOKEN.contains(&self)
    }
}

#[cfg(feature = "faults")]
impl Operation {
    /// Every operation, in the order of the specification.
    pub const ALL: [Operation; 7] = [
        Operation::BulkCreateContracts,
        Operation::GetContract,
        Operation::UpsertProduct,
        Operation::UpdatePlan,
        Operation::ListPlans,
        Operation::GetPlan,
        Operation::CreateLead,
    ];

    /// The operations that change something at the service.
    pub const WRITING: [Operation; 4] = [
        Operation::BulkCreateContracts,
        Operation::UpsertProduct,
        Operation::UpdatePlan,
        Operation::CreateLead,
    ];
}
