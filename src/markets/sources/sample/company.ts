import type { Instrument, NewsItem } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { timeZoneOf } from '../../calendar/calendar.ts';
import { hoursOn, lastTradingDate } from './history.ts';
import type { SampleInstrument } from './instruments.ts';
import { createRandom } from './random.ts';
import type { EarningsDate, FundamentalFigure, Fundamentals } from '../source.ts';

/** The source name of every sample price and figure. */
export const SAMPLE_SOURCE = 'sample data';

const isKorean = ({ currency }: Instrument): boolean => currency === 'KRW';
const dayOf = (instrument: Instrument, now: Timestamp): Temporal.PlainDate =>
  now.toZonedDateTimeISO(timeZoneOf(instrument)).toPlainDate();

/** What headlines are about, so that a sample claims nothing about a real company. */
const SUBJECTS = [
  ['the week in prices', '주간 시세 정리'],
  ['trading volume in view', '거래량 동향'],
  ['dates to watch', '주목할 일정'],
  ['the sector at a glance', '업종 한눈에 보기'],
  ['what readers ask', '투자자들의 질문'],
] as const;
const HOURS_BETWEEN = 5;

/** Headlines without links, in the language of the market, that say that they are samples. */
export const sampleNews = (
  instrument: Instrument | undefined,
  limit: number,
  now: Timestamp,
): readonly NewsItem[] => {
  const random = createRandom(`news ${instrument?.symbol ?? 'market'}`);
  const { en, ko } = instrument?.name ?? { en: 'Markets', ko: '증시' };
  const newest = now.round({ smallestUnit: 'hour', roundingMode: 'floor' }).subtract({ hours: 2 });
  return SUBJECTS.map(([subject, koreanSubject], index) => ({
    title:
      instrument && isKorean(instrument) ? `[샘플] ${ko}, ${koreanSubject}` : `[SAMPLE] ${en}: ${subject}`,
    url: '',
    publisher: 'SAMPLE 샘플',
    publishedAt: newest.subtract({ hours: HOURS_BETWEEN * index, minutes: Math.floor(random() * 60) }),
    symbols: instrument ? [instrument.symbol] : [],
    isSample: true,
  })).slice(0, limit);
};

interface Ranges {
  readonly pe: readonly [number, number];
  readonly priceToBook: readonly [number, number];
  /** Net margin in percent. */
  readonly margin: readonly [number, number];
  /** Yield in percent. Below half a percent, no dividend is paid. */
  readonly dividend: readonly [number, number];
}

const USUAL: Ranges = { pe: [11, 24], priceToBook: [1.1, 4], margin: [6, 14], dividend: [0.3, 3] };
const BY_SECTOR: Readonly<Record<string, Partial<Ranges>>> = {
  Technology: { pe: [17, 42], priceToBook: [2.5, 11], margin: [12, 32], dividend: [0, 1.4] },
  'Communication Services': { pe: [12, 28], priceToBook: [1.2, 6], margin: [8, 24], dividend: [0, 3.5] },
  'Consumer Cyclical': { pe: [9, 30], margin: [4, 12], dividend: [0, 2.8] },
  'Consumer Defensive': { pe: [14, 26], margin: [5, 16], dividend: [1.2, 3.6] },
  Energy: { pe: [8, 16], priceToBook: [0.8, 2.4], dividend: [1.5, 4.5] },
  'Financial Services': { pe: [5, 17], priceToBook: [0.5, 2.2], margin: [14, 32], dividend: [1.5, 5] },
  Healthcare: { pe: [14, 36], priceToBook: [2, 8], margin: [9, 26], dividend: [0, 2.4] },
  Industrials: { pe: [11, 28], dividend: [0, 2.4] },
  'Real Estate': { pe: [18, 36], margin: [16, 34], dividend: [2.4, 4.8] },
  Utilities: { pe: [8, 21], priceToBook: [0.7, 2.4], dividend: [1, 4] },
};

const PAYS_FROM = 0.5;

/** Companies whose price moves a lot are priced for growth, and pay nothing. */
const GROWTH_VOLATILITY = 0.45;
const GROWTH_PRICE = 2.5;
const BILLION = 1_000_000_000;

interface Company {
  readonly marketCap: number;
  readonly pe: number;
  readonly forwardPe: number;
  readonly priceToBook: number;
  readonly margin: number;
  /** 0 if no dividend is paid. */
  readonly dividendYield: number;
  readonly random: () => number;
}

/** The basis of a company's figures. Undefined for other instruments. */
const companyOf = (sample: SampleInstrument): Company | undefined => {
  if (sample.marketCapBillion === undefined) return undefined;
  const random = createRandom(`company ${sample.movesWith ?? sample.symbol}`);
  const ranges = { ...USUAL, ...BY_SECTOR[sample.sector ?? ''] };
  const within = ([from, to]: readonly [number, number]): number => from + (to - from) * random();
  const [pe, priceToBook, margin, paid] = [
    within(ranges.pe),
    within(ranges.priceToBook),
    within(ranges.margin),
    within(ranges.dividend),
  ];
  const isGrowth = sample.annualVolatility >= GROWTH_VOLATILITY;
  const paidFor = isGrowth ? pe * GROWTH_PRICE : pe;
  return {
    marketCap: sample.marketCapBillion * BILLION,
    pe: paidFor,
    forwardPe: paidFor * (0.78 + 0.24 * random()),
    priceToBook,
    margin,
    dividendYield: isGrowth || paid < PAYS_FROM ? 0 : paid,
    random,
  };
};

