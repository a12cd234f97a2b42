import { expect, it } from 'vitest';
import en from '../../i18n/en.json';
import ja from '../../i18n/ja.json';
import { COLUMNS, tidied } from './columns';
import { mapped, namesOf } from './header';

const names = namesOf(COLUMNS.map(({ field }) => [en.field[field], ja.field[field]]));

it('brings columns of any order and either language into the order of the sheet', () => {
  const found = mapped(
    [
      ['取引番号', ' customer name ', 'memo', 'ｐｌａｎＩｄ'],
      ['T-1', '見本 太郎', 'x', 'plan-1'],
      ['T-2'],
    ],
    names,
  );
  expect(found?.unknown).toEqual(['memo']);
  expect(found?.rows).toEqual([
    [
      undefined,
      undefined,
      'plan-1',
      undefined,
      'T-1',
      undefined,
      undefined,
      '見本 太郎',
      undefined,
    ],
    [undefined, undefined, '', undefined, 'T-2', undefined, undefined, '', undefined],
  ]);
});

it('knows the names that tills give their columns, with or without a suffix', () => {
  const head = [
    '伝票番号',
    '合計金額（税込）',
    'お客様氏名',
    '商品コード',
    'プランコード',
    '保証料',
  ];
  const found = mapped([head, ['T-1', '3000', '見本 太郎', 'p-1', 'plan-1', '500']], names);
  expect(found?.unknown).toEqual([]);
  expect(found?.rows[0]?.filter((text) => text !== undefined)).toEqual([
    'p-1',
    'plan-1',
    '500',
    'T-1',
    '3000',
    '見本 太郎',
  ]);
});

it('finds the names below a title and blank rows', () => {
  const head = ['商品コード', '取引番号'];
  const title = [['11月の売上'], ['2026-11-20'], [], ['', '']];
  const found = mapped([...title, head, ['p-1', 'T-1']], names);
  expect(found?.rows.map((row) => row.filter((text) => text !== undefined))).toEqual([
    ['p-1', 'T-1'],
  ]);
  expect(mapped([['11月の売上'], ['p-1', 'T-1'], head], names)).toBeNull();
  expect(mapped([['2026/11/20'], head, ['p-1', 'T-1']], names)).not.toBeNull();
  for (const code of ['4901234567894', 'ｐ-1']) {
    expect(mapped([['', code], head, ['p-1', 'T-1']], names)).toBeNull();
  }
});

it('takes nothing when two columns may be one amount, and says which', () => {
  const head = ['商品コード', '取引番号', '単価（税込）', '販売価格'];
  const found = mapped([head, ['p-1', 'T-1', '2', '3']], names);
  const expected = { why: 'severalColumns', field: 'productPurchasePrice', names: head.slice(2) };
  expect(found?.notTaken).toEqual(expected);
});

it('takes nothing when an amount with tax is there beside one without', () => {
  for (const [field, ...two] of [
    ['productPurchasePrice', '本体価格', '税込価格'],
    ['productPurchasePrice', '単価', '単価税込み'],
    ['transactionTotal', '合計', '税込合計'],
    ['transactionTotal', 'Total', 'Total incl. tax'],
    ['productPurchasePrice', 'Price', 'Incl. tax price'],
    ['transactionTotal', 'Total', 'Including tax total'],
  ]) {
    const found = mapped([['商品コード', '取引番号', ...two]], names);
    expect(found?.notTaken).toEqual({ why: 'severalColumns', field, names: two });
  }
});

it('takes no column that is said to be without tax for the amount', () => {
  for (const name of [
    '合計（税抜）',
    '合計【税別】',
    '合計（外税）',
    '合計（税ぬき）',
    'Total (excl. tax)',
    'Total (excl. consumption tax)',
    'Total (tax not included)',
    'Total (tax excluded)',
    'Total (excluding VAT)',
    'Total (exclusive of tax)',
    'Total (ex. tax)',
    'Total (without tax)',
    'Total (before tax)',
  ]) {
    const found = mapped([['商品コード', '取引番号', name]], names);
    expect(found?.unknown).toEqual([name]);
    const beside = mapped([['商品コード', '取引番号', name, '合計（税込）']], names);
    expect([beside?.notTaken, beside?.unknown]).toEqual([null, [name]]);
  }
});

it('knows a name that excludes something other than tax as without it', () => {
  const head = [
    'Total (incl. tax, excl. shipping)',
    'Fee (excl. discount)',
    'Customer name (excl. title)',
    'SKU (excl. variants)',
  ];
  expect(mapped([head], names)?.unknown).toEqual([]);
});

