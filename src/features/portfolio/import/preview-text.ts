import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, type Decimal, formatCount } from '#src/kernel/money.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import type { FactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import {
  amountsApart,
  gainText,
  quantitiesApart,
  shownQuantityText,
  writtenMoneyText,
} from '#src/markets/answers/money-text.ts';
import { isTransfer, type NewTransaction, TRANSACTION_KINDS } from '#src/kernel/market/ledger.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { importTexts } from '../texts/import.ts';
import type { FileEntry, FileError, ReadFile } from './build/read-entries.ts';
import type { CashCheck, HoldingCheck, Reconciliation } from './build/reconcile.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { lacksRate } from '../rates/fill-rates.ts';
import type { Anomaly } from '../checks/anomalies.ts';
import { anomalyText } from '../checks/anomaly-text.ts';
import { entryText } from '../entries/entry-text.ts';
import type { MoneyNote } from './build/line-money.ts';
import { rowProblemText } from './problems.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';

/** One line with the count, or none for a count of zero. */
const countLine = (
  count: number,
  message: (p: { readonly count: string }) => string,
  locale: Locale,
): readonly string[] => (count > 0 ? [message({ count: formatCount(count, locale) })] : []);

const SHOWN_NAMES = 5;
const SHOWN_CHECKS = 5;
const SHOWN_LINES = 10;

const cashLines = (check: CashCheck, told: FactRecorder): readonly string[] => {
  const { locale } = told;
  const t = importTexts(locale);
  const { currency, compared, opening, end, first, unread, isProven } = check;
  const keep = (value: Decimal | undefined, when: string): void =>
    told.keep('cashBalance', value, currency, `${currency} ${when}`);
  keep(end, 'at the end');
  if (opening.greaterThan(0)) keep(opening, 'before the file');
  keep(first?.reported, 'in the file');
  keep(first?.computed, 'computed');
  // A single balance proves nothing, and contradicts nothing either.
  if (!isProven) return first ? [t.cashUnproven({ currency })] : [];
  const text = (value: Decimal): string => writtenMoneyText(value, currency, locale);
  const [reported = '', computed = ''] = first
    ? amountsApart([first.reported, first.computed], currency, locale)
    : [];
  const isFit = compared > 0 && first === undefined && unread.length === 0;
  const fits =
    compared > 1
      ? t.cashFits({ end: text(end), count: formatCount(compared, locale) })
      : t.cashStated({ end: text(end) });
  const lost = unread.reduce((sum, { amount }) => sum.plus(amount), end.minus(end));
  if (unread.length > 0) keep(lost, 'not read');
  const numbers = unread.slice(0, SHOWN_LINES).map(({ line }) => String(line));
  return [
    ...(isFit ? [fits] : []),
    ...(first ? [t.cashDiffers({ line: first.line, reported, computed })] : []),
    ...(unread.length === 0
      ? []
      : [
          t.cashUnread({
            lines: `${numbers.join(', ')}${unread.length > SHOWN_LINES ? ', …' : ''}`,
            amount: gainText(lost, currency, locale),
          }),
        ]),
    ...(opening.greaterThan(0)
      ? [
          t.cashOpening({
            amount: text(opening),
            command: `/portfolio deposit ${opening.toFixed()} ${currency}`,
          }),
        ]
      : []),
  ];
};

/** The first holdings that do not match the file, or that it does not buy. */
const oddHoldings = (checks: readonly HoldingCheck[]): readonly HoldingCheck[] =>
  checks.filter(({ first, opening }) => first !== undefined || opening.greaterThan(0)).slice(0, SHOWN_CHECKS);

const holdingLines = (checks: readonly HoldingCheck[], told: FactRecorder): readonly string[] => {
  const { locale } = told;
  const t = importTexts(locale);
  const odd = oddHoldings(checks);
  if (odd.length === 0) return countLine(checks.length, t.holdingsFit, locale);
  return odd.flatMap(({ instrument, first, opening }) => {
    const name = instrumentLabel(instrument, locale);
    const text = (value: Decimal): string => shownQuantityText(value, instrument, locale);
    const own = told.about({ entity: instrument.symbol, names: namesOf(instrument) });
    if (opening.greaterThan(0)) own.keep('quantity', opening, 'units', 'before the file');
    own.keep('quantity', first?.reported, 'units', 'in the file');
    own.keep('quantity', first?.computed, 'units', 'computed');
    const [reported = '', computed = ''] = first
      ? quantitiesApart([first.reported, first.computed], instrument, locale)
      : [];
    return [
      ...(opening.greaterThan(0) ? [t.holdingOpening({ name, quantity: text(opening) })] : []),
      ...(first ? [t.holdingDiffers({ line: first.line, name, reported, computed })] : []),
    ];
  });
};

