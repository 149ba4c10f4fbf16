import { indicatorKind } from '#src/markets/indicators/chart-indicators.ts';
import { type ChartStyle, type ChartTheme, styleWords } from '#src/kernel/market/chart-style.ts';
import { localized, type Locale } from '#src/kernel/locale.ts';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { rangeLabel } from '#src/reading/history-range.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';

const controlsEn = {
  chart: 'Chart',
  news: 'News',
  alert: 'Alert',
  watch: 'Watch',
  light: 'Light',
  dark: 'Dark',
  bollinger: 'Bollinger',
  details: 'Details',
  allFigures: 'All figures',
  allMarkets: 'All markets',
  previous: '‹ Back',
  next: 'More ›',
};

const controlsKo: typeof controlsEn = {
  chart: '차트',
  news: '뉴스',
  alert: '알림',
  watch: '관심 종목',
  light: '밝게',
  dark: '어둡게',
  bollinger: '볼린저',
  details: '자세히',
  allFigures: '전체 지표',
  allMarkets: '모든 시장',
  previous: '‹ 이전',
  next: '다음 ›',
};

const controlTexts = localized({ en: controlsEn, ko: controlsKo });

const fitting = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);

/** Shows the newest numbers in place. */
export const refreshControl = (command: string, locale: Locale): readonly Choice[] =>
  fitting([{ label: channelTexts(locale).refresh(), command, effect: 'replaces' }]);

/** Leads to all that a short answer leaves out. The command shows it with `--all`. */
export const detailsControl = (
  command: string,
  locale: Locale,
  label: 'details' | 'allFigures' | 'allMarkets' = 'details',
): readonly Choice[] => fitting([{ label: controlTexts(locale)[label], command: `${command} --all` }]);

/** What people do next with one price. */
export const quoteControls = (code: string, locale: Locale): readonly Choice[] => {
  const t = controlTexts(locale);
  return fitting([
    { label: t.chart, command: `/chart ${code}` },
    { label: t.news, command: `/news ${code}` },
    { label: t.alert, command: `/alert ${code}` },
    { label: t.watch, command: `/watch add ${code}` },
    ...refreshControl(`/price ${code}`, locale),
  ]);
};

/** The same picture in place, on the other background. */
export const themeControl = (
  theme: ChartTheme,
  commandFor: (theme: ChartTheme) => string,
  locale: Locale,
): readonly Choice[] => {
  const t = controlTexts(locale);
  const other = theme === 'dark' ? 'light' : 'dark';
  return fitting([{ label: t[other], command: commandFor(other), effect: 'replaces' }]);
};

/** `1M`, `YTD`; in Korean, the usual name is as short: `1개월`. */
const rangeButton = (range: HistoryRange, locale: Locale): string =>
  locale === 'ko' ? rangeLabel(range, locale) : range.replace('mo', 'm').toUpperCase();

/** The same picture in place: in another range, and on the other background. */
const pictureControls = (
  shown: {
    readonly ranges: readonly HistoryRange[];
    readonly range: HistoryRange;
    readonly theme: ChartTheme;
    readonly commandFor: (range: HistoryRange, theme: ChartTheme) => string;
  },
  locale: Locale,
): readonly Choice[] =>
  fitting([
    ...shown.ranges.map((range): Choice => ({
      label: rangeButton(range, locale),
      command: shown.commandFor(range, shown.theme),
      effect: 'replaces',
      ...(range === shown.range && { isCurrent: true }),
    })),
    ...themeControl(shown.theme, (theme) => shown.commandFor(shown.range, theme), locale),
  ]);

/** Light is the default, so it needs no word. */
const themeWords = (theme: ChartTheme): readonly string[] => (theme === 'dark' ? ['dark'] : []);

export interface ShownChart {
  readonly codes: readonly string[];
  readonly range: HistoryRange;
  readonly indicators: readonly string[];
  readonly theme: ChartTheme;
  readonly style: ChartStyle;
}

const RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '5y'] as const;
const TOGGLES = ['rsi', 'macd', 'bollinger'] as const;

const OF_MINUTES: ReadonlySet<HistoryRange> = new Set(['1d', '5d']);

/** A range of minutes has no weekly candles. */
const chartCommand = ({ codes, range, indicators, theme, style }: ShownChart): string => {
  const words = styleWords(OF_MINUTES.has(range) ? { ...style, interval: undefined } : style);
  return [`/chart ${codes.join(', ')}`, range, ...indicators, ...words, ...themeWords(theme)].join(' ');
};

/** The same chart with another range, background or indicator. A comparison has no indicators. */
export const chartControls = (shown: ShownChart, locale: Locale): readonly Choice[] => {
  const t = controlTexts(locale);
  const isShown = (name: string): boolean => shown.indicators.some((each) => indicatorKind(each) === name);
  const toggled = (name: string): readonly string[] =>
    isShown(name)
      ? shown.indicators.filter((each) => indicatorKind(each) !== name)
      : [...shown.indicators, name];
  const commandFor = (range: HistoryRange, theme: ChartTheme): string =>
    chartCommand({ ...shown, range, theme });
  return fitting([
    ...pictureControls({ ...shown, ranges: RANGES, commandFor }, locale),
    ...(shown.codes.length > 1 ? [] : TOGGLES).map((name): Choice => ({
      label: name === 'bollinger' ? t.bollinger : name.toUpperCase(),
      command: chartCommand({ ...shown, indicators: toggled(name) }),
      effect: 'replaces',
      ...(isShown(name) && { isCurrent: true }),
    })),
  ]);
};

/** The same comparison over another range or on the other background. Figures of a day would say nothing. */
export const compareControls = (
  shown: { readonly codes: readonly string[]; readonly range: HistoryRange; readonly theme: ChartTheme },
  locale: Locale,
): readonly Choice[] =>
  pictureControls(
    {
      ...shown,
      ranges: RANGES.slice(2),
      commandFor: (range, theme) =>
        [`/compare ${shown.codes.join(', ')}`, range, ...themeWords(theme)].join(' '),
    },
    locale,
  );

/** The same portfolio over another range or on the other background. `option` names it in the command. */
export const analysisControls = (
  shown: {
    readonly range: HistoryRange;
    readonly benchmark: string | undefined;
    readonly theme: ChartTheme;
    readonly option: string;
  },
  locale: Locale,
): readonly Choice[] =>
  pictureControls(
    {
      ...shown,
      ranges: ['3mo', '6mo', 'ytd', '1y', '2y'],
      commandFor: (range, theme) =>
        [
          '/portfolio analysis',
          range,
          ...(shown.benchmark ? [shown.benchmark] : []),
          ...themeWords(theme),
        ].join(' ') + shown.option,
    },
    locale,
  );

/** Turns the pages of a list in place. Pages count from 1. */
export const pageControls = (
  { page, pages }: { readonly page: number; readonly pages: number },
  commandFor: (page: number) => string,
  locale: Locale,
): readonly Choice[] => {
  const t = controlTexts(locale);
  const turnTo = (label: string, to: number): readonly Choice[] =>
    to < 1 || to > pages ? [] : [{ label, command: commandFor(to), effect: 'replaces' }];
  return fitting([...turnTo(t.previous, page - 1), ...turnTo(t.next, page + 1)]);
};
