//! Products known at this desk, at rest.

use std::collections::HashSet;

use rusqlite::{Connection, Row, params, params_from_iter};
use warranty_model::interface::ProductReference;

use super::{Result, Store, journal, sql_types};
use crate::query::{Query as _, Read};
use warranty_model::products::{
    KnownFrom, ProductFilter, ProductHint, ProductPage, ProductRecord, ProductSort,
};
use warranty_model::search_text::{fold_all, is_dash, words};

const COLUMNS: &str =
    "reference_id, title, price, image_url, category, brand, known_from, known_at";

impl Store {
    /// The product that the service named last in an answer.
    pub async fn product_of_the_service(
        &self,
        profile_id: &str,
    ) -> Result<Option<ProductReference>> {
        let sql = "SELECT reference_id FROM product
             WHERE profile_id = ?1 AND known_from IN ('upsert', 'plan', 'contract')
             ORDER BY known_at DESC LIMIT 1";
        self.find(sql, [profile_id.to_owned()], |row| sql_types::word(row, 0))
            .await
    }

    /// A part of the products whose text holds every word, in an order.
    pub async fn list_products(
        &self,
        profile_id: &str,
        filter: ProductFilter,
    ) -> Result<ProductPage> {
        let (found, values) = holding(profile_id, &filter.text);
        self.call(move |connection| {
            let sql = format!("SELECT count(*) {found}");
            let count = connection.value(&sql, params_from_iter(&values))?;
            let column = match filter.sort {
                ProductSort::ReferenceId => "reference_id",
                ProductSort::Title => "title",
                ProductSort::Price => "price",
                ProductSort::Category => "category",
                ProductSort::Brand => "brand",
                ProductSort::KnownAt => "known_at",
            };
            let turn = if filter.ascending { "ASC" } else { "DESC" };
            let products = connection.list(
                &format!(
                    "SELECT {COLUMNS} {found} ORDER BY {column} {turn} NULLS LAST, reference_id
                     LIMIT {} OFFSET {}",
                    filter.limit, filter.offset
                ),
                params_from_iter(&values),
                product,
            )?;
            Ok(ProductPage { products, count })
        })
        .await
    }

    pub async fn product(
        &self,
        profile_id: &str,
        reference: &ProductReference,
    ) -> Result<Option<ProductRecord>> {
        let (id, reference) = (profile_id.to_owned(), reference.clone());
        self.call(move |connection| one(connection, &id, &reference))
            .await
    }

    /// The references of all products known, in order.
    pub async fn product_references(&self, profile_id: &str) -> Result<Vec<ProductReference>> {
        let sql = "SELECT reference_id FROM product WHERE profile_id = ?1 ORDER BY 1";
        self.list(sql, [profile_id.to_owned()], |row| sql_types::word(row, 0))
            .await
    }

    /// Takes over what is newly known of many products in one transaction, and returns how many
    /// were not known before. What is known is never blanked, and what a typed reference or the
    /// practice catalogue says never replaces what the service said.
    pub async fn remember_products(
        &self,
        profile_id: &str,
        hints: Vec<ProductHint>,
        from: KnownFrom,
        at: i64,
    ) -> Result<u32> {
        // Reading costs next to nothing, and a change waits for the disk.
        let id = profile_id.to_owned();
        let news = self
            .call(move |connection| news(connection, &id, hints, from, at))
            .await?;
        if news.is_empty() {
            return Ok(0);
        }
        let id = profile_id.to_owned();
        self.write(move |transaction| remember(transaction, &id, &news, from, at))
            .await
    }

    /// Takes over the answer of an upsert, with a line of the journal.
    pub async fn remember_upsert(
        &self,
        profile_id: &str,
        answer: ProductHint,
        line: journal::Line,
    ) -> Result<()> {
        let profile_id = profile_id.to_owned();
        self.write(move |transaction| {
            let from = KnownFrom::Upsert;
            merge(transaction, &profile_id, &answer, from, line.at)?;
            journal::append(transaction, &line)
        })
        .await
    }
}

/// Which products of a profile hold every word of a text: the end of a statement, and its values.
fn holding(profile_id: &str, text: &str) -> (String, Vec<String>) {
    let mut found = "FROM product WHERE profile_id = ?1".to_owned();
    let mut values = vec![profile_id.to_owned()];
    for word in words(text) {
        if word.contains(is_dash) {
            found.push_str(" AND folded GLOB ?");
            values.push(any_dash(&word));
        } else {
            found.push_str(" AND instr(folded, ?) > 0");
            values.push(word);
        }
    }
    (found, values)
}

/// The pattern of texts that hold a word, whatever kinds of dashes they are stored with.
fn any_dash(word: &str) -> String {
    let mut pattern = "*".to_owned();
    for c in word.chars() {
        match c {
            dash if is_dash(dash) => pattern.push_str("[-ー\u{2010}-\u{2015}\u{2212}]"),
            '*' | '?' | '[' => pattern.extend(['[', c, ']']),
            _ => pattern.push(c),
        }
    }
    pattern.push('*');
    pattern
}

