import type { KnownFact } from '#src/agent/grounding/facts/evidence.ts';
import { type FactGroup, factsOf } from './recorded.ts';

const AS_OF = '2026-11-13T06:30:00Z';

type Quote = readonly [
  symbol: string,
  names: readonly string[],
  unit: string,
  price: string,
  previous: string,
  change: string,
  percent: string,
  day: readonly [low: string, high: string],
  year: readonly [low: string, high: string],
];

const QUOTED: readonly Quote[] = [
  [
    'AAPL',
    ['애플', 'Apple Inc.', 'Apple'],
    'USD',
    '228.4',
    '225',
    '3.4',
    '1.51',
    ['224.1', '229.85'],
    ['164.08', '260.1'],
  ],
  [
    'NVDA',
    ['엔비디아', 'NVIDIA Corporation', 'Nvidia'],
    'USD',
    '181.25',
    '183.6',
    '-2.35',
    '-1.28',
    ['180.05', '187.2'],
    ['86.62', '212.19'],
  ],
  [
    'TSLA',
    ['테슬라', 'Tesla, Inc.', 'Tesla'],
    'USD',
    '412.3',
    '401.97',
    '10.33',
    '2.57',
    ['398.2', '415'],
    ['212.11', '488.54'],
  ],
  [
    'MSFT',
    ['마이크로소프트', 'Microsoft Corporation', 'Microsoft'],
    'USD',
    '498.75',
    '501.2',
    '-2.45',
    '-0.49',
    ['495.3', '503.1'],
    ['344.79', '555.45'],
  ],
  [
    '005930.KS',
    ['삼성전자', 'Samsung Electronics'],
    'KRW',
    '71500',
    '70600',
    '900',
    '1.27',
    ['70400', '72000'],
    ['51000', '88800'],
  ],
  [
    '000660.KS',
    ['SK하이닉스', 'SK hynix'],
    'KRW',
    '612000',
    '625000',
    '-13000',
    '-2.08',
    ['608000', '628000'],
    ['164800', '646000'],
  ],
  [
    '035720.KS',
    ['카카오', 'Kakao'],
    'KRW',
    '41250',
    '41250',
    '0',
    '0',
    ['40900', '41800'],
    ['35250', '71600'],
  ],
];

const quoteOf = ([of, names, unit, price, previous, change, percent, day, year]: Quote): FactGroup => ({
  of,
  names,
  asOf: AS_OF,
  rows: [
    ['price', price, unit],
    ['previousClose', previous, unit],
    ['dayLow', day[0], unit],
    ['dayHigh', day[1], unit],
    ['yearLow', year[0], unit],
    ['yearHigh', year[1], unit],
    ['change', change, unit, { period: '1d' }],
    ['changePercent', percent, '%', { period: '1d' }],
  ],
});

const known = (tool: string, groups: readonly FactGroup[]): readonly KnownFact[] =>
  groups.flatMap(factsOf).map((fact) => ({ fact, tool }));

/** Quotes of seven shares. */
export const QUOTES = known('get_quote', QUOTED.map(quoteOf));

/** A portfolio of three of them, and what companies report. */
export const ACCOUNT = known('get_portfolio', [
  {
    of: 'portfolio:main',
    names: ['main'],
    asOf: AS_OF,
    rows: [
      ['totalValue', '11300000', 'KRW'],
      ['cost', '9460000', 'KRW'],
      ['unrealisedFromFx', '127249', 'KRW'],
      ['realisedFromFx', '30304', 'KRW'],
      ['timeWeightedReturn', '18.36', '%', { period: '1y' }],
      ['moneyWeightedReturn', '30.39', '%', { period: '1y' }],
    ],
  },
  {
    of: '005930.KS',
    names: ['삼성전자', 'Samsung Electronics'],
    asOf: AS_OF,
    rows: [
      ['quantity', '50', 'units'],
      ['averageCost', '65000', 'KRW'],
      ['cost', '3250000', 'KRW'],
      ['price', '71500', 'KRW'],
      ['marketValue', '3575000', 'KRW'],
      ['unrealisedGain', '325000', 'KRW'],
      ['unrealisedGainPercent', '10', '%'],
      ['weight', '31.6', '%'],
    ],
  },
  {
    of: 'NVDA',
    names: ['엔비디아', 'NVIDIA Corporation', 'Nvidia'],
    asOf: AS_OF,
    rows: [
      ['quantity', '6', 'units'],
      ['price', '181.25', 'USD'],
      ['marketValue', '1087.5', 'USD'],
      ['unrealisedGain', '187.5', 'USD'],
    ],
  },
  {
    of: 'AAPL',
    names: ['애플', 'Apple Inc.', 'Apple'],
    asOf: AS_OF,
    rows: [
      ['unrealisedGain', '968', 'USD'],
      ['marketCap', '3385000000000', 'USD'],
      ['revenue', '416161000000', 'USD'],
    ],
  },
  {
    of: 'USDKRW=X',
    names: ['USD/KRW', '원/달러'],
    asOf: AS_OF,
    rows: [
      ['exchangeRate', '1402.5', 'KRW'],
      ['change', '6.3', 'KRW', { period: '1d' }],
    ],
  },
]);
