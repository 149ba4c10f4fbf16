import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import type { TransactionKind } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { currencyText } from '#src/markets/answers/money-text.ts';

/** What an entry is made of. */
export type EntryField =
  | 'name'
  | 'quantity'
  | 'price'
  | 'total'
  | 'amount'
  | 'fee'
  | 'tax'
  | 'rate'
  | 'ratio'
  | 'toAmount'
  | 'toCurrency';

/** What a request can hold that some kinds of entries have no place for. */
export type UnusedField = EntryField | 'currency';

/** Why an entry cannot be recorded as it was written. `typed` is what was written, unchecked. */
export type EntryProblem =
  | { readonly kind: 'missing'; readonly field: EntryField; readonly of: TransactionKind }
  | { readonly kind: 'no-number'; readonly field: EntryField; readonly typed: string }
  /** Zero, or below it. */
  | {
      readonly kind: 'too-small';
      readonly field: EntryField;
      readonly typed: string;
      readonly of?: TransactionKind;
    }
  | { readonly kind: 'too-large'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'too-precise'; readonly field: EntryField; readonly typed: string }
  | { readonly kind: 'unknown-currency'; readonly typed: string }
  /** Of a trade or a dividend: not the money in which it is traded. */
  | { readonly kind: 'other-currency'; readonly currency: Currency; readonly instrument: Instrument }
  /** Of money: two kinds of it for one amount. */
  | { readonly kind: 'two-currencies'; readonly currencies: readonly [Currency, Currency] }
  | { readonly kind: 'same-currency'; readonly currency: Currency }
  /** A rate other than 1 for the portfolio's own money. */
  | { readonly kind: 'own-rate'; readonly currency: Currency }
  | { readonly kind: 'no-date'; readonly typed: string }
  | { readonly kind: 'no-time'; readonly typed: string }
  /** 30 February. */
  | { readonly kind: 'impossible-date'; readonly typed: string }
  /** A week, a month, a year. */
  | { readonly kind: 'not-one-day'; readonly typed: string }
  | { readonly kind: 'future-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'old-date'; readonly date: Temporal.PlainDate }
  | { readonly kind: 'bad-ratio'; readonly typed: string }
  /** Of an exchange: a rate that its two amounts do not have. */
  | { readonly kind: 'rate-and-amounts'; readonly typed: string }
  /** What this kind of entry has no place for; `command` records it where something can. */
  | {
      readonly kind: 'unused';
      readonly field: UnusedField;
      readonly typed: string;
      readonly of: TransactionKind;
      readonly command?: string;
    }
  | { readonly kind: 'tax-above-amount' }
  /** A total that gives no price which could be written down; `near` is about what it would be. */
  | { readonly kind: 'uneven-total'; readonly near: string }
  /** Money that buys no whole number of pieces, where they are not sold in parts. */
  | { readonly kind: 'uneven-quantity'; readonly near: string }
  /** A price and a total that do not fit each other. */
  | { readonly kind: 'price-and-total'; readonly price: string; readonly total: string }
  | { readonly kind: 'long-note'; readonly limit: number }
  | { readonly kind: 'not-holdable' | 'future'; readonly instrument: Instrument };

/** In one sentence: what is wrong, and what to do. */
export const entryProblemText = (problem: EntryProblem, locale: Locale): string => {
  const t = portfolioMessages(locale).problems;
  switch (problem.kind) {
    case 'missing':
      return t.missing[problem.field]({ kind: portfolioMessages(locale).kinds[problem.of] });
    case 'too-small':
      return t['too-small']({
        field: t.fields[problem.field],
        typed: echo(problem.typed),
        // Of a price, a fee or a rate there is nothing that goes the other way.
        of: problem.field === 'amount' || problem.field === 'quantity' ? (problem.of ?? '') : '',
      });
    case 'no-number':
    case 'too-large':
    case 'too-precise':
      return t[problem.kind]({ field: t.fields[problem.field], typed: echo(problem.typed) });
    case 'unknown-currency':
    case 'no-date':
    case 'no-time':
    case 'impossible-date':
    case 'not-one-day':
    case 'bad-ratio':
    case 'rate-and-amounts':
      return t[problem.kind]({ typed: echo(problem.typed) });
    case 'other-currency':
      return t['other-currency']({
        name: instrumentLabel(problem.instrument, locale),
        own: currencyText(problem.instrument.currency, locale),
        other: currencyText(problem.currency, locale),
      });
    case 'two-currencies':
      return t['two-currencies']({ first: problem.currencies[0], second: problem.currencies[1] });
    case 'same-currency':
    case 'own-rate':
      return t[problem.kind]({ currency: problem.currency });
    case 'future-date':
    case 'old-date':
      return t[problem.kind]({ date: problem.date.toString() });
    case 'uneven-total':
    case 'uneven-quantity':
      return t[problem.kind]({ near: problem.near });
    case 'price-and-total':
      return t['price-and-total']({ price: echo(problem.price), total: echo(problem.total) });
    case 'unused':
      return t.unused({
        field: t.fields[problem.field],
        kind: portfolioMessages(locale).kinds[problem.of],
        typed: echo(problem.typed),
        command: problem.command ?? '',
      });
    case 'tax-above-amount':
      return t['tax-above-amount']();
    case 'long-note':
      return t['long-note']({ limit: problem.limit });
    case 'not-holdable':
    case 'future':
      return t[problem.kind]({ name: instrumentLabel(problem.instrument, locale) });
  }
  return problem satisfies never;
};
