import { indicatorKind } from '#src/kernel/chart-indicators.ts';
import { type ChartStyle, type ChartTheme, styleWords } from '#src/kernel/chart-style-words.ts';
import { localized, type Locale } from '#src/kernel/locale.ts';
import type { HistoryRange } from '#src/kernel/market-queries.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/message.ts';

const controlsEn = {
  chart: 'Chart',
  news: 'News',
  alert: 'Alert',
  watch: 'Watch',
  ranges: { '1d': '1D', '5d': '5D', '1mo': '1M', '6mo': '6M', '1y': '1Y', '5y': '5Y' },
  light: 'Light',
  dark: 'Dark',
  bollinger: 'Bollinger',
  previous: '‹ Back',
  next: 'More ›',
};

const controlsKo: typeof controlsEn = {
  chart: '차트',
  news: '뉴스',
  alert: '알림',
  watch: '관심 종목',
  ranges: { '1d': '1일', '5d': '5일', '1mo': '1개월', '6mo': '6개월', '1y': '1년', '5y': '5년' },
  light: '밝게',
  dark: '어둡게',
  bollinger: '볼린저',
  previous: '‹ 이전',
  next: '다음 ›',
};

const controlMessages = localized({ en: controlsEn, ko: controlsKo });

const fitting = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);

/** Shows the newest numbers in place. */
export const refreshControl = (command: string, locale: Locale): readonly Choice[] =>
  fitting([{ label: channelMessages(locale).refresh(), command, effect: 'replaces' }]);

/** What people do next with one price. */
export const quoteControls = (code: string, locale: Locale): readonly Choice[] => {
  const t = controlMessages(locale);
  return fitting([
    { label: t.chart, command: `/chart ${code}` },
    { label: t.news, command: `/news ${code}` },
    { label: t.alert, command: `/alert ${code}` },
    { label: t.watch, command: `/watch add ${code}` },
    ...refreshControl(`/price ${code}`, locale),
  ]);
};

export interface ShownChart {
  readonly codes: readonly string[];
  readonly range: HistoryRange;
  readonly indicators: readonly string[];
  readonly theme: ChartTheme;
  readonly style: ChartStyle;
}

const RANGES = ['1d', '5d', '1mo', '6mo', '1y', '5y'] as const satisfies readonly HistoryRange[];
const TOGGLES = ['rsi', 'macd', 'bollinger'] as const;

const OF_MINUTES: ReadonlySet<HistoryRange> = new Set(['1d', '5d']);

/** A range of minutes has no weekly candles. */
const chartCommand = ({ codes, range, indicators, theme, style }: ShownChart): string => {
  const words = styleWords(OF_MINUTES.has(range) ? { ...style, interval: undefined } : style);
  const dark = theme === 'dark' ? ['dark'] : [];
  return [`/chart ${codes.join(', ')}`, range, ...indicators, ...words, ...dark].join(' ');
};

/** The same chart with another range, background or indicator. A comparison has no indicators. */
export const chartControls = (shown: ShownChart, locale: Locale): readonly Choice[] => {
  const t = controlMessages(locale);
  const instead = (label: string, change: Partial<ShownChart>, isCurrent = false): Choice => ({
    label,
    command: chartCommand({ ...shown, ...change }),
    effect: 'replaces',
    ...(isCurrent && { isCurrent }),
  });
  const isShown = (name: string): boolean => shown.indicators.some((each) => indicatorKind(each) === name);
  const toggled = (name: string): readonly string[] =>
    isShown(name)
      ? shown.indicators.filter((each) => indicatorKind(each) !== name)
      : [...shown.indicators, name];
  return fitting([
    ...RANGES.map((range) => instead(t.ranges[range], { range }, range === shown.range)),
    shown.theme === 'dark' ? instead(t.light, { theme: 'light' }) : instead(t.dark, { theme: 'dark' }),
    ...(shown.codes.length > 1 ? [] : TOGGLES).map((name) =>
      instead(
        name === 'bollinger' ? t.bollinger : name.toUpperCase(),
        { indicators: toggled(name) },
        isShown(name),
      ),
    ),
  ]);
};

/** Turns the pages of a list in place. Pages count from 1. */
export const pageControls = (
  { page, pages }: { readonly page: number; readonly pages: number },
  commandFor: (page: number) => string,
  locale: Locale,
): readonly Choice[] => {
  const t = controlMessages(locale);
  const turnTo = (label: string, to: number): readonly Choice[] =>
    to < 1 || to > pages ? [] : [{ label, command: commandFor(to), effect: 'replaces' }];
  return fitting([...turnTo(t.previous, page - 1), ...turnTo(t.next, page + 1)]);
};
