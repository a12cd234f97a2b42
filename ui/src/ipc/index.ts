// The bridge to the desk under the names of the interface. The generated file has separate types
// for input and output; the screens use the output.
import type * as wire from './bindings';

export { answers, yesTo } from './confirmations';
export { columnAliases, commands, events } from './bindings';
export type * from './bindings';
export type { Format as FileFormat } from './bindings';

export type Address = wire.Address_Serialize;
export type AttemptView = wire.AttemptView_Serialize;
export type CaseView = wire.CaseView_Serialize;
export type ConnectionReport = wire.ConnectionReport_Serialize;
export type Contract = wire.Contract_Serialize;
export type Day = wire.Day_Serialize;
export type DayFigures = wire.DayFigures_Serialize;
export type DayPart = wire.DayPart_Serialize;
export type Diagnosis = wire.Diagnosis_Serialize;
export type Draft = wire.Draft_Serialize;
export type EntryFilter = wire.EntryFilter_Serialize;
export type EntryPage = wire.EntryPage_Serialize;
export type DeskStatus = wire.DeskStatus_Serialize;
export type EntryCheck = wire.EntryCheck_Serialize;
export type LeadMismatch = wire.LeadMismatch_Serialize;
export type LeadView = wire.LeadView_Serialize;
export type LinkReport = wire.LinkReport_Serialize;
export type Organization = wire.Organization_Serialize;
export type Overview = wire.Overview_Serialize;
export type Paper = wire.Paper_Serialize;
export type PaperOf = wire.PaperOf_Deserialize;
export type Plan = wire.Plan_Serialize;
export type PlanRecord = wire.PlanRecord_Serialize;
export type PlanList = wire.PlanList_Serialize;
export type ProductPage = wire.ProductPage_Serialize;
export type ProductRecord = wire.ProductRecord_Serialize;
export type PolicyReport = wire.PolicyReport_Serialize;
export type Profile = wire.Profile_Serialize;
export type ProfileDraft = wire.ProfileDraft_Deserialize;
export type Question = wire.Question_Serialize;
export type Reconciliation = wire.Reconciliation_Serialize;
export type RegisteredSale = wire.RegisteredSale_Serialize;
export type RecentLookup = wire.RecentLookup_Serialize;
export type RescueReport = wire.RescueReport_Serialize;
export type RunRow = wire.RunRow_Serialize;
export type RunView = wire.RunView_Serialize;
export type SheetPart = wire.SheetPart_Deserialize;
export type Settings = wire.Settings_Serialize;
export type SubmissionView = wire.SubmissionView_Serialize;
export type UiError = wire.UiError_Serialize;
export type UpsertReport = wire.UpsertReport_Serialize;

/** The answer of every command. */
export type Answer<T> = { status: 'ok'; data: T } | { status: 'error'; error: UiError };
