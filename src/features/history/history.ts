import type { QueryDeps } from '#src/features/feature.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { type Audience, emptyAnswer, type MarketAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { type Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { Bar, History } from '#src/markets/sources/source.ts';
import { barDate, dayOf, factDay } from '#src/markets/series/bar-dates.ts';
import {
  type Change,
  changeBetween,
  changeFigures,
  formatChange,
} from '#src/markets/series/history-change.ts';
import {
  capitalised,
  closeFact,
  extremeFacts,
  factBase,
  factsAsShown,
  formatVolume,
  historyBrief,
  historyFacts,
  historyText,
  moveText,
  summariseHistory,
} from '#src/markets/series/history-summary.ts';
import { closureOn } from '#src/markets/calendar/trading-dates.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import {
  decimalsOfPrice,
  formatPrice,
  instrumentLabel,
  plainPrice,
  shortSource,
} from '#src/markets/answers/quote-text.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { historyOrigin, isRunning, shortHistoryOrigin } from '#src/markets/series/running-bar.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { rangeOfDays } from '#src/reading/history-range.ts';
import { missedAnswer, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';

export interface HistoryRequest {
  readonly query: string;
  readonly range: HistoryRange;
  /** Only these days, both included; they replace the range. */
  readonly days?: { readonly first: Temporal.PlainDate; readonly last: Temporal.PlainDate };
}

export interface HistoryQueries {
  readonly history: MarketQuery<HistoryRequest>;
}

type Days = NonNullable<HistoryRequest['days']>;

const dateOf = ({ timeZone }: History, { at }: Bar): Temporal.PlainDate =>
  Temporal.PlainDate.from(dayOf(at, timeZone));

/** The index of the bar of a day, or else of the last bar before it. */
const barOn = (history: History, day: Temporal.PlainDate): number =>
  history.bars.findLastIndex((bar) => Temporal.PlainDate.compare(dateOf(history, bar), day) <= 0);

/** A bar as facts: its close, or the price while its session runs, and the rest of its row. */
const barFacts = (history: History, bar: Bar, isLive: boolean): readonly Fact[] => {
  const { interval, instrument } = history;
  const isDay = interval === '1d';
  const common = { ...factBase(history), day: factDay(history, bar.at), unit: instrument.currency };
  const base = isDay ? common : { ...common, period: interval };
  return [
    isLive ? { ...common, metric: 'price', value: bar.close.toFixed() } : closeFact(history, bar),
    { ...base, metric: 'open', value: bar.open.toFixed() },
    { ...base, metric: isDay ? 'dayHigh' : 'periodHigh', value: bar.high.toFixed() },
    { ...base, metric: isDay ? 'dayLow' : 'periodLow', value: bar.low.toFixed() },
    ...(bar.volume.isZero()
      ? []
      : [{ ...base, metric: 'volume' as const, value: bar.volume.toFixed(), unit: 'units' }]),
  ];
};

/** The change to a bar from a close before it. */
const changeFacts = (
  history: History,
  change: Change | undefined,
  to: Bar,
  period: string,
): readonly Fact[] =>
  change
    ? changeFigures(change, history, period).map((figure) => ({
        ...factBase(history),
        day: factDay(history, to.at),
        ...figure,
      }))
    : [];

/** The close of a day and its change from the previous close. */
const onDay = (given: History, day: Temporal.PlainDate, audience: Audience, now: Timestamp): MarketAnswer => {
  const { locale } = audience;
  const history = historyShownTo(given, locale);
  const { instrument, interval, bars } = history;
  const t = analysisTexts(locale);
  const at = barOn(history, day);
  const bar = bars[at];
  const [first] = bars;
  const name = instrumentLabel(instrument, locale);
  if (!bar || !first)
    return emptyAnswer(t.days.tooEarly({ name, date: first ? barDate(history, first.at) : '' }));
  const date = barDate(history, bar.at);
  const isLive = at === bars.length - 1 && isRunning(history, now);
  const price = (value: Decimal): string => formatPrice(value, instrument, locale);
  const plain = (value: Decimal): string => plainPrice(value, instrument, locale);
  const change = changeBetween(bars[at - 1]?.close, bar.close, instrument);
  const isOther = interval === '1d' && date !== day.toString();
  // A day without data may have been traded: only a calendar knows that it was not.
  const why = closureOn(instrument, day) ? t.days.noTrading : t.days.noData;
  const notes = [
    ...(isOther ? [why({ day: day.toString(), date })] : []),
    ...(interval === '1wk' ? [t.days.ofWeek({ date })] : []),
    ...(interval === '1mo' ? [t.days.ofMonth({ date })] : []),
    ...(isLive ? [t.running] : []),
  ];
  const close = capitalised(isLive ? t.closes.last : t.closes.close);
  return {
    content: [
      `**${shortLabel(instrument, locale)}** ${date} ${isLive ? t.closes.last : t.closes.close} ${price(bar.close)}${change ? ` (${formatChange(change, instrument, locale)})` : ''}`,
      [
        `${t.columns.open} ${plain(bar.open)}`,
        `${t.columns.high} ${plain(bar.high)}`,
        `${t.columns.low} ${plain(bar.low)}`,
        ...(bar.volume.isZero() ? [] : [`${t.columns.volume} ${formatVolume(bar.volume, locale)}`]),
        ...(isLive ? [] : [shortSource(history, locale)]),
      ].join(' · '),
      ...notes,
      ...(isLive ? [shortHistoryOrigin(history, isLive, audience, now)] : []),
    ].join('\n'),
    details: [
      `**${name}** · ${date}`,
      `${close} ${price(bar.close)}${change ? ` · ${change.fraction ? t.change : t.changeInPoints} ${formatChange(change, instrument, locale)}` : ''}`,
      `${t.columns.open} ${price(bar.open)} · ${t.columns.high} ${price(bar.high)} · ${t.columns.low} ${price(bar.low)}${bar.volume.isZero() ? '' : ` · ${t.columns.volume} ${formatVolume(bar.volume, locale)}`}`,
      ...notes,
      historyOrigin(history, isLive, audience, now),
    ].join('\n'),
    facts: factsAsShown(given, (of) =>
      of.bars
        .slice(at, at + 1)
        .flatMap((each) => [
          ...barFacts(of, each, isLive),
          ...changeFacts(
            of,
            changeBetween(of.bars[at - 1]?.close, each.close, of.instrument),
            each,
            interval,
          ),
        ]),
    ),
    found: 1,
  };
};

/** The change over some days: from the last close before them to their last close. */
const overDays = (
  given: History,
  from: number,
  to: number,
  audience: Audience,
  now: Timestamp,
): MarketAnswer => {
  const { locale } = audience;
  const history = historyShownTo(given, locale);
  const { instrument, interval, bars } = history;
  const t = analysisTexts(locale);
  const within: History = { ...history, bars: bars.slice(from, to + 1) };
  const { high, low, averageVolume } = summariseHistory(within);
  const [first, last] = [within.bars[0], within.bars.at(-1)];
  const before = bars[from - 1] ?? first;
  if (!first || !last || !before) throw new Error('A history is never empty');
  const isLive = to === bars.length - 1 && isRunning(history, now);
  const plain = (value: Decimal): string => plainPrice(value, instrument, locale);
  const dated = (price: Decimal, date: string): string =>
    `${formatPrice(price, instrument, locale)} (${date})`;
  const change = changeBetween(before.close, last.close, instrument);
  const count = t.barCount({ count: within.bars.length, interval: t.intervals[interval] });
  const lastName = isLive ? `${t.closes.last} ` : '';
  return {
    content: [
      `**${shortLabel(instrument, locale)}** ${barDate(history, first.at)} – ${barDate(history, last.at)} ${moveText(change, instrument, locale)}`,
      `${formatPrice(before.close, instrument, locale)} → ${plain(last.close)} · ${t.high} ${plain(high.price)} (${high.date}) · ${t.low} ${plain(low.price)} (${low.date})`,
      isLive ? shortHistoryOrigin(history, isLive, audience, now) : shortSource(history, locale),
    ].join('\n'),
    details: [
      `**${instrumentLabel(instrument, locale)}** · ${barDate(history, first.at)} – ${barDate(history, last.at)} (${count})`,
      capitalised(
        `${t.closes.close} ${dated(before.close, barDate(history, before.at))} → ${lastName}${dated(last.close, barDate(history, last.at))}${change ? ` · ${change.fraction ? t.change : t.changeInPoints} ${formatChange(change, instrument, locale)}` : ''}`,
      ),
      `${t.high} ${dated(high.price, high.date)} · ${t.low} ${dated(low.price, low.date)}`,
      ...(averageVolume ? [`${t.averageVolume} ${formatVolume(averageVolume, locale)}`] : []),
      historyOrigin(history, isLive, audience, now),
    ].join('\n'),
    facts: factsAsShown(given, (of) => {
      const [start, end] = [of.bars[Math.max(0, from - 1)], of.bars[to]];
      if (!start || !end) return [];
      const since = dayOf(start.at, of.timeZone);
      const [last] = barFacts(of, end, isLive);
      return [
        ...(last ? [last] : []),
        closeFact(of, start),
        ...changeFacts(of, changeBetween(start.close, end.close, of.instrument), end, since),
        ...extremeFacts({ ...of, bars: of.bars.slice(from, to + 1) }, dayOf(first.at, of.timeZone)),
      ];
    }),
    found: 1,
  };
};

/** The answer about the days that were asked for. */
const daysText = (history: History, days: Days, audience: Audience, now: Timestamp): MarketAnswer => {
  const today = Temporal.PlainDate.from(dayOf(now, history.timeZone));
  const isToCome = Temporal.PlainDate.compare(days.first, today) > 0;
  if (isToCome)
    return emptyAnswer(analysisTexts(audience.locale).days.notYet({ day: days.first.toString() }));
  const from = history.bars.findIndex(
    (bar) => Temporal.PlainDate.compare(dateOf(history, bar), days.first) >= 0,
  );
  const to = barOn(history, days.last);
  const isOneDay = days.first.equals(days.last) || from < 0 || to <= from;
  return isOneDay ? onDay(history, days.last, audience, now) : overDays(history, from, to, audience, now);
};

/** More rows are not read, and fill the context window of the model. */
const MAX_ROWS = 40;

/** Picks real bars at even distances, with the first and the last one; nothing is averaged. */
const thinned = (bars: readonly Bar[]): readonly Bar[] => {
  if (bars.length <= MAX_ROWS) return bars;
  const step = (bars.length - 1) / (MAX_ROWS - 1);
  return Array.from({ length: MAX_ROWS }, (_, row) => bars[Math.round(row * step)]).filter(
    (bar) => bar !== undefined,
  );
};

/** Of bars that were picked, open, high and low say nothing of the time between them: they are left out. */
const isWhole = ({ bars }: History): boolean => bars.length <= MAX_ROWS;

const SHORT_ROW: ReadonlySet<MetricId> = new Set(['close', 'price', 'volume']);

/** Every number of the table as a fact. */
const rowFacts = (history: History, isLive: boolean): readonly Fact[] =>
  thinned(history.bars)
    .flatMap((bar, index, rows) => barFacts(history, bar, isLive && index === rows.length - 1))
    .filter(({ metric }) => isWhole(history) || SHORT_ROW.has(metric));

const kindOf = ({ metric, day, period, parameter }: Fact): string =>
  [metric, day, period, parameter].join(' ');

/** The answer needs the previous close, which may lie before holidays. */
const DAYS_BEFORE = 12;

const rangeBackTo = (day: Temporal.PlainDate, now: Timestamp): HistoryRange =>
  rangeOfDays(Math.max(0, now.toZonedDateTimeISO('UTC').toPlainDate().since(day).days) + DAYS_BEFORE);

const tableOf = (history: History, rows: readonly Bar[], locale: Locale): string => {
  const { instrument } = history;
  const { columns } = analysisTexts(locale);
  // The currency is in the heading; a sign in every cell would make the table wide.
  const price = (value: Decimal): string =>
    formatFinancialNumber(value, {
      locale,
      minimumFractionDigits: instrument.priceDecimals,
      maximumFractionDigits: decimalsOfPrice(value, instrument),
    });
  const prices = isWhole(history) ? (['open', 'high', 'low', 'close'] as const) : (['close'] as const);
  const headings = [columns.dates[history.interval], ...prices.map((each) => columns[each]), columns.volume];
  return [
    `| ${headings.join(' | ')} |`,
    `|---|${'---:|'.repeat(headings.length - 1)}`,
    ...rows.map((bar) => {
      const volume = bar.volume.isZero() ? '–' : formatVolume(bar.volume, locale);
      return `| ${[barDate(history, bar.at), ...prices.map((each) => price(bar[each])), volume].join(' | ')} |`;
    }),
  ].join('\n');
};

/** A summary of the price over a range, and a table of at most 40 bars. Throws only on abort. */
export const historyAnswer =
  ({ market, symbols, clock }: QueryDeps<'getHistory', 'clock'>): HistoryQueries['history'] =>
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
    if (result.status !== 'ok') return emptyAnswer(unavailableText(instrument, result.reason, locale));
    const history = result.value;
    const now = clock.now();
    if (days) return daysText(history, days, audience, now);
    const t = analysisTexts(locale);
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
    const stated = new Set(key.map(kindOf));
    const rest = factsAsShown(history, (of) => rowFacts(of, isLive)).filter(
      (fact) => !stated.has(kindOf(fact)),
    );
    return {
      content: historyBrief(shown, audience, now),
      details: [
        historyText(shown, audience, now),
        ...(notes.length > 0 ? [notes.join('\n')] : []),
        tableOf(shown, thinned(shown.bars), locale),
      ].join('\n\n'),
      facts: [...key, ...rest],
      found: 1,
    };
  };
