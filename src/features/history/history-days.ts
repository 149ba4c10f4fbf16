import { analysisMessages } from '#src/markets/series/messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { HistoryRequest, MarketAnswer, Audience } from '#src/kernel/market-queries.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Bar, History } from '#src/markets/sources/source.ts';
import { barDate, closeMetric, dayOf } from '#src/markets/series/bar-dates.ts';
import { changeBetween, formatChange } from '#src/markets/series/history-change.ts';
import {
  capitalised,
  factBase,
  formatVolume,
  summariseHistory,
} from '#src/markets/series/history-summary.ts';
import { formatPrice, instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { historyOrigin, isRunning } from '#src/markets/series/running-bar.ts';

type Days = NonNullable<HistoryRequest['days']>;

const dateOf = ({ timeZone }: History, { at }: Bar): Temporal.PlainDate =>
  Temporal.PlainDate.from(dayOf(at, timeZone));

const sentence = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

/** The bar that holds a day: of that day, or the last one before it. */
const barOn = (history: History, day: Temporal.PlainDate): number =>
  history.bars.findLastIndex((bar) => Temporal.PlainDate.compare(dateOf(history, bar), day) <= 0);

/** Of the bars as the source has them. */
const closeFacts = (history: History, ...places: readonly number[]): readonly Fact[] =>
  places
    .flatMap((place) => history.bars[place] ?? [])
    .map((bar) => ({
      ...factBase(history),
      metric: closeMetric(history, bar.at),
      value: bar.close.toFixed(),
      unit: history.instrument.currency,
    }));

/** What it closed at on a day, and how that was against the close before. */
const onDay = (given: History, day: Temporal.PlainDate, audience: Audience, now: Timestamp): MarketAnswer => {
  const { locale } = audience;
  const history = historyShownTo(given, locale);
  const { instrument, interval, bars } = history;
  const t = analysisMessages(locale);
  const at = barOn(history, day);
  const bar = bars[at];
  const [first] = bars;
  const name = instrumentLabel(instrument, locale);
  if (!bar || !first)
    return sentence(t.days.tooEarly({ name, date: first ? barDate(history, first.at) : '' }));
  const date = barDate(history, bar.at);
  const isLive = at === bars.length - 1 && isRunning(history, now);
  const price = (value: Decimal): string => formatPrice(value, instrument, locale);
  const change = changeBetween(bars[at - 1]?.close, bar.close, instrument);
  const isOther = interval === '1d' && date !== day.toString();
  const notes = [
    ...(isOther ? [t.days.noTrading({ day: day.toString(), date })] : []),
    ...(interval === '1wk' ? [t.days.ofWeek({ date })] : []),
    ...(interval === '1mo' ? [t.days.ofMonth({ date })] : []),
    ...(isLive ? [t.running] : []),
  ];
  const close = capitalised(isLive ? t.closes.last : t.closes.close);
  return {
    content: [
      `**${name}** · ${date}`,
      `${close} ${price(bar.close)}${change ? ` · ${change.fraction ? t.change : t.changeInPoints} ${formatChange(change, instrument, locale)}` : ''}`,
      `${t.columns.open} ${price(bar.open)} · ${t.columns.high} ${price(bar.high)} · ${t.columns.low} ${price(bar.low)}${bar.volume.isZero() ? '' : ` · ${t.columns.volume} ${formatVolume(bar.volume, locale)}`}`,
      ...notes,
      historyOrigin(history, isLive, audience, now),
    ].join('\n'),
    facts: isLive ? [] : closeFacts(given, at),
    found: 1,
  };
};

/** How it went over some days: from the close before them to the last one in them. */
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
  const t = analysisMessages(locale);
  const within: History = { ...history, bars: bars.slice(from, to + 1) };
  const { high, low, averageVolume } = summariseHistory(within);
  const [first, last] = [within.bars[0], within.bars.at(-1)];
  const before = bars[from - 1] ?? first;
  if (!first || !last || !before) throw new Error('A history is never empty');
  const isLive = to === bars.length - 1 && isRunning(history, now);
  const dated = (price: Decimal, date: string): string =>
    `${formatPrice(price, instrument, locale)} (${date})`;
  const change = changeBetween(before.close, last.close, instrument);
  const count = t.barCount({ count: within.bars.length, interval: t.intervals[interval] });
  const lastName = isLive ? `${t.closes.last} ` : '';
  return {
    content: [
      `**${instrumentLabel(instrument, locale)}** · ${barDate(history, first.at)} – ${barDate(history, last.at)} (${count})`,
      capitalised(
        `${t.closes.close} ${dated(before.close, barDate(history, before.at))} → ${lastName}${dated(last.close, barDate(history, last.at))}${change ? ` · ${change.fraction ? t.change : t.changeInPoints} ${formatChange(change, instrument, locale)}` : ''}`,
      ),
      `${t.high} ${dated(high.price, high.date)} · ${t.low} ${dated(low.price, low.date)}`,
      ...(averageVolume ? [`${t.averageVolume} ${formatVolume(averageVolume, locale)}`] : []),
      historyOrigin(history, isLive, audience, now),
    ].join('\n'),
    facts: closeFacts(given, Math.max(0, from - 1), ...(isLive ? [] : [to])),
    found: 1,
  };
};

/** What is said about days that somebody asked about; the history reaches back to them where it can. */
export const daysText = (history: History, days: Days, audience: Audience, now: Timestamp): MarketAnswer => {
  const today = Temporal.PlainDate.from(dayOf(now, history.timeZone));
  const isToCome = Temporal.PlainDate.compare(days.first, today) > 0;
  if (isToCome)
    return sentence(analysisMessages(audience.locale).days.notYet({ day: days.first.toString() }));
  const from = history.bars.findIndex(
    (bar) => Temporal.PlainDate.compare(dateOf(history, bar), days.first) >= 0,
  );
  const to = barOn(history, days.last);
  const isOneDay = days.first.equals(days.last) || from < 0 || to <= from;
  return isOneDay ? onDay(history, days.last, audience, now) : overDays(history, from, to, audience, now);
};
