import { Decimal } from '#src/kernel/money.ts';
import type {
  PictureForm,
  PictureRow,
  PictureTotal,
} from '#src/features/portfolio/import/pictures/picture-form.ts';
import { drawScreen, type ScreenStyle } from './draw-broker-screen.ts';

/** One position as the broker knows it, or one trade. */
interface Position {
  readonly symbol: string;
  readonly code: string;
  readonly ko: string;
  readonly en: string;
  readonly quantity: string;
  /** Of all units together, so that the average price may have many digits. */
  readonly cost: string;
  readonly price: string;
}

interface DataSet {
  readonly name: string;
  readonly currency: 'KRW' | 'USD';
  readonly cash: string;
  readonly positions: readonly Position[];
}

const position = (names: string, quantity: string, cost: string, price: string): Position => {
  const [symbol = '', code = '', ko = '', en = ''] = names.split('|');
  return { symbol, code, ko, en, quantity, cost, price };
};

const SAMSUNG = '005930.KS|005930|삼성전자|Samsung Electronics';
const HYNIX = '000660.KS|000660|SK하이닉스|SK hynix';
const NAVER = '035420.KS|035420|NAVER|NAVER';
const KAKAO = '035720.KS|035720|카카오|Kakao';
const HYUNDAI = '005380.KS|005380|현대차|Hyundai Motor';
const KIA = '000270.KS|000270|기아|Kia';
const APPLE = 'AAPL|AAPL|애플|Apple';
const MICROSOFT = 'MSFT|MSFT|마이크로소프트|Microsoft';
const NVIDIA = 'NVDA|NVDA|엔비디아|NVIDIA';
const TESLA = 'TSLA|TSLA|테슬라|Tesla';
const AMAZON = 'AMZN|AMZN|아마존|Amazon';
const COKE = 'KO|KO|코카콜라|Coca-Cola';

const DATA: readonly DataSet[] = [
  {
    name: 'a few Korean shares at whole prices',
    currency: 'KRW',
    cash: '1523400',
    positions: [
      position(SAMSUNG, '10', '710000', '72500'),
      position(HYNIX, '7', '1302000', '198500'),
      position(NAVER, '15', '2872500', '187300'),
      position(KAKAO, '42', '1990800', '44150'),
    ],
  },
  {
    name: 'Korean shares bought in many parts',
    currency: 'KRW',
    cash: '88120',
    positions: [
      position(SAMSUNG, '1374', '95847213', '72500'),
      position(HYUNDAI, '236', '51203458', '243000'),
      position(KIA, '518', '49872911', '98700'),
      position(KAKAO, '2051', '98127734', '44150'),
      position(NAVER, '93', '17633721', '187300'),
    ],
  },
  {
    name: 'US shares',
    currency: 'USD',
    cash: '2310.55',
    positions: [
      position(APPLE, '25', '4512.50', '231.42'),
      position(MICROSOFT, '12', '4103.16', '428.15'),
      position(NVIDIA, '140', '8915.20', '134.29'),
      position(COKE, '60', '3491.40', '63.71'),
      position(TESLA, '9', '2417.31', '311.18'),
    ],
  },
  {
    name: 'fractions of US shares',
    currency: 'USD',
    cash: '12.07',
    positions: [
      position(APPLE, '12.5', '2287.13', '231.42'),
      position(AMAZON, '3.25', '601.77', '207.89'),
      position(NVIDIA, '0.75', '81.04', '134.29'),
    ],
  },
  {
    name: 'one large position and two small ones',
    currency: 'KRW',
    cash: '5000000',
    positions: [
      position(HYNIX, '1200', '187440000', '198500'),
      position(KIA, '3', '301200', '98700'),
      position(HYUNDAI, '1', '259000', '243000'),
    ],
  },
];

/** How a layout writes numbers. */
interface Writing {
  readonly money: (value: Decimal, currency: string) => string;
  /** Gains with a sign. */
  readonly gain: (value: Decimal, currency: string) => string;
  readonly quantity: (value: Decimal) => string;
}

const grouped = (value: Decimal, decimals: number): string =>
  value
    .toNumber()
    .toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

const decimalsOf = (currency: string): number => (currency === 'KRW' ? 0 : 2);
const bare = (value: Decimal, currency: string): string =>
  grouped(value.toDecimalPlaces(decimalsOf(currency)), decimalsOf(currency));

