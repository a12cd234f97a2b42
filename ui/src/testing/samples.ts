// Sample data for tests, in the format of the desk's answers.
import type {
  CaseView,
  CloseItem,
  Contract,
  Day,
  DayFigures,
  DeskStatus,
  EntryCheck,
  EntryDraft,
  EntryPage,
  LeadView,
  OutboxSummary,
  Overview,
  Plan,
  PlanRecord,
  PlanList,
  PolicyReport,
  ProductPage,
  ProductRecord,
  Profile,
  Question,
  SubmissionView,
} from '../ipc';

export const summary: OutboxSummary = {
  waiting: 0,
  held: 0,
  heldForToken: 0,
  unknown: 0,
  accepted: 0,
  confirmed: 1,
  rejected: 0,
  needsPerson: 0,
  possibleDuplicates: 0,
};

export const overview: Overview = {
  connection: 'connected',
  lastContact: '2026-11-21T10:00:00.000+09:00',
  open: {
    outbox: summary,
    sheetRows: 0,
    runs: 0,
    leadsWaiting: 0,
    leadsUnanswered: 0,
    leadsRejected: 0,
    drafts: 0,
    leadDrafts: 0,
    productDrafts: 0,
  },
  allDone: true,
  otherProfiles: 0,
  askedAgainAt: null,
  asksToWaitUntil: null,
  failure: null,
  unseenReport: false,
};

export const practice: Profile = {
  id: 'profile-practice',
  name: 'Practice',
  kind: 'practice',
  baseUrl: 'practice',
  storeId: 'store-sample',
  utcOffsetMinutes: 540,
  timeZone: null,
  display: { currency: '円', termUnit: '' },
  facts: { bulk: 'unknown', keyReplaySeconds: null },
};

export const live: Profile = {
  ...practice,
  id: 'profile-live',
  name: 'Sample store',
  kind: 'live',
  baseUrl: 'https://warranty.example.jp',
};

export const status: DeskStatus = {
  version: '0.0.0',
  profile: practice,
  token: 'present',
  keychain: null,
  customers: { kind: 'readable' },
  blocker: null,
  overview,
  outbox: summary,
  settings: { language: 'en', theme: 'light', retentionDays: null },
  staff: { policy: 'off', code: null },
  organization: {
    locked: { profiles: false, practice: false, exports: false, language: false, retention: false },
    profiles: [],
    unfinished: [],
    support: { text: null, url: null },
    closed: false,
  },
  backup: { takenAt: null, failed: false },
  rescue: null,
  damaged: false,
};

/** The answers of a desk that sells for the live store, or wants a staff code for each sale. */
export const sellsLive = { status: () => ({ ...status, profile: live }) };
export const wantsStaff = {
  status: () => ({ ...status, staff: { policy: 'perSale', code: null } }),
};

export const policy: PolicyReport = {
  keys: [
    { key: 'profilesLocked', value: null, level: 'builtIn', source: null, overruled: [] },
    { key: 'retentionDays', value: null, level: 'builtIn', source: null, overruled: [] },
  ],
  findings: [],
  isLastGood: false,
  isClosed: false,
  closedProfiles: [],
  movedProfiles: [],
};

export const REFERENCE = '2000000000015';

/** What a check finds of a row that is as it should be. */
export const clean: EntryCheck = { problems: [], questions: [], warnings: [] };

/** What is typed of a sale before anything is. */
export const noDraft: EntryDraft = {
  transactionId: '',
  transactionTotal: '',
  transactionDate: '',
  customerName: '',
  customerEmail: '',
  productReferenceId: '',
  productPurchasePrice: '',
  planId: '',
  planPurchasePrice: '',
};

const plan = (n: number, price: number, storeReferenceId: string | null): Plan => ({
  id: `plan-${n}`,
  storeReferenceId,
  title: `Sample plan ${n}`,
  price,
  termLength: 12 * n,
  serviceType: 'repair',
  protectionType: 'breakdown',
  url: 'https://sample.invalid/plan',
});

export const plans: Plan[] = [plan(1, 1980, 'EW-1'), plan(2, 3980, 'EW-2'), plan(3, 9800, null)];

