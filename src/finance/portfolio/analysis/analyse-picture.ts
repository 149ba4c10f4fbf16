import { rangeLabel } from '#src/language/history-range.ts';
import { performanceMessages } from '#src/core/i18n/performance.ts';
import { portfolioMessages } from '#src/core/i18n/portfolio.ts';
import type { Audience } from '#src/core/market-desk.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { originText } from '../../answers/quote-text.ts';
import type { PortfolioCharts } from '../../charts/portfolio-picture.ts';
import { dateOf } from '../../performance/epoch-day.ts';
import type { PortfolioAnalysis } from './analyse-figures.ts';
import type { Origin } from './analyse-origin.ts';
import { percentText } from './analyse-text.ts';
import { moneyText } from '../money-text.ts';

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
