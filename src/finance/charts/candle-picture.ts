import { readIndicators } from '#src/core/chart-indicators.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { Reader } from '#src/core/market-desk.ts';
import { baseName, changeOf } from '../answers/history-change.ts';
import { formatPrice, moveBetween } from '../answers/quote-text.ts';
import { coveredRange, datesOf } from '../answers/range-covered.ts';
import { historyOrigin, isRunning } from '../answers/running-bar.ts';
import type { Bar, History } from '../market/source.ts';
import type { BarColumns, CandlePicture, ChartTheme, PictureHead } from './chart-picture.ts';
import { groupBars } from './group-bars.ts';

export interface CandleOptions {
  readonly theme?: ChartTheme | undefined;
  /** As people write them; empty: the usual averages. */
  readonly indicators?: readonly string[];
  /** A longer history of the same: averages need what was before the first bar that is shown. */
  readonly earlier?: History | undefined;
}

/** Narrower candles cannot be told apart. */
const MAX_CANDLES = 420;
/** Of an average of 200 days there are no 200 weeks in two years: who asks for it gets days, however narrow. */
const MAX_CANDLES_FOR_LONG = 560;
const LONG_PERIOD = 60;

const columnsOf = (bars: readonly Bar[]): BarColumns => ({
  times: bars.map(({ at }) => at.epochMilliseconds),
  open: bars.map(({ open }) => open.toNumber()),
  high: bars.map(({ high }) => high.toNumber()),
  low: bars.map(({ low }) => low.toNumber()),
  close: bars.map(({ close }) => close.toNumber()),
  volume: bars.map(({ volume }) => volume.toNumber()),
});

/** What was before, where it is of the same kind. */
const barsBefore = ({ bars: [first], interval }: History, earlier: History | undefined): readonly Bar[] => {
  if (!first || earlier?.interval !== interval) return [];
  return earlier.bars.filter(({ at }) => Temporal.Instant.compare(at, first.at) < 0);
};

/** Where the numbers are not money they have no sign on the axis. */
const unitOf = ({ instrument }: History): Pick<CandlePicture, 'currency' | 'suffix'> => {
  if (instrument.assetClass === 'rate') return { suffix: '%' };
  return instrument.assetClass === 'index' ? {} : { currency: instrument.currency };
};

/** How it moved over the range, and from what where that is not its first bar. */
const moveOf = (history: History, locale: Locale): PictureHead['change'] => {
  const { instrument, bars } = history;
  const change = changeOf(history);
  const last = bars.at(-1);
  if (!change || !last) return undefined;
  const { text, tone } = moveBetween(change.from, last.close, instrument, locale);
  if (text === undefined) return undefined;
  const from = change.base && texts(locale).charts.from({ base: baseName(change.base, history, locale) });
  return { text: from === undefined ? text : `${text} ${from}`, tone };
};

export const candlePicture = (
  history: History,
  options: CandleOptions,
  reader: Reader,
  now: Timestamp,
): CandlePicture => {
  const { locale } = reader;
  const { instrument, timeZone } = history;
  const words = texts(locale).charts;
  const firstAtMs = history.bars[0]?.at.epochMilliseconds ?? 0;
  const allBars = [...barsBefore(history, options.earlier), ...history.bars];
  // Whether weeks are drawn depends on what is shown; the bars before then become weeks too.
  const share = history.bars.length / allBars.length;
  const { indicators } = readIndicators(options.indicators ?? [], locale);
  const isLong =
    (options.indicators ?? []).length > 0 && indicators.averages.some(({ period }) => period > LONG_PERIOD);
  const most = isLong ? MAX_CANDLES_FOR_LONG : MAX_CANDLES;
  const { bars, interval } = groupBars(columnsOf(allBars), history.interval, timeZone, most / share);
  const last = history.bars.at(-1);
  const change = moveOf(history, locale);
  return {
    kind: 'candles',
    theme: options.theme ?? 'light',
    locale,
    timeZone,
    interval,
    bars,
    shownFrom: bars.times.findLastIndex((time) => time <= firstAtMs),
    indicators,
    priceDecimals: instrument.priceDecimals,
    ...unitOf(history),
    words: {
      volume: words.volume,
      high: words.high,
      low: words.low,
      bollinger: words.bollinger,
      signal: words.signal,
      notEnough: words.notEnough,
    },
    head: {
      title: instrument.name[locale],
      titleEnd: ` (${instrument.ticker}, ${instrument.exchange})`,
      subtitle: [
        ...[coveredRange([history], locale, now)].filter((range) => range !== undefined),
        datesOf(history),
        words.candles[interval],
      ].join(' · '),
      origin: historyOrigin(history, isRunning(history, now), reader, now),
      ...(last && { price: formatPrice(last.close, instrument, locale) }),
      ...(change && { change }),
      ...(history.isSample && { watermark: words.watermark }),
    },
  };
};
