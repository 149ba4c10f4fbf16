import { APPLE, HYNIX, NVIDIA, SAMSUNG } from './market-facts.ts';
import { type FactSet, factsAbout } from './written-answer.ts';

const AS_OF = '2026-11-13T06:30:00Z';
const MICROSOFT = ['마이크로소프트', 'Microsoft Corporation', 'Microsoft', 'MSFT'];
const fundamentals = 'get_fundamentals';

/** The figures of three companies. */
export const FUNDAMENTALS: FactSet = {
  today: '2026-11-13',
  facts: [
    ...factsAbout({ tool: fundamentals, entity: '005930.KS', names: SAMSUNG, asOf: AS_OF }, [
      ['marketCap', '605578959420600', 'KRW'],
      ['peTrailing', '21.84', 'x'],
      ['peForward', '11.37', 'x'],
      ['priceToBook', '1.62', 'x'],
      ['beta', '0.78', 'x'],
      ['epsTrailing', '4684', 'KRW'],
      ['epsForward', '8997', 'KRW'],
      ['dividendYield', '1.42', '%'],
      ['dividendRate', '1452', 'KRW'],
      ['revenue', '308934000000000', 'KRW'],
      ['revenueGrowth', '8.8', '%'],
      ['grossMargin', '36.12', '%'],
      ['operatingMargin', '9.47', '%'],
      ['profitMargin', '9.69', '%'],
      ['returnOnEquity', '8.34', '%'],
      ['debtToEquity', '3.05', '%'],
      ['freeCashFlow', '21380000000000', 'KRW'],
      ['sharesOutstanding', '5919637922', 'shares'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: 'AAPL', names: APPLE, asOf: AS_OF }, [
      ['marketCap', '4033123000000', 'USD'],
      ['peTrailing', '36.54', 'x'],
      ['peForward', '32.85', 'x'],
      ['priceToBook', '54.69', 'x'],
      ['beta', '1.11', 'x'],
      ['epsTrailing', '7.47', 'USD'],
      ['epsForward', '8.31', 'USD'],
      ['dividendYield', '0.38', '%'],
      ['dividendRate', '1.04', 'USD'],
      ['exDividendDate', '2026-11-10', 'date'],
      ['revenue', '416161000000', 'USD'],
      ['revenueGrowth', '7.9', '%'],
      ['grossMargin', '46.91', '%'],
      ['operatingMargin', '31.65', '%'],
      ['profitMargin', '26.92', '%'],
      ['returnOnEquity', '171.42', '%'],
      ['debtToEquity', '152.41', '%'],
      ['freeCashFlow', '78862000000', 'USD'],
      ['sharesOutstanding', '14776353000', 'shares'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: 'MSFT', names: MICROSOFT, asOf: AS_OF }, [
      ['marketCap', '3791448000000', 'USD'],
      ['peTrailing', '36.21', 'x'],
      ['peForward', '27.36', 'x'],
      ['priceToBook', '10.45', 'x'],
      ['beta', '1.07', 'x'],
      ['epsTrailing', '14.09', 'USD'],
      ['epsForward', '18.64', 'USD'],
      ['dividendYield', '0.71', '%'],
      ['dividendRate', '3.64', 'USD'],
      ['exDividendDate', '2026-11-19', 'date'],
      ['revenue', '293812000000', 'USD'],
      ['revenueGrowth', '18.4', '%'],
      ['grossMargin', '68.76', '%'],
      ['operatingMargin', '48.87', '%'],
      ['profitMargin', '35.71', '%'],
      ['returnOnEquity', '32.24', '%'],
      ['debtToEquity', '33.15', '%'],
      ['freeCashFlow', '53327000000', 'USD'],
      ['sharesOutstanding', '7432542000', 'shares'],
    ]),
  ],
};

const OVER_A_DAY = { period: '1d' };
const pairNames = (code: string, word: string, name: string): readonly string[] => [
  `${code}/KRW`,
  `원/${word}`,
  `원${word}`,
  `${word}/원`,
  `${word} 환율`,
  `${name}/won`,
  name,
];
const DOLLAR = pairNames('USD', '달러', 'dollar');
const BITCOIN = ['비트코인', 'Bitcoin', 'BTC'];
const ETHER = ['이더리움', 'Ethereum', 'ETH'];

/** Exchange rates, conversions and coins. */
export const CURRENCIES: FactSet = {
  today: '2026-11-13',
  facts: [
    ...factsAbout({ tool: 'get_quote', entity: 'USDKRW=X', names: DOLLAR, asOf: AS_OF }, [
      ['price', '1467.35', 'KRW'],
      ['previousClose', '1462.1', 'KRW'],
      ['change', '5.25', 'KRW', OVER_A_DAY],
      ['changePercent', '0.36', '%', OVER_A_DAY],
    ]),
    ...factsAbout({ tool: 'convert_currency', entity: 'USD/KRW', names: DOLLAR, asOf: AS_OF }, [
      ['exchangeRate', '1467.35', 'KRW'],
      ['converted', '146735', 'KRW', { label: '100 USD in KRW', operands: ['100', '1467.35'] }],
    ]),
    ...factsAbout({ tool: 'convert_currency', entity: 'KRW/USD', asOf: AS_OF }, [
      ['exchangeRate', '0.00068150066', 'USD'],
      ['converted', '340.75', 'USD', { label: '500000 KRW in USD', operands: ['500000', '0.00068150066'] }],
    ]),
    ...factsAbout(
      { tool: 'get_quote', entity: 'EURKRW=X', names: pairNames('EUR', '유로', 'euro'), asOf: AS_OF },
      [
        ['price', '1702.8', 'KRW'],
        ['changePercent', '-0.21', '%', OVER_A_DAY],
      ],
    ),
    ...factsAbout(
      { tool: 'get_quote', entity: 'JPYKRW=X', names: pairNames('JPY', '엔', 'yen'), asOf: AS_OF },
      [
        ['price', '9.4871', 'KRW'],
        ['changePercent', '0.12', '%', OVER_A_DAY],
        ['price', '948.71', 'KRW', { parameter: '100' }],
      ],
    ),
    ...factsAbout({ tool: 'get_quote', entity: 'KRW-BTC', names: BITCOIN, asOf: AS_OF }, [
      ['price', '139520000', 'KRW'],
      ['change', '-4122000', 'KRW', OVER_A_DAY],
      ['changePercent', '-2.87', '%', OVER_A_DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'BTC-USD', names: BITCOIN, asOf: AS_OF }, [
      ['price', '92814.55', 'USD'],
      ['changePercent', '-3.05', '%', OVER_A_DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'KRW-ETH', names: ETHER, asOf: AS_OF }, [
      ['price', '4652000', 'KRW'],
      ['changePercent', '1.15', '%', OVER_A_DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'ETH-USD', names: ETHER, asOf: AS_OF }, [
      ['price', '3093.42', 'USD'],
      ['changePercent', '0.98', '%', OVER_A_DAY],
    ]),
    ...factsAbout({ tool: 'market_overview', entity: 'BTC', names: BITCOIN, asOf: AS_OF }, [
      ['kimchiPremium', '2.44', '%'],
    ]),
    ...factsAbout({ tool: 'market_overview', entity: 'ETH', names: ETHER, asOf: AS_OF }, [
      ['kimchiPremium', '2.49', '%'],
    ]),
  ],
};

/** Results of the calculator. */
export const CALCULATIONS: FactSet = {
  today: '2026-11-13',
  facts: [
    ...factsAbout({ tool: 'calculate', entity: 'calculation', asOf: AS_OF }, [
      [
        'calculation',
        '19671513.572895665',
        'number',
        { label: '10000000 * 1.07^10', operands: ['10000000', '1.07', '10'] },
      ],
      [
        'calculation',
        '1467051.5211405666',
        'number',
        {
          label: '300000000 * 0.0035 / (1 - 1.0035^-360)',
          operands: ['300000000', '0.0035', '1.0035', '360'],
        },
      ],
      [
        'calculation',
        '528138547.610604',
        'number',
        { label: '1467051.5211405666 * 360', operands: ['1467051.5211405666', '360'] },
      ],
      [
        'calculation',
        '70.28985915877752',
        'number',
        { label: '((190.17 / 13.28)^(1/5) - 1) * 100', operands: ['190.17', '13.28', '1', '5', '100'] },
      ],
      [
        'calculation',
        '3.663674665689687',
        'number',
        { label: '1000 / 272.95', operands: ['1000', '272.95'] },
      ],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'AAPL', names: APPLE, asOf: '2026-11-12T21:00:00Z' }, [
      ['price', '272.95', 'USD'],
    ]),
    ...factsAbout({ tool: 'get_history', entity: 'NVDA', names: NVIDIA, asOf: '2026-11-13T21:00:00Z' }, [
      ['close', '190.17', 'USD', { day: '2026-11-13' }],
      ['close', '13.28', 'USD', { day: '2021-11-15' }],
    ]),
  ],
};

/** When companies report, and when markets are open. */
export const CALENDAR: FactSet = {
  today: '2026-11-14',
  facts: [
    ...factsAbout({ tool: 'get_earnings', entity: 'NVDA', names: NVIDIA, asOf: AS_OF }, [
      ['earningsDay', '2026-11-18', 'date'],
      ['epsEstimate', '1.25', 'USD'],
    ]),
    ...factsAbout({ tool: 'get_earnings', entity: 'AAPL', names: APPLE, asOf: AS_OF }, [
      ['earningsDay', '2027-01-28', 'date'],
      ['epsEstimate', '2.67', 'USD'],
    ]),
    ...factsAbout({ tool: 'get_earnings', entity: '000660.KS', names: HYNIX, asOf: AS_OF }, [
      ['earningsDay', '2027-01-26', 'date'],
      ['earningsLastDay', '2027-01-29', 'date'],
      ['epsEstimate', '16340', 'KRW'],
    ]),
    ...factsAbout({ tool: 'market_hours', entity: 'KRX', names: ['KRX', '한국', 'Korea'], asOf: AS_OF }, [
      ['marketState', 'closed', 'text', { parameter: 'state' }],
      ['marketDay', '2026-11-14', 'text', { parameter: 'date' }],
      ['marketState', 'open', 'text', { parameter: 'nextState' }],
      ['marketTime', '2026-11-16T00:00:00Z', 'text', { parameter: 'nextChangeAt' }],
    ]),
    ...factsAbout(
      { tool: 'market_hours', entity: 'NYSE', names: ['NYSE', '미국', 'United States'], asOf: AS_OF },
      [
        ['marketState', 'closed', 'text', { parameter: 'state' }],
        ['marketDay', '2026-11-14', 'text', { parameter: 'date' }],
        ['marketState', 'open', 'text', { parameter: 'nextState' }],
        ['marketTime', '2026-11-16T14:30:00Z', 'text', { parameter: 'nextChangeAt' }],
      ],
    ),
  ],
};