export const planList: PlanList = {
  productReference: REFERENCE,
  productTitle: 'Sample washing machine',
  productPrice: 98000,
  filter: 'Live',
  plans,
  fetchedAt: '2026-11-21T10:00:00.000+09:00',
  ageSeconds: 60,
  source: 'service',
};

export const record: PlanRecord = {
  plan: plans[2]!,
  productReference: REFERENCE,
  product: null,
  pageHost: 'sample.invalid',
  fetchedAt: '2026-11-21T10:00:00.000+09:00',
  ageSeconds: 60,
  source: 'service',
};

export const product: ProductRecord = {
  referenceId: REFERENCE,
  title: 'Sample washing machine',
  price: 98000,
  imageUrl: 'https://sample.invalid/washer.jpg',
  category: 'Washing machines',
  brand: 'Sample brand',
  knownFrom: 'practice',
  knownAt: '2026-11-21T10:00:00.000+09:00',
};

export const submission: SubmissionView = {
  id: 'submission-1',
  state: 'queued',
  transactionId: 'T-1',
  transactionTotal: 100000,
  transactionDate: '2026-11-21T10:00:00.000+09:00',
  customer: 'known',
  customerName: '山田 花子',
  customerEmail: 'hanako@example.jp',
  productReferenceId: REFERENCE,
  productTitle: 'Sample washing machine',
  productPurchasePrice: 98000,
  planId: 'plan-2',
  planTitle: 'Sample plan 2',
  planPurchasePrice: 3980,
  enteredAt: '2026-11-21T10:00:00.000+09:00',
  enteredBy: 'clerk',
  contractId: null,
  inquiryCode: null,
  attempts: 0,
  nextAt: null,
  case: null,
  refusal: null,
  requestId: null,
  status: null,
  duplicatePossible: false,
  duplicateChecked: null,
};

/** An entry that the service refused with a message about the customer's address. */
export const refused: SubmissionView = {
  ...submission,
  state: 'rejected',
  refusal: 'contracts[0].customer.email must be an e-mail address',
  requestId: 'request-9',
  attempts: 1,
};

/** A list of this number of entries, all on one page. */
export const page = (count: number): EntryPage => ({
  entries: Array.from({ length: count }, (_, at) => ({
    ...submission,
    id: `submission-${at + 1}`,
    transactionId: `T-${at + 1}`,
    planPurchasePrice: 1000,
  })),
  count,
  notSold: 0,
  fees: count * 1000,
  reading: null,
});

/** A list of these products alone. */
export const known = (products: ProductRecord[]): ProductPage => ({
  products,
  count: products.length,
});

/** A list of these entries alone. */
export const listed = (entries: SubmissionView[]): EntryPage => ({
  ...page(0),
  entries,
  count: entries.length,
});

export const openCase: CaseView = {
  submission: { ...submission, state: 'needsPerson', case: 'unknownTooLong', attempts: 1 },
  replaces: null,
  replacedBy: null,
  batchId: 'batch-1',
  batchSize: 1,
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-21T10:00:01.000+09:00',
      finishedAt: '2026-11-21T10:01:01.000+09:00',
      class: 'unknown',
      status: null,
      requestId: null,
      code: null,
      detail: 'no answer in time',
    },
  ],
  resolutions: ['giveContractId', 'providerHasNone', 'replayOnce', 'cancel'],
  paused: false,
};

export const lead: LeadView = {
  id: 'lead-1',
  state: 'created',
  transactionId: 'T-1',
  productReferenceId: REFERENCE,
  productTitle: 'Sample washing machine',
  productPurchasePrice: 98000,
  quantity: 1,
  transactionDate: '2026-11-21T10:00:00.000+09:00',
  status: 'open',
  enteredAt: '2026-11-21T10:00:00.000+09:00',
  enteredBy: 'clerk',
  token: 'lead-token-1',
  requestId: null,
  refusal: null,
  mismatch: null,
  tokenUnreadable: false,
  due: null,
  note: null,
  noteUnreadable: false,
  noteLost: false,
  keyLost: false,
};