const MONTHS_A_QUARTER = 3;

/** The next trading day on or after that day of a quarter, today at the earliest. */
const nextInQuarter = (instrument: Instrument, now: Timestamp, days: number): Temporal.PlainDate => {
  const today = dayOf(instrument, now);
  const quarter = today.with({ month: today.month - ((today.month - 1) % MONTHS_A_QUARTER), day: 1 });
  const dates = [-1, 0, 1, 2].map((quarters) => {
    let date = quarter.add({ months: quarters * MONTHS_A_QUARTER }).add({ days });
    while (!hoursOn(instrument, date)) date = date.add({ days: 1 });
    return date;
  });
  return dates.find((date) => Temporal.PlainDate.compare(date, today) >= 0) ?? today;
};

const epsDecimals = (instrument: Instrument): number => (isKorean(instrument) ? 0 : 2);

const figure = (
  metric: FundamentalFigure['metric'],
  value: number,
  unit: string,
  decimals = 2,
): FundamentalFigure => ({ metric, value: new Decimal(value).toDecimalPlaces(decimals).toFixed(), unit });

/** Three significant digits are enough for invented figures. */
const rough = (metric: FundamentalFigure['metric'], value: number, unit: string): FundamentalFigure => ({
  metric,
  value: new Decimal(value).toSignificantDigits(3).toFixed(),
  unit,
});

const lastClose = (instrument: Instrument, now: Timestamp): Timestamp => {
  const closesAt = hoursOn(instrument, lastTradingDate(instrument, now))?.closesAt ?? now;
  return Temporal.Instant.compare(closesAt, now) < 0 ? closesAt : now;
};

export const sampleFundamentals = (
  sample: SampleInstrument,
  instrument: Instrument,
  now: Timestamp,
): Fundamentals | null => {
  const company = companyOf(sample);
  if (!company) return null;
  const { currency } = instrument;
  const { marketCap, pe, forwardPe, priceToBook, margin, dividendYield, random } = company;
  const price = Number(sample.lastPrice);
  const netIncome = marketCap / pe;
  const operatingMargin = margin * (1.15 + 0.25 * random());
  const perShare = epsDecimals(instrument);
  return {
    instrument,
    figures: [
      rough('marketCap', marketCap, currency),
      figure('peTrailing', pe, 'x'),
      figure('peForward', forwardPe, 'x'),
      figure('priceToBook', priceToBook, 'x'),
      figure('epsTrailing', price / pe, currency, perShare),
      figure('epsForward', price / forwardPe, currency, perShare),
      ...(dividendYield > 0
        ? [
            figure('dividendYield', dividendYield, '%'),
            figure('dividendRate', (price * dividendYield) / 100, currency, perShare),
            {
              metric: 'exDividendDate' as const,
              value: nextInQuarter(instrument, now, isKorean(instrument) ? 87 : 40).toString(),
              unit: 'text',
            },
          ]
        : []),
      rough('revenue', (netIncome / margin) * 100, currency),
      figure('revenueGrowth', -6 + 28 * random(), '%', 1),
      figure('grossMargin', operatingMargin * (1.3 + random()), '%', 1),
      figure('operatingMargin', operatingMargin, '%', 1),
      figure('profitMargin', margin, '%', 1),
      figure('returnOnEquity', (priceToBook / pe) * 100, '%', 1),
      figure('debtToEquity', 12 + 95 * random(), '%', 1),
      rough('freeCashFlow', netIncome * (0.6 + 0.5 * random()), currency),
      figure('beta', 0.35 + 2.2 * Math.abs(sample.annualVolatility), 'x'),
      rough('sharesOutstanding', marketCap / price, 'shares'),
      ...(sample.sector === undefined
        ? []
        : [{ metric: 'sector' as const, value: sample.sector, unit: 'text' }]),
    ],
    asOf: lastClose(instrument, now),
    source: SAMPLE_SOURCE,
    isSample: true,
  };
};

/** Korean companies report from the end of a quarter's first month, US companies from its middle. */
const REPORTS = { korean: { from: 24, over: 22 }, other: { from: 14, over: 24 } } as const;

/** The next date by the clock, so it is never in the past. */
export const sampleEarnings = (
  sample: SampleInstrument,
  instrument: Instrument,
  wantsEstimate: boolean,
  now: Timestamp,
): EarningsDate | null => {
  const company = companyOf(sample);
  if (!company) return null;
  const { from, over } = REPORTS[isKorean(instrument) ? 'korean' : 'other'];
  const random = createRandom(`earnings ${sample.movesWith ?? sample.symbol}`);
  const date = nextInQuarter(instrument, now, from + Math.floor(over * random()));
  const quarterly = new Decimal(Number(sample.lastPrice) / company.forwardPe / 4);
  return {
    instrument,
    from: date,
    to: date,
    isEstimate: true,
    ...(wantsEstimate && { epsEstimate: quarterly.toDecimalPlaces(epsDecimals(instrument)) }),
    asOf: now,
    source: SAMPLE_SOURCE,
    isSample: true,
  };
};
