//! Formats a contract as text: every field of part 2 of the interface by its name.

use warranty_core::api::{Address, Contract, Personal};

use crate::KeyValues;
use crate::table::amount;

/// One field a line; `-` for a field that the service did not send.
pub fn text(contract: &Contract) -> String {
    let mut fields = KeyValues::default();
    fields
        .line("id", &contract.id)
        .optional("inquiryCode", contract.inquiry_code.as_ref())
        .optional("status", contract.status.shown())
        .optional("isFulfilled", contract.is_fulfilled)
        .optional("fraud", contract.fraud.shown())
        .line("transactionId", &contract.transaction_id)
        .optional("transactionTotal", amount(&contract.transaction_total))
        .optional("transactionDate", contract.transaction_date.as_ref())
        .optional("startedAt", contract.started_at.as_ref())
        .optional("endedAt", contract.ended_at.as_ref())
        .optional("createdAt", contract.created_at.as_ref())
        .optional("updatedAt", contract.updated_at.as_ref());
    customer(&mut fields, contract);
    product(&mut fields, contract);
    plan(&mut fields, contract);
    store(&mut fields, contract);
    fields.text()
}

fn customer(fields: &mut KeyValues, contract: &Contract) {
    let customer = &contract.customer;
    fields
        .optional("customer.id", customer.id.as_ref())
        .optional("customer.referenceId", personal(&customer.reference_id))
        .optional("customer.name", personal(&customer.name))
        .optional("customer.email", personal(&customer.email))
        .optional("customer.phone", personal(&customer.phone));
    address(fields, "customer.billingAddress", &customer.billing_address);
    address(
        fields,
        "customer.shippingAddress",
        &customer.shipping_address,
    );
}

fn address(fields: &mut KeyValues, label: &str, address: &Option<Address>) {
    let Some(address) = address else {
        fields.line(label, "-");
        return;
    };
    for (field, value) in [
        ("postalNumber", &address.postal_number),
        ("prefecture", &address.prefecture),
        ("city", &address.city),
        ("address", &address.address),
        ("building", &address.building),
    ] {
        fields.optional(format!("{label}.{field}"), personal(value));
    }
}

fn product(fields: &mut KeyValues, contract: &Contract) {
    let product = &contract.product;
    fields
        .optional("product.id", product.id.as_ref())
        .line("product.referenceId", &product.reference_id)
        .optional("product.title", product.title.as_ref())
        .optional("product.price", amount(&product.price))
        .optional("product.imageUrl", product.image_url.as_ref())
        .optional("product.category", product.category.as_ref())
        .optional("product.brand", product.brand.as_ref())
        .optional("product.purchasePrice", amount(&product.purchase_price))
        .optional("product.serialNumber", product.serial_number.as_ref())
        .optional("product.createdAt", product.created_at.as_ref())
        .optional("product.updatedAt", product.updated_at.as_ref());
}

fn plan(fields: &mut KeyValues, contract: &Contract) {
    let plan = &contract.plan;
    fields
        .line("plan.id", &plan.id)
        .optional("plan.title", plan.title.as_ref())
        .optional("plan.price", amount(&plan.price))
        .optional("plan.termLength", plan.term_length)
        .optional("plan.serviceType", plan.service_type.as_ref())
        .optional("plan.protectionType", plan.protection_type.as_ref())
        .optional("plan.url", plan.url.as_ref());
}

fn store(fields: &mut KeyValues, contract: &Contract) {
    let Some(store) = &contract.store else {
        fields.line("store", "-");
        return;
    };
    fields
        .optional("store.id", store.id.as_ref())
        .optional("store.name", store.name.as_ref())
        .optional("store.webSite", store.web_site.as_ref())
        .optional("store.logoUrl", store.logo_url.as_ref());
}

fn personal(value: &Option<Personal>) -> Option<&str> {
    value.as_ref().map(Personal::expose)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A contract with a different value in every field of part 2.
    fn whole() -> Value {
        let address = |mark: &str| {
            json!({
                "postalNumber": format!("{mark}-post"), "prefecture": format!("{mark}-pref"),
                "city": format!("{mark}-city"), "address": format!("{mark}-street"),
                "building": format!("{mark}-building"),
            })
        };
        json!({
            "id": "c-1", "inquiryCode": "inq-1", "transactionId": "t-1", "transactionTotal": 101,
            "transactionDate": "date-1", "isFulfilled": true, "status": "status-1", "fraud": false,
            "startedAt": "started-1", "endedAt": "ended-1", "createdAt": "created-1",
            "updatedAt": "updated-1",
            "customer": {
                "id": "cu-1", "referenceId": "cu-ref", "name": "見本 太郎", "email": "a@example.jp",
                "phone": "phone-1", "billingAddress": address("bill"),
                "shippingAddress": address("ship"),
            },
            "product": {
                "id": "p-1", "referenceId": "p-ref", "title": "p-title", "price": 102,
                "imageUrl": "p-image", "category": "p-category", "brand": "p-brand",
                "purchasePrice": 103, "serialNumber": "p-serial", "createdAt": "p-created",
                "updatedAt": "p-updated",
            },
            "plan": {
                "id": "pl-1", "title": "pl-title", "price": 104, "termLength": 36,
                "serviceType": "pl-service", "protectionType": "pl-protection", "url": "pl-url",
            },
            "store": {
                "id": "s-1", "name": "s-name", "webSite": "s-web", "logoUrl": "s-logo",
            },
        })
    }

    fn leaves(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = if path.is_empty() {
                        name.clone()
                    } else {
                        format!("{path}.{name}")
                    };
                    leaves(&path, value, found);
                }
            }
            Value::String(text) => found.push((path.to_owned(), text.clone())),
            Value::Number(number) => found.push((path.to_owned(), number.to_string())),
            Value::Bool(yes) => found.push((path.to_owned(), yes.to_string())),
            Value::Null | Value::Array(_) => panic!("no such field in a contract: {path}"),
        }
    }

    #[test]
    fn every_field_of_a_contract_is_shown_with_its_name() {
        let contract: Contract = serde_json::from_value(whole()).unwrap();
        let text = text(&contract);
        let mut expected = Vec::new();
        leaves("", &whole(), &mut expected);
        assert_eq!(text.lines().count(), expected.len());
        for (name, value) in expected {
            assert!(
                text.lines().any(|line| {
                    line.split_once("  ")
                        .is_some_and(|(label, shown)| label.trim() == name && shown.trim() == value)
                }),
                "{name} = {value} is not in\n{text}"
            );
        }
    }

    #[test]
    fn fields_the_service_did_not_send_are_shown_as_absent() {
        let contract: Contract = serde_json::from_value(json!({
            "id": "c-1", "transactionId": "t-1", "customer": {"email": "a@example.jp"},
            "product": {"referenceId": "p"}, "plan": {"id": "pl"},
        }))
        .unwrap();
        let text = text(&contract);
        assert!(
            text.lines()
                .any(|line| line.starts_with("inquiryCode ") && line.ends_with(" -"))
        );
        assert!(
            text.lines()
                .any(|line| line.starts_with("store ") && line.ends_with(" -"))
        );
    }
}
