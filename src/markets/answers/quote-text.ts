import type { Card, Tone } from '#src/kernel/chat/card.ts';
import type { Instrument, PriceRange, Quote } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { pageLink } from './instrument-page.ts';
import { quoteTexts } from './quote-texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { type Decimal, formatFinancialNumber, formatPercent, readableDecimals } from '#src/kernel/money.ts';
import { writeMoment, writeShortDay } from '#src/kernel/time.ts';
import { timeZoneOf } from '../calendar/calendar.ts';
import { extendedBase } from '../sources/split-doubt.ts';
import { shortLabel } from './narrow-name.ts';
import { quoteShownTo } from './rate-line.ts';

/** Some funds are only known to be listed in the United States. */
const exchangeText = ({ exchange }: Instrument, locale: Locale): string =>
  exchange === 'US' ? quoteTexts(locale).listedInUs : exchange;

/** Shows the name beside the code, so that a wrong company is noticed at once. */
export const instrumentLabel = (instrument: Instrument, locale: Locale): string =>
  `${instrument.name[locale]} (${instrument.ticker}, ${exchangeText(instrument, locale)})`;

export const instrumentLabels = (instruments: readonly Instrument[], locale: Locale): string =>
  instruments.map((instrument) => instrumentLabel(instrument, locale)).join(', ');

/** The unit of a price. Indices and rates have no currency. */
const unitOf = ({ assetClass, currency }: Instrument, isDifference: boolean, locale: Locale): string => {
  const t = quoteTexts(locale);
  if (assetClass === 'index') return t.points;
  return assetClass === 'rate' ? (isDifference ? t.percentPoints : '%') : currency;
};

/** False for coins and currencies, which trade around the clock. */
const hasRegularHours = ({ assetClass }: Instrument): boolean =>
  assetClass === 'equity' || assetClass === 'etf';

/** Significant digits of a small price. A share at $0.85 still trades in cents. */
const LEAST_DIGITS = { coin: 3, other: 2 };

/** The decimals of a price: those of its market, or more if it would be unreadable. */
export const decimalsOfPrice = (
  price: Decimal,
  { assetClass, priceDecimals }: Pick<Instrument, 'assetClass' | 'priceDecimals'>,
): number => {
  if (assetClass === 'rate' || assetClass === 'index') return priceDecimals;
  return readableDecimals(
    price,
    priceDecimals,
    assetClass === 'crypto' ? LEAST_DIGITS.coin : LEAST_DIGITS.other,
  );
};

/**
 * Formats a price with the decimals of its market: ₩102,300, $304.12, 4,011.57 points, 4.125%. A tiny price gets more:
 * $0.00001234. A difference has the decimals of its price.
 */
export const formatPrice = (
  value: Decimal,
  instrument: Instrument,
  locale: Locale,
  differenceOf?: Decimal,
): string => {
  const isDifference = differenceOf !== undefined;
  const unit = unitOf(instrument, isDifference, locale);
  const options = {
    locale,
    minimumFractionDigits: instrument.priceDecimals,
    maximumFractionDigits: decimalsOfPrice(differenceOf ?? value, instrument),
    showSign: isDifference,
  };
  return instrument.assetClass === 'rate'
    ? `${formatFinancialNumber(value, options)}${unit}`
    : formatFinancialNumber(value, { ...options, currency: unit });
};

export const sourceName = (
  { isSample, source }: Pick<Quote, 'isSample' | 'source'>,
  locale: Locale,
): string => (isSample ? quoteTexts(locale).sampleSource : source);

/** The same in one word. */
export const shortSource: typeof sourceName = ({ isSample, source }, locale) =>
  isSample ? quoteTexts(locale).sample : source;

/** Undefined if no delay is shown: sample prices have none, and an old price is not real time. */
const delayOf = ({
  delayMinutes,
  isSample,
  isStale,
  sessionState,
}: Partial<Pick<Quote, 'delayMinutes' | 'isSample' | 'isStale' | 'sessionState'>>): number | undefined => {
  // The delay does not matter after the last trade of a day.
  if (isSample || sessionState === 'closed') return undefined;
  const isLive = !isStale && (sessionState === undefined || sessionState === 'open');
  return delayMinutes === 0 && !isLive ? undefined : delayMinutes;
};

/** Source, time and delay of a number. */
export const originText = (
  of: Pick<Quote, 'asOf' | 'source' | 'isSample'> &
    Partial<Pick<Quote, 'delayMinutes' | 'isStale' | 'sessionState'>>,
  { locale, timeZone }: Audience,
): string => {
  const t = quoteTexts(locale);
  const delay = delayOf(of);
  return [
    ...(of.isStale ? [t.stale] : []),
    `${t.asOf} ${writeMoment(of.asOf, timeZone)}`,
    ...(delay === undefined ? [] : [t.delayed({ minutes: delay })]),
    `${t.source}: ${sourceName(of, locale)}`,
  ].join(' · ');
};

