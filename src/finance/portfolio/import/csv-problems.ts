import type { Instrument } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { TransactionKind } from '#src/core/ledger.ts';
import { instrumentLabel } from '../../answers/quote-text.ts';
import { echo } from '../../answers/resolve-names.ts';
import { CSV_LIMITS, type CsvProblem } from './csv.ts';
import { type EntryProblem, entryProblemText } from '../entries/entry-problems.ts';
import type { LedgerProblem } from '../ledger/ledger-state.ts';
import { ledgerProblemText } from '../record-text.ts';

/** Why one line cannot be recorded. `typed` is what stands there, unchecked. */
export type RowProblem =
  | { readonly kind: 'no-kind' }
  | { readonly kind: 'unknown-kind'; readonly typed: string }
  | { readonly kind: 'no-date'; readonly typed: string }
  | { readonly kind: 'no-number'; readonly typed: string }
  | { readonly kind: 'formula'; readonly typed: string }
  /** Options, bonds, futures. */
  | { readonly kind: 'asset'; readonly typed: string }
  /** A buy of fewer than none, a deposit that takes. */
  | { readonly kind: 'sign'; readonly of: TransactionKind }
  | { readonly kind: 'fee-currency'; readonly typed: string }
  /** A fee or a tax beside what is no trade: it would be lost. */
  | { readonly kind: 'charge'; readonly of: TransactionKind }
  | { readonly kind: 'no-name' }
  | { readonly kind: 'ambiguous'; readonly typed: string; readonly choices: readonly Instrument[] }
  | { readonly kind: 'unknown-name'; readonly typed: string; readonly choices: readonly Instrument[] }
  /** So many others are unknown that it was not looked up. */
  | { readonly kind: 'unchecked-name'; readonly typed: string }
  /** So many others do not fit that it was not counted with. */
  | { readonly kind: 'unchecked-line' }
  | { readonly kind: 'entry'; readonly problem: EntryProblem }
  | { readonly kind: 'ledger'; readonly problem: LedgerProblem }
  /** It would make something impossible that is recorded for a later day. */
  | { readonly kind: 'breaks-later'; readonly date: Temporal.PlainDate };

/** In one sentence: what is wrong with a line, and what to do. */
export const rowProblemText = (problem: RowProblem, locale: Locale): string => {
  const words = texts(locale).portfolioImport.rows;
  const { kinds } = texts(locale).portfolio;
  switch (problem.kind) {
    case 'no-kind':
    case 'no-name':
    case 'unchecked-line':
      return words[problem.kind]();
    case 'unknown-kind':
    case 'no-date':
    case 'no-number':
    case 'formula':
    case 'asset':
    case 'fee-currency':
    case 'unchecked-name':
      return words[problem.kind]({ typed: echo(problem.typed) });
    case 'sign':
    case 'charge':
      return words[problem.kind]({ kind: kinds[problem.of] });
    case 'ambiguous':
    case 'unknown-name': {
      const choices = problem.choices.map((choice) => instrumentLabel(choice, locale)).join(', ');
      return words[problem.kind]({ typed: echo(problem.typed), choices });
    }
    case 'entry':
      return entryProblemText(problem.problem, locale);
    case 'ledger':
      return ledgerProblemText(problem.problem, locale);
    case 'breaks-later':
      return words['breaks-later']({ date: problem.date.toString() });
  }
  return problem satisfies never;
};

/** Why a file as a whole is not read. */
export type FileProblem =
  | CsvProblem
  | {
      readonly kind:
        | 'nothing'
        | 'nothing-named'
        | 'several-files'
        | 'too-large'
        | 'not-fetched'
        | 'not-text'
        | 'spreadsheet'
        | 'no-header'
        | 'no-rows'
        | 'unclear-dates';
    };

export const fileProblemText = (problem: FileProblem, locale: Locale): string => {
  const words = texts(locale).portfolioImport.file;
  switch (problem.kind) {
    case 'too-many-rows':
      return words['too-many-rows']({ limit: CSV_LIMITS.rows });
    case 'too-many-columns':
      return words['too-many-columns']({ line: problem.line, limit: CSV_LIMITS.columns });
    case 'long-cell':
      return words['long-cell']({ line: problem.line, limit: CSV_LIMITS.cellCharacters });
    case 'open-quote':
      return words['open-quote']({ line: problem.line });
    case 'nothing':
    case 'nothing-named':
    case 'several-files':
    case 'too-large':
    case 'not-fetched':
    case 'not-text':
    case 'spreadsheet':
    case 'no-header':
    case 'no-rows':
    case 'unclear-dates':
      return words[problem.kind]();
  }
  return problem satisfies never;
};
