import type { Quote } from '#src/kernel/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';

/** A quote as facts. Values that the source lacks are left out. */
export const quoteFacts = (quote: Quote): readonly Fact[] => {
  const { instrument, price, previousClose, dayRange, yearRange, volume, extended } = quote;
  const common = {
    entity: instrument.symbol,
    unit: instrument.currency,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: quote.isSample,
  };
  const known: readonly (readonly [metric: string, value: Decimal | undefined])[] = [
    ['price', price],
    ['previousClose', previousClose],
    ['dayLow', dayRange?.low],
    ['dayHigh', dayRange?.high],
    ['yearLow', yearRange?.low],
    ['yearHigh', yearRange?.high],
    ['change', previousClose && price.minus(previousClose)],
  ];
  const percent =
    // A percentage change of a rate in percent would confuse.
    previousClose === undefined || previousClose.isZero() || instrument.assetClass === 'rate'
      ? undefined
      : price.minus(previousClose).dividedBy(previousClose).times(100);
  const { otherPrice } = quote;
  return [
    ...known.flatMap(([metric, value]) => (value ? [{ ...common, metric, value: value.toFixed() }] : [])),
    ...(percent ? [{ ...common, metric: 'changePercent', value: percent.toFixed(2), unit: '%' }] : []),
    ...(volume ? [{ ...common, metric: 'volume', value: volume.toFixed(), unit: 'units' }] : []),
    ...(otherPrice
      ? [
          {
            ...common,
            metric: 'priceElsewhere',
            value: otherPrice.price.toFixed(),
            asOf: otherPrice.asOf.toString(),
            source: otherPrice.source,
          },
        ]
      : []),
    ...(extended
      ? [
          {
            ...common,
            metric: extended.session === 'pre' ? 'preMarketPrice' : 'afterHoursPrice',
            value: extended.price.toFixed(),
            asOf: extended.asOf.toString(),
          },
        ]
      : []),
  ];
};
