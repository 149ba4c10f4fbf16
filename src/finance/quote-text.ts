import type { Instrument, Quote } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { Card } from '#src/core/message.ts';
import { type Decimal, formatFinancialNumber, formatPercent } from '#src/core/money.ts';
import type { Fact } from '#src/core/tool.ts';

/** Always the company next to the code: a wrong company for a ticker must be visible at once. */
export const instrumentLabel = (instrument: Instrument, locale: Locale): string =>
  `${instrument.name[locale]} (${instrument.ticker}, ${instrument.exchange})`;

export const formatPrice = (
  value: Decimal,
  instrument: Instrument,
  locale: Locale,
  showSign = false,
): string =>
  formatFinancialNumber(value, {
    locale,
    currency: instrument.assetClass === 'index' ? texts(locale).quote.points : instrument.currency,
    minimumFractionDigits: instrument.priceDecimals,
    maximumFractionDigits: instrument.priceDecimals,
    showSign,
  });

/** `2026-11-13 15:30 GMT+9`: an as-of without its zone is worth nothing. */
const formatInstant = (at: Temporal.Instant, timeZone: string): string => {
  const local = at.toZonedDateTimeISO(timeZone);
  const zone = local.toLocaleString('en-US', { timeZoneName: 'short' }).split(' ').at(-1) ?? timeZone;
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })} ${zone}`;
};

/** Everything that is said of a quote, written out once: the text and the card only put it in order. */
interface QuotePieces {
  readonly title: string;
  /** The price, and how it moved. */
  readonly headline: string;
  readonly dayRange: string;
  readonly yearRange: string;
  /** Undefined where nothing is traded in units, as with currencies. */
  readonly volume: string | undefined;
  readonly session: string;
  /** As of when, and from where. */
  readonly origin: string;
  readonly tone: Card['tone'];
}

const ARROWS: Readonly<Record<Card['tone'], string>> = { up: '▲', down: '▼', flat: '■' };

export const quotePieces = (quote: Quote, locale: Locale, timeZone: string): QuotePieces => {
  const { instrument, previousClose, volume } = quote;
  const words = texts(locale).quote;
  const price = (value: Decimal): string => formatPrice(value, instrument, locale);
  const change = quote.price.minus(previousClose);
  const percent = previousClose.isZero()
    ? ''
    : ` (${formatPercent(change.dividedBy(previousClose), locale)})`;
  const tone = change.isZero() ? 'flat' : change.isPositive() ? 'up' : 'down';
  const source = quote.isSample ? words.sampleSource : quote.source;
  return {
    title: instrumentLabel(instrument, locale),
    headline: `${price(quote.price)}  ${ARROWS[tone]} ${formatPrice(change, instrument, locale, true)}${percent}`,
    dayRange: `${price(quote.dayLow)} – ${price(quote.dayHigh)}`,
    yearRange: `${price(quote.yearLow)} – ${price(quote.yearHigh)}`,
    volume: volume.isZero() ? undefined : formatFinancialNumber(volume, { locale, maximumFractionDigits: 0 }),
    session: words.sessionStates[quote.sessionState],
    origin: `${words.asOf} ${formatInstant(quote.asOf, timeZone)} · ${words.source}: ${source}`,
    tone,
  };
};

/** A quote in words: what it is, what it costs, from where and as of when. */
export const describeQuote = (quote: Quote, locale: Locale, timeZone: string): string => {
  const words = texts(locale).quote;
  const pieces = quotePieces(quote, locale, timeZone);
  const { volume } = pieces;
  return [
    `**${pieces.title}**`,
    `${pieces.headline} ${words.change}`,
    `${words.dayRange} ${pieces.dayRange} · ${words.yearRange} ${pieces.yearRange}${volume === undefined ? '' : ` · ${words.volume} ${volume}`}`,
    `${pieces.session} · ${pieces.origin}`,
  ].join('\n');
};

/** The same quote as facts, for checking and for marking. */
export const quoteFacts = (quote: Quote): readonly Fact[] => {
  const common = {
    entity: quote.instrument.symbol,
    unit: quote.instrument.currency,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: quote.isSample,
  };
  const money = {
    price: quote.price,
    previousClose: quote.previousClose,
    dayLow: quote.dayLow,
    dayHigh: quote.dayHigh,
    yearLow: quote.yearLow,
    yearHigh: quote.yearHigh,
  };
  const change = quote.price.minus(quote.previousClose);
  return [
    ...Object.entries(money).map(([metric, value]) => ({ ...common, metric, value: value.toFixed() })),
    { ...common, metric: 'change', value: change.toFixed() },
    ...(quote.previousClose.isZero()
      ? []
      : [
          {
            ...common,
            metric: 'changePercent',
            value: change.dividedBy(quote.previousClose).times(100).toFixed(2),
            unit: '%',
          },
        ]),
    { ...common, metric: 'volume', value: quote.volume.toFixed(), unit: 'units' },
  ];
};