const KOREAN: Writing = {
  money: (value, currency) =>
    currency === 'KRW' ? `${bare(value, currency)}원` : `$${bare(value, currency)}`,
  gain: (value, currency) =>
    `${value.isNegative() ? '-' : '+'}${bare(value.abs(), currency)}${currency === 'KRW' ? '원' : ''}`,
  quantity: (value) => `${grouped(value, value.decimalPlaces())}주`,
};
const KOREAN_BARE: Writing = {
  money: bare,
  gain: (value, currency) => `${value.isNegative() ? '▼' : '▲'} ${bare(value.abs(), currency)}`,
  quantity: (value) => grouped(value, value.decimalPlaces()),
};
const sign = (currency: string): string => (currency === 'KRW' ? '₩' : '$');
const AMERICAN: Writing = {
  money: (value, currency) => `${sign(currency)}${bare(value, currency)}`,
  gain: (value, currency) =>
    `${value.isNegative() ? '-' : '+'}${sign(currency)}${bare(value.abs(), currency)}`,
  quantity: (value) => grouped(value, value.decimalPlaces()),
};

interface Layout extends ScreenStyle {
  readonly kind: 'holdings' | 'trades';
  readonly writing: Writing;
  readonly shows: readonly (keyof PictureRow)[];
  readonly totals: readonly (keyof PictureTotal)[];
  readonly hasDate: boolean;
}

const ALL = ['quantity', 'averagePrice', 'price', 'cost', 'value', 'gain', 'gainPercent'] as const;

/** Invented apps: no broker's marks, but the numbers that such apps show. */
const LAYOUTS: readonly Layout[] = [
  {
    name: '잔고 상세',
    style: 'list',
    language: 'ko',
    kind: 'holdings',
    writing: KOREAN,
    isDark: false,
    shows: ALL,
    totals: ['cost', 'value', 'gain', 'cash'],
    hasDate: true,
  },
  {
    name: '잔고 표',
    style: 'table',
    language: 'ko',
    kind: 'holdings',
    writing: KOREAN_BARE,
    isDark: false,
    shows: ['quantity', 'averagePrice', 'price', 'gain', 'gainPercent'],
    totals: ['gain'],
    hasDate: false,
  },
  {
    name: '내 주식',
    style: 'card',
    language: 'ko',
    kind: 'holdings',
    writing: KOREAN,
    isDark: true,
    shows: ['quantity', 'averagePrice', 'value', 'gain', 'gainPercent'],
    totals: ['value', 'gain'],
    hasDate: false,
  },
  {
    name: '계좌 잔고',
    style: 'table',
    language: 'ko',
    kind: 'holdings',
    writing: KOREAN_BARE,
    isDark: false,
    shows: ['quantity', 'averagePrice', 'cost', 'value'],
    totals: ['cost', 'value', 'count'],
    hasDate: true,
  },
  {
    name: 'Positions',
    style: 'list',
    language: 'en',
    kind: 'holdings',
    writing: AMERICAN,
    isDark: false,
    shows: [...ALL, 'code'],
    totals: ['value', 'cost', 'gain', 'cash'],
    hasDate: true,
  },
  {
    name: 'My stocks',
    style: 'card',
    language: 'en',
    kind: 'holdings',
    writing: AMERICAN,
    isDark: true,
    shows: ['code', 'quantity', 'averagePrice', 'value', 'gain'],
    totals: ['assets', 'cash'],
    hasDate: false,
  },
  {
    name: 'Holdings',
    style: 'table',
    language: 'en',
    kind: 'holdings',
    writing: AMERICAN,
    isDark: false,
    shows: ['code', 'quantity', 'averagePrice', 'price', 'cost'],
    totals: ['cost', 'count'],
    hasDate: false,
  },
  {
    name: '체결 내역',
    style: 'list',
    language: 'ko',
    kind: 'trades',
    writing: KOREAN,
    isDark: false,
    shows: ['date', 'side', 'quantity', 'price', 'value', 'fee', 'tax', 'settled'],
    totals: ['bought'],
    hasDate: false,
  },
];

const AS_OF = '2026-11-12';
const FEE = new Decimal('0.00015');

