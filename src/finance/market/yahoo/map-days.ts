import type { CorporateAction } from '#src/core/corporate-action.ts';
import type { Instrument } from '#src/core/finance.ts';
import type { Timestamp } from '#src/core/ids.ts';
import { Decimal } from '#src/core/money.ts';
import type { DailyHistory } from '../source.ts';
import { dailyBarsOf } from './map-history.ts';
import { withDecimalsFor } from './price-decimals.ts';
import { quotedIn } from './quoted-in.ts';
import { problemOf } from './read-wire.ts';
import { type ChartWire, dividendWire, splitWire } from './wire.ts';

/** Called for each event that makes no sense; it is left out. */
type OnOdd = (problem: string) => void;

const splitsOf = ({ events, meta }: ChartWire, onOdd: OnOdd): readonly CorporateAction[] =>
  Object.values(events?.splits ?? {}).flatMap((raw): readonly CorporateAction[] => {
    const { data, error } = splitWire.safeParse(raw);
    if (error) {
      onOdd(`split: ${problemOf(error)}`);
      return [];
    }
    const ratio = new Decimal(String(data.numerator)).dividedBy(new Decimal(String(data.denominator)));
    const date = data.date.toZonedDateTimeISO(meta.exchangeTimezoneName).toPlainDate();
    return ratio.equals(1) ? [] : [{ kind: 'split', date, ratio }];
  });

const dividendsOf = (
  instrument: Instrument,
  { events, meta }: ChartWire,
  onOdd: OnOdd,
): readonly CorporateAction[] =>
  Object.values(events?.dividends ?? {}).flatMap((raw): readonly CorporateAction[] => {
    const { data, error } = dividendWire.safeParse(raw);
    const quoted = data && quotedIn(instrument, data.currency ?? meta.currency);
    if (!quoted) {
      onOdd(`dividend: ${error ? problemOf(error) : 'no currency'}`);
      return [];
    }
    const date = data.date.toZonedDateTimeISO(meta.exchangeTimezoneName).toPlainDate();
    return [
      { kind: 'dividend', date, amount: quoted.amount(data.amount), currency: quoted.instrument.currency },
    ];
  });

interface Mapped {
  readonly now: Timestamp;
  readonly source: string;
  readonly onOdd: OnOdd;
}

/** The words say why the whole of it is of no use. */
export const mapDays = (
  instrument: Instrument,
  wire: ChartWire,
  { now, source, onOdd }: Mapped,
): DailyHistory | string => {
  const timeZone = wire.meta.exchangeTimezoneName;
  const quoted = quotedIn(instrument, wire.meta.currency);
  if (!quoted) return 'no currency';
  const bars = dailyBarsOf(wire, quoted);
  const last = bars.at(-1);
  const traded = wire.meta.regularMarketTime;
  const dayOf = (at: Timestamp): string => at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const isOfLast =
    last && traded && Temporal.Instant.compare(traded, last.at) >= 0 && dayOf(traded) === dayOf(last.at);
  return {
    instrument: withDecimalsFor(quoted.instrument, [last?.close]),
    timeZone,
    bars,
    actions: [...splitsOf(wire, onOdd), ...dividendsOf(instrument, wire, onOdd)].toSorted((a, b) =>
      Temporal.PlainDate.compare(a.date, b.date),
    ),
    asOf: isOfLast ? traded : (last?.at ?? now),
    source,
    isSample: false,
  };
};
