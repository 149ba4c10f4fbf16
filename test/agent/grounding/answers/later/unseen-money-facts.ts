import { type FactSet, factsAbout } from '../written-answer.ts';
import { BITCOIN, COKE, DAY, HYUNDAI, LGES, NY_CLOSE, PEPSI, SEOUL_CLOSE } from './unseen-names.ts';

const fundamentals = 'get_fundamentals';

/** Two makers of drinks, a maker of cars and a maker of batteries. */
export const COMPANIES: FactSet = {
  today: '2026-11-19',
  facts: [
    ...factsAbout({ tool: 'get_quote', entity: '005380.KS', names: HYUNDAI, asOf: SEOUL_CLOSE }, [
      ['price', '268500', 'KRW'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: '005380.KS', names: HYUNDAI, asOf: SEOUL_CLOSE }, [
      ['marketCap', '54977460171000', 'KRW'],
      ['peTrailing', '5.62', 'x'],
      ['peForward', '5.01', 'x'],
      ['priceToBook', '0.54', 'x'],
      ['beta', '0.94', 'x'],
      ['epsTrailing', '47780', 'KRW'],
      ['epsForward', '53590', 'KRW'],
      ['dividendYield', '4.47', '%'],
      ['dividendRate', '12000', 'KRW'],
      ['revenue', '184216000000000', 'KRW'],
      ['revenueGrowth', '6.4', '%'],
      ['grossMargin', '19.43', '%'],
      ['operatingMargin', '5.43', '%'],
      ['profitMargin', '5.87', '%'],
      ['returnOnEquity', '9.52', '%'],
      ['debtToEquity', '142.3', '%'],
      ['freeCashFlow', '-8214000000000', 'KRW'],
      ['sharesOutstanding', '204757766', 'shares'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: '373220.KS', names: LGES, asOf: SEOUL_CLOSE }, [
      ['marketCap', '103545000000000', 'KRW'],
      ['peForward', '88.68', 'x'],
      ['priceToBook', '4.86', 'x'],
      ['beta', '1.21', 'x'],
      ['epsTrailing', '-4321', 'KRW'],
      ['epsForward', '4990', 'KRW'],
      ['revenue', '23718000000000', 'KRW'],
      ['revenueGrowth', '-7.4', '%'],
      ['grossMargin', '15.02', '%'],
      ['operatingMargin', '3.61', '%'],
      ['profitMargin', '-3.94', '%'],
      ['returnOnEquity', '-2.18', '%'],
      ['debtToEquity', '71.52', '%'],
      ['freeCashFlow', '-9635000000000', 'KRW'],
      ['sharesOutstanding', '234000000', 'shares'],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'KO', names: COKE, asOf: NY_CLOSE }, [
      ['price', '71.25', 'USD'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: 'KO', names: COKE, asOf: NY_CLOSE }, [
      ['marketCap', '306446250000', 'USD'],
      ['peTrailing', '23.59', 'x'],
      ['peForward', '22.13', 'x'],
      ['priceToBook', '9.81', 'x'],
      ['beta', '0.39', 'x'],
      ['epsTrailing', '3.02', 'USD'],
      ['epsForward', '3.22', 'USD'],
      ['dividendYield', '2.86', '%'],
      ['dividendRate', '2.04', 'USD'],
      ['exDividendDate', '2026-12-01', 'date'],
      ['revenue', '47663000000', 'USD'],
      ['revenueGrowth', '5.1', '%'],
      ['grossMargin', '61.55', '%'],
      ['operatingMargin', '32.37', '%'],
      ['profitMargin', '27.34', '%'],
      ['returnOnEquity', '42.44', '%'],
      ['debtToEquity', '151.83', '%'],
      ['freeCashFlow', '5562000000', 'USD'],
      ['sharesOutstanding', '4301000000', 'shares'],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'PEP', names: PEPSI, asOf: NY_CLOSE }, [
      ['price', '146.1', 'USD'],
    ]),
    ...factsAbout({ tool: fundamentals, entity: 'PEP', names: PEPSI, asOf: NY_CLOSE }, [
      ['marketCap', '199718700000', 'USD'],
      ['peTrailing', '27.78', 'x'],
      ['peForward', '17.07', 'x'],
      ['priceToBook', '10.33', 'x'],
      ['beta', '0.45', 'x'],
      ['epsTrailing', '5.26', 'USD'],
      ['epsForward', '8.56', 'USD'],
      ['dividendYield', '3.89', '%'],
      ['dividendRate', '5.69', 'USD'],
      ['exDividendDate', '2026-12-04', 'date'],
      ['revenue', '92366000000', 'USD'],
      ['revenueGrowth', '2.6', '%'],
      ['grossMargin', '54.34', '%'],
      ['operatingMargin', '16.5', '%'],
      ['profitMargin', '7.82', '%'],
      ['returnOnEquity', '37.11', '%'],
      ['debtToEquity', '262.5', '%'],
      ['freeCashFlow', '6737000000', 'USD'],
      ['sharesOutstanding', '1367000000', 'shares'],
    ]),
  ],
};

const pair = (code: string, word: string, name: string): readonly string[] => [
  `${code}/KRW`,
  `원/${word}`,
  `원${word}`,
  `${word}/원`,
  `${word} 환율`,
  `${name}/won`,
  name,
];
const DOLLAR = pair('USD', '달러', 'dollar');
const YEN = pair('JPY', '엔', 'yen');
const XRP = ['리플', '엑스알피', 'XRP'];
const SOLANA = ['솔라나', 'Solana', 'SOL'];

/** Exchange rates, conversions and three coins. */
export const RATES: FactSet = {
  today: '2026-11-19',
  facts: [
    ...factsAbout({ tool: 'get_quote', entity: 'USDKRW=X', names: DOLLAR, asOf: SEOUL_CLOSE }, [
      ['price', '1472.6', 'KRW'],
      ['previousClose', '1468.3', 'KRW'],
      ['change', '4.3', 'KRW', DAY],
      ['changePercent', '0.29', '%', DAY],
      ['yearLow', '1347.1', 'KRW'],
      ['yearHigh', '1487.6', 'KRW'],
    ]),
    ...factsAbout({ tool: 'convert_currency', entity: 'USD/KRW', names: DOLLAR, asOf: SEOUL_CLOSE }, [
      ['exchangeRate', '1472.6', 'KRW'],
      ['converted', '4417800', 'KRW', { label: '3000 USD in KRW', operands: ['3000', '1472.6'] }],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'JPYKRW=X', names: YEN, asOf: SEOUL_CLOSE }, [
      ['price', '9.3815', 'KRW'],
      ['changePercent', '-0.54', '%', DAY],
      ['price', '938.15', 'KRW', { parameter: '100' }],
    ]),
    ...factsAbout({ tool: 'convert_currency', entity: 'JPY/KRW', names: YEN, asOf: SEOUL_CLOSE }, [
      ['exchangeRate', '9.3815', 'KRW'],
      ['converted', '1876300', 'KRW', { label: '200000 JPY in KRW', operands: ['200000', '9.3815'] }],
    ]),
    ...factsAbout(
      {
        tool: 'get_quote',
        entity: 'JPY=X',
        names: ['USD/JPY', '달러/엔', '엔/달러', '달러엔', 'dollar/yen'],
        asOf: SEOUL_CLOSE,
      },
      [
        ['price', '156.97', 'JPY'],
        ['changePercent', '0.83', '%', DAY],
      ],
    ),
    ...factsAbout(
      {
        tool: 'get_quote',
        entity: 'EURUSD=X',
        names: ['EUR/USD', '유로/달러', '유로달러', 'euro/dollar', 'euro'],
        asOf: SEOUL_CLOSE,
      },
      [
        ['price', '1.1534', 'USD'],
        ['previousClose', '1.1581', 'USD'],
        ['change', '-0.0047', 'USD', DAY],
        ['changePercent', '-0.41', '%', DAY],
      ],
    ),
    ...factsAbout(
      { tool: 'get_quote', entity: 'GBPKRW=X', names: pair('GBP', '파운드', 'pound'), asOf: SEOUL_CLOSE },
      [
        ['price', '1926.45', 'KRW'],
        ['changePercent', '0.11', '%', DAY],
      ],
    ),
    ...factsAbout({ tool: 'get_quote', entity: 'KRW-BTC', names: BITCOIN, asOf: SEOUL_CLOSE }, [
      ['price', '136250000', 'KRW'],
      ['priceDayBefore', '137877000', 'KRW'],
      ['change', '-1627000', 'KRW', DAY],
      ['changePercent', '-1.18', '%', DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'BTC-USD', names: BITCOIN, asOf: SEOUL_CLOSE }, [
      ['price', '91250.4', 'USD'],
      ['changePercent', '-1.37', '%', DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'KRW-SOL', names: SOLANA, asOf: SEOUL_CLOSE }, [
      ['price', '201300', 'KRW'],
      ['changePercent', '-1.42', '%', DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'SOL-USD', names: SOLANA, asOf: SEOUL_CLOSE }, [
      ['price', '134.72', 'USD'],
      ['changePercent', '-1.66', '%', DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'KRW-XRP', names: XRP, asOf: SEOUL_CLOSE }, [
      ['price', '3128', 'KRW'],
      ['changePercent', '2.36', '%', DAY],
    ]),
    ...factsAbout({ tool: 'get_quote', entity: 'XRP-USD', names: XRP, asOf: SEOUL_CLOSE }, [
      ['price', '2.0914', 'USD'],
      ['changePercent', '2.11', '%', DAY],
    ]),
    ...factsAbout({ tool: 'market_overview', entity: 'BTC', names: BITCOIN, asOf: SEOUL_CLOSE }, [
      ['kimchiPremium', '1.40', '%'],
    ]),
    ...factsAbout({ tool: 'market_overview', entity: 'SOL', names: SOLANA, asOf: SEOUL_CLOSE }, [
      ['kimchiPremium', '1.47', '%'],
    ]),
    ...factsAbout({ tool: 'market_overview', entity: 'XRP', names: XRP, asOf: SEOUL_CLOSE }, [
      ['kimchiPremium', '1.57', '%'],
    ]),
  ],
};
