use super::*;
use crate::contracts::EntryTexts;
use crate::submission_state::SubmissionState;

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn row(line: u32, change: impl FnOnce(&mut EntryDraft)) -> Result<ListedSale, UnreadableRow> {
    row_asked(line, change, false, &[], false)
}

/// A row without the date it must have, with codes of which the displayed text is not known, or of an
/// exported list in which its sale was registered or cancelled.
fn row_asked(
    line: u32,
    change: impl FnOnce(&mut EntryDraft),
    undated: bool,
    unclear: &[Field],
    exported: bool,
) -> Result<ListedSale, UnreadableRow> {
    let mut draft = EntryDraft {
        transaction_id: "T-1".to_owned(),
        transaction_total: "118,000".to_owned(),
        transaction_date: "2026-11-21 10:00".to_owned(),
        product_reference_id: "SKU-1".to_owned(),
        product_purchase_price: "98000".to_owned(),
        plan_id: "p-1".to_owned(),
        plan_purchase_price: "20000".to_owned(),
        ..EntryDraft::default()
    };
    change(&mut draft);
    let now = "2026-11-22T00:00:00Z".parse().unwrap();
    let asks = unclear.iter().map(|field| Question::CellText {
        field: *field,
        cell: format!("A{line}"),
        text: String::new(),
    });
    let row = Row {
        line,
        texts: EntryTexts::from(&draft),
        confirmed: Vec::new(),
        asks: asks.collect(),
        broken: None,
        undated,
        exported,
    };
    ListedSale::read(&row, now, Zone::fixed(540))
}

fn sale(id: &str, change: impl FnOnce(&mut RegisteredSale)) -> RegisteredSale {
    let mut sale = RegisteredSale {
        id: id.to_owned(),
        profile_id: "profile".to_owned(),
        state: SubmissionState::Confirmed,
        transaction_id: "T-1".to_owned(),
        date: day("2026-11-21"),
        transaction_total: Amount::new(118_000).unwrap(),
        product_reference_id: "SKU-1".to_owned(),
        product_title: None,
        product_purchase_price: Amount::new(98_000).unwrap(),
        plan_id: "p-1".to_owned(),
        plan_title: None,
        plan_purchase_price: Amount::new(20_000).unwrap(),
        duplicate_possible: false,
    };
    change(&mut sale);
    sale
}

fn compared(
    rows: Vec<Result<ListedSale, UnreadableRow>>,
    registered: Vec<RegisteredSale>,
) -> Reconciliation {
    Reconciliation::of(rows, registered, None)
}

#[test]
fn a_row_that_is_registered_just_so_is_matched_in_whatever_width_it_is_written() {
    let rows = vec![row(2, |row| row.transaction_id = " Ｔ－１ ".to_owned())];
    let found = compared(rows, vec![sale("a", |_| {})]);
    assert!(found.agrees);
    assert_eq!(found.matched, 1);
    assert_eq!(found.days, Some((day("2026-11-21"), day("2026-11-21"))));
}

#[test]
fn a_list_of_transactions_alone_is_compared_by_them() {
    let bare = |line| {
        row(line, |row| {
            *row = EntryDraft {
                transaction_id: "T-1".to_owned(),
                ..EntryDraft::default()
            }
        })
    };
    let other = sale("b", |sale| sale.transaction_id = "T-2".to_owned());
    let found = compared(vec![bare(2), bare(3)], vec![sale("a", |_| {}), other]);
    assert_eq!((found.matched, found.missing.len()), (1, 1));
    // No row has a date: the list may be of any day, and no sale is one too many.
    assert_eq!((found.days, found.extra.len()), (None, 0));
}

#[test]
fn another_amount_product_or_plan_is_named_and_neither_missing_nor_extra() {
    for (change, field) in [
        (
            (|row| row.plan_purchase_price = "19000".to_owned()) as fn(&mut EntryDraft),
            Field::PlanPurchasePrice,
        ),
        (
            |row| row.transaction_total = "0".to_owned(),
            Field::TransactionTotal,
        ),
        (|row| row.plan_id = "p-2".to_owned(), Field::PlanId),
        (
            |row| row.product_reference_id = "SKU-2".to_owned(),
            Field::ProductReferenceId,
        ),
    ] {
        let found = compared(vec![row(2, change)], vec![sale("a", |_| {})]);
        assert_eq!(found.different.len(), 1, "{field:?}");
        assert_eq!(found.different[0].fields, [field]);
        assert!(found.missing.is_empty() && found.extra.is_empty());
        assert!(!found.agrees);
    }
}

