//! The names a column may have: the interface's own, and those that tills and back offices use.

use warranty_model::Field;
use warranty_model::bulk::RunKind;
use warranty_model::search_text::fold;

/// Words, normalised by [`key`], that say of an amount that tax is in it, the longer of two alike first.
const TAX_INCLUDED: [&str; 6] = [
    "税込み",
    "税込",
    "incltax",
    "inctax",
    "includingtax",
    "taxincluded",
];

/// Words that say of an amount that tax is not in it: a person must choose such a column.
const TAX_EXCLUDED: [&str; 4] = ["税抜", "税ぬき", "税別", "外税"];
const TAX: [&str; 3] = ["tax", "vat", "gst"];
/// The same beside one of [`TAX`].
const EXCLUDED: [&str; 8] = [
    "excl", "extax", "exvat", "without", "wotax", "before", "pretax", "notincl",
];

/// Longest header that may name a field, in bytes; a longer one is taken for free text.
const LONGEST: usize = 200;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub field: Field,
    /// The interface's name, as wdesk has it.
    pub name: &'static str,
    /// Whether the column may be absent from a file.
    pub optional: bool,
    /// Other names, normalised by [`key`] and separated by spaces, the most reliable first.
    pub words: &'static str,
}

pub(crate) fn columns(kind: RunKind) -> &'static [Column] {
    match kind {
        RunKind::Contracts => CONTRACTS,
        RunKind::Products => PRODUCTS,
        RunKind::PlanLinks => PLAN_LINKS,
        RunKind::ProductReferences => PRODUCT_REFERENCES,
    }
}

/// The fields of a kind of row, each with the interface's name of its column and whether it is
/// required.
pub fn fields(kind: RunKind) -> impl Iterator<Item = (Field, &'static str, bool)> {
    columns(kind)
        .iter()
        .map(|column| (column.field, column.name, !column.optional))
}

/// The fields of a kind of row, each with the names that tills give its column, without punctuation.
pub fn aliases(kind: RunKind) -> Vec<(Field, Vec<&'static str>)> {
    let columns = columns(kind).iter();
    columns
        .map(|column| (column.field, column.words.split_whitespace().collect()))
        .collect()
}

/// The interface's names of the columns of a kind that are wanted.
pub(crate) fn names(kind: RunKind, wanted: impl Fn(&Column) -> bool) -> Vec<String> {
    let columns = columns(kind).iter().filter(|column| wanted(column));
    columns.map(|column| column.name.to_owned()).collect()
}

/// How many fields of a kind are named by headers normalised by [`key`].
pub(crate) fn named(kind: RunKind, keys: &[String]) -> usize {
    let columns = columns(kind).iter();
    columns
        .filter(|column| keys.iter().any(|key| column.rank(key).is_some()))
        .count()
}

impl Column {
    /// How well a header normalised by [`key`] names this column: 0 is the interface's own name.
    pub(super) fn rank(&self, header: &str) -> Option<usize> {
        if header.is_empty() {
            return None;
        }
        if header.eq_ignore_ascii_case(self.name) {
            return Some(0);
        }
        let bare = if self.is_amount() {
            without_tax(header)
        } else {
            header
        };
        let mut words = self.words.split(' ');
        let at = words.position(|word| word == header || word == bare)?;
        Some(at + 1)
    }

    /// Whether it is money.
    pub(super) fn is_amount(&self) -> bool {
        matches!(
            self.field,
            Field::TransactionTotal
                | Field::ProductPurchasePrice
                | Field::PlanPurchasePrice
                | Field::Price
        )
    }
}