/** `Nov 13 close · Yahoo`; a price that is no close has its state, its moment and its delay. In one line at most. */
export const shortOrigin = (
  of: Parameters<typeof originText>[0] & { readonly instrument: Instrument },
  { locale, timeZone }: Audience,
): string => {
  const t = quoteTexts(locale);
  const { asOf, instrument, isStale = false, sessionState } = of;
  const delay = delayOf(of);
  const day = asOf.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();
  const isClose = sessionState === 'closed' && instrument.assetClass !== 'crypto';
  return [
    ...(isStale ? [t.stale] : []),
    isClose
      ? t.closeOf({ day: isStale ? day.toString() : writeShortDay(day, locale) })
      : writeMoment(asOf, timeZone),
    ...(delay === undefined ? [] : [t.delayed({ minutes: delay })]),
    shortSource(of, locale),
  ].join(' · ');
};

export const ARROWS: Readonly<Record<Tone, string>> = { up: '▲', down: '▼', flat: '■' };

/** The tone of a change. */
export const toneOf = (change: Decimal): Tone =>
  change.isZero() ? 'flat' : change.isPositive() ? 'up' : 'down';

interface Move {
  readonly tone: Tone;
  /** `▲ +₩1,200 (+1.19%)`. Undefined without a base. */
  readonly text: string | undefined;
}

/** The move from one price to another. */
export const moveBetween = (
  from: Decimal | undefined,
  to: Decimal,
  instrument: Instrument,
  locale: Locale,
): Move => {
  if (from === undefined) return { tone: 'flat', text: undefined };
  const change = to.minus(from);
  const tone = toneOf(change);
  // A percentage change of a rate in percent would confuse.
  const hasPercent = from.greaterThan(0) && instrument.assetClass !== 'rate';
  const percent = hasPercent ? ` (${formatPercent(change.dividedBy(from), locale)})` : '';
  // The level beside it has the unit.
  const { assetClass, priceDecimals } = instrument;
  const shown =
    assetClass === 'index'
      ? formatFinancialNumber(change, {
          locale,
          minimumFractionDigits: priceDecimals,
          maximumFractionDigits: priceDecimals,
          showSign: true,
        })
      : formatPrice(change, instrument, locale, to);
  return { tone, text: `${ARROWS[tone]} ${shown}${percent}` };
};

/** Between the ends of a range. */
export const RANGE_SIGNS: Readonly<Record<Locale, string>> = { ko: '~', en: '–' };

const WHOLE_FROM = 1_000;

