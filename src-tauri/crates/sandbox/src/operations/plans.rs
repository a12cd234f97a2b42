//! Listing, reading and linking of plans (spec 4.4 to 4.6).

use axum::{extract::Query, http::Uri};
use rusqlite::Transaction;
use serde_json::json;

use super::rows::{PlanRow, ProductRow};
use crate::wire::{self, Field};
use crate::{Answer, ErrorResponse, Failure, catalogue};

/// The plans of a product (4.5): `productId` is the product's reference key.
pub(crate) fn list_plans(transaction: &Transaction<'_>, uri: &Uri) -> Result<Answer, Failure> {
    let query = ListQuery::read(uri)?;
    if query.store_id != catalogue::STORE_ID {
        return Err(
            ErrorResponse::bad_request(format!("store {:?} is not found", query.store_id)).into(),
        );
    }
    let product = ProductRow::find(transaction, &query.product_id)?;
    let mut plans = PlanRow::of_product(transaction, &product.reference_id)?;
    plans.retain(|plan| match query.status {
        DisplayStatus::Live => product.display,
        DisplayStatus::LiveInStore => plan
            .get("storeReferenceId")
            .is_some_and(|reference| reference != ""),
        DisplayStatus::Any => true,
    });
    Answer::success(&plans)
}

/// A plan and its product (4.6).
pub(crate) fn get_plan(transaction: &Transaction<'_>, id: &str) -> Result<Answer, Failure> {
    let plan = found(transaction, id)?;
    let product = ProductRow::find(transaction, &plan.product_reference_id)?;
    Answer::success(&json!({ "plan": plan.resource, "product": product.beside_a_plan() }))
}

/// Links a plan to the store's own reference (4.4).
pub(crate) fn update_plan(
    transaction: &Transaction<'_>,
    id: &str,
    body: &[u8],
) -> Result<Answer, Failure> {
    let body = wire::parse(body)?;
    let store_reference_id = Field::body(&body).get("storeReferenceId")?.string()?;
    transaction.execute(
        "UPDATE plan SET store_reference_id = ?2 WHERE id = ?1",
        [id, &store_reference_id],
    )?;
    Answer::success(&found(transaction, id)?.resource)
}

fn found(transaction: &Transaction<'_>, id: &str) -> Result<PlanRow, Failure> {
    Ok(PlanRow::find(transaction, id)?
        .ok_or_else(|| ErrorResponse::not_found(format!("plan {id:?} is not found")))?)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DisplayStatus {
    Live,
    LiveInStore,
    Any,
}

struct ListQuery {
    product_id: String,
    store_id: String,
    status: DisplayStatus,
}

impl ListQuery {
    fn read(uri: &Uri) -> Result<Self, ErrorResponse> {
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).map_err(|error| {
            ErrorResponse::bad_request(format!("the query is not readable: {error}"))
        })?;
        let one = |name: &str| {
            let mut values = pairs.iter().filter(|(key, _)| key == name);
            match (values.next(), values.next()) {
                (first, None) => Ok(first.map(|(_, value)| value.clone())),
                (_, Some(_)) => Err(ErrorResponse::bad_request(format!("{name} is given twice"))),
            }
        };
        let required = |name: &str| {
            one(name)?.ok_or_else(|| ErrorResponse::bad_request(format!("{name} is missing")))
        };
        Ok(Self {
            product_id: required("productId")?,
            store_id: required("storeId")?,
            status: match one("status")?.as_deref() {
                Some("Live") => DisplayStatus::Live,
                Some("LiveInStore") => DisplayStatus::LiveInStore,
                // The specification does not say what a listing without status means; here it has no filter.
                Some("Any") | None => DisplayStatus::Any,
                Some(_) => {
                    return Err(ErrorResponse::bad_request(
                        "status must be Live, LiveInStore or Any",
                    ));
                }
            },
        })
    }
}
