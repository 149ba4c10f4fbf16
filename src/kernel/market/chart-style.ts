/** Light is the default. */
export type ChartTheme = 'light' | 'dark';

/** How a chart of one symbol is drawn. What is absent is left to the chart. */
export interface ChartStyle {
  readonly shape?: 'candles' | 'line' | undefined;
  /** The time that a candle or a point of the line stands for. */
  readonly interval?: '1d' | '1wk' | '1mo' | undefined;
  /** On a logarithmic axis, equal distances are equal percentages. */
  readonly isLog?: boolean | undefined;
}

const THEMES: ReadonlyMap<string, ChartTheme> = new Map([
  ['light', 'light'],
  ['라이트', 'light'],
  ['밝은', 'light'],
  ['밝게', 'light'],
  ['dark', 'dark'],
  ['다크', 'dark'],
  ['어두운', 'dark'],
  ['어둡게', 'dark'],
]);

const LINE = { shape: 'line' } as const;
const CANDLES = { shape: 'candles' } as const;
const DAILY = { interval: '1d' } as const;
const WEEKLY = { interval: '1wk' } as const;
const MONTHLY = { interval: '1mo' } as const;
const LOG = { isLog: true } as const;

const STYLES: ReadonlyMap<string, ChartStyle> = new Map<string, ChartStyle>([
  ['line', LINE],
  ['선', LINE],
  ['선차트', LINE],
  ['라인', LINE],
  ['candle', CANDLES],
  ['candles', CANDLES],
  ['캔들', CANDLES],
  ['봉차트', CANDLES],
  ['daily', DAILY],
  ['일봉', DAILY],
  ['weekly', WEEKLY],
  ['주봉', WEEKLY],
  ['monthly', MONTHLY],
  ['월봉', MONTHLY],
  ['log', LOG],
  ['logarithmic', LOG],
  ['로그', LOG],
  ['로그축', LOG],
]);

const spelling = (word: string): string => word.normalize('NFKC').toLowerCase();

/** Whether a word asks for a background: `dark`, `다크`. */
export const readTheme = (word: string): ChartTheme | undefined => THEMES.get(spelling(word));

/** What a word says about the drawing: `line`, `주봉`, `log`. */
export const readChartStyle = (word: string): ChartStyle | undefined => STYLES.get(spelling(word));

/** The words that `readChartStyle` reads as this. */
export const styleWords = ({ shape, interval, isLog }: ChartStyle): readonly string[] => [
  ...(shape === 'line' ? ['line'] : []),
  ...(interval === undefined ? [] : [{ '1d': 'daily', '1wk': 'weekly', '1mo': 'monthly' }[interval]]),
  ...(isLog === true ? ['log'] : []),
];
