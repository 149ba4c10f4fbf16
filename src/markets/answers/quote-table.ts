import { type Card, type CardField, commonTone, type Tone } from '#src/kernel/chat/card.ts';
import type {
  Instrument,
  Quote,
  QuoteResult,
  SymbolSearch,
  UnavailableReason,
} from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { pageLink } from './instrument-page.ts';
import { marketTexts } from './market-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { formatFinancialNumber, formatPercent } from '#src/kernel/money.ts';
import { writeMoment, writeShortDay, zoneName } from '#src/kernel/time.ts';
import { timeZoneOf } from '../calendar/calendar.ts';
import { quoteTexts } from './quote-texts.ts';
import { ARROWS, formatPrice, RANGE_SIGNS, shortSource, sourceName, toneOf } from './quote-text.ts';
import { quoteShownTo } from './rate-line.ts';

export const foundQuotes = (results: readonly QuoteResult[]): readonly Quote[] =>
  results.flatMap((result) => (result.status === 'ok' ? [result.quote] : []));

export const symbolOf = (result: QuoteResult): string =>
  (result.status === 'ok' ? result.quote.instrument : result.instrument).symbol;

const REASONS: readonly UnavailableReason[] = ['down', 'limited', 'no-data', 'not-in-sample'];

/** Names the missing instruments, one sentence per reason. */
export const missingTexts = (results: readonly QuoteResult[], locale: Locale): readonly string[] => {
  const t = marketTexts(locale).overview.missing;
  return REASONS.flatMap((reason) => {
    const names = results.flatMap((result) =>
      result.status === 'unavailable' && result.reason === reason ? [result.instrument.name[locale]] : [],
    );
    return names.length === 0 ? [] : [t[reason]({ names: names.join(', ') })];
  });
};

/** Resolves built-in symbols. One that the index lacks is left out. */
export const instrumentsOf = (
  codes: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
): readonly Instrument[] =>
  codes.flatMap((code) => {
    const match = symbols.resolve(code);
    return match.status === 'found' ? [match.instrument] : [];
  });

interface RowOptions {
  readonly nameOf: (quote: Quote) => string;
}

interface TableOptions extends RowOptions {
  readonly nameHead: string;
  readonly levelHead: string;
}

const NOTHING = '–';

/** Index levels have no unit in a table. */
const levelText = (
  { instrument, price }: Quote,
  locale: Audience['locale'],
  isChange: boolean,
  value = price,
): string => {
  if (instrument.assetClass !== 'index')
    return formatPrice(value, instrument, locale, isChange ? price : undefined);
  return formatFinancialNumber(value, {
    locale,
    minimumFractionDigits: instrument.priceDecimals,
    maximumFractionDigits: instrument.priceDecimals,
    showSign: isChange,
  });
};