#[test]
fn a_row_of_another_product_and_plan_is_missing_and_the_registered_sale_is_extra() {
    let other = |row: &mut EntryDraft| {
        row.plan_id = "p-2".to_owned();
        row.product_reference_id = "SKU-2".to_owned();
    };
    let found = compared(vec![row(2, other)], vec![sale("a", |_| {})]);
    assert_eq!((found.missing.len(), found.extra.len()), (1, 1));
}

#[test]
fn an_exact_pair_is_never_split_by_a_row_that_is_only_alike() {
    let cheaper = row(2, |row| row.plan_purchase_price = "19000".to_owned());
    let exact = row(3, |_| {});
    let found = compared(vec![cheaper, exact], vec![sale("a", |_| {})]);
    assert_eq!((found.matched, found.missing.len()), (1, 1));
    assert_eq!(found.missing[0].listed.line, 2);
}

#[test]
fn two_rows_of_one_registered_sale_leave_one_missing_and_two_sales_of_one_row_one_extra() {
    let twice = vec![row(2, |_| {}), row(3, |_| {})];
    let found = compared(twice, vec![sale("a", |_| {})]);
    assert_eq!((found.matched, found.missing.len()), (1, 1));
    let found = compared(
        vec![row(2, |_| {})],
        vec![sale("a", |_| {}), sale("b", |_| {})],
    );
    assert_eq!((found.matched, found.extra.len()), (1, 1));
}

#[test]
fn a_transaction_that_lost_its_zeros_differs_and_is_neither_missing_nor_extra() {
    let numbered = |line, number: &str| {
        let number = number.to_owned();
        row(line, |row| row.transaction_id = number)
    };
    let with = |id, number: &str| sale(id, |sale| sale.transaction_id = number.to_owned());
    let found = compared(
        vec![numbered(2, "101"), numbered(3, "00102")],
        vec![with("a", "000000000101"), with("b", "102")],
    );
    assert_eq!(found.different.len(), 2);
    for one in &found.different {
        assert_eq!(one.fields, [Field::TransactionId]);
    }
    assert!(found.missing.is_empty() && found.extra.is_empty() && !found.agrees);

    // The same number is the same sale before one with other zeros, whatever the order.
    let found = compared(
        vec![numbered(2, "101"), numbered(3, "0101")],
        vec![with("a", "0101"), with("b", "101")],
    );
    assert_eq!((found.matched, found.agrees), (2, true));
    let cheaper = row(2, |row| {
        row.transaction_id = "101".to_owned();
        row.plan_purchase_price = "1".to_owned();
    });
    let found = compared(vec![cheaper], vec![with("a", "0101"), with("b", "101")]);
    assert_eq!(found.different[0].registered.id, "b");
    assert_eq!(found.different[0].fields, [Field::PlanPurchasePrice]);
    assert_eq!(found.extra.len(), 1);
}

#[test]
fn a_refused_or_cancelled_entry_is_no_registered_sale_and_is_named_beside_the_missing_row() {
    for state in [SubmissionState::Rejected, SubmissionState::Cancelled] {
        let found = compared(
            vec![row(2, |_| {})],
            vec![sale("a", |sale| sale.state = state)],
        );
        assert_eq!((found.missing.len(), found.extra.len()), (1, 0));
        assert_eq!(found.missing[0].not_sold.as_ref().unwrap().id, "a");
    }
}

#[test]
fn what_the_service_has_not_accepted_yet_is_matched_and_counted_as_unfinished() {
    let queued = sale("a", |sale| sale.state = SubmissionState::Queued);
    let found = compared(vec![row(2, |_| {})], vec![queued]);
    assert_eq!((found.matched, found.unfinished), (1, 1));
    assert!(!found.agrees && !found.differs());
}

#[test]
fn a_sale_that_may_not_be_sold_is_named_and_does_not_match() {
    for state in [SubmissionState::Unknown, SubmissionState::NeedsPerson] {
        let found = compared(
            vec![row(2, |_| {})],
            vec![sale("a", |sale| sale.state = state)],
        );
        assert_eq!((found.matched, found.unfinished), (0, 0));
        assert_eq!(found.attention[0].registered.id, "a");
        assert!(!found.agrees);
    }
}

#[test]
fn a_sale_that_differs_is_unfinished_while_it_waits_and_not_while_a_person_must_decide() {
    for (state, unfinished) in [
        (SubmissionState::Queued, 1),
        (SubmissionState::NeedsPerson, 0),
        (SubmissionState::Unknown, 0),
    ] {
        let cheaper = row(2, |row| row.plan_purchase_price = "19000".to_owned());
        let found = compared(vec![cheaper], vec![sale("a", |sale| sale.state = state)]);
        assert_eq!((found.different.len(), found.unfinished), (1, unfinished));
    }
}

