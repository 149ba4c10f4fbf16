import type { Locale } from '#src/kernel/locale.ts';

export interface MovingAverage {
  readonly kind: 'sma' | 'ema';
  readonly period: number;
}

export interface ChartIndicators {
  readonly averages: readonly MovingAverage[];
  readonly hasBollinger: boolean;
  readonly hasRsi: boolean;
  readonly hasMacd: boolean;
}

export interface ReadIndicators {
  readonly indicators: ChartIndicators;
  /** Unrecognised words as typed. */
  readonly unknown: readonly string[];
}

const MAX_AVERAGES = 5;
const MIN_PERIOD = 2;
const MAX_PERIOD = 400;
/** One month and one quarter of trading days; Koreans count a quarter as 60, Americans as 50. */
const USUAL_PERIODS: Readonly<Record<Locale, readonly number[]>> = { ko: [20, 60], en: [20, 50] };

const AVERAGE = /^(ma|sma|ema|이평선?|이동평균선?|지수이동평균선?)(\d{1,3}(?:[,/·]\d{1,3})*)?(?:일선?)?$/u;
/** Korean for a moving average: `20일선`. */
const DAY_LINE = /^(\d{1,3})일(?:선|이평선?|이동평균선?)$/u;
const RSI = /^rsi(?:14)?$/u;
const MACD = /^macd$/u;
const BOLLINGER = /^(?:bollinger(?:bands?)?|bbands?|bb|볼린저(?:밴드)?|볼밴)$/u;

type Piece =
  | { readonly kind: 'average'; readonly averages: readonly MovingAverage[] }
  | { readonly kind: 'rsi' | 'macd' | 'bollinger' };

const readPiece = (word: string, locale: Locale): Piece | undefined => {
  const spelling = word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]/gu, '');
  if (RSI.test(spelling)) return { kind: 'rsi' };
  if (MACD.test(spelling)) return { kind: 'macd' };
  if (BOLLINGER.test(spelling)) return { kind: 'bollinger' };
  const [, name, numbers] = AVERAGE.exec(spelling.replace(DAY_LINE, 'ma$1')) ?? [];
  if (name === undefined) return undefined;
  const kind = name === 'ema' || name.startsWith('지수') ? 'ema' : 'sma';
  const periods = numbers?.split(/[,/·]/u).map(Number) ?? USUAL_PERIODS[locale];
  if (periods.some((period) => period < MIN_PERIOD || period > MAX_PERIOD)) return undefined;
  return { kind: 'average', averages: periods.map((period) => ({ kind, period })) };
};

/** Whether a word names an indicator: `ma20,60`, `ema12`, `rsi`, `볼린저`. */
export const isIndicator = (word: string): boolean => readPiece(word, 'en') !== undefined;

/** What a word draws; undefined if it names no indicator. */
export const indicatorKind = (word: string): Piece['kind'] | undefined => readPiece(word, 'en')?.kind;

/** Reads indicators from typed words. Without an average or a band, the usual averages are added. */
export const readIndicators = (words: readonly string[], locale: Locale): ReadIndicators => {
  const read = words
    .filter((word) => word.trim() !== '')
    .map((word) => ({ word, piece: readPiece(word, locale) }));
  const has = (kind: Piece['kind']): boolean => read.some(({ piece }) => piece?.kind === kind);
  const asked = read.flatMap(({ piece }) => (piece?.kind === 'average' ? piece.averages : []));
  const usual = USUAL_PERIODS[locale].map((period): MovingAverage => ({ kind: 'sma', period }));
  const averages = asked.length > 0 || has('bollinger') ? asked : usual;
  const once = new Map(averages.map((average) => [`${average.kind}${average.period}`, average]));
  return {
    indicators: {
      averages: [...once.values()].slice(0, MAX_AVERAGES),
      hasBollinger: has('bollinger'),
      hasRsi: has('rsi'),
      hasMacd: has('macd'),
    },
    unknown: read.flatMap(({ word, piece }) => (piece ? [] : [word])),
  };
};
