// What a page may do with a run: many rows kept by the desk and worked through by it.
import {
  commands,
  type AnsweredRows,
  type Confirmed,
  type EnterMode,
  type RunOutcome,
  type SheetRow,
} from '.';

export const runs = {
  newest: (limit: number) => commands.runs(limit),
  one: (id: string) => commands.run(id),
  /** Rows that have come to something, behind the row of this number. */
  rows: (id: string, only: RunOutcome | null, after: number, limit: number) =>
    commands.runRows(id, only, after, limit),
  stage: (id: string, rows: SheetRow[]) => commands.sheetStage(id, rows),
  check: (id: string) => commands.runCheck(id),
  stopCheck: (id: string) => commands.runCheckStop(id),
  answer: (id: string, rows: AnsweredRows, yes: Confirmed) => commands.runAnswer(id, rows, yes),
  start: (id: string, mode: EnterMode) => commands.runStart(id, mode),
  pause: (id: string) => commands.runPause(id),
  resume: (id: string) => commands.runResume(id),
  cancel: (id: string) => commands.runCancel(id),
  forget: (id: string) => commands.runForget(id),
};