/// A row of the sample sale, of this day.
fn row_of(line: u32, day: &str) -> Result<ListedSale, UnreadableRow> {
    let moment = format!("{day} 10:00");
    row(line, |row| row.transaction_date = moment)
}

/// The sample sale, registered for this day.
fn sale_of(id: &str, on: &str) -> RegisteredSale {
    sale(id, |sale| sale.date = day(on))
}

#[test]
fn a_number_that_starts_again_does_not_cover_a_lost_sale_with_one_of_another_day() {
    let registered = vec![sale_of("a", "2026-11-20")];
    let found = compared(vec![row_of(2, "2026-11-27")], registered);
    assert_eq!((found.matched, found.agrees), (0, false));
    assert_eq!(found.different[0].fields, [Field::TransactionDate]);
    assert_eq!(found.different[0].registered.id, "a");
    assert!(found.missing.is_empty());
}

#[test]
fn each_row_takes_the_sale_of_its_own_day_whatever_the_order_of_the_list() {
    let both = || vec![row_of(2, "2026-11-21"), row_of(3, "2026-11-20")];
    for sold in ["2026-11-20", "2026-11-21"] {
        let found = compared(both(), vec![sale_of("a", sold)]);
        assert_eq!((found.matched, found.missing.len()), (1, 1));
        let missing = found.missing[0].listed.date;
        assert_ne!(missing, Some(day(sold)), "{missing:?}");
    }
    let days = ["2026-11-20", "2026-11-21", "2026-11-27"];
    let sales = days.map(|sold| sale_of(sold, sold)).to_vec();
    let found = compared(both(), sales);
    assert_eq!((found.matched, found.agrees), (2, true));
}

#[test]
fn a_sale_of_the_day_with_another_amount_goes_before_an_equal_one_of_another_day() {
    let cheaper = sale("b", |sale| {
        sale.date = day("2026-11-27");
        sale.plan_purchase_price = Amount::new(1).unwrap();
    });
    let registered = vec![sale_of("a", "2026-11-20"), cheaper];
    let found = compared(vec![row_of(2, "2026-11-27")], registered);
    assert_eq!(found.different[0].registered.id, "b");
    assert_eq!(found.different[0].fields, [Field::PlanPurchasePrice]);
}

#[test]
fn a_sale_that_the_list_has_under_the_next_day_is_not_called_extra_of_the_chosen_one() {
    let chosen = Some(day("2026-11-21"));
    let next_day = || row_of(2, "2026-11-22");
    let found = Reconciliation::of(vec![next_day()], vec![sale_of("a", "2026-11-21")], chosen);
    assert_eq!((found.other_days, found.extra.len()), (1, 0));

    // That row may be the sale of its own day, or another one.
    let sales = ["2026-11-21", "2026-11-22"].map(|sold| sale_of(sold, sold));
    let found = Reconciliation::of(vec![next_day()], sales.to_vec(), chosen);
    assert_eq!(found.extra.len(), 1);
    let sales = vec![sale("a", |sale| sale.plan_id = "p-2".to_owned())];
    let found = Reconciliation::of(vec![next_day()], sales, chosen);
    assert_eq!(found.extra.len(), 1);
    // A row of the day takes its sale before one of another day does.
    let rows = vec![next_day(), row_of(3, "2026-11-21")];
    let found = Reconciliation::of(rows, vec![sale_of("a", "2026-11-21")], chosen);
    assert_eq!((found.matched, found.missing.len()), (1, 0));
}

#[test]
fn a_day_more_or_less_is_no_difference() {
    let next_day = |row: &mut EntryDraft| row.transaction_date = "2026-11-22 10:00".to_owned();
    let found = compared(vec![row(2, next_day)], vec![sale("a", |_| {})]);
    assert!(found.agrees);
    assert_eq!(found.days, Some((day("2026-11-22"), day("2026-11-22"))));
}

#[test]
fn a_chosen_day_leaves_out_rows_and_sales_of_other_days() {
    let rows = vec![
        row(2, |_| {}),
        row(3, |row| {
            row.transaction_date = "2026-11-20 10:00".to_owned()
        }),
    ];
    let earlier = sale("b", |sale| {
        sale.transaction_id = "T-2".to_owned();
        sale.date = day("2026-11-20");
    });
    let registered = vec![sale("a", |_| {}), earlier];
    let chosen = Some(day("2026-11-21"));
    let found = Reconciliation::of(rows, registered, chosen);
    assert!(found.agrees);
    assert_eq!((found.matched, found.other_days), (1, 1));
}