it('knows a header by one name beside an amount without tax', () => {
  const found = mapped(
    [
      ['商品コード', '単価（税抜）'],
      ['p-1', '500'],
    ],
    names,
  );
  expect(found?.unknown).toEqual(['単価（税抜）']);
  expect(found?.rows.map((row) => row.filter((text) => text !== undefined))).toEqual([['p-1']]);
});

it('takes nothing when two columns may be the transaction', () => {
  const head = ['商品コード', '伝票番号', 'レシート番号'];
  const found = mapped([head, ['p-1', 'D-1', 'R-1']], names);
  const expected = { why: 'severalColumns', field: 'transactionId', names: head.slice(1) };
  expect(found?.notTaken).toEqual(expected);
});

it("takes the interface's own name before others, and of two dates the one of the sale", () => {
  const head = ['会計日', '取引日', '単価', 'productPurchasePrice'];
  const found = mapped([head, ['2026-11-21', '2026-11-20', '2', '3']], names);
  expect(found?.notTaken).toBeNull();
  expect(found?.unknown).toEqual(['会計日', '単価']);
  expect(found?.rows[0]?.filter((text) => text !== undefined)).toEqual(['3', '2026-11-20']);
});

it('takes the better of two names although the screen has the other one, as a file is read', () => {
  for (const two of [
    ['取引日時', '販売日時'],
    ['お客様名', 'お客様氏名'],
    ['メールアドレス', 'Email'],
    ['保証プランID', 'プランID'],
  ]) {
    const found = mapped([['商品コード', '取引番号', ...two]], names);
    expect(found?.notTaken).toBeNull();
    expect(found?.unknown).toHaveLength(1);
  }
});

it('takes nothing when a bare name, which may be the product, is there beside a customer', () => {
  const head = ['planId', 'Customer', 'Name'];
  const found = mapped([head, ['p-1', '見本 太郎', '冷蔵庫']], names);
  const expected = { why: 'severalColumns', field: 'customerName', names: head.slice(1) };
  expect(found?.notTaken).toEqual(expected);
});

it('takes a column of names before one of customers, which may hold their numbers', () => {
  const found = mapped(
    [
      ['Customer', 'Full name', 'planId'],
      ['C00123', '見本 太郎', 'p-1'],
    ],
    names,
  );
  expect(found?.unknown).toEqual(['Customer']);
  expect(found?.rows[0]?.filter((text) => text !== undefined)).toEqual(['p-1', '見本 太郎']);
});

it('knows a list that was exported here by its contract or inquiry code alone', () => {
  const isExported = (columns: string[], ...rows: string[][]) =>
    mapped(
      [['transactionId', 'planId', ...columns], ...rows.map((row) => ['T-1', 'p', ...row])],
      names,
    )?.notTaken?.why === 'exported';
  expect(isExported([' contractId'], [''], ['c-1'])).toBe(true);
  expect(isExported(['inquiryCode'], ['q-1'])).toBe(true);
  expect(isExported(['contractId', 'state '], ['', 'queued'])).toBe(true);
  expect(isExported(['contractId', 'state'], ['', 'rejected'])).toBe(false);
  expect(isExported(['contractId'], [' '])).toBe(false);
  expect(isExported(['state'], ['confirmed'])).toBe(false);
});

it('takes no sale for a header, even when one cell of it reads like a name', () => {
  expect(mapped([['4901', '100', 'planId', '10', 'T-1']], names)).toBeNull();
  expect(mapped([[]], names)).toBeNull();
});

it('makes codes and amounts plain, and never touches a name', () => {
  const column = (field: string) => COLUMNS.findIndex((found) => found.field === field);
  expect(tidied(column('transactionTotal'), '１２，３００円')).toBe('12300');
  expect(tidied(column('transactionTotal'), '0120')).toBe('120');
  expect(tidied(column('transactionTotal'), 'about 5')).toBe('about 5');
  expect(tidied(column('transactionTotal'), '1980\n2980')).toBe('1980\n2980');
  expect(tidied(column('transactionId'), ' Ｔ－００１ ')).toBe('T-001');
  expect(tidied(column('transactionId'), '00120')).toBe('00120');
  expect(tidied(column('customerName'), ' Ｊｏｈｎ　Ｓｍｉｔｈ ')).toBe('Ｊｏｈｎ　Ｓｍｉｔｈ');
});