/// Normalises a header for comparison: ignores case, width, white space, punctuation and a suffix
/// in brackets ("合計（税込）"), unless it says that tax is not in an amount.
pub(crate) fn key(header: &str) -> String {
    if header.len() > LONGEST {
        return String::new();
    }
    let folded = fold(header);
    let outside = match folded.split_once(['(', '[', '【', '〔']) {
        Some((before, _)) if !before.trim().is_empty() && !excludes_tax(&folded) => before,
        Some(_) | None => folded.as_str(),
    };
    outside.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a folded header says that tax is not in an amount; "incl. tax, excl. shipping" does not.
pub(super) fn excludes_tax(folded: &str) -> bool {
    folded.split(',').any(|part| {
        let bare: String = part.chars().filter(|c| c.is_alphanumeric()).collect();
        let has = |words: &[&str]| words.iter().any(|word| bare.contains(word));
        has(&TAX_EXCLUDED) || (has(&TAX) && has(&EXCLUDED))
    })
}

/// The header of an amount without the words that say that tax is in it.
fn without_tax(header: &str) -> &str {
    let bare = |tax: &&str| {
        let bare = header.strip_prefix(*tax);
        bare.or_else(|| header.strip_suffix(*tax))
    };
    TAX_INCLUDED.iter().find_map(bare).unwrap_or(header)
}

const fn column(field: Field, name: &'static str, words: &'static str) -> Column {
    Column {
        field,
        name,
        optional: false,
        words,
    }
}

const PRODUCT_CODES: &str = "\
    productreferenceid referenceid productreference 商品参照キー 商品コード 商品番号 商品id 品番 \
    janコード jan jancode バーコード barcode productcode itemcode sku ean 参照キー 商品";

const PLAN_CODES: &str = "\
    保証プランid プランid 保証プランコード プランコード プラン番号 保証プラン番号 plancode plan \
    保証プラン プラン";

const CONTRACTS: &[Column] = &[
    column(
        Field::TransactionId,
        "transactionId",
        "\
            取引番号 取引id 取引no 取引コード 伝票番号 伝票no レシート番号 レシートno 受注番号 \
            注文番号 売上番号 transactionno transactionnumber receiptno receiptnumber orderid \
            orderno ordernumber",
    ),
    column(
        Field::TransactionTotal,
        "transactionTotal",
        "\
            取引合計 取引合計金額 取引金額 合計金額 合計 お買上合計 お買上げ合計 お買上金額 \
            売上合計 総額 総合計 支払金額 お支払金額 お支払い金額 totalamount grandtotal total",
    ),
    Column {
        field: Field::TransactionDate,
        name: "transactionDate",
        optional: true,
        words: "\
            取引日時 取引日 取引年月日 取引日付 販売日時 販売日 販売年月日 販売日付 売上日時 売上日 \
            売上年月日 売上日付 購入日時 購入日 購入年月日 購入日付 お買上日 お買上げ日 お買上年月日 \
            お買上日時 注文日時 注文日 受注日時 受注日 伝票日付 伝票日 会計日時 会計日 計上日 日時 日付 \
            saledate saletime transactiontime purchasedate orderdate date",
    },
    column(
        Field::CustomerName,
        "customerName",
        "お客様名 お客様氏名 顧客名 顧客氏名 氏名 お名前 会員名 名前 fullname name customer",
    ),
    column(
        Field::CustomerEmail,
        "customerEmail",
        "\
            メールアドレス お客様メールアドレス お客様メール 顧客メールアドレス 電子メール eメール \
            メール emailaddress mailaddress email mail",
    ),
    column(
        Field::ProductReferenceId,
        "productReferenceId",
        PRODUCT_CODES,
    ),
    column(
        Field::ProductPurchasePrice,
        "productPurchasePrice",
        "\
            商品購入価格 商品価格 商品金額 商品代金 購入価格 販売価格 本体価格 売価 単価 価格 \
            税込金額 productprice itemprice unitprice price",
    ),
    column(Field::PlanId, "planId", PLAN_CODES),
    column(
        Field::PlanPurchasePrice,
        "planPurchasePrice",
        "\
            保証料 保証料金 延長保証料 保証金額 プラン購入価格 プラン価格 プラン料金 \
            保証プラン価格 planprice warrantyfee warrantyprice fee",
    ),
];

const PRODUCTS: &[Column] = &[
    column(Field::ProductReferenceId, "referenceId", PRODUCT_CODES),
    column(
        Field::Title,
        "title",
        "商品名 品名 名称 タイトル productname itemname name",
    ),
    column(
        Field::Price,
        "price",
        "価格 販売価格 商品価格 売価 単価 定価 unitprice price",
    ),
    column(
        Field::ImageUrl,
        "imageUrl",
        "画像url 商品画像url 画像アドレス 画像リンク 商品画像 画像 image picture",
    ),
    column(
        Field::Category,
        "category",
        "カテゴリ カテゴリー 商品カテゴリ 商品カテゴリー 商品分類 分類 部門 ジャンル",
    ),
];

const PLAN_LINKS: &[Column] = &[
    column(Field::PlanId, "planId", PLAN_CODES),
    column(
        Field::StoreReferenceId,
        "storeReferenceId",
        "\
            店舗側プランコード 店舗プランコード 店舗側コード 店舗参照キー 自社プランコード \
            自社コード storereference storeref",
    ),
];

const PRODUCT_REFERENCES: &[Column] = &[column(
    Field::ProductReferenceId,
    "productReferenceId",
    PRODUCT_CODES,
)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_one_field_of_a_kind_and_stands_in_the_form_it_is_compared_in() {
        for kind in RunKind::ALL {
            let mut seen = std::collections::HashSet::new();
            for column in columns(kind) {
                assert!(seen.insert(key(column.name)), "{}", column.name);
                for word in column.words.split(' ') {
                    assert_eq!(key(word), word);
                    let own = word == key(column.name);
                    assert!(own || seen.insert(word.to_owned()), "{kind:?} {word}");
                }
            }
        }
    }

    #[test]
    fn marks_case_width_and_brackets_do_not_matter() {
        for header in ["合計（税込）", " 合計 ", "合計【円】", "＊合計", "合計："]
        {
            assert_eq!(key(header), "合計", "{header}");
        }
        assert_eq!(key("Transaction_ID"), "transactionid");
        assert_eq!(key("ﾒｰﾙｱﾄﾞﾚｽ"), "メールアドレス");
        assert_eq!(key("（税込）"), "税込");
    }
}
