//! Which columns headers name, and when a person is asked.

use super::guess;
use warranty_model::Field;
use warranty_model::bulk::RunKind;

#[test]
fn two_columns_that_may_hold_an_amount_are_a_question() {
    let price = Field::ProductPurchasePrice;
    for (names, repeated) in [
        (["商品価格", "販売価格"], vec![price]),
        (["商品名", "販売価格"], vec![]),
        (["単価", "productPurchasePrice"], vec![]),
    ] {
        let guess = guess(&names.map(str::to_owned), RunKind::Contracts);
        assert_eq!(guess.repeated, repeated, "{names:?}");
    }
}

#[test]
fn an_amount_with_tax_beside_one_without_is_a_question_and_alone_is_the_amount() {
    let (price, total) = (Field::ProductPurchasePrice, Field::TransactionTotal);
    let fee = Field::PlanPurchasePrice;
    for (names, repeated) in [
        (["本体価格", "税込価格"], vec![price]),
        (["単価", "税込単価"], vec![price]),
        (["本体価格", "税込金額"], vec![price]),
        (["販売価格", "販売価格(税込み)"], vec![price]),
        (["売価", "売価税込"], vec![price]),
        (["Price", "Price incl. tax"], vec![price]),
        (["合計金額", "税込合計金額"], vec![total]),
        (["合計", "総合計"], vec![total]),
        (["合計", "お支払金額"], vec![total]),
        (["Total", "Grand Total"], vec![total]),
        (["保証料", "税込み保証料"], vec![fee]),
        (["税込価格", "税抜価格"], vec![]),
        (["税込", "価格"], vec![]),
    ] {
        let guess = guess(&names.map(str::to_owned), RunKind::Contracts);
        assert_eq!(guess.repeated, repeated, "{names:?}");
    }
    for (name, field) in [
        ("税込価格", price),
        ("税込合計", total),
        ("保証料（税込）", fee),
    ] {
        let guess = guess(&[name.to_owned()], RunKind::Contracts);
        assert_eq!(guess.mapping.column(field), Some(0), "{name}");
    }
}

#[test]
fn an_amount_that_is_said_to_be_without_tax_is_not_taken_for_the_amount() {
    let total = Field::TransactionTotal;
    for name in [
        "合計（税抜）",
        "合計(税抜き)",
        "合計【税別】",
        "Total (excl. tax)",
        "Total (excl. consumption tax)",
        "Total (tax not included)",
        "Total (tax excluded)",
        "Total (excluding VAT)",
        "Total (exclusive of tax)",
        "Total (ex. tax)",
        "Total (without tax)",
        "Total (before tax)",
        "合計（外税）",
        "合計（税ぬき）",
    ] {
        let guess = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            guess(&names, RunKind::Contracts)
        };
        let alone = guess(&[name]);
        assert!(alone.missing.contains(&total), "{name}");
        let beside = guess(&[name, "合計（税込）"]);
        assert_eq!(beside.mapping.column(total), Some(1), "{name}");
    }
}

#[test]
fn a_name_that_excludes_something_other_than_tax_is_known_as_without_it() {
    for (name, field) in [
        ("Total (incl. tax, excl. shipping)", Field::TransactionTotal),
        ("Fee (excl. discount)", Field::PlanPurchasePrice),
        ("Full name (excl. title)", Field::CustomerName),
        ("SKU (excl. variants)", Field::ProductReferenceId),
    ] {
        let guess = guess(&[name.to_owned()], RunKind::Contracts);
        assert_eq!(guess.mapping.column(field), Some(0), "{name}");
    }
}

#[test]
fn two_columns_that_may_hold_the_transaction_are_a_question() {
    let transaction = Field::TransactionId;
    for (names, repeated) in [
        (["伝票番号", "レシート番号"], vec![transaction]),
        (["Receipt No", "Order No"], vec![transaction]),
        (["伝票番号", "会員番号"], vec![]),
        (["レシート番号", "transactionId"], vec![]),
    ] {
        let guess = guess(&names.map(str::to_owned), RunKind::Contracts);
        assert_eq!(guess.repeated, repeated, "{names:?}");
    }
}

#[test]
fn two_columns_that_may_hold_the_price_of_a_product_are_a_question() {
    let price = Field::Price;
    for names in [["単価", "税込単価"], ["販売価格", "定価"]] {
        let guess = guess(&names.map(str::to_owned), RunKind::Products);
        assert_eq!(guess.repeated, [price], "{names:?}");
    }
    for name in ["税込価格", "Price incl. tax"] {
        let alone = guess(&[name.to_owned()], RunKind::Products);
        assert_eq!(alone.mapping.column(price), Some(0), "{name}");
    }
}

#[test]
fn a_column_of_names_goes_before_one_of_customers_which_may_hold_their_numbers() {
    for [number, name] in [
        ["CUSTOMER", "Full name"],
        ["顧客", "氏名"],
        ["お客様", "氏名"],
    ] {
        for (headers, at) in [([number, name], 1), ([name, number], 0)] {
            let guess = guess(&headers.map(str::to_owned), RunKind::Contracts);
            let found = guess.mapping.column(Field::CustomerName);
            assert_eq!(found, Some(at), "{headers:?}");
        }
    }
    let alone = guess(&["Customer".to_owned()], RunKind::Contracts);
    assert_eq!(alone.mapping.column(Field::CustomerName), Some(0));
}

#[test]
fn a_bare_name_which_may_be_the_product_beside_a_customer_is_a_question() {
    let customer = Field::CustomerName;
    for (names, repeated) in [
        (["Customer", "Name"], vec![customer]),
        (["Name", "Customer"], vec![customer]),
        (["Name", "顧客名"], vec![]),
        (["Name", "SKU"], vec![]),
    ] {
        let guess = guess(&names.map(str::to_owned), RunKind::Contracts);
        assert_eq!(guess.repeated, repeated, "{names:?}");
    }
}
