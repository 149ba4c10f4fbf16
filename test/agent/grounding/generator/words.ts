import type { Locale } from '#src/kernel/locale.ts';

type Words = Readonly<Record<Locale, readonly string[]>>;

const words = (ko: string, en: string): Words => ({ ko: ko.split('|'), en: en.split('|') });

/** What answers call a metric where they name it. No two metrics of one list share a word. */
export const METRIC_WORDS: Readonly<Record<string, Words>> = {
  price: words('현재가|주가|현재 가격', 'price|share price|current price'),
  previousClose: words('전일 종가|전 거래일 종가|직전 종가', 'previous close|prior close'),
  dayLow: words('장중 저가|당일 저가', "day's low|intraday low|day low"),
  dayHigh: words('장중 고가|당일 고가', "day's high|intraday high|day high"),
  yearLow: words('52주 최저가|52주 저점', '52-week low|52-week low'),
  yearHigh: words('52주 최고가|52주 고점|52주 신고가', '52-week high|52-week high'),
  volume: words('거래량', 'volume|trading volume'),
  marketCap: words('시가총액|시총', 'market cap|market capitalization'),
  peTrailing: words('PER|주가수익비율(PER)|P/E', 'P/E ratio|trailing P/E|P/E'),
  peForward: words('선행 PER|예상 PER', 'forward P/E'),
  priceToBook: words('PBR|주가순자산비율(PBR)', 'P/B ratio|price-to-book ratio'),
  epsTrailing: words('EPS|주당순이익(EPS)', 'EPS|trailing EPS|earnings per share'),
  epsForward: words('예상 EPS|선행 EPS', 'forward EPS'),
  dividendYield: words('배당수익률|시가배당률', 'dividend yield'),
  dividendRate: words('주당 배당금|연간 배당금', 'annual dividend|dividend per share'),
  revenue: words('매출|매출액', 'revenue|sales'),
  grossMargin: words('매출총이익률', 'gross margin'),
  operatingMargin: words('영업이익률', 'operating margin'),
  profitMargin: words('순이익률', 'net margin|profit margin'),
  returnOnEquity: words('ROE|자기자본이익률(ROE)', 'ROE|return on equity'),
  debtToEquity: words('부채비율', 'debt-to-equity|debt-to-equity ratio'),
  freeCashFlow: words('잉여현금흐름|잉여현금흐름(FCF)', 'free cash flow'),
  beta: words('베타', 'beta'),
  sharesOutstanding: words('발행주식수|상장주식수', 'shares outstanding'),
  quantity: words('보유 수량|수량', 'quantity|position'),
  averageCost: words('평균 매입가|평균 단가|평단가', 'average cost|average price'),
  cost: words('매입 금액|매입금액', 'cost basis'),
  marketValue: words('평가금액|평가액', 'market value|current value'),
  totalValue: words('총 평가금액|총자산', 'total value|portfolio value'),
  cashValue: words('현금|예수금', 'cash'),
};

type Directions = readonly (readonly [up: string, down: string])[];

/** Behind a number. */
export const DIRECTIONS_AFTER: Readonly<Record<Locale, Directions>> = {
  ko: [
    [' 상승', ' 하락'],
    [' 상승했습니다', ' 하락했습니다'],
    [' 올랐습니다', ' 내렸습니다'],
    [' 오른 상태입니다', ' 내린 상태입니다'],
    [' 올랐어요', ' 떨어졌어요'],
    [' 상승한 수준입니다', ' 하락한 수준입니다'],
  ],
  en: [
    [' higher', ' lower'],
    [' up', ' down'],
  ],
};

/** Before a number. */
export const DIRECTIONS_BEFORE: Directions = [
  ['up ', 'down '],
  ['rose ', 'fell '],
  ['gained ', 'lost '],
  ['has risen ', 'has fallen '],
  ['climbed ', 'slipped '],
  ['a gain of ', 'a loss of '],
  ['advanced ', 'declined '],
];

/** Of a holding. */
export const GAINS: Readonly<Record<Locale, Directions>> = {
  ko: [
    ['평가이익', '평가손실'],
    ['이익', '손실'],
  ],
  en: [
    ['gain', 'loss'],
    ['profit', 'loss'],
  ],
};

/** What answers call the periods of facts, without the newest day. */
export const PERIOD_WORDS: Readonly<Record<string, Words>> = {
  '5d': words('최근 5일|최근 5일간', 'over the last 5 days|over the past five days'),
  '1mo': words(
    '최근 1개월|최근 한 달|지난 한 달간',
    'over the past month|over the last month|in the past month',
  ),
  '3mo': words('최근 3개월|최근 3개월간', 'over the past three months|over the last 3 months'),
  '6mo': words('최근 6개월', 'over the past six months|over the last 6 months'),
  ytd: words('올해|올해 들어|연초 이후', 'year to date|this year|so far this year'),
  '1y': words(
    '최근 1년|최근 1년간|지난 1년간',
    'over the past year|over the last 12 months|in the past year',
  ),
};

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

type WriteDay = (day: Temporal.PlainDate) => string;

const english = ({ month }: Temporal.PlainDate): string => MONTHS[month - 1] ?? '';

/** Ways to write a day of this year. */
export const DAY_FORMS: Readonly<Record<Locale, readonly WriteDay[]>> = {
  ko: [
    ({ month, day }) => `${month}월 ${day}일`,
    ({ year, month, day }) => `${year}년 ${month}월 ${day}일`,
    (date) => date.toString(),
    ({ month, day }) => `${month}/${day}`,
    ({ year, month, day }) => `${year}.${String(month).padStart(2, '0')}.${String(day).padStart(2, '0')}`,
  ],
  en: [
    (date) => `${english(date).slice(0, 3)} ${date.day}`,
    (date) => `${english(date)} ${date.day}`,
    (date) => `${english(date).slice(0, 3)} ${date.day}, ${date.year}`,
    (date) => `${english(date)} ${date.day}, ${date.year}`,
    (date) => date.toString(),
    (date) => `${date.day} ${english(date).slice(0, 3)} ${date.year}`,
  ],
};