export const contract: Contract = {
  id: 'contract-1',
  inquiryCode: 'INQ-1',
  transactionId: 'T-1',
  transactionTotal: 100000,
  transactionDate: '2026-11-21T10:00:00.000+09:00',
  customer: {
    id: 'customer-1',
    referenceId: 'member-7',
    name: '山田 花子',
    email: 'hanako@example.jp',
    phone: '03-0000-0000',
    billingAddress: {
      postalNumber: '160-0000',
      prefecture: '東京都',
      city: '新宿区',
      address: '見本町1-2-3',
      building: '見本ビル',
    },
    shippingAddress: null,
  },
  product: {
    id: 'product-1',
    referenceId: REFERENCE,
    title: 'Sample washing machine',
    price: 98000,
    imageUrl: 'https://sample.invalid/washer.jpg',
    category: 'Washing machines',
    brand: 'Sample brand',
    purchasePrice: 95000,
    serialNumber: 'SN-42',
    createdAt: '2025-01-01T00:00:00.000+09:00',
    updatedAt: '2025-01-02T00:00:00.000+09:00',
  },
  plan: {
    id: 'plan-2',
    title: 'Sample plan 2',
    price: 3980,
    termLength: 24,
    serviceType: 'repair',
    protectionType: 'breakdown',
    url: 'https://sample.invalid/plan',
  },
  store: {
    id: 'store-sample',
    name: 'Sample store',
    webSite: 'https://sample.invalid/',
    logoUrl: 'https://sample.invalid/logo.png',
  },
  isFulfilled: false,
  status: 'odd-status',
  fraud: true,
  startedAt: '2026-11-21T11:00:00.000+09:00',
  endedAt: '2028-11-21T11:00:00.000+09:00',
  createdAt: '2026-11-21T10:00:02.000+09:00',
  updatedAt: '2026-11-21T10:00:03.000+09:00',
};

export const secondContract: Extract<Question, { kind: 'secondContract' }> = {
  kind: 'secondContract',
  submissionId: 'second',
  state: 'confirmed',
  contractId: 'c-2',
  profile: 'Branch',
};

const figuresOf = (date: string, contracts: number, leads: number): DayFigures => ({
  date,
  contracts,
  sold: contracts,
  fees: contracts * 3980,
  leads,
  attachPermille:
    contracts + leads === 0 ? null : Math.round((contracts * 1000) / (contracts + leads)),
});

const CLOSE_ITEMS: CloseItem[] = [
  'needsPerson',
  'rejected',
  'possibleDuplicates',
  'leadsUnanswered',
  'leadsRejected',
  'unknown',
  'waiting',
  'accepted',
  'leadsWaiting',
  'sheetRows',
  'runs',
  'drafts',
  'leadDrafts',
  'productDrafts',
  'otherProfiles',
  'report',
  'connection',
];

/** A closed day of three contracts and a lead. */
export const day: Day = {
  today: '2026-11-21',
  figures: figuresOf('2026-11-21', 3, 1),
  states: { confirmed: 2, waiting: 1, attention: 0, refused: 0 },
  days: Array.from({ length: 14 }, (_, at) =>
    figuresOf(`2026-11-${String(8 + at).padStart(2, '0')}`, at === 13 ? 3 : at, 1),
  ),
  byStaff: [{ name: 'aoki', contracts: 3, fees: 11940, leads: 1, attachPermille: 750 }],
  byCategory: [
    { name: 'Refrigerators', contracts: 2, fees: 7960, leads: 1, attachPermille: 667 },
    { name: null, contracts: 1, fees: 3980, leads: 0, attachPermille: 1000 },
  ],
  followUps: 0,
  closing: { closed: true, lines: CLOSE_ITEMS.map((item) => ({ item, count: 0 })) },
};

/** The same day with unfinished work. */
export const openDay = (counts: Partial<Record<CloseItem, number>>): Day => ({
  ...day,
  closing: {
    closed: false,
    lines: CLOSE_ITEMS.map((item) => ({ item, count: counts[item] ?? 0 })),
  },
});
