import { type FactSet, factsAbout } from './written-answer.ts';

export const SAMSUNG = ['삼성전자', 'Samsung Electronics Co., Ltd.', 'Samsung Electronics', '005930'];
export const HYNIX = ['SK하이닉스', 'SK hynix Inc.', 'SK hynix', '000660'];
export const APPLE = ['애플', 'Apple Inc.', 'Apple', 'AAPL'];
export const NVIDIA = ['엔비디아', 'NVIDIA Corporation', 'NVIDIA', 'NVDA'];
const TESLA = ['테슬라', 'Tesla Inc.', 'Tesla', 'TSLA'];

const KRX_CLOSE = '2026-11-13T06:30:00Z';
const US_CLOSE = '2026-11-12T21:00:00Z';
const LATER = { asOf: '2026-11-13T00:59:00Z' };
const OVER_A_DAY = { period: '1d' };

/** Four quotes and an index, on a Friday after the close in Seoul and before the open in New York. */
export const QUOTES: FactSet = {
  today: '2026-11-13',
  facts: [
    ...factsAbout({ tool: 'get_quote', entity: '005930.KS', names: SAMSUNG, asOf: KRX_CLOSE }, [
      ['price', '102300', 'KRW'],
      ['previousClose', '102000', 'KRW'],
      ['dayLow', '101100', 'KRW'],
      ['dayHigh', '103400', 'KRW'],
      ['yearLow', '52700', 'KRW'],
      ['yearHigh', '112400', 'KRW'],
      ['change', '300', 'KRW', OVER_A_DAY],
      ['changePercent', '0.29', '%', OVER_A_DAY],
      ['volume', '18224310', 'units'],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: '000660.KS', names: HYNIX, asOf: KRX_CLOSE }, [
      ['price', '561000', 'KRW'],
      ['previousClose', '572000', 'KRW'],
      ['dayLow', '556000', 'KRW'],
      ['dayHigh', '574500', 'KRW'],
      ['yearLow', '168900', 'KRW'],
      ['yearHigh', '646000', 'KRW'],
      ['change', '-11000', 'KRW', OVER_A_DAY],
      ['changePercent', '-1.92', '%', OVER_A_DAY],
      ['volume', '3482917', 'units'],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'AAPL', names: APPLE, asOf: US_CLOSE }, [
      ['price', '272.95', 'USD'],
      ['previousClose', '273.47', 'USD'],
      ['dayLow', '270.6', 'USD'],
      ['dayHigh', '276.7', 'USD'],
      ['yearLow', '169.21', 'USD'],
      ['yearHigh', '277.32', 'USD'],
      ['change', '-0.52', 'USD', OVER_A_DAY],
      ['changePercent', '-0.19', '%', OVER_A_DAY],
      ['volume', '48397982', 'units'],
      ['afterHoursPrice', '273.31', 'USD', LATER],
      ['change', '0.36', 'USD', { ...LATER, parameter: 'after-hours' }],
      ['changePercent', '0.13', '%', { ...LATER, parameter: 'after-hours' }],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'TSLA', names: TESLA, asOf: US_CLOSE }, [
      ['price', '401.99', 'USD'],
      ['previousClose', '430.6', 'USD'],
      ['dayLow', '396.34', 'USD'],
      ['dayHigh', '424.5', 'USD'],
      ['yearLow', '214.25', 'USD'],
      ['yearHigh', '488.54', 'USD'],
      ['change', '-28.61', 'USD', OVER_A_DAY],
      ['changePercent', '-6.64', '%', OVER_A_DAY],
      ['volume', '118948030', 'units'],
      ['afterHoursPrice', '407.15', 'USD', LATER],
      ['change', '5.16', 'USD', { ...LATER, parameter: 'after-hours' }],
      ['changePercent', '1.28', '%', { ...LATER, parameter: 'after-hours' }],
    ]),
    ...factsAbout(
      { tool: 'get_quote', entity: '^KS11', names: ['코스피', 'KOSPI Composite', 'KOSPI'], asOf: KRX_CLOSE },
      [
        ['price', '4011.57', 'points'],
        ['previousClose', '4170.63', 'points'],
        ['change', '-159.06', 'points', OVER_A_DAY],
        ['changePercent', '-3.81', '%', OVER_A_DAY],
      ],
    ),
  ],
};

const YEAR = { period: '1y' };

