import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf, withNames } from './fact-names.ts';
import { extendedBase } from '../sources/split-doubt.ts';
import { alsoPerHundred, quoteShownTo } from './rate-line.ts';

/** The change in money, and in percent unless it is a rate, whose percentage change would confuse. */
const movedFrom = (
  from: Decimal,
  to: Decimal,
  { assetClass, currency }: Instrument,
): readonly Pick<Fact, 'metric' | 'value' | 'unit'>[] => {
  const change = to.minus(from);
  const isRate = assetClass === 'rate';
  const percent = isRate || !from.greaterThan(0) ? undefined : change.dividedBy(from).times(100);
  return [
    { metric: 'change', value: change.toFixed(), unit: isRate ? '%p' : currency },
    ...(percent ? [{ metric: 'changePercent' as const, value: percent.toFixed(2), unit: '%' }] : []),
  ];
};

const factsOf = (quote: Quote): readonly Fact[] => {
  const { instrument, price, previousClose, dayRange, yearRange, volume, extended } = quote;
  const common = {
    entity: instrument.symbol,
    unit: instrument.currency,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: quote.isSample,
  };
  const known: readonly (readonly [metric: MetricId, value: Decimal | undefined])[] = [
    ['price', price],
    ['previousClose', previousClose],
    ['dayLow', dayRange?.low],
    ['dayHigh', dayRange?.high],
    ['yearLow', yearRange?.low],
    ['yearHigh', yearRange?.high],
  ];
  const { otherPrice } = quote;
  const extendedFrom = extendedBase(quote);
  return [
    ...known.flatMap(([metric, value]) => (value ? [{ ...common, metric, value: value.toFixed() }] : [])),
    ...(previousClose
      ? movedFrom(previousClose, price, instrument).map((moved) => ({ ...common, ...moved, period: '1d' }))
      : []),
    ...(volume ? [{ ...common, metric: 'volume' as const, value: volume.toFixed(), unit: 'units' }] : []),
    ...(otherPrice
      ? [
          {
            ...common,
            metric: 'priceElsewhere' as const,
            value: otherPrice.price.toFixed(),
            asOf: otherPrice.asOf.toString(),
            source: otherPrice.source,
          },
          ...movedFrom(price, otherPrice.price, instrument)
            .filter(({ metric }) => metric === 'changePercent')
            .map((moved) => ({
              ...common,
              ...moved,
              parameter: 'another source',
              source: otherPrice.source,
            })),
        ]
      : []),
    ...(extended
      ? [
          {
            ...common,
            metric: extended.session === 'pre' ? ('preMarketPrice' as const) : ('afterHoursPrice' as const),
            value: extended.price.toFixed(),
            asOf: extended.asOf.toString(),
          },
          ...(extendedFrom ? movedFrom(extendedFrom, extended.price, instrument) : []).map((moved) => ({
            ...common,
            ...moved,
            parameter: extended.session === 'pre' ? 'pre-market' : 'after-hours',
            asOf: extended.asOf.toString(),
          })),
        ]
      : []),
  ];
};

/** A quote as facts. Values that the source lacks are left out. */
export const quoteFacts = (quote: Quote): readonly Fact[] =>
  withNames(namesOf(quote.instrument), alsoPerHundred(quote, quoteShownTo(quote, 'ko'), factsOf));