pub(crate) fn one(
    connection: &Connection,
    profile_id: &str,
    reference: &ProductReference,
) -> Read<Option<ProductRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM product WHERE profile_id = ?1 AND reference_id = ?2");
    connection.find(&sql, [profile_id, reference.as_str()], product)
}

/// The hints about products for which at least one hint would change what is known, in order.
fn news(
    connection: &Connection,
    profile_id: &str,
    mut hints: Vec<ProductHint>,
    from: KnownFrom,
    at: i64,
) -> Read<Vec<ProductHint>> {
    let mut changed = HashSet::new();
    for hint in &hints {
        let known = one(connection, profile_id, &hint.reference_id)?;
        let now = merged(known.as_ref(), hint, from, at);
        if now.is_some() && now != known {
            changed.insert(hint.reference_id.clone());
        }
    }
    hints.retain(|hint| changed.contains(&hint.reference_id));
    Ok(hints)
}

fn remember(
    transaction: &Connection,
    profile_id: &str,
    hints: &[ProductHint],
    from: KnownFrom,
    at: i64,
) -> Read<u32> {
    let merge = |hint| merge(transaction, profile_id, hint, from, at).map(u32::from);
    hints.iter().map(merge).sum()
}

/// Merges one hint; whether the product was not known before.
fn merge(
    transaction: &Connection,
    profile_id: &str,
    hint: &ProductHint,
    from: KnownFrom,
    at: i64,
) -> Read<bool> {
    let known = one(transaction, profile_id, &hint.reference_id)?;
    let Some(record) = merged(known.as_ref(), hint, from, at) else {
        return Ok(false);
    };
    let product = &record.product;
    let folded = fold_all([
        Some(product.reference_id.as_str()),
        product.title.as_deref(),
        product.category.as_deref(),
        product.brand.as_deref(),
    ]);
    transaction.change(
        "INSERT OR REPLACE INTO product (profile_id, reference_id, title, price, image_url,
             category, brand, known_from, known_at, folded)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            profile_id,
            product.reference_id.as_str(),
            product.title,
            product.price.map(i64::from),
            product.image_url,
            product.category,
            product.brand,
            sql_types::text_of(&record.known_from)?,
            record.known_at.get().timestamp_millis(),
            folded,
        ],
    )?;
    Ok(known.is_none())
}

/// What is known after a hint; `None` when it says nothing new.
fn merged(
    known: Option<&ProductRecord>,
    hint: &ProductHint,
    from: KnownFrom,
    at: i64,
) -> Option<ProductRecord> {
    fn pick<T: Clone>(old: Option<&T>, new: Option<&T>, replaces: bool) -> Option<T> {
        if replaces { new.or(old) } else { old.or(new) }.cloned()
    }
    let at = sql_types::moment(at)?;
    let Some(old) = known else {
        return Some(ProductRecord {
            product: hint.clone(),
            known_from: from,
            known_at: at,
        });
    };
    // A contract shows its product as it was sold, perhaps long ago.
    let replaces =
        from.is_service() && !(from == KnownFrom::Contract && old.known_from.is_service());
    let was = &old.product;
    let fresh = ProductRecord {
        product: ProductHint {
            reference_id: was.reference_id.clone(),
            title: pick(was.title.as_ref(), hint.title.as_ref(), replaces),
            price: pick(was.price.as_ref(), hint.price.as_ref(), replaces),
            image_url: pick(was.image_url.as_ref(), hint.image_url.as_ref(), replaces),
            category: pick(was.category.as_ref(), hint.category.as_ref(), replaces),
            // An upsert cannot name a brand, so that of its answer is the whole truth.
            brand: if from == KnownFrom::Upsert {
                hint.brand.clone()
            } else {
                pick(was.brand.as_ref(), hint.brand.as_ref(), replaces)
            },
        },
        ..*old
    };
    if !replaces && fresh == *old {
        return None;
    }
    if old.known_from.is_service() && !replaces {
        // Blanks were filled; the source and age shown stay those of what the service said.
        return Some(fresh);
    }
    // One age stands for all fields: that of those which are not named again.
    let partial = old.known_from.is_service() && fresh.product != *hint;
    let saved = partial && old.known_from == KnownFrom::Upsert;
    Some(ProductRecord {
        known_from: if saved { old.known_from } else { from },
        known_at: if partial { old.known_at } else { at },
        ..fresh
    })
}

fn product(row: &Row<'_>) -> Read<ProductRecord> {
    Ok(ProductRecord {
        product: ProductHint {
            reference_id: sql_types::word(row, 0)?,
            title: row.get(1)?,
            price: sql_types::or_none(row, 2, sql_types::whole)?,
            image_url: row.get(3)?,
            category: row.get(4)?,
            brand: row.get(5)?,
        },
        known_from: sql_types::word(row, 6)?,
        known_at: sql_types::instant(row, 7)?,
    })
}

#[cfg(test)]
#[path = "products_tests.rs"]
mod tests;