/** A year of prices of two companies, on the Monday after. */
export const HISTORY: FactSet = {
  today: '2026-11-16',
  facts: [
    ...factsAbout({ tool: 'get_history', entity: '005930.KS', names: SAMSUNG, asOf: KRX_CLOSE }, [
      ['close', '53700', 'KRW', { day: '2025-11-14' }],
      ['close', '100600', 'KRW', { day: '2026-11-09' }],
      ['close', '103500', 'KRW', { day: '2026-11-10' }],
      ['close', '103100', 'KRW', { day: '2026-11-11' }],
      ['close', '102000', 'KRW', { day: '2026-11-12' }],
      ['close', '102300', 'KRW', { day: '2026-11-13' }],
      ['change', '48600', 'KRW', YEAR],
      ['changePercent', '90.50', '%', YEAR],
      ['lastYearClose', '58400', 'KRW', { day: '2025-12-30' }],
      ['changePercent', '75.17', '%', { period: 'ytd' }],
      ['periodHigh', '112400', 'KRW', { ...YEAR, day: '2026-11-04' }],
      ['periodHighDay', '2026-11-04', 'date', YEAR],
      ['periodLow', '52100', 'KRW', { ...YEAR, day: '2025-12-09' }],
      ['periodLowDay', '2025-12-09', 'date', YEAR],
      ['averageVolume', '17893402', 'units', YEAR],
      ['volatility', '31.24', '%', YEAR],
      ['maxDrawdown', '-14.63', '%', YEAR],
    ]),
    ...factsAbout({ tool: 'get_history', entity: 'NVDA', names: NVIDIA, asOf: '2026-11-13T21:00:00Z' }, [
      ['close', '141.98', 'USD', { day: '2025-11-14' }],
      ['close', '199.05', 'USD', { day: '2026-11-09' }],
      ['close', '193.16', 'USD', { day: '2026-11-10' }],
      ['close', '193.80', 'USD', { day: '2026-11-11' }],
      ['close', '186.86', 'USD', { day: '2026-11-12' }],
      ['close', '190.17', 'USD', { day: '2026-11-13' }],
      ['change', '48.19', 'USD', YEAR],
      ['changePercent', '33.94', '%', YEAR],
      ['changePercent', '4.12', '%', { period: '1mo' }],
      ['periodHigh', '212.19', 'USD', { ...YEAR, day: '2026-10-29' }],
      ['periodHighDay', '2026-10-29', 'date', YEAR],
      ['periodLow', '86.62', 'USD', { ...YEAR, day: '2026-04-07' }],
      ['periodLowDay', '2026-04-07', 'date', YEAR],
      ['averageVolume', '221604118', 'units', YEAR],
      ['volatility', '41.70', '%', YEAR],
      ['maxDrawdown', '-36.89', '%', YEAR],
    ]),
    ...factsAbout(
      { tool: 'compare_symbols', entity: '005930.KS/NVDA', names: ['005930/NVDA'], asOf: KRX_CLOSE },
      [['correlation', '0.41', 'ratio', YEAR]],
    ),
  ],
};

const MACD = { parameter: '12, 26, 9' };

/** The indicators of one company. */
export const INDICATORS: FactSet = {
  today: '2026-11-13',
  facts: factsAbout({ tool: 'get_indicators', entity: 'AAPL', names: APPLE, asOf: US_CLOSE }, [
    ['close', '272.95', 'USD', { day: '2026-11-12' }],
    ['sma', '266.84', 'USD', { parameter: '20' }],
    ['distanceFromSma', '2.29', '%', { parameter: '20' }],
    ['sma', '253.47', 'USD', { parameter: '50' }],
    ['distanceFromSma', '7.69', '%', { parameter: '50' }],
    ['sma', '224.19', 'USD', { parameter: '200' }],
    ['distanceFromSma', '21.75', '%', { parameter: '200' }],
    ['ema', '270.11', 'USD', { parameter: '12' }],
    ['distanceFromEma', '1.05', '%', { parameter: '12' }],
    ['ema', '264.02', 'USD', { parameter: '26' }],
    ['distanceFromEma', '3.38', '%', { parameter: '26' }],
    ['rsi', '64.83', 'points', { parameter: '14' }],
    ['macd', '5.2143', 'USD', MACD],
    ['macdSignal', '5.6802', 'USD', MACD],
    ['macdHistogram', '-0.4659', 'USD', MACD],
    ['bollingerUpper', '279.36', 'USD', { parameter: '20' }],
    ['bollingerMiddle', '266.84', 'USD', { parameter: '20' }],
    ['bollingerLower', '254.32', 'USD', { parameter: '20' }],
    ['bollingerPercentB', '74.40', '%', { parameter: '20' }],
    ['atr', '4.87', 'USD', { parameter: '14' }],
    ['atrPercent', '1.78', '%', { parameter: '14' }],
    ['yearHigh', '277.32', 'USD', { ...YEAR, day: '2026-11-10' }],
    ['periodHighDay', '2026-11-10', 'date', YEAR],
    ['yearLow', '169.21', 'USD', { ...YEAR, day: '2026-04-08' }],
    ['periodLowDay', '2026-04-08', 'date', YEAR],
    ['fromYearHigh', '-1.58', '%', YEAR],
    ['fromYearLow', '61.31', '%', YEAR],
    ['yearPosition', '95.96', '%', YEAR],
    ['pointOfControlLow', '225.40', 'USD'],
    ['pointOfControlHigh', '231.10', 'USD'],
    ['valueAreaLow', '201.55', 'USD'],
    ['valueAreaHigh', '259.80', 'USD'],
  ]),
};
