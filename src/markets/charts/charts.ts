import { newId } from '#src/platform/ids.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import type { Uses } from '#src/platform/services.ts';
import { chartTexts } from './texts.ts';
import type { Brand, ChannelId, Timestamp } from '#src/kernel/ids.ts';
import type { Plot } from '#src/kernel/chat/plot.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { baseName, formatChange } from '../series/history-change.ts';
import { summariseHistory } from '../series/history-summary.ts';
import { formatPrice, instrumentLabel } from '../answers/quote-text.ts';
import { coveredRange, datesOf } from '../series/range-covered.ts';
import { historyOrigin, isRunning } from '../series/running-bar.ts';
import type { History } from '../sources/source.ts';
import { type CandleOptions, candlePicture } from './candle-picture.ts';
import type { CandlePicture, ChartPicture } from './chart-picture.ts';
import {
  type Aligned,
  alignHistories,
  comparisonBase,
  comparisonDates,
  type ComparisonOptions,
  comparisonOrigin,
  comparisonPicture,
} from './comparison-picture.ts';
import { createDrawingProcess } from './drawing-process.ts';
import { candlePlot, comparisonPlot } from './plot.ts';
import {
  allocationAlt,
  allocationPicture,
  type PortfolioCharts,
  valueAlt,
  valuePicture,
} from './portfolio-picture.ts';

type ChartId = Brand<string, 'ChartId'>;

interface ChartsDeps extends Uses<'clock.after' | 'clock.now' | 'logger'> {
  readonly files: Pick<SentFiles, 'save'>;
  /** Whether the channel draws pictures with characters. Absent: none does. */
  readonly drawsPlots?: ((channelId: ChannelId) => boolean) | undefined;
}

/** Draws charts. Rejects with a `ChartError`, a file system error or the signal's reason. */
export interface Charts extends PortfolioCharts {
  readonly candles: (
    history: History,
    options: CandleOptions,
    audience: Audience,
    signal: AbortSignal,
  ) => Promise<MediaAttachment>;
  readonly comparison: (
    histories: readonly History[],
    options: ComparisonOptions,
    audience: Audience,
    signal: AbortSignal,
  ) => Promise<MediaAttachment>;
  /** Ends the drawing process. */
  readonly stop: () => Promise<void>;
}

/** Makes `BTC/KRW` and `^KS11` safe for file names. */
const fileNamePart = (ticker: string): string =>
  ticker.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/gu, '');

const candlesAlt = (
  history: History,
  { interval, shape }: CandlePicture,
  audience: Audience,
  now: Timestamp,
): string => {
  const { locale } = audience;
  const { instrument } = history;
  const t = chartTexts(locale);
  const { first, last, high, low, change } = summariseHistory(history);
  const price = ({ price: value }: { readonly price: typeof first.price }): string =>
    formatPrice(value, instrument, locale);
  const from = change?.base
    ? `${price({ price: change.from })} (${baseName(change.base, history, locale)})`
    : price(first);
  return t.candlesAlt({
    name: instrumentLabel(instrument, locale),
    range: coveredRange([history], locale, now),
    dates: datesOf(history),
    isLine: shape === 'line',
    bars: (shape === 'line' ? t.closes : t.candles)[interval],
    first: from,
    last: price(last),
    change: change === undefined ? '' : ` (${formatChange(change, instrument, locale)})`,
    high: `${price(high)} (${high.date})`,
    low: `${price(low)} (${low.date})`,
    origin: historyOrigin(history, isRunning(history, now), audience, now),
    isSample: history.isSample,
  });
};

const comparisonAlt = (
  histories: readonly History[],
  aligned: Aligned,
  audience: Audience,
  now: Timestamp,
): string => {
  const { locale } = audience;
  return chartTexts(locale).comparisonAlt({
    range: coveredRange(histories, locale, now),
    dates: comparisonDates(aligned),
    changes: histories
      .map(({ instrument }, index) => {
        const change = aligned.changes[index];
        return `${instrumentLabel(instrument, locale)} ${change ? formatChange(change, instrument, locale) : '–'}`;
      })
      .join(', '),
    base: comparisonBase(histories, aligned, locale),
    origin: comparisonOrigin(histories, audience, now),
    isSample: histories.some(({ isSample }) => isSample),
  });
};

/** The queue owner: people take turns. */
const queueOwner = ({ channelId, userId, senderId }: Audience): string =>
  [channelId, userId ?? senderId].join('\0');

/** Draws in a process of its own that runs only while needed. */
export const createCharts = ({ files, clock, logger, drawsPlots }: ChartsDeps): Charts => {
  const drawer = createDrawingProcess<ChartPicture>({
    script: new URL('./chart-worker.ts', import.meta.url),
    clock,
  });

  const drawChart = async (
    picture: ChartPicture,
    name: string,
    altText: string,
    audience: Audience,
    signal: AbortSignal,
    plotOf?: () => Plot,
  ): Promise<MediaAttachment> => {
    const startedMs = performance.now();
    try {
      const png = await drawer.draw(picture, queueOwner(audience), signal);
      const url = await files.save('charts', `${newId<ChartId>()}.png`, png);
      const durationMs = Math.round(performance.now() - startedMs);
      logger.debug('Chart drawn', { durationMs, sizeBytes: png.length });
      const { channelId } = audience;
      const plot = channelId !== undefined && drawsPlots?.(channelId) === true ? plotOf?.() : undefined;
      const sizeBytes = png.length;
      return { kind: 'image', mimeType: 'image/png', name, url, sizeBytes, altText, ...(plot && { plot }) };
    } catch (error) {
      if (!signal.aborted) logger.warn('Drawing a chart failed', { error });
      throw error;
    }
  };

  return {
    candles: async (history, options, audience, signal) => {
      const now = clock.now();
      const picture = candlePicture(history, options, audience, now);
      const name = `${fileNamePart(history.instrument.ticker)}-${history.range}.png`;
      const altText = candlesAlt(history, picture, audience, now);
      return drawChart(picture, name, altText, audience, signal, () => candlePlot(picture, history));
    },
    comparison: async (histories, options, audience, signal) => {
      const aligned = alignHistories(histories);
      const tickers = histories.map(({ instrument }) => fileNamePart(instrument.ticker)).join('-');
      const name = `compare-${tickers}-${histories[0]?.range ?? ''}.png`;
      const now = clock.now();
      const picture = comparisonPicture(histories, aligned, options, audience, now);
      const altText = comparisonAlt(histories, aligned, audience, now);
      return drawChart(picture, name, altText, audience, signal, () =>
        comparisonPlot(
          picture,
          comparisonDates(aligned),
          comparisonBase(histories, aligned, audience.locale),
        ),
      );
    },
    allocation: async (request, audience, signal) => {
      const picture = allocationPicture(request, audience);
      const name = `portfolio-${fileNamePart(request.title)}.png`;
      return drawChart(picture, name, allocationAlt(request, picture, audience), audience, signal);
    },
    valueOverTime: async (request, audience, signal) => {
      const name = `portfolio-${fileNamePart(request.title)}-value.png`;
      return drawChart(valuePicture(request, audience), name, valueAlt(request, audience), audience, signal);
    },
    stop: drawer.stop,
  };
};
