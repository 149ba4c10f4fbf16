import type { QueryDeps } from '#src/features/feature.ts';
import { INDICATOR_GROUPS, type IndicatorGroup } from './indicator-groups.ts';
import {
  atr,
  bollinger,
  ema,
  macd,
  rsi,
  sma,
  VALUE_AREA,
  volumeProfile,
  yearRange,
} from '#src/markets/indicators/indicators.ts';
import { barDate, dayOf } from '#src/markets/series/bar-dates.ts';
import {
  asPercent,
  fixed,
  type IndicatorLine,
  type IndicatorSubject,
  indicatorSubject,
} from '#src/markets/series/indicator-subject.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { History } from '#src/markets/sources/source.ts';
import { factsAsShown, lastFact } from '#src/markets/series/history-summary.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { missedAnswer, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';
import { isRunning, shortHistoryOrigin } from '#src/markets/series/running-bar.ts';

interface IndicatorsRequest {
  readonly query: string;
  /** Absent: all of them. */
  readonly only?: readonly IndicatorGroup[];
}

export interface IndicatorsQueries {
  readonly indicators: MarketQuery<IndicatorsRequest>;
}

/** MACD is a difference of prices, so cheap shares need more decimals. */
const MORE_DIGITS = 2;
/** Holidays may shorten a year of trading days. */
const WHOLE_YEAR_MS = 355 * 86_400_000;

const movingAverage = (of: IndicatorSubject, kind: 'sma' | 'ema', period: number): IndicatorLine => {
  const name = `${kind.toUpperCase()} ${period}`;
  const value = (kind === 'sma' ? sma : ema)(of.closes, period).at(-1) ?? null;
  if (value === null) return of.missing(name);
  const distance = of.apartFrom(value);
  const { above, below, same } = of.words.average;
  const words = { of: of.of, percent: distance.text };
  const meaning = (distance.sign > 0 ? above : distance.sign < 0 ? below : same)(words);
  const parameter = String(period);
  return of.line(name, of.money(value), meaning, [
    { metric: kind, parameter, ...of.asMoney(value) },
    { metric: kind === 'sma' ? 'distanceFromSma' : 'distanceFromEma', parameter, ...distance.value },
  ]);
};

const relativeStrength = (of: IndicatorSubject): IndicatorLine => {
  const value = rsi(of.closes).at(-1) ?? null;
  if (value === null) return of.missing('RSI 14');
  const zone = value > 70 ? 'high' : value < 30 ? 'low' : 'middle';
  return of.line('RSI 14', of.plain(value, 2), of.words.rsi[zone], [
    { metric: 'rsi', parameter: '14', value: value.toFixed(2), unit: 'points' },
  ]);
};

const convergence = (of: IndicatorSubject): IndicatorLine => {
  const name = 'MACD (12, 26, 9)';
  const series = macd(of.closes);
  const line = series.line.at(-1) ?? null;
  const signal = series.signal.at(-1) ?? null;
  const histogram = series.histogram.at(-1) ?? null;
  if (line === null || signal === null || histogram === null) return of.missing(name);
  const { priceDecimals } = of.instrument;
  const digits = priceDecimals + MORE_DIGITS;
  const values = of.words.macd.values({
    line: of.plain(line, digits),
    signal: of.plain(signal, digits),
    histogram: of.plain(histogram, digits, true),
  });
  // Compare the rounded value, as it is shown.
  const apart = Number(fixed(histogram, digits));
  const meaning = of.words.macd[apart > 0 ? 'above' : apart < 0 ? 'below' : 'same'];
  const unit = of.differenceUnit;
  const parameter = '12, 26, 9';
  return of.line(name, values, meaning, [
    { metric: 'macd', parameter, value: fixed(line, digits), unit },
    { metric: 'macdSignal', parameter, value: fixed(signal, digits), unit },
    { metric: 'macdHistogram', parameter, value: fixed(histogram, digits), unit },
  ]);
};

