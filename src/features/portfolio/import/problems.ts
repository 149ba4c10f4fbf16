import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { importMessages } from '../messages/import.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import type { TransactionKind } from '#src/kernel/ledger.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { type EntryProblem, entryProblemText } from '../recording/entry-problems.ts';
import { SHEET_LIMITS, type SheetProblem } from './files/sheet.ts';
import type { LedgerProblem } from '../ledger/ledger-state.ts';
import { ledgerProblemText } from '../recording/entry-text.ts';

/** The most transactions of one file. */
export const RECORD_LIMIT = 5_000;

/** Broker transactions that no entry represents; the answer says what to type instead. */
const NOT_ENTRIES = [
  'shares-in',
  'shares-out',
  'option',
  'bond',
  'reorganisation',
  'cancelled',
  'subscription',
  'fx-leg',
  'split-leg',
  'no-ratio',
  'no-currency',
] as const;

/** The reason why a line cannot be recorded. `typed` is the unchecked cell. */
export type RowProblem =
  | { readonly kind: 'no-kind' }
  | { readonly kind: 'unknown-kind'; readonly typed: string }
  | { readonly kind: 'no-date'; readonly typed: string }
  | { readonly kind: 'no-number'; readonly typed: string }
  | { readonly kind: 'formula'; readonly typed: string }
  /** Options, bonds, futures. */
  | { readonly kind: 'asset'; readonly typed: string }
  /** A purchase of a negative quantity, or a deposit of a negative amount. */
  | { readonly kind: 'sign'; readonly of: TransactionKind }
  | { readonly kind: 'fee-currency'; readonly typed: string }
  | { readonly kind: (typeof NOT_ENTRIES)[number] }
  /** The line splits at spaces into another number of cells than the headings. */
  | { readonly kind: 'columns'; readonly count: number; readonly expected: number }
  | { readonly kind: 'no-name' }
  | { readonly kind: 'ambiguous'; readonly typed: string; readonly choices: readonly Instrument[] }
  | { readonly kind: 'unknown-name'; readonly typed: string; readonly choices: readonly Instrument[] }
  /** Too many unknown names, so this one was not looked up. */
  | { readonly kind: 'unchecked-name'; readonly typed: string }
  /** Too many lines do not fit, so this one was not checked. */
  | { readonly kind: 'unchecked-line' }
  | { readonly kind: 'entry'; readonly problem: EntryProblem }
  | { readonly kind: 'ledger'; readonly problem: LedgerProblem }
  /** The line would break a recorded entry of a later day. */
  | { readonly kind: 'breaks-later'; readonly date: Temporal.PlainDate };

/** Says in one sentence what is wrong with a line and what to do. */
export const rowProblemText = (problem: RowProblem, locale: Locale): string => {
  const t = importMessages(locale).rows;
  const { kinds } = portfolioMessages(locale);
  switch (problem.kind) {
    case 'no-kind':
    case 'no-name':
    case 'unchecked-line':
    case 'shares-in':
    case 'shares-out':
    case 'option':
    case 'bond':
    case 'reorganisation':
    case 'cancelled':
    case 'subscription':
    case 'fx-leg':
    case 'split-leg':
    case 'no-ratio':
    case 'no-currency':
      return t[problem.kind]();
    case 'columns':
      return t.columns({ count: problem.count, expected: problem.expected });
    case 'unknown-kind':
    case 'no-date':
    case 'no-number':
    case 'formula':
    case 'asset':
    case 'fee-currency':
    case 'unchecked-name':
      return t[problem.kind]({ typed: echo(problem.typed) });
    case 'sign':
      return t.sign({ kind: kinds[problem.of] });
    case 'ambiguous':
    case 'unknown-name': {
      const choices = problem.choices.map((choice) => instrumentLabel(choice, locale)).join(', ');
      return t[problem.kind]({ typed: echo(problem.typed), choices });
    }
    case 'entry':
      return entryProblemText(problem.problem, locale);
    case 'ledger':
      return ledgerProblemText(problem.problem, locale);
    case 'breaks-later':
      return t['breaks-later']({ date: problem.date.toString() });
  }
  return problem satisfies never;
};

/** The reason why a whole file is not read. */
export type FileProblem =
  | SheetProblem
  | {
      readonly kind:
        | 'nothing'
        | 'nothing-named'
        | 'several-files'
        | 'too-large'
        | 'not-fetched'
        | 'pdf'
        | 'no-kinds'
        | 'not-text'
        | 'old-workbook'
        | 'named-only'
        | 'no-header'
        | 'no-rows'
        | 'unclear-dates';
    };

export const fileProblemText = (problem: FileProblem, locale: Locale): string => {
  const t = importMessages(locale).file;
  switch (problem.kind) {
    case 'too-many-rows':
      return t['too-many-rows']({ limit: RECORD_LIMIT });
    case 'too-many-columns':
      return t['too-many-columns']({ line: problem.line, limit: SHEET_LIMITS.columns });
    case 'long-cell':
      return t['long-cell']({ line: problem.line, limit: SHEET_LIMITS.cellCharacters });
    case 'open-quote':
      return t['open-quote']({ line: problem.line });
    case 'nothing':
    case 'nothing-named':
    case 'several-files':
    case 'too-large':
    case 'not-fetched':
    case 'pdf':
    case 'no-kinds':
    case 'not-text':
    case 'old-workbook':
    case 'named-only':
    case 'broken-workbook':
    case 'no-header':
    case 'no-rows':
    case 'unclear-dates':
      return t[problem.kind]();
  }
  return problem satisfies never;
};
