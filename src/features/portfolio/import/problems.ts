import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { importTexts } from '../texts/import.ts';
import { importRowTexts } from '../texts/import-rows.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { shownQuantityText } from '#src/markets/answers/money-text.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { type EntryProblem, entryProblemText } from '../entries/entry-problems.ts';
import { SHEET_LIMITS, type SheetProblem } from './sheet.ts';
import type { LedgerProblem } from '../ledger/ledger-state.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';

/** The most transactions of one file. */
export const RECORD_LIMIT = 5_000;

/** The reason why a line cannot be recorded. `typed` is the unchecked cell. */
export type RowProblem =
  | {
      readonly kind:
        | 'no-kind'
        | 'no-name'
        /** Too many lines do not fit, so this one was not checked. */
        | 'unchecked-line'
        // The rest are broker transactions that no entry represents; the answer says what to type instead.
        | 'shares-in'
        | 'shares-out'
        | 'option'
        | 'bond'
        | 'cancelled'
        | 'subscription'
        | 'fx-leg'
        | 'split-leg'
        | 'no-ratio'
        | 'no-currency'
        /** Quantity × price is not the amount. */
        | 'amounts-apart'
        /** The costs of a dividend may be a fee or a tax. */
        | 'dividend-costs';
    }
  | {
      readonly kind:
        | 'unknown-kind'
        | 'no-date'
        /** Before 1970. */
        | 'early-date'
        | 'no-number'
        | 'formula'
        /** An option, bond or future. */
        | 'asset'
        | 'fee-currency'
        /** A column that is not understood names another currency than the line's. */
        | 'money-column'
        /** Too many unknown names, so this one was not looked up. */
        | 'unchecked-name';
      readonly typed: string;
    }
  | {
      /** `disagree`: code, name and ISIN of the line are not those of one instrument. */
      readonly kind: 'ambiguous' | 'unknown-name' | 'disagree';
      readonly typed: string;
      readonly choices: readonly Instrument[];
    }
  /** A line of a spin-off, a merger, a payment for shares taken back, or a change of name, as far as it says. */
  | {
      readonly kind: 'reorganisation';
      readonly event: 'spin-off' | 'merger' | 'capital-return' | 'rename';
      readonly name: string;
      readonly quantity: Decimal | undefined;
      readonly parent: string | undefined;
      readonly date: Temporal.PlainDate;
    }
  /** A purchase of a negative quantity, or a deposit of a negative amount. */
  | { readonly kind: 'sign'; readonly of: TransactionKind }
  /** The line splits at spaces into another number of cells than the headings. */
  | { readonly kind: 'columns'; readonly count: number; readonly expected: number }
  /** A position on a picture that is recorded with another quantity. */
  | { readonly kind: 'already-held'; readonly instrument: Instrument; readonly held: Decimal }
  | { readonly kind: 'entry'; readonly problem: EntryProblem }
  | { readonly kind: 'ledger'; readonly problem: LedgerProblem }
  /** The line would break a recorded entry of a later day. */
  | { readonly kind: 'breaks-later'; readonly date: Temporal.PlainDate };

/** Ends the reading of a line at its first problem; `orProblem` catches it. */
export class RowError extends Error {
  readonly problem: RowProblem;

  constructor(problem: RowProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Returns what `read` returns, or the problem of the `RowError` that it throws. */
export const orProblem = <T>(
  read: () => T,
): T | { readonly status: 'problem'; readonly problem: RowProblem } => {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowError) return { status: 'problem', problem: error.problem };
    throw error;
  }
};

/** Says in one sentence what is wrong with a line and what to do. */
export const rowProblemText = (problem: RowProblem, locale: Locale): string => {
  const t = importRowTexts(locale);
  if (problem.kind === 'entry') return entryProblemText(problem.problem, locale);
  if (problem.kind === 'ledger') return ledgerProblemText(problem.problem, locale);
  if (problem.kind === 'sign') return t.sign({ kind: portfolioTexts(locale).kinds[problem.of] });
  if (problem.kind === 'already-held') {
    const { instrument, held } = problem;
    const name = instrumentLabel(instrument, locale);
    return t['already-held']({ name, held: shownQuantityText(held, instrument, locale) });
  }
  if (problem.kind === 'reorganisation') {
    const { event, name, quantity, parent, date } = problem;
    const [old, count] = [parent ?? t.oldName(), quantity?.toFixed() ?? t.quantity()];
    return t.reorganisation[event]({ name: echo(name), count, old, date: date.toString() });
  }
  if (problem.kind === 'columns') return t.columns(problem);
  if (problem.kind === 'breaks-later') return t['breaks-later']({ date: problem.date.toString() });
  if ('choices' in problem) {
    const choices = problem.choices.map((choice) => instrumentLabel(choice, locale)).join(', ');
    return t[problem.kind]({ typed: echo(problem.typed), choices });
  }
  return 'typed' in problem ? t[problem.kind]({ typed: echo(problem.typed) }) : t[problem.kind]();
};

/** The reason why a whole file is not read. */
export type FileProblem =
  | SheetProblem
  | {
      readonly kind:
        | 'nothing'
        | 'nothing-named'
        | 'several-files'
        | 'not-fetched'
        | 'pdf'
        | 'no-kinds'
        | 'not-text'
        | 'old-workbook'
        | 'named-only'
        | 'no-header'
        | 'no-rows'
        | 'unclear-dates'
        | 'picture-damaged'
        | 'picture-large'
        /** No model is set up, or none that sees pictures. */
        | 'picture-no-model'
        | 'picture-no-vision'
        /** The model gave no answer that can be used. */
        | 'picture-unread'
        /** The picture shows no list of positions or trades. */
        | 'picture-other';
    };

export const fileProblemText = (problem: FileProblem, locale: Locale): string => {
  const t = importTexts(locale).file;
  const { kind } = problem;
  if (kind === 'too-many-rows') return t[kind]({ limit: RECORD_LIMIT });
  if (kind === 'too-many-columns') return t[kind]({ line: problem.line, limit: SHEET_LIMITS.columns });
  if (kind === 'long-cell') return t[kind]({ line: problem.line, limit: SHEET_LIMITS.cellCharacters });
  return kind === 'open-quote' ? t[kind]({ line: problem.line }) : t[kind]();
};
