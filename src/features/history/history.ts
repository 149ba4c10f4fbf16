import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { analysisMessages } from '#src/markets/series/messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { HistoryRange, MarketQueries } from '#src/kernel/market-queries.ts';
import { type Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { rangeOfDays } from '#src/language/history-range.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Bar, History, Market } from '#src/markets/sources/source.ts';
import { barDate, closeMetric } from '#src/markets/series/bar-dates.ts';
import { daysText } from './history-days.ts';
import { factBase, formatVolume, historyFacts, historyText } from '#src/markets/series/history-summary.ts';
import { decimalsOfPrice } from '#src/markets/answers/quote-text.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { missedAnswer, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';
import { isRunning } from '#src/markets/series/running-bar.ts';

interface HistoryDeps {
  readonly market: Pick<Market, 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Enough to see how it went; more is not read, and costs the model its window. */
const MAX_ROWS = 40;

/** Real bars, evenly picked, the first and the last among them: nothing in the table is averaged. */
const thinned = (bars: readonly Bar[]): readonly Bar[] => {
  if (bars.length <= MAX_ROWS) return bars;
  const step = (bars.length - 1) / (MAX_ROWS - 1);
  return Array.from({ length: MAX_ROWS }, (_, row) => bars[Math.round(row * step)]).filter(
    (bar) => bar !== undefined,
  );
};

/** Holidays may lie before the day, and the close before it is told too. */
const DAYS_BEFORE = 12;

const rangeBackTo = (day: Temporal.PlainDate, now: Timestamp): HistoryRange =>
  rangeOfDays(Math.max(0, now.toZonedDateTimeISO('UTC').toPlainDate().since(day).days) + DAYS_BEFORE);

const tableOf = (history: History, rows: readonly Bar[], locale: Locale): string => {
  const { instrument } = history;
  const { columns } = analysisMessages(locale);
  // The currency stands above: a sign in every cell only makes the table wide.
  const price = (value: Decimal): string =>
    formatFinancialNumber(value, {
      locale,
      minimumFractionDigits: instrument.priceDecimals,
      maximumFractionDigits: decimalsOfPrice(value, instrument),
    });
  return [
    `| ${[columns.dates[history.interval], columns.open, columns.high, columns.low, columns.close, columns.volume].join(' | ')} |`,
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map((bar) => {
      const prices = [bar.open, bar.high, bar.low, bar.close].map(price);
      return `| ${[barDate(history, bar.at), ...prices, bar.volume.isZero() ? '–' : formatVolume(bar.volume, locale)].join(' | ')} |`;
    }),
  ].join('\n');
};

/** How something went over a time: a summary, and a table of at most 40 of its bars. Throws on abort alone. */
export const historyAnswer =
  ({ market, symbols, clock }: HistoryDeps): MarketQueries['history'] =>
  async ({ query, range: asked, days }, audience, signal) => {
    const { locale } = audience;
    const range = days ? rangeBackTo(days.first, clock.now()) : asked;
    const resolved = await resolveNames(
      [query],
      symbols,
      locale,
      (symbol) => `/chart ${symbol} ${range}`,
      signal,
    );
    const [instrument] = resolved.instruments;
    if (!instrument) return missedAnswer(resolved);
    const result = await market.getHistory(instrument, range, signal);
    if (result.status !== 'ok') {
      return { content: unavailableText(instrument, result.reason, locale), facts: [], found: 0 };
    }
    const history = result.value;
    const now = clock.now();
    if (days) return daysText(history, days, audience, now);
    const t = analysisMessages(locale);
    const rows = thinned(history.bars);
    const shown = historyShownTo(history, locale);
    const isLive = isRunning(history, now);
    const notes = [
      ...(isLive ? [t.running] : []),
      ...(rows.length < history.bars.length
        ? [t.thinned({ shown: rows.length, all: history.bars.length })]
        : []),
    ];
    const key = historyFacts(history, now);
    const stated = new Set(key.map(({ metric }) => metric));
    const closes = rows
      .slice(0, isLive ? -1 : undefined)
      .map((bar): Fact => ({
        ...factBase(history),
        metric: closeMetric(history, bar.at),
        value: bar.close.toFixed(),
        unit: history.instrument.currency,
      }))
      .filter(({ metric }) => !stated.has(metric));
    return {
      content: [
        historyText(shown, audience, now),
        ...(notes.length > 0 ? [notes.join('\n')] : []),
        tableOf(shown, thinned(shown.bars), locale),
      ].join('\n\n'),
      facts: [...key, ...closes],
      found: 1,
    };
  };
