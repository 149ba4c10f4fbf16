import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { analysisMessages } from '#src/markets/series/messages.ts';
import type { MarketQueries } from '#src/kernel/market-queries.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { capitalised, factBase, lastMetric } from '#src/markets/series/history-summary.ts';
import { indicatorLines } from './indicator-lines.ts';
import { type IndicatorSubject, indicatorSubject } from '#src/markets/series/indicator-subject.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { missedAnswer, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';
import { historyOrigin, isRunning } from '#src/markets/series/running-bar.ts';

interface IndicatorsDeps {
  readonly market: Pick<Market, 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
  readonly clock: Pick<Clock, 'now'>;
}

const AVERAGES = [20, 50, 200] as const;
/** In Korea a quarter has 60 days and half a year 120. */
const KOREAN_AVERAGES = [20, 50, 60, 120, 200] as const;

const averagesFor = ({ symbol }: Instrument, locale: Locale): readonly number[] =>
  locale === 'ko' || /\.K[SQ]$/u.test(symbol) ? KOREAN_AVERAGES : AVERAGES;

/** What the usual indicators of a year of daily bars are, and what each means, without advice. Throws on abort alone. */
export const indicatorsAnswer =
  ({ market, symbols, clock }: IndicatorsDeps): MarketQueries['indicators'] =>
  async ({ query, only }, audience, signal) => {
    const { locale } = audience;
    const resolved = await resolveNames(
      [query],
      symbols,
      locale,
      (symbol) => `/chart ${symbol} 1y rsi macd`,
      signal,
    );
    const [instrument] = resolved.instruments;
    if (!instrument) return missedAnswer(resolved);
    const result = await market.getHistory(instrument, '1y', signal);
    // Of weeks every number would be another one under the same name.
    if (result.status !== 'ok' || result.value.interval !== '1d') {
      const reason = result.status === 'ok' ? 'no-data' : result.reason;
      return { content: unavailableText(instrument, reason, locale), facts: [], found: 0 };
    }
    const history = result.value;
    const t = analysisMessages(locale);
    const now = clock.now();
    const isLive = isRunning(history, now);
    const linesOf = (of: IndicatorSubject) => indicatorLines(of, averagesFor(instrument, locale), only);
    const shown = historyShownTo(history, locale);
    const subject = indicatorSubject(shown, isLive, audience);
    const lines = linesOf(subject);
    // Facts are of one, whatever number of them the reader counts.
    const ofOne = shown === history ? lines : linesOf(indicatorSubject(history, isLive, audience));
    const last = history.bars.at(-1);
    const date = dayOf(history.asOf, history.timeZone);
    return {
      content: [
        `**${instrumentLabel(shown.instrument, locale)}** · ${t.indicatorsOf({ count: history.bars.length })}`,
        capitalised(`${subject.of} ${subject.money(subject.close)} (${date})`),
        ...lines.map(({ text }) => text),
        '',
        historyOrigin(history, isLive, audience, now),
        ...(isLive ? [t.stillRunning] : []),
        t.notAdvice,
      ].join('\n'),
      facts: [
        ...(last
          ? [
              {
                ...factBase(history),
                metric: lastMetric(history, now),
                value: last.close.toFixed(),
                unit: history.instrument.currency,
              },
            ]
          : []),
        ...ofOne.flatMap(({ facts }) => facts),
      ],
      found: 1,
    };
  };
