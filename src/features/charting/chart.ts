import { readIndicators } from '#src/markets/indicators/chart-indicators.ts';
import { type ChartStyle, type ChartTheme, styleWords } from '#src/kernel/market/chart-style.ts';
import { codeFor, type HistoryRange } from '#src/kernel/market/finance.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { type Audience, emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { MAX_PRESSED_CHARS, type MediaAttachment } from '#src/kernel/chat/message.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { FeatureUses } from '#src/features/services.ts';
import { canBeLog, canShow, drawnBars } from '#src/markets/charts/candle-picture.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import { alignHistories, comparisonBase, comparisonDates } from '#src/markets/charts/comparison-picture.ts';
import { ChartError } from '#src/markets/charts/drawing-process.ts';
import type { History } from '#src/markets/sources/source.ts';
import { changeFigures, formatChange, withCommonStart } from '#src/markets/series/history-change.ts';
import { factBase, historyBrief, historyFacts, historyText } from '#src/markets/series/history-summary.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { isRunning, shortHistoryOrigin } from '#src/markets/series/running-bar.ts';
import { coveredRange } from '#src/markets/series/range-covered.ts';
import { historyShownTo, shownTo } from '#src/markets/answers/rate-line.ts';
import { chartControls } from '#src/markets/answers/controls.ts';
import { choicesForMissed, echo, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';

export interface ChartRequest extends ChartStyle {
  /** One gives candles or a line, several give lines in % from the first day. */
  readonly queries: readonly string[];
  readonly range: HistoryRange;
  /** As people write them: `ma20`, `ema12`, `bollinger`, `rsi`, `macd`. Empty: the usual averages. */
  readonly indicators: readonly string[];
  readonly theme?: ChartTheme | undefined;
}

export interface ChartQueries {
  readonly chart: MarketQuery<ChartRequest>;
}

interface ChartDeps extends FeatureUses<
  'clock.now' | 'symbols.resolve' | 'symbols.findListing' | 'market.getHistory'
> {
  readonly charts: Pick<Charts, 'candles' | 'comparison'>;
}

interface Drawn {
  readonly picture: MediaAttachment;
  /** What the picture of one symbol shows. */
  readonly bars?: string;
}

/** Longer ranges with bars of the same length, so that an average of a quarter begins with the first bar. */
const EARLIER: Partial<Record<HistoryRange, HistoryRange>> = {
  '1mo': '6mo',
  '3mo': '1y',
  '6mo': '1y',
  ytd: '2y',
  '1y': '2y',
};
/** Averages longer than this need two years. */
const LONG_PERIOD = 100;

const earlierRange = (
  { range, indicators }: ChartRequest,
  { locale }: Audience,
): HistoryRange | undefined => {
  const usual = EARLIER[range];
  const { averages } = readIndicators(indicators, locale).indicators;
  return usual !== undefined && averages.some(({ period }) => period > LONG_PERIOD) ? '2y' : usual;
};

const styleOf = ({ shape, interval, isLog }: ChartRequest): ChartStyle => ({ shape, interval, isLog });

/** What the data did not allow, in sentences. */
const styleNotes = (
  [first, second]: readonly History[],
  { interval, isLog }: ChartRequest,
  { locale }: Audience,
): readonly string[] => {
  const t = chartTexts(locale);
  if (!first) return [];
  if (second) return interval !== undefined || isLog ? [t.stylesForOne()] : [];
  const drawn = t.candles[first.interval];
  const lacksBars = interval !== undefined && !canShow(first.interval, interval);
  return [
    ...(lacksBars ? [interval === '1d' ? t.noDays({ drawn }) : t.noLongBars({ drawn })] : []),
    ...(isLog && !canBeLog(first) ? [t.noLog()] : []),
  ];
};

const sentenceFor = (error: unknown, { locale }: Audience): string => {
  const t = chartTexts(locale);
  return error instanceof ChartError && error.code === 'CHART_BUSY' ? t.busy() : t.notDrawn();
};

/** A comparison in words: each instrument with its last price and its change from the common base. */
const comparisonWords = (
  given: readonly History[],
  audience: Audience,
  now: Timestamp,
): { readonly text: string; readonly facts: readonly Fact[] } => {
  const { locale } = audience;
  const histories = withCommonStart(given);
  const aligned = alignHistories(histories);
  const { changes, baseDate } = aligned;
  const lines = histories.map(({ instrument, bars }, index) => {
    const last = bars.at(-1);
    const change = changes[index];
    const shown = shownTo(instrument, locale);
    const price = last ? formatPrice(shown.price(last.close), shown.instrument, locale) : '';
    return `- **${shortLabel(shown.instrument, locale)}** ${price} · ${change ? formatChange(change, instrument, locale) : '–'}`;
  });
  const facts = histories.flatMap((history, index): readonly Fact[] => {
    const change = changes[index];
    const since = baseDate === undefined || !change ? [] : changeFigures(change, history, baseDate);
    const own = historyFacts(history, now);
    const isStated = ({ metric, period }: Pick<Fact, 'metric' | 'period'>): boolean =>
      own.some((fact) => fact.metric === metric && fact.period === period);
    return [
      ...own,
      ...since.filter((figure) => !isStated(figure)).map((figure) => ({ ...factBase(history), ...figure })),
    ];
  });
  return {
    text: [
      `${coveredRange(histories, locale, now) ?? comparisonDates(aligned)} · ${comparisonBase(histories, aligned, locale)}`,
      ...lines,
      [
        ...new Set(
          histories.map((history) => shortHistoryOrigin(history, isRunning(history, now), audience, now)),
        ),
      ].join(' · '),
    ].join('\n'),
    facts,
  };
};

/** A picture of prices with its description, which is sent alone where drawing fails. Throws only on abort. */
export const chartAnswer = ({ market, symbols, charts, clock }: ChartDeps): ChartQueries['chart'] => {
  const drawOne = async (
    history: History,
    request: ChartRequest,
    audience: Audience,
    signal: AbortSignal,
  ): Promise<Drawn> => {
    const range = earlierRange(request, audience);
    const earlier = range && (await market.getHistory(history.instrument, range, signal));
    const options = {
      ...styleOf(request),
      theme: request.theme,
      indicators: request.indicators,
      // Without the earlier bars the averages only begin later.
      earlier: earlier?.status === 'ok' ? historyShownTo(earlier.value, audience.locale) : undefined,
    };
    const shown = historyShownTo(history, audience.locale);
    const picture = await charts.candles(shown, options, audience, signal);
    return { picture, bars: drawnBars(shown, options, audience.locale) };
  };

  const draw = async (
    histories: readonly History[],
    request: ChartRequest,
    audience: Audience,
    signal: AbortSignal,
  ): Promise<Drawn | { readonly failure: string }> => {
    const [first, second] = histories;
    try {
      return first && !second
        ? await drawOne(first, request, audience, signal)
        : {
            picture: await charts.comparison(
              histories.map((history) => historyShownTo(history, audience.locale)),
              { theme: request.theme },
              audience,
              signal,
            ),
          };
    } catch (error) {
      signal.throwIfAborted();
      return { failure: sentenceFor(error, audience) };
    }
  };

  return async (request, audience, signal) => {
    const { locale } = audience;
    const t = chartTexts(locale);
    const { names, instruments } = await resolveNames(request.queries, symbols, locale, () => '', signal);
    const results = await Promise.all(
      instruments.map(async (instrument) => ({
        instrument,
        result: await market.getHistory(instrument, request.range, signal),
      })),
    );
    const histories = results.flatMap(({ result }) => (result.status === 'ok' ? [result.value] : []));
    const gaps = [
      ...names.flatMap((name) => (name.status === 'missed' ? [name.text] : [])),
      ...results.flatMap(({ instrument, result }) =>
        result.status === 'ok' ? [] : [unavailableText(instrument, result.reason, locale)],
      ),
    ];
    const commandFor = (all: readonly string[], code: string): string => {
      const words = [...request.indicators, ...styleWords(request)];
      const whole = [`/chart ${all.join(', ')} ${request.range}`, ...words].join(' ');
      return whole.length <= MAX_PRESSED_CHARS ? whole : `/chart ${code} ${request.range}`;
    };
    const choices = await choicesForMissed(request.queries, symbols, locale, commandFor, signal);
    const [first, second] = histories;
    if (!first) return { ...emptyAnswer(gaps.join('\n\n')), ...(choices.length > 0 && { choices }) };

    const drawn = await draw(histories, request, audience, signal);
    const { unknown } = readIndicators(request.indicators, locale);
    const notes = [
      ...('failure' in drawn ? [drawn.failure] : []),
      ...(unknown.length > 0
        ? [t.unknownIndicators({ names: unknown.map((name) => `\`${echo(name)}\``).join(', ') })]
        : []),
      ...(second && request.indicators.length > unknown.length ? [t.indicatorsForOne()] : []),
      ...styleNotes(histories, request, audience),
    ];
    const codes = histories.map(({ instrument }) => codeFor(instrument, symbols));
    const { range, indicators, theme = 'light' } = request;
    const controls = chartControls({ codes, range, indicators, theme, style: styleOf(request) }, locale);
    const now = clock.now();
    const bars = 'failure' in drawn ? undefined : drawn.bars;
    const shown = historyShownTo(first, locale);
    const { text, details, facts } = second
      ? { ...comparisonWords(histories, audience, now), details: undefined }
      : {
          text: historyBrief(shown, audience, now),
          details: historyText(shown, audience, now, bars),
          facts: historyFacts(first, now),
        };
    return {
      content: [text, ...gaps, ...notes].join('\n\n'),
      ...(details !== undefined && { details: [details, ...gaps, ...notes].join('\n\n') }),
      facts,
      found: histories.length,
      choices: [...choices, ...controls],
      ...(!('failure' in drawn) && { media: [drawn.picture] }),
    };
  };
};