/** `11-13 15:30` in the audience's time zone, which is named below the table. */
const timeText = (at: Temporal.Instant, timeZone: string): string => {
  const local = at.toZonedDateTimeISO(timeZone);
  return `${local.toPlainDate().toString().slice(5)} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
};

interface QuoteRow {
  readonly name: string;
  readonly level: string;
  /** Undefined without a previous close. */
  readonly change: string | undefined;
  readonly percent: string | undefined;
  readonly time: string;
  readonly tone: Tone;
}

/** A quote with its own time, because markets close at different times. */
export const rowOf = (given: Quote, { nameOf }: RowOptions, { locale, timeZone }: Audience): QuoteRow => {
  const quote = quoteShownTo(given, locale);
  const { instrument, price, previousClose, doubt } = quote;
  const change = previousClose && price.minus(previousClose);
  // A percentage change of a rate in percent would confuse.
  const hasPercent = previousClose && previousClose.greaterThan(0) && instrument.assetClass !== 'rate';
  const time = timeText(quote.asOf, timeZone);
  return {
    name: nameOf(quote),
    level: levelText(quote, locale, false),
    change: change && levelText(quote, locale, true, change),
    percent: hasPercent
      ? formatPercent(price.minus(previousClose).dividedBy(previousClose), locale)
      : doubt && quoteTexts(locale).check,
    time: quote.isStale ? `${time} ${marketTexts(locale).overview.stale}` : time,
    tone: change ? toneOf(change) : 'flat',
  };
};

const longestDelay = (quotes: readonly Quote[]): number =>
  Math.max(0, ...quotes.map(({ delayMinutes = 0, isSample }) => (isSample ? 0 : delayMinutes)));

/** A table for wide screens, with one row per quote. */
export const quoteTable = (
  quotes: readonly Quote[],
  { nameHead, levelHead, ...options }: TableOptions,
  audience: Audience,
): string => {
  const t = marketTexts(audience.locale).overview;
  const rows = quotes
    .map((quote) => rowOf(quote, options, audience))
    .map(({ name, level, change = NOTHING, percent = NOTHING, time }) => [
      name,
      level,
      change,
      percent,
      time,
    ]);
  const head = [nameHead, levelHead, t.change, t.percent, t.asOf];
  const rule = head.map((_name, column) => (column >= 1 && column <= 3 ? '---:' : '---'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
};

/** The same for phones: the level and its move. When they are from stands below the table. */
export const shortTable = (
  quotes: readonly Quote[],
  { nameHead, levelHead, ...options }: TableOptions,
  audience: Audience,
): string => {
  const t = marketTexts(audience.locale).overview;
  const rows = quotes.map((quote) => {
    const { name, level, change = NOTHING, percent } = rowOf(quote, options, audience);
    return [name, level, percent ?? change, ...(quote.isStale ? [t.stale] : [])];
  });
  const width = Math.max(3, ...rows.map(({ length }) => length));
  const head = [nameHead, levelHead, t.change, ''].slice(0, width);
  const rule = ['---', '---:', '---:', '---'].slice(0, width);
  return [head, rule, ...rows]
    .map((row) => `| ${[...row, ...Array<string>(width - row.length).fill('')].join(' | ')} |`)
    .join('\n');
};

/** `11/13–11/16 · Yahoo · up to 15 min delayed`: of which days the quotes are, and from where. */
export const shortTableOrigin = (quotes: readonly Quote[], { locale, timeZone }: Audience): string => {
  const t = marketTexts(locale).overview;
  // Coins have no day of a market.
  const zoneOf = (of: Instrument): string => (of.assetClass === 'crypto' ? timeZone : timeZoneOf(of));
  const days = quotes
    .map(({ asOf, instrument }) => asOf.toZonedDateTimeISO(zoneOf(instrument)).toPlainDate())
    .toSorted((a, b) => Temporal.PlainDate.compare(a, b))
    .map((day) => writeShortDay(day, locale));
  const delay = longestDelay(quotes);
  return [
    [...new Set([days[0] ?? '', days.at(-1) ?? ''])].join(RANGE_SIGNS[locale]),
    ...new Set(quotes.map((quote) => shortSource(quote, locale))),
    ...(delay > 0 ? [t.delayed({ minutes: delay })] : []),
  ].join(' · ');
};

const fieldOf = (quote: Quote, options: RowOptions, audience: Audience): CardField => {
  const { name, level, change, percent, time, tone } = rowOf(quote, options, audience);
  const move = change ? `${ARROWS[tone]} ${change}${percent === undefined ? '' : ` (${percent})`}` : percent;
  return {
    name,
    value: [level, ...(move === undefined ? [] : [move]), time].join('\n'),
    ...pageLink(quote.instrument, audience.locale),
    tone,
  };
};

/** The same as a card: one field per quote. `notes` stand above the source. */
export const quotesCard = (
  quotes: readonly Quote[],
  {
    title,
    notes = [],
    ...options
  }: RowOptions & { readonly title: string; readonly notes?: readonly string[] },
  audience: Audience,
  now: Temporal.Instant,
): Card => {
  const fields = quotes.map((quote) => fieldOf(quote, options, audience));
  return {
    title,
    headline: '',
    fields,
    footer: [...notes, tableOrigin(quotes, audience, now)].join('\n'),
    tone: commonTone(fields.map(({ tone = 'flat' }) => tone)),
  };
};

/** Time, longest delay and sources of quotes, as short as it can be said: `2026-11-14 06:00 KST · Yahoo`. */
export const shortOriginOf = (
  quotes: readonly Quote[],
  { locale, timeZone }: Audience,
  rates: readonly string[] = [],
): string => {
  const [first, ...later] = quotes.map(({ asOf }) => asOf).toSorted((a, b) => Temporal.Instant.compare(a, b));
  if (!first) return '';
  const last = later.at(-1) ?? first;
  const [from, to] = [first, last].map((at) => at.toZonedDateTimeISO(timeZone).toPlainDate().toString());
  const time = first.equals(last) ? writeMoment(last, timeZone) : from === to ? from : `${from} – ${to}`;
  const delay = Math.max(0, ...quotes.map(({ delayMinutes = 0, isSample }) => (isSample ? 0 : delayMinutes)));
  return [
    time,
    ...(delay > 0 ? [quoteTexts(locale).delayed({ minutes: delay })] : []),
    ...rates,
    [...new Set(quotes.map((quote) => sourceName(quote, locale)))].join(', '),
  ].join(' · ');
};

/** Time zone, sources and longest delay of a whole table. */
export const tableOrigin = (
  quotes: readonly Quote[],
  { locale, timeZone }: Audience,
  now: Temporal.Instant,
): string =>
  marketTexts(locale).overview.footer({
    zone: zoneName(now, timeZone),
    sources: [...new Set(quotes.map((quote) => sourceName(quote, locale)))].join(', '),
    delayMinutes: longestDelay(quotes),
  });