const bands = (of: IndicatorSubject): IndicatorLine => {
  const { words, close, money, asMoney } = of;
  const series = bollinger(of.closes);
  const middle = series.middle.at(-1) ?? null;
  const upper = series.upper.at(-1) ?? null;
  const lower = series.lower.at(-1) ?? null;
  if (middle === null || upper === null || lower === null) return of.missing(words.bollinger.name);
  const values = words.bollinger.values({
    upper: money(upper),
    middle: money(middle),
    lower: money(lower),
  });
  const place = upper === lower ? 0.5 : (close - lower) / (upper - lower);
  const { above, below, inside } = words.bollinger;
  const meaning = (place > 1 ? above : place < 0 ? below : inside)({ of: of.of, percent: of.percent(place) });
  const parameter = '20';
  return of.line(words.bollinger.name, values, meaning, [
    { metric: 'bollingerUpper', parameter, ...asMoney(upper) },
    { metric: 'bollingerMiddle', parameter, ...asMoney(middle) },
    { metric: 'bollingerLower', parameter, ...asMoney(lower) },
    { metric: 'bollingerPercentB', parameter, ...asPercent(place) },
  ]);
};

const trueRange = (of: IndicatorSubject): IndicatorLine => {
  const value = atr(of.bars).at(-1) ?? null;
  if (value === null) return of.missing('ATR 14');
  const parameter = '14';
  const range = {
    metric: 'atr',
    parameter,
    value: fixed(value, of.instrument.priceDecimals),
    unit: of.differenceUnit,
  } as const;
  if (of.instrument.assetClass === 'rate')
    return of.line('ATR 14', of.difference(value), of.words.atrOfRate, [range]);
  const part = value / of.close;
  const meaning = of.words.atr({ of: of.of, percent: of.percent(part) });
  return of.line('ATR 14', of.difference(value), meaning, [
    range,
    { metric: 'atrPercent', parameter, ...asPercent(part) },
  ]);
};

const year = ({ history, words, bars, ...of }: IndicatorSubject): IndicatorLine => {
  const range = yearRange(bars);
  const highest = history.bars[range?.highIndex ?? -1];
  const lowest = history.bars[range?.lowIndex ?? -1];
  const [first] = history.bars;
  if (!range || range.position === null || !highest || !lowest || !first) return of.missing(words.year.name);
  const isWhole = history.asOf.epochMilliseconds - first.at.epochMilliseconds >= WHOLE_YEAR_MS;
  const name = isWhole ? words.year.name : words.year.shorter({ date: barDate(history, first.at) });
  const [highDate, lowDate] = [barDate(history, highest.at), barDate(history, lowest.at)];
  const fromHigh = of.apartFrom(highest.high.toNumber());
  const fromLow = of.apartFrom(lowest.low.toNumber());
  const values = words.year.values({
    high: `${of.money(highest.high)} (${highDate})`,
    low: `${of.money(lowest.low)} (${lowDate})`,
  });
  const meaning = words.year.place({
    of: of.of,
    fromHigh: fromHigh.text,
    fromLow: fromLow.text,
    position: of.percent(range.position),
  });
  const unit = of.instrument.currency;
  const period = isWhole ? '1y' : dayOf(first.at, history.timeZone);
  return of.line(name, values, meaning, [
    { metric: 'yearHigh', period, day: highDate, value: highest.high.toFixed(), unit },
    { metric: 'periodHighDay', period, value: highDate, unit: 'date' },
    { metric: 'yearLow', period, day: lowDate, value: lowest.low.toFixed(), unit },
    { metric: 'periodLowDay', period, value: lowDate, unit: 'date' },
    { metric: 'fromYearHigh', period, ...fromHigh.value },
    { metric: 'fromYearLow', period, ...fromLow.value },
    { metric: 'yearPosition', period, ...asPercent(range.position) },
  ]);
};

