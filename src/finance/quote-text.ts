import type { Instrument, Quote } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
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

/** A quote in words: what it is, what it costs, from where and as of when. */
export const describeQuote = (quote: Quote, locale: Locale, timeZone: string): string => {
  const words = texts(locale).quote;
  const price = (value: Decimal): string => formatPrice(value, quote.instrument, locale);
  const change = quote.price.minus(quote.previousClose);
  const percent = quote.previousClose.isZero()
    ? ''
    : ` (${formatPercent(change.dividedBy(quote.previousClose), locale)})`;
  const arrow = change.isZero() ? '■' : change.isPositive() ? '▲' : '▼';
  const volume = formatFinancialNumber(quote.volume, { locale, maximumFractionDigits: 0 });
  return [
    `**${instrumentLabel(quote.instrument, locale)}**`,
    `${price(quote.price)}  ${arrow} ${formatPrice(change, quote.instrument, locale, true)}${percent} ${words.change}`,
    `${words.dayRange} ${price(quote.dayLow)} – ${price(quote.dayHigh)} · ${words.yearRange} ${price(quote.yearLow)} – ${price(quote.yearHigh)}${quote.volume.isZero() ? '' : ` · ${words.volume} ${volume}`}`,
    `${words.sessionStates[quote.sessionState]} · ${words.asOf} ${formatInstant(quote.asOf, timeZone)} · ${words.source}: ${quote.isSample ? words.sampleSource : quote.source}`,
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