/** Says whether cash and quantities match the file's own balances, and what will be missing. */
const checkLines = (
  { cash, holdings }: Reconciliation,
  errors: readonly FileError[],
  told: FactRecorder,
): readonly string[] => {
  const t = importTexts(told.locale);
  const names = [...new Set(errors.flatMap(({ lacking }) => (lacking ? [echo(lacking)] : [])))];
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  const lines = [
    ...cash.slice(0, SHOWN_CHECKS).flatMap((check) => cashLines(check, told)),
    ...holdingLines(holdings, told),
    ...(names.length === 0
      ? []
      : [t.lacksPieces({ names: `${names.slice(0, SHOWN_NAMES).join(', ')}${more}` })]),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
};

const SHOWN_ENTRIES = 8;
export const SHOWN_ERRORS = 20;
const SHOWN_INSTRUMENTS = 12;
const SHOWN_ODD = 10;
const SHOWN_CELLS = 12;

/** For example `purchase 3, dividend 1`. */
export const kindsText = (entries: readonly NewTransaction[], locale: Locale): string => {
  const counts = Map.groupBy(entries, ({ kind }) => kind);
  return TRANSACTION_KINDS.flatMap((kind) => {
    const count = counts.get(kind)?.length ?? 0;
    return count === 0 ? [] : [`${portfolioTexts(locale).kinds[kind]} ${formatCount(count, locale)}`];
  }).join(', ');
};

interface Preview {
  readonly kept: readonly FileEntry[];
  readonly anomalies: ReadonlyMap<NewTransaction, readonly Anomaly[]>;
  /** Errors of the file and of the ledger, by line. */
  readonly errors: readonly FileError[];
  readonly duplicates: number;
  readonly baseCurrency: Currency;
}

const keptLines = function* ({ kept, baseCurrency }: Preview, told: FactRecorder): Steps<readonly string[]> {
  const { locale } = told;
  const t = importTexts(locale);
  const entries = kept.map(({ entry }) => entry);
  const dates = (yield* mapInSteps(entries, ({ date }) => date.toString())).toSorted();
  yield;
  const instruments = new Set(entries.flatMap((entry) => ('instrument' in entry ? [entry.instrument] : [])));
  const labels = yield* mapInSteps([...instruments], (instrument) => instrumentLabel(instrument, locale));
  const names = [...new Set(labels)];
  const others = names.length - SHOWN_INSTRUMENTS;
  const rateless = entries.filter((entry) => lacksRate(entry, baseCurrency)).length;
  return [
    t.count({ count: formatCount(entries.length, locale), kinds: kindsText(entries, locale) }),
    t.period({ from: dates[0] ?? '', to: dates.at(-1) ?? '' }),
    ...(names.length === 0
      ? []
      : [
          t.instruments({
            count: formatCount(names.length, locale),
            names: names.slice(0, SHOWN_INSTRUMENTS).join(', '),
            others: others > 0 ? formatCount(others, locale) : '',
          }),
        ]),
    ...(rateless === 0 ? [] : [t.noRates({ count: formatCount(rateless, locale), currency: baseCurrency })]),
    '',
    t.first({ count: formatCount(Math.min(SHOWN_ENTRIES, entries.length), locale) }),
    ...kept
      .slice(0, SHOWN_ENTRIES)
      .map(({ line, entry }) => t.line({ line, text: entryText(entry, baseCurrency, told) })),
  ];
};

/** Describes differences within a line. */
const differenceTexts = (notes: readonly MoneyNote[], told: FactRecorder): readonly string[] =>
  notes.flatMap((note) => {
    if (note.kind !== 'amount-differs') return [];
    const { reported, computed, currency } = note;
    const { locale } = told;
    const gap = reported.minus(computed).abs();
    told.keep('tradeAmount', reported, currency, 'in the file');
    told.keep('tradeAmount', computed, currency, 'computed');
    told.keep('tradeAmount', gap, currency, 'difference');
    const [inFile, inSum] = amountsApart([reported, computed], currency, locale);
    const difference = writtenMoneyText(gap, currency, locale);
    return [importTexts(locale).amountDiffers({ reported: inFile, computed: inSum, difference })];
  });

/** Lists rows that will be recorded as they are unless somebody objects. */
const anomalyLines = (
  { kept, anomalies }: Preview,
  told: FactRecorder,
  audience: Audience,
): readonly string[] => {
  const { locale } = audience;
  const t = importTexts(locale);
  const odd = kept.filter(
    ({ entry, notes }) => anomalies.has(entry) || notes.some(({ kind }) => kind === 'amount-differs'),
  );
  if (odd.length === 0) return [];
  return [
    '',
    t.odd({ count: formatCount(odd.length, locale) }),
    ...odd.slice(0, SHOWN_ODD).map(({ line, entry, notes }) => {
      const own = anomalies.get(entry) ?? [];
      const texts = own.map((anomaly) => anomalyText(anomaly, entry, told, audience));
      return t.line({ line, text: [...differenceTexts(notes, told), ...texts].join(' ') });
    }),
    ...countLine(odd.length - SHOWN_ODD, t.moreErrors, locale),
  ];
};

export const errorLines = (
  errors: readonly FileError[],
  isAttached: boolean,
  locale: Locale,
): readonly string[] => {
  if (errors.length === 0) return [];
  const t = importTexts(locale);
  return [
    '',
    t.errors({ count: formatCount(errors.length, locale) }),
    ...errors
      .slice(0, SHOWN_ERRORS)
      .map(({ line, problem }) => t.line({ line, text: rowProblemText(problem, locale) })),
    ...countLine(errors.length - SHOWN_ERRORS, t.moreErrors, locale).map(
      (more) => `${more} ${isAttached ? t.allErrorsAttached() : t.allErrorsDirect()}`,
    ),
  ];
};

const CHARGE_NOTES = [
  ['fee-from-amount', 'feesFromAmounts'],
  ['charges-split', 'chargesSplit'],
  ['charges-as-fee', 'chargesAsFee'],
] as const;

/** Says how charges were derived where the file is ambiguous. */
const noteLines = (kept: readonly FileEntry[], locale: Locale): readonly string[] => {
  const t = importTexts(locale);
  return CHARGE_NOTES.flatMap(([kind, message]) => {
    const noted = kept.filter(({ notes }) => notes.some((note) => note.kind === kind));
    return countLine(noted.length, t[message], locale);
  });
};

/** A file shows one side of a transfer, and nothing says that the other portfolio has the other one. */
const movedLines = (kept: readonly FileEntry[], locale: Locale): readonly string[] => {
  const names = new Set(
    kept.flatMap(({ entry }) => (isTransfer(entry) ? [`**${echo(entry.otherName)}**`] : [])),
  );
  return names.size === 0 ? [] : [importTexts(locale).moved({ names: [...names].join(', ') })];
};

/** Describes what would be recorded and what not. */
export const previewText = function* (
  preview: Preview,
  file: ReadFile,
  isAttached: boolean,
  told: FactRecorder,
  audience: Audience,
): Steps<string> {
  const { locale } = audience;
  const t = importTexts(locale);
  const notes = [
    ...countLine(preview.duplicates, t.duplicates, locale),
    ...countLine(file.voids, t.voids, locale),
    ...countLine(file.skipped, t.skipped, locale),
    ...(file.lacksTaxes ? [t.taxes()] : []),
    ...movedLines(preview.kept, locale),
    ...noteLines(preview.kept, locale),
  ];
  return [
    ...(preview.kept.length === 0 ? [] : yield* keptLines(preview, told)),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...checkLines(file.checks, preview.errors, told),
    ...anomalyLines(preview, told, audience),
    ...errorLines(preview.errors, isAttached, locale),
  ].join('\n');
};

/** All refused lines as a table with the reason and the shortened content. */
export const errorsCsv = function* (errors: readonly FileError[], locale: Locale): Steps<string> {
  const { line, problem, content } = importTexts(locale).errorsFile;
  const lines = [BYTE_ORDER_MARK, csvLine([line, problem, content])];
  for (const error of errors) {
    yield;
    const cells = error.cells.slice(0, SHOWN_CELLS).map(echo).join(' | ');
    lines.push(csvLine([String(error.line), rowProblemText(error.problem, locale), cells]));
  }
  return lines.join('');
};
