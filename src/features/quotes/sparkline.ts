import type { MarketQueryDeps } from '#src/features/feature.ts';
import { type Instrument, isShare, type Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import { ARROWS, sourceName, toneOf } from '#src/markets/answers/quote-text.ts';
import { barDate, factDay } from '#src/markets/series/bar-dates.ts';
import { changeBetween, changeFigures, formatChange } from '#src/markets/series/history-change.ts';
import { factBase } from '#src/markets/series/history-summary.ts';
import { isRunning } from '#src/markets/series/running-bar.ts';
import type { Bar, History } from '#src/markets/sources/source.ts';
import { differsLikeSplit, mayStillBeSplit } from '#src/markets/sources/split-doubt.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';

/** The recent closes of an instrument, as a line below its price. */
export interface Sparkline {
  readonly text: string;
  readonly facts: readonly Fact[];
}

/** Asked for beside the prices. It waits for closes only a moment after them, and never throws. */
export type AskSparklines = (
  instruments: readonly Instrument[],
  audience: Audience,
  signal: AbortSignal,
) => (quotes: readonly Quote[]) => Promise<ReadonlyMap<string, Sparkline>>;

const MAX_CLOSES = 30;
/** Fewer show no course. */
const LEAST_CLOSES = 5;
/** The range of a chart without one, so that the next chart is drawn from the same answer of the source. */
const RANGE = '6mo';
/** Each takes a request. */
const MAX_INSTRUMENTS = 3;
const PATIENCE_MS = 300;

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const MIDDLE = '▄';

const drawCloses = (closes: readonly Decimal[]): string => {
  const low = Decimal.min(...closes);
  const span = Decimal.max(...closes).minus(low);
  if (span.isZero()) return MIDDLE.repeat(closes.length);
  const top = BLOCKS.length - 1;
  return closes
    .map((close) => BLOCKS[close.minus(low).dividedBy(span).times(top).round().toNumber()])
    .join('');
};

/** `2026-11-13` without its year. */
const dayText = (date: string): string => date.slice('2026-'.length);

/** Whether a split that is not reported yet may lie between these closes. */
const mayMixShares = (history: History, closed: readonly Bar[], now: Timestamp): boolean => {
  const { instrument, timeZone, isSample } = history;
  if (isSample || !isShare(instrument.assetClass)) return false;
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  return closed.some(({ at, open }, index) => {
    const before = closed[index - 1]?.close;
    return (
      before !== undefined &&
      differsLikeSplit(open, before) &&
      mayStillBeSplit(instrument, at.toZonedDateTimeISO(timeZone).toPlainDate(), today)
    );
  });
};

/** Undefined if there are too few closes, or they are not of the price's own kind. A running day has no close yet. */
const sparklineOf = (
  history: History,
  quote: Quote,
  { locale }: Audience,
  now: Timestamp,
): Sparkline | undefined => {
  const { instrument, interval, bars, isSample } = history;
  if (interval !== '1d' || isSample !== quote.isSample) return undefined;
  const closed = (isRunning(history, now) ? bars.slice(0, -1) : bars).slice(-MAX_CLOSES);
  if (mayMixShares(history, closed, now)) return undefined;
  const [first, last] = [closed[0], closed.at(-1)];
  const change = changeBetween(first?.close, last?.close, instrument);
  if (closed.length < LEAST_CLOSES || !first || !last || !change) return undefined;
  const t = quoteTexts(locale);
  const [from, to] = [barDate(history, first.at), barDate(history, last.at)];
  const facts = changeFigures(change, history, from).map((figure) => ({
    ...factBase(history),
    day: factDay(history, last.at),
    ...figure,
  }));
  const label = t.closes({ count: closed.length, isCoin: instrument.assetClass === 'crypto' });
  return {
    text: [
      `${label} ${drawCloses(closed.map(({ close }) => close))} ${ARROWS[toneOf(change.difference)]} ${formatChange(change, instrument, locale)}`,
      `${dayText(from)} – ${dayText(to)}`,
      ...(history.source === quote.source ? [] : [`${t.source}: ${sourceName(history, locale)}`]),
    ].join(' · '),
    facts: withNames(namesOf(instrument), facts),
  };
};

type SparklineDeps = Pick<MarketQueryDeps, 'clock' | 'logger' | 'showsSparklines'> & {
  readonly market: Pick<MarketQueryDeps['market'], 'getHistory'>;
};

const NONE: ReadonlyMap<string, Sparkline> = new Map();

export const askSparklines = (deps: SparklineDeps): AskSparklines => {
  const { market, clock, logger, showsSparklines } = deps;

  const leaveOut = (
    symbol: string,
    why: { readonly reason?: string; readonly error?: unknown },
  ): undefined => {
    logger.debug('No closes to show below a price', { symbol, ...why });
  };

  const historyOf = async (instrument: Instrument, signal: AbortSignal): Promise<History | undefined> => {
    const { symbol } = instrument;
    try {
      const result = await market.getHistory(instrument, RANGE, signal);
      return result.status === 'ok' ? result.value : leaveOut(symbol, { reason: result.reason });
    } catch (error) {
      return leaveOut(symbol, { error });
    }
  };

  return (instruments, audience, signal) => {
    const { channelId } = audience;
    const isShown = channelId !== undefined && showsSparklines?.(channelId) === true;
    if (!isShown || instruments.length > MAX_INSTRUMENTS) return async () => NONE;
    const asked = new Map(instruments.map((each) => [each.symbol, historyOf(each, signal)]));
    return async (quotes) => {
      const drawn = quotes.map(async (quote) => {
        const { symbol } = quote.instrument;
        const history = await asked.get(symbol);
        try {
          const sparkline = history && sparklineOf(history, quote, audience, clock.now());
          return sparkline ? [[symbol, sparkline] as const] : [];
        } catch (error) {
          leaveOut(symbol, { error });
          return [];
        }
      });
      // A source that answers later has answered for the next question.
      const inTime = await Promise.all(drawn.map((each) => waitAtMost(each, PATIENCE_MS, clock)));
      if (inTime.includes(undefined)) logger.debug('Closes came too late to show them below a price');
      return new Map(inTime.flatMap((each) => each ?? []));
    };
  };
};