const valueOf = (each: Position, { currency }: Pick<DataSet, 'currency'>): Decimal =>
  new Decimal(each.quantity).times(each.price).toDecimalPlaces(decimalsOf(currency));

const writtenRow = (
  each: Position,
  { currency }: DataSet,
  { writing, shows, language, kind }: Layout,
  index: number,
): PictureRow => {
  const quantity = new Decimal(each.quantity);
  const cost = new Decimal(each.cost);
  const price = new Decimal(each.price);
  const value = valueOf(each, { currency });
  const gain = value.minus(cost);
  const fee = value.times(FEE).toDecimalPlaces(decimalsOf(currency));
  const money = (amount: Decimal): string => writing.money(amount, currency);
  const percent = gain.dividedBy(cost).times(100).toDecimalPlaces(2);
  const all: Required<PictureRow> = {
    name: language === 'ko' ? each.ko : each.en,
    code: each.code,
    side: '매수',
    date: `2026-11-0${index + 2}`,
    quantity: writing.quantity(quantity),
    averagePrice: money(cost.dividedBy(quantity)),
    price: money(price),
    cost: money(cost),
    value: money(value),
    gain: writing.gain(gain, currency),
    gainPercent: `${percent.isNegative() ? '' : '+'}${percent.toFixed(2)}%`,
    fee: money(fee),
    tax: money(new Decimal(0)),
    settled: money(value.plus(fee)),
    currency,
  };
  const shown = new Set<string>([
    'name',
    ...shows,
    ...(kind === 'trades' || writing === KOREAN_BARE ? ['currency'] : []),
  ]);
  return Object.fromEntries(Object.entries(all).filter(([field]) => shown.has(field)));
};

const writtenTotal = ({ positions, currency, cash }: DataSet, { writing, totals }: Layout): PictureTotal => {
  const sum = (of: (each: Position) => Decimal): Decimal =>
    positions.reduce((total, each) => total.plus(of(each)), new Decimal(0));
  const value = sum((each) => valueOf(each, { currency }));
  const cost = sum((each) => new Decimal(each.cost));
  const all: Required<PictureTotal> = {
    currency,
    count: String(positions.length),
    value: writing.money(value, currency),
    cost: writing.money(cost, currency),
    gain: writing.gain(value.minus(cost), currency),
    cash: writing.money(new Decimal(cash), currency),
    assets: writing.money(value.plus(cash), currency),
    bought: writing.money(value, currency),
    sold: writing.money(new Decimal(0), currency),
  };
  const shown = new Set<string>(['currency', ...totals]);
  return Object.fromEntries(Object.entries(all).filter(([field]) => shown.has(field)));
};

/** What a right preview of a row records. */
interface ExpectedEntry {
  readonly symbol: string;
  readonly quantity: string;
  /** Of all units together; the price of one may be rounded. */
  readonly cost: string;
  readonly date: string;
}

export interface BrokerScreen {
  readonly name: string;
  readonly language: 'ko' | 'en';
  /** What a model that reads without an error fills in. */
  readonly form: PictureForm;
  readonly expected: readonly ExpectedEntry[];
  readonly draw: () => Buffer;
}

const screenOf = (layout: Layout, data: DataSet, today: string): BrokerScreen => {
  const form: PictureForm = {
    kind: layout.kind,
    currency: data.currency,
    ...(layout.hasDate && { asOf: AS_OF }),
    rows: data.positions.map((each, index) => writtenRow(each, data, layout, index)),
    totals: [writtenTotal(data, layout)],
  };
  const isTrade = layout.kind === 'trades';
  return {
    name: `${layout.name}, ${data.name}`,
    language: layout.language,
    form,
    expected: data.positions.map((each, index) => ({
      symbol: each.symbol,
      quantity: each.quantity,
      cost: isTrade ? valueOf(each, data).toFixed() : each.cost,
      date: isTrade ? `2026-11-0${index + 2}` : layout.hasDate ? AS_OF : today,
    })),
    draw: () => drawScreen(form, layout),
  };
};

/** Eight layouts of brokers' apps with five sets of holdings each. */
export const brokerScreens = (today: string): readonly BrokerScreen[] =>
  LAYOUTS.flatMap((layout) => DATA.map((data) => screenOf(layout, data, today)));