/** A price beside another that has shown its unit: index levels have none, and large ones need no decimals. */
export const plainPrice = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  if (instrument.assetClass !== 'index') return formatPrice(value, instrument, locale);
  const digits = value.greaterThanOrEqualTo(WHOLE_FROM) ? 0 : instrument.priceDecimals;
  return formatFinancialNumber(value, {
    locale,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
};

const rangeText = ({ low, high }: PriceRange, instrument: Instrument, locale: Locale): string =>
  `${plainPrice(low, instrument, locale)}${RANGE_SIGNS[locale]}${plainPrice(high, instrument, locale)}`;

/** The formatted parts of a quote, which text and card arrange. */
interface QuotePieces {
  readonly title: string;
  /** Price and change. */
  readonly headline: string;
  /** Undefined if the source does not report it. */
  readonly dayRange: string | undefined;
  readonly yearRange: string | undefined;
  readonly volume: string | undefined;
  /** The last extended-hours price. */
  readonly extended: { readonly name: string; readonly text: string } | undefined;
  /** The session, the moment and the source. */
  readonly origin: string;
  /** Warnings, as full sentences. */
  readonly notes: readonly string[];
  readonly tone: Tone;
}

const doubtNotes = ({ doubt, instrument }: Quote, locale: Locale): readonly string[] => {
  if (!doubt) return [];
  const t = quoteTexts(locale);
  const price = (value: Decimal): string => formatPrice(value, instrument, locale);
  const { previousClose, yearRange } = doubt;
  return [
    t.doubted({
      ...(previousClose && { previousClose: price(previousClose) }),
      ...(yearRange && { yearRange: rangeText(yearRange, instrument, locale) }),
    }),
  ];
};

const notesOf = (quote: Quote, locale: Locale): readonly string[] => {
  const t = quoteTexts(locale);
  const { instrument, otherPrice } = quote;
  return [
    ...(otherPrice
      ? [
          t.otherPrice({
            source: otherPrice.source,
            price: formatPrice(otherPrice.price, instrument, locale),
            percent: formatPercent(otherPrice.price.minus(quote.price).dividedBy(quote.price), locale),
          }),
        ]
      : []),
    ...doubtNotes(quote, locale),
    ...(quote.isFallback
      ? [t.fallback({ source: quote.source, hasHours: hasRegularHours(instrument) })]
      : []),
    ...(quote.isLastKnown ? [t.lastKnown] : []),
  ];
};

/** What the session says about the price. Nothing about a close, and about what trades around the clock. */
const sessionWords = (quote: Quote, locale: Locale): readonly string[] => {
  const t = quoteTexts(locale);
  const { sessionState, isAfterClose, nextradeSession, instrument } = quote;
  const hasState = sessionState !== 'closed' && sessionState !== 'unknown' && hasRegularHours(instrument);
  return [
    ...(hasState ? [t.sessionStates[sessionState]] : []),
    ...(isAfterClose ? [t.afterClose] : []),
    ...(nextradeSession ? [t.nextrade[nextradeSession]] : []),
  ];
};

const quotePieces = (given: Quote, audience: Audience): QuotePieces => {
  const { locale, timeZone } = audience;
  const quote = quoteShownTo(given, locale);
  const { instrument, previousClose, volume, extended, isAfterClose } = quote;
  const t = quoteTexts(locale);
  const price = (value: Decimal): string => formatPrice(value, instrument, locale);
  const move = moveBetween(previousClose, quote.price, instrument, locale);
  const unknown = quote.doubt ? t.check : t.noChange;
  return {
    title: shortLabel(instrument, locale),
    headline: `${price(quote.price)} ${move.text ?? `(${unknown})`}`,
    dayRange: quote.dayRange && rangeText(quote.dayRange, instrument, locale),
    yearRange: quote.yearRange && rangeText(quote.yearRange, instrument, locale),
    volume:
      volume === undefined || volume.isZero()
        ? undefined
        : formatFinancialNumber(volume, { locale, maximumFractionDigits: volume.lessThan(1_000) ? 4 : 0 }),
    extended: extended && {
      name: t.extended[extended.session],
      text: `${price(extended.price)} ${moveBetween(extendedBase(quote), extended.price, instrument, locale).text ?? t.check} · ${writeMoment(extended.asOf, timeZone)}`,
    },
    origin: [
      ...sessionWords(quote, locale),
      // A trade after the close is no close.
      shortOrigin(isAfterClose ? { ...quote, sessionState: 'after' } : quote, audience),
    ].join(' · '),
    notes: notesOf(quote, locale),
    tone: move.tone,
  };
};

/** Capitalizes the first letter, as of a field's name. */
const asName = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** A quote as text: instrument, price and change, ranges, source and time. `closes` is a line about the days before. */
export const describeQuote = (quote: Quote, audience: Audience, closes?: string): string => {
  const t = quoteTexts(audience.locale);
  const pieces = quotePieces(quote, audience);
  const { dayRange, yearRange, volume, extended } = pieces;
  const details = [
    ...(dayRange === undefined ? [] : [`${t.dayRange} ${dayRange}`]),
    ...(yearRange === undefined ? [] : [`${t.yearRange} ${yearRange}`]),
    ...(volume === undefined ? [] : [`${t.volume} ${volume}`]),
  ];
  return [
    `**${pieces.title}** ${pieces.headline}`,
    ...(extended ? [`${extended.name} ${extended.text}`] : []),
    ...(closes === undefined ? [] : [closes]),
    ...(details.length > 0 ? [asName(details.join(' · '))] : []),
    pieces.origin,
    ...pieces.notes,
  ].join('\n');
};

/** A quote as a card, with the same content as `describeQuote`. */
export const quoteCard = (quote: Quote, audience: Audience): Card => {
  const t = quoteTexts(audience.locale);
  const pieces = quotePieces(quote, audience);
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    [pieces.extended?.name ?? '', pieces.extended?.text],
    [t.dayRange, pieces.dayRange],
    [t.yearRange, pieces.yearRange],
    [t.volume, pieces.volume],
  ];
  return {
    title: pieces.title,
    ...pageLink(quote.instrument, audience.locale),
    headline: pieces.headline,
    fields: fields.flatMap(([name, value]) => (value === undefined ? [] : [{ name: asName(name), value }])),
    footer: [pieces.origin, ...pieces.notes].join('\n'),
    tone: pieces.tone,
  };
};
