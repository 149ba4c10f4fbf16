import type { Instrument, Quote } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import { closingTime } from '../calendar.ts';
import { makeSampleHistory } from './sample-history.ts';
import { SAMPLE_INSTRUMENTS } from './sample-instruments.ts';
import type { DailyBar, MarketSource } from './source.ts';

const SOURCE_NAME = 'sample data';

const quoteFrom = (instrument: Instrument, bars: readonly DailyBar[]): Quote | null => {
  const [previous, last] = bars.slice(-2);
  const asOf = last && closingTime(instrument, last.date);
  if (!previous || !last || !asOf) return null;
  return {
    instrument,
    price: last.close,
    previousClose: previous.close,
    dayLow: last.low,
    dayHigh: last.high,
    yearLow: Decimal.min(...bars.map((bar) => bar.low)),
    yearHigh: Decimal.max(...bars.map((bar) => bar.high)),
    volume: last.volume,
    asOf,
    // A made-up price must never look live, whatever the market does at this moment.
    sessionState: 'closed',
    source: SOURCE_NAME,
    isSample: true,
  };
};

/** Prices for trying the bot without a network: invented, frozen in time, marked as such. */
export const createSampleSource = (): MarketSource => {
  const samples = new Map(SAMPLE_INSTRUMENTS.map((sample) => [sample.instrument.symbol, sample]));
  const histories = new Map<string, readonly DailyBar[]>();

  const historyOf = ({ symbol }: Instrument): readonly DailyBar[] => {
    const known = histories.get(symbol);
    if (known) return known;
    const sample = samples.get(symbol);
    if (!sample) return [];
    const made = makeSampleHistory(sample);
    histories.set(symbol, made);
    return made;
  };

  return {
    name: SOURCE_NAME,
    isSample: true,
    supports: ({ symbol }) => samples.has(symbol),
    getQuotes: async (instruments) =>
      instruments.flatMap((instrument) => quoteFrom(instrument, historyOf(instrument)) ?? []),
    getHistory: async (instrument) => historyOf(instrument),
  };
};
