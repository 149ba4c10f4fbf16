import { rangeLabel } from '#src/language/history-range.ts';
import { performanceMessages } from '../messages/performance.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { MediaAttachment } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { originText } from '#src/markets/answers/quote-text.ts';
import type { PortfolioCharts } from '#src/markets/charts/portfolio-picture.ts';
import { dateOf } from '#src/markets/performance/epoch-day.ts';
import type { PortfolioAnalysis } from './analyse-figures.ts';
import type { Origin } from './analyse-origin.ts';
import { percentText } from './analyse-text.ts';
import { moneyText } from '#src/markets/answers/money-text.ts';

export interface PictureDeps {
  readonly logger: Pick<FinClawLogger, 'warn'>;
  /** Absent: nothing is drawn. */
  readonly charts?: Pick<PortfolioCharts, 'valueOverTime'>;
}

/** The value over time; undefined where there is too little to draw. Throws on abort alone: the words stand without it. */
export const drawAnalysis = async (
  { name, baseCurrency, range, series, exposure, twr }: PortfolioAnalysis,
  origin: Origin,
  { charts, logger }: PictureDeps,
  audience: Audience,
  signal: AbortSignal,
): Promise<MediaAttachment | 'failed' | undefined> => {
  const points = series.points.filter(({ value }, index) => index > 0 || value !== 0);
  if (!charts || points.length < 2) return undefined;
  const { locale } = audience;
  const t = performanceMessages(locale);
  const total = twr.status === 'ok' ? twr.value.total : undefined;
  try {
    return await charts.valueOverTime(
      {
        title: portfolioMessages(locale).cardTitle({ name }),
        subtitle: t.chartSubtitle({ range: rangeLabel(range, locale) }),
        currency: baseCurrency,
        points: points.map(({ day, value, contributed }) => ({ date: dateOf(day), value, contributed })),
        headline: moneyText(exposure.total, baseCurrency, locale),
        ...(total !== undefined && {
          change: {
            text: t.chartChange({ value: percentText(total, locale, true) }),
            tone: total > 0 ? 'up' : total < 0 ? 'down' : 'flat',
          },
        }),
        origin: originText(origin, audience),
        isSample: origin.isSample,
      },
      audience,
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('value over time could not be drawn', { error });
    return 'failed';
  }
};
