import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Quote, QuoteResult, UnavailableReason } from '#src/kernel/market/finance.ts';
import { alertTexts } from '../texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import {
  averageNow,
  type DailySeries,
  dailySeriesOf,
  daysOver,
  rsiNow,
  usualVolume,
} from './daily-series.ts';
import { needsHistory, type Observation, observationOf } from './evaluate-condition.ts';
import { type CurrentPrice, extendedPrice, tradingWindow } from './trading-window.ts';
import type { FeatureUses } from '#src/features/services.ts';

type Subject = Pick<AlertRecord, 'condition' | 'instrument'>;

/** The market data at the moment an alert is set. */
export interface Observed {
  readonly quote: Quote | undefined;
  readonly quoteProblem: UnavailableReason | undefined;
  /** `isKnown` is false where the history cannot answer the condition. */
  readonly seen: (Observation & { readonly isKnown: boolean }) | undefined;
  /** The current value in words, where the condition is not about the price. */
  readonly value: string | undefined;
  readonly facts: readonly Fact[];
  readonly hasNews: boolean;
}

interface Value {
  readonly text: string;
  readonly facts: readonly Fact[];
}

const DIGITS = 2;

const valueOf = (
  { condition, instrument }: Subject,
  quote: Quote,
  daily: DailySeries,
  { locale }: Audience,
): Value | undefined => {
  const t = alertTexts(locale);
  const price = quote.price.toNumber();
  const over = daysOver(daily, quote.asOf);
  const plain = (value: number): string =>
    formatFinancialNumber(new Decimal(value), {
      locale,
      minimumFractionDigits: DIGITS,
      maximumFractionDigits: DIGITS,
    });
  const common = {
    entity: instrument.symbol,
    asOf: quote.asOf.toString(),
    source: quote.source,
    isSample: quote.isSample,
  };
  if (condition.kind === 'rsi') {
    const value = rsiNow(daily, over, condition.period, price);
    if (value === undefined) return undefined;
    const { period } = condition;
    return {
      text: t.now({ value: plain(value) }),
      facts: [
        { ...common, metric: 'rsi', parameter: String(period), value: value.toFixed(DIGITS), unit: 'points' },
      ],
    };
  }
  if (condition.kind === 'ma-cross') {
    const averages = [condition.fast, condition.slow].map((days) => ({
      days,
      value: averageNow(daily, over, days, price),
    }));
    if (averages.some(({ value }) => value === undefined)) return undefined;
    const shown = shownTo(instrument, locale);
    const known = averages.flatMap(({ days, value = 0 }) => (days === 1 ? [] : [{ days, value }]));
    return {
      text: t.now({
        value: known
          .map(({ days, value }) =>
            t.values.average({
              days,
              value: formatPrice(shown.price(new Decimal(value)), shown.instrument, locale),
            }),
          )
          .join(', '),
      }),
      facts: known.map(({ days, value }) => ({
        ...common,
        metric: 'sma',
        parameter: String(days),
        value: value.toFixed(instrument.priceDecimals),
        unit: instrument.currency,
      })),
    };
  }
  if (condition.kind !== 'volume') return undefined;
  const usual = usualVolume(daily, over);
  if (usual === undefined || !quote.volume) return undefined;
  const times = quote.volume.toNumber() / usual;
  return {
    text: t.now({ value: t.values.times({ value: plain(times) }) }),
    facts: [{ ...common, metric: 'volumeMultiple', value: times.toFixed(DIGITS), unit: 'x' }],
  };
};

/** The last price at any hour. It describes the current state; alerts are not evaluated with it. */
const lastOf = ({ price, asOf, previousClose }: Quote): CurrentPrice => ({
  price,
  at: asOf,
  dayBase: previousClose,
});

/** Requests only what the condition needs. Throws only on abort. */
export const marketSnapshot = async (
  subject: Subject,
  result: QuoteResult | undefined,
  { market, clock }: FeatureUses<'clock' | 'market.getHistory' | 'market.getNews'>,
  audience: Audience,
  signal: AbortSignal,
): Promise<Observed> => {
  const { condition, instrument } = subject;
  const quote = result?.status === 'ok' ? result.quote : undefined;
  const base = {
    quote,
    quoteProblem: result?.status === 'unavailable' ? result.reason : undefined,
    seen: undefined,
    value: undefined,
    facts: [],
    hasNews: true,
  };
  if (condition.kind === 'news') {
    const news = await market.getNews({ instrument, limit: 1 }, signal);
    // Sample headlines never change, so an alert on them would never fire.
    const isLive =
      news.status === 'ok' ? news.value.every((item) => !item.isSample) : news.reason !== 'not-in-sample';
    return { ...base, hasNews: isLive };
  }
  if (!quote) return base;
  const isHard = needsHistory(condition, quote);
  const history = isHard ? await market.getHistory(instrument, '1y', signal) : undefined;
  const daily = history?.status === 'ok' ? dailySeriesOf(history.value) : undefined;
  const value = daily && valueOf(subject, quote, daily, audience);
  const isYear = condition.kind === 'year-high' || condition.kind === 'year-low';
  // A source that is down may have the data later; one that answers without it has none.
  const isDown = history?.status === 'unavailable' && history.reason === 'down';
  const isKnown = !isHard || isDown || (isYear ? daily !== undefined : value !== undefined);
  const extended = extendedPrice(quote, tradingWindow(instrument, clock.now()));
  return {
    ...base,
    seen: { ...observationOf(quote, lastOf(quote), extended, daily), isKnown },
    value: value?.text,
    facts: value?.facts ?? [],
  };
};