#[test]
fn a_list_without_dates_is_compared_with_the_chosen_day_alone() {
    let undated = |row: &mut EntryDraft| row.transaction_date.clear();
    for (sold, found) in [("2026-11-21", (1, 0)), ("2026-11-20", (0, 1))] {
        let registered = vec![sale("a", |sale| sale.date = day(sold))];
        let chosen = Some(day("2026-11-21"));
        let seen = Reconciliation::of(vec![row(2, undated)], registered, chosen);
        assert_eq!((seen.matched, seen.other_days), found, "{sold}");
        assert!(seen.missing.is_empty(), "{sold}");
    }
    // One that differs is of that day, and was not entered as it is listed.
    let other = sale("a", |sale| {
        sale.date = day("2026-11-20");
        sale.transaction_total = crate::interface::Amount::new(1).unwrap();
    });
    let chosen = Some(day("2026-11-21"));
    let seen = Reconciliation::of(vec![row(2, undated)], vec![other], chosen);
    assert!(!seen.agrees);
}

#[test]
fn a_sale_whose_row_cannot_be_read_is_not_said_to_be_missing_from_the_list() {
    let odd = row(3, |row| {
        row.transaction_id = "Ｔ-2".to_owned();
        row.transaction_total = "3万".to_owned();
    });
    let other =
        |id: &str, transaction: &str| sale(id, |sale| sale.transaction_id = transaction.to_owned());
    let registered = vec![sale("a", |_| {}), other("b", "T-2"), other("c", "T-3")];
    let found = compared(vec![row(2, |_| {}), odd], registered);
    let extra: Vec<_> = found.extra.iter().map(|sale| sale.id.as_str()).collect();
    assert_eq!((extra, found.unreadable.len()), (vec!["c"], 1));
}

#[test]
fn a_row_that_cannot_be_read_is_named_with_each_of_its_cells() {
    let broken = |row: &mut EntryDraft| {
        row.transaction_id = String::new();
        row.plan_purchase_price = "two".to_owned();
        row.transaction_date = "yesterday".to_owned();
    };
    let found = compared(vec![row(7, broken)], Vec::new());
    assert_eq!(found.unreadable.len(), 1);
    assert_eq!(found.unreadable[0].line, 7);
    let fields = found.unreadable[0].problems.iter().map(|one| one.field);
    assert_eq!(
        fields.collect::<Vec<_>>(),
        [
            Field::TransactionId,
            Field::PlanPurchasePrice,
            Field::TransactionDate
        ]
    );
    assert!(!found.agrees);
}

#[test]
fn a_row_with_a_blank_date_is_compared_and_is_never_entered_for_today() {
    let blank = || row_asked(2, |row| row.transaction_date.clear(), true, &[], false);
    assert!(compared(vec![blank()], vec![sale("a", |_| {})]).agrees);

    let found = compared(vec![blank()], Vec::new());
    let date = &found.missing[0].listed.draft.transaction_date;
    let now = "2026-11-22T00:00:00Z".parse().unwrap();
    assert!(validation::moment(date, now, Zone::fixed(540)).is_err());
}

#[test]
fn a_missing_row_is_entered_without_the_codes_of_which_it_is_not_known_what_the_cells_show() {
    let codes = [Field::TransactionId, Field::PlanId];
    let cut = |row: &mut EntryDraft| row.transaction_id = "42".to_owned();
    let rows = vec![
        row_asked(2, cut, false, &codes, false),
        row_asked(3, |_| {}, false, &codes, false),
    ];
    let found = compared(rows, vec![sale("a", |_| {})]);
    assert_eq!(found.matched, 1);
    let draft = &found.missing[0].listed.draft;
    assert_eq!(
        (draft.transaction_id.as_str(), draft.plan_id.as_str()),
        ("", "")
    );
    assert_eq!(draft.product_reference_id, "SKU-1");
}

#[test]
fn a_row_of_an_exported_list_is_compared_and_never_missing() {
    let exported = |line, transaction: &str| {
        let change = |row: &mut EntryDraft| row.transaction_id = transaction.to_owned();
        row_asked(line, change, false, &[], true)
    };
    let unreadable = row(4, |row| row.transaction_id.clear());
    let rows = vec![unreadable, exported(2, "T-1"), exported(3, "T-2")];
    let found = compared(rows, vec![sale("a", |_| {})]);
    assert_eq!((found.matched, found.missing.len()), (1, 0));
    let lines: Vec<u32> = found.unreadable.iter().map(|row| row.line).collect();
    assert_eq!(lines, [3, 4]);
    let problem = FieldProblem::new(Field::TransactionId, Problem::FromExportedList);
    assert_eq!(found.unreadable[0].problems, [problem]);
}