const volumes = ({ words, bars, money, asMoney, ...of }: IndicatorSubject): IndicatorLine => {
  const profile = volumeProfile(bars);
  if (!profile) return of.missing(words.volumeProfile.name, words.volumeProfile.none);
  const { pointOfControl: top, valueArea: area } = profile;
  const meaning = words.volumeProfile.meaning({ area: `${money(area.low)} – ${money(area.high)}` });
  return of.line(words.volumeProfile.name, `${money(top.low)} – ${money(top.high)}`, meaning, [
    { metric: 'pointOfControlLow', ...asMoney(top.low) },
    { metric: 'pointOfControlHigh', ...asMoney(top.high) },
    { metric: 'valueAreaLow', ...asMoney(area.low) },
    { metric: 'valueAreaHigh', ...asMoney(area.high) },
    { metric: 'valueAreaShare', ...asPercent(VALUE_AREA) },
  ]);
};

/** One line for each indicator. Without enough data the line says so and has no number. */
const indicatorLines = (
  of: IndicatorSubject,
  averages: readonly number[],
  only: readonly IndicatorGroup[] = INDICATOR_GROUPS,
): readonly IndicatorLine[] => {
  const groups: Readonly<Record<IndicatorGroup, () => readonly IndicatorLine[]>> = {
    average: () => [
      ...averages.map((period) => movingAverage(of, 'sma', period)),
      movingAverage(of, 'ema', 12),
      movingAverage(of, 'ema', 26),
    ],
    rsi: () => [relativeStrength(of)],
    macd: () => [convergence(of)],
    bollinger: () => [bands(of)],
    atr: () => [trueRange(of)],
    year: () => [year(of)],
    volume: () => [volumes(of)],
  };
  return INDICATOR_GROUPS.filter((group) => only.includes(group)).flatMap((group) => groups[group]());
};

const AVERAGES = [20, 50, 200] as const;
/** Koreans use 60 days for a quarter and 120 for half a year. */
const KOREAN_AVERAGES = [20, 50, 60, 120, 200] as const;

const averagesFor = ({ symbol }: Instrument, locale: Locale): readonly number[] =>
  locale === 'ko' || /\.K[SQ]$/u.test(symbol) ? KOREAN_AVERAGES : AVERAGES;

/** The usual indicators of a year of daily bars and their meaning, without advice. Throws only on abort. */
export const indicatorsAnswer =
  ({ market, symbols, clock }: QueryDeps<'getHistory', 'clock'>): IndicatorsQueries['indicators'] =>
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
    // Weekly bars would give other numbers under the same names.
    if (result.status !== 'ok' || result.value.interval !== '1d') {
      const reason = result.status === 'ok' ? 'no-data' : result.reason;
      return emptyAnswer(unavailableText(instrument, reason, locale));
    }
    const history = result.value;
    const t = analysisTexts(locale);
    const now = clock.now();
    const isLive = isRunning(history, now);
    const linesOf = (of: IndicatorSubject) => indicatorLines(of, averagesFor(instrument, locale), only);
    const shown = historyShownTo(history, locale);
    const subject = indicatorSubject(shown, isLive, audience);
    const lines = linesOf(subject);
    const factsOf = (of: History): readonly Fact[] => [
      lastFact(of, now),
      ...(of === shown ? lines : linesOf(indicatorSubject(of, isLive, audience))).flatMap(
        ({ facts }) => facts,
      ),
    ];
    const date = dayOf(history.asOf, history.timeZone);
    return {
      content: [
        `**${shortLabel(shown.instrument, locale)}** ${subject.of} ${subject.money(subject.close)} (${date})`,
        ...lines.map(({ text }) => text),
        `${t.indicatorsOf({ count: history.bars.length })} · ${shortHistoryOrigin(history, isLive, audience, now)}`,
        ...(isLive ? [t.stillRunning] : []),
      ].join('\n'),
      facts: factsAsShown(history, factsOf),
      found: 1,
    };
  };
