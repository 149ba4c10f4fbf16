import { z } from 'zod';
import { action, defineAbility, limited, option } from '#src/features/ability.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { rangeOption, themeOption } from '#src/markets/answers/chart-options.ts';
import { nameInput, statusNames } from '#src/markets/answers/name-input.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import type { ChartQueries } from './chart.ts';
import { type AskedChart, readChart } from './read-chart.ts';

const MAX_SYMBOLS = 6;
const MAX_INDICATORS = 8;
const MAX_INDICATOR_LENGTH = 40;
/** Prices may have to be fetched first, and other pictures may be waiting to be drawn. */
const TIMEOUT_MS = 45_000;

/** As `readChartStyle` reads them, with their names. */
const STYLES = [
  ['line', 'Line', '선'],
  ['weekly', 'Weekly candles', '주봉'],
  ['monthly', 'Monthly candles', '월봉'],
  ['log', 'Log axis', '로그 축'],
  ['weekly line', 'Weekly line', '주별 선'],
  ['monthly line', 'Monthly line', '월별 선'],
  ['line log', 'Line, log axis', '선, 로그 축'],
  ['weekly log', 'Weekly candles, log axis', '주봉, 로그 축'],
  ['monthly log', 'Monthly candles, log axis', '월봉, 로그 축'],
] as const;

export const charting = defineAbility({
  queries: { chart: async () => (await import('./chart.ts')).chartAnswer },
  name: 'chart',
  aliases: ['차트', 'graph'],
  description: {
    ko: '차트를 그리고, 여러 종목이면 등락률을 비교합니다',
    en: 'draws a chart, or compares symbols',
  },
  usage: { ko: '/chart 삼성전자 1년 ma20,60 rsi', en: '/chart AAPL 1y ma20,50 rsi' },
  concern: 'market',
  actions: {
    draw: action<{ readonly markets: ChartQueries }, AskedChart>({
      hasDetails: true,
      input: {
        symbols: {
          input: () =>
            z
              .array(nameInput())
              .min(1)
              .max(MAX_SYMBOLS)
              .describe(
                'Names, tickers or codes: one for candles, up to 6 to compare, e.g. ["삼성전자"] or ["AAPL", "MSFT"]',
              ),
          option: option('symbol', '종목', {
            ko: '종목명, 코드, 코인, 환율 (쉼표로 6개까지 비교)',
            en: 'name or code of a stock, coin or currency; up to six with commas',
            isRequired: true,
            suggest: 'symbol',
          }),
          refuse: limited({ least: 1, most: MAX_SYMBOLS, texts: chartTexts }),
        },
        range: {
          input: () => z.enum(HISTORY_RANGES).default('6mo').describe('How far back'),
          option: rangeOption({ ko: '조회 기간 (기본 6개월)', en: 'how far back (6 months if left out)' }),
        },
        indicators: {
          input: () =>
            z
              .array(z.string().min(1).max(MAX_INDICATOR_LENGTH))
              .max(MAX_INDICATORS)
              .default([])
              .describe(
                'For one symbol: "ma20" (any period), "ema12", "bollinger", "rsi", "macd". Leave it out for the usual averages',
              ),
          option: option('indicators', '지표', {
            ko: 'ma20,60 · ema12 · bollinger · rsi · macd (여러 개는 띄어 씁니다)',
            en: 'ma20,50 · ema12 · bollinger · rsi · macd, separated by spaces',
          }),
        },
        shape: {
          input: () =>
            z.enum(['candles', 'line']).optional().describe('For one symbol: `line` only where asked for'),
          option: option('style', '모양', {
            ko: '선·캔들, 주봉·월봉, 로그 축 (비우면 일봉 캔들)',
            en: 'line or candles, weekly or monthly, log axis (daily candles if left out)',
            choices: STYLES.map(([value, en, ko]) => ({ value, label: { en, ko } })),
          }),
        },
        interval: {
          input: () =>
            z
              .enum(['1d', '1wk', '1mo'])
              .optional()
              .describe('For one symbol: daily, weekly or monthly candles, only where asked for'),
        },
        log: {
          input: () => z.boolean().default(false).describe('A logarithmic price axis, only where asked for'),
        },
        theme: {
          input: () => z.enum(['light', 'dark']).optional().describe('Only where the user asks for one'),
          option: themeOption,
        },
      },
      read: (typed) => readChart(typed, MAX_SYMBOLS),
      run: ({ symbols: queries, log, ...request }, { markets }, who, signal) =>
        markets.chart({ queries, ...request, ...(log && { isLog: log }) }, who, signal),
      progress: ({ symbols }, locale) => {
        const named = statusNames(symbols);
        return named ? chartTexts(locale).drawing(named) : chartTexts(locale).drawingAny();
      },
      tool: {
        name: 'make_chart',
        description: [
          'Draw a chart as a picture that goes out with your answer: for one symbol candles with volume and moving',
          'averages, for several their change in % as lines. Use it whenever the user asks for a chart, a graph or a',
          'picture of how prices went. Pass names as the user wrote them. The result says whether the picture is',
          'attached and what it shows; do not draw one with characters, do not link to one, and repeat the source and',
          'the as-of time. When a name is unknown or fits several companies the result says so; ask the user then.',
        ],
        isExternal: true,
        timeoutMs: TIMEOUT_MS,
      },
    }),
  },
});

export type { ChartQueries } from './chart.ts';
