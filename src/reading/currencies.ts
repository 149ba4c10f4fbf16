import type { Localized } from '#src/kernel/locale.ts';
import type { Currency } from '#src/kernel/money.ts';
import { characterTest, isLetter, isSyllable } from './characters.ts';

/** A currency or coin that can be converted. */
export interface KnownCurrency {
  readonly code: Currency;
  readonly name: Localized;
  readonly isCoin: boolean;
  /** Decimals of an amount. */
  readonly decimals: number;
}

/** Low-value currencies that Korean banks quote per hundred, with their Korean name. */
const BY_HUNDRED: ReadonlyMap<Currency, string> = new Map([
  ['JPY', '엔'],
  ['VND', '동'],
  ['IDR', '루피아'],
]);
export const HUNDRED = 100;

/** The unit of a quote per hundred (`100엔`). Undefined for currencies quoted per unit. */
export const wordOfHundred = (code: Currency): string | undefined => BY_HUNDRED.get(code);

/** Code, names in both languages, other spellings, and decimals if not two. */
type Row = readonly [code: Currency, ko: string, en: string, others?: string, decimals?: number];

/**
 * In market quoting order: of two currencies the earlier is priced in the later (EUR/USD, USD/KRW), which keeps the
 * most digits. Other names are separated by commas.
 */
const MONEY: readonly Row[] = [
  ['EUR', '유로', 'Euro', '€,유로화,euros'],
  ['GBP', '영국 파운드', 'British pound', '£,파운드,파운드화,pound,pounds,sterling'],
  ['AUD', '호주 달러', 'Australian dollar', 'a$,au$'],
  ['NZD', '뉴질랜드 달러', 'New Zealand dollar', 'nz$'],
  [
    'USD',
    '미국 달러',
    'US dollar',
    '$,us$,달러,미달러,불,달러화,미화,미국돈,dollar,dollars,us dollars,buck,bucks',
  ],
  ['KWD', '쿠웨이트 디나르', 'Kuwaiti dinar', '', 3],
  ['CAD', '캐나다 달러', 'Canadian dollar', 'c$,ca$'],
  ['CHF', '스위스 프랑', 'Swiss franc', '프랑,franc,francs'],
  ['SGD', '싱가포르 달러', 'Singapore dollar', 's$,싱가폴 달러'],
  ['BRL', '브라질 헤알', 'Brazilian real', 'r$,헤알,reais'],
  ['PLN', '폴란드 즈워티', 'Polish zloty', '즈워티,zloty'],
  ['ILS', '이스라엘 셰켈', 'Israeli shekel', '₪,셰켈,shekel,shekels'],
  ['MYR', '말레이시아 링깃', 'Malaysian ringgit', '링깃,ringgit'],
  ['AED', '아랍에미리트 디르함', 'UAE dirham', '디르함,dirham,dirhams'],
  ['SAR', '사우디 리얄', 'Saudi riyal', '리얄,riyal'],
  ['CNY', '중국 위안', 'Chinese yuan', '元,위안,위안화,인민폐,yuan,renminbi,rmb,cnh'],
  ['DKK', '덴마크 크로네', 'Danish krone'],
  ['HKD', '홍콩 달러', 'Hong Kong dollar', 'hk$'],
  ['MOP', '마카오 파타카', 'Macanese pataca', '파타카,pataca'],
  ['SEK', '스웨덴 크로나', 'Swedish krona', '크로나,krona'],
  ['NOK', '노르웨이 크로네', 'Norwegian krone'],
  ['ZAR', '남아프리카 랜드', 'South African rand', '랜드,남아공 랜드,rand'],
  ['MXN', '멕시코 페소', 'Mexican peso', 'mx$'],
  ['CZK', '체코 코루나', 'Czech koruna', '코루나,koruna'],
  ['TWD', '대만 달러', 'New Taiwan dollar', 'nt$,신대만 달러,taiwan dollar'],
  ['THB', '태국 바트', 'Thai baht', '฿,바트,바트화,baht'],
  ['TRY', '튀르키예 리라', 'Turkish lira', '₺,리라,터키 리라,lira'],
  ['PHP', '필리핀 페소', 'Philippine peso', '₱'],
  ['RUB', '러시아 루블', 'Russian rouble', '₽,루블,rouble,ruble'],
  ['INR', '인도 루피', 'Indian rupee', '₹,루피,rupee,rupees'],
  ['JPY', '일본 엔', 'Japanese yen', '¥,円,엔,엔화,일본돈,yen', 0],
  ['HUF', '헝가리 포린트', 'Hungarian forint', '포린트,forint'],
  ['KZT', '카자흐스탄 텡게', 'Kazakhstani tenge', '텡게,tenge'],
  ['KRW', '한국 원', 'South Korean won', '₩,원,원화,한화,한국돈,우리돈,won,korean won', 0],
  ['MNT', '몽골 투그릭', 'Mongolian tugrik', '투그릭,tugrik'],
  ['IDR', '인도네시아 루피아', 'Indonesian rupiah', '루피아,rupiah', 0],
  ['VND', '베트남 동', 'Vietnamese dong', '₫,동,동화,dong', 0],
];

const COINS: readonly Row[] = [
  ['BTC', '비트코인', 'Bitcoin', '비트,xbt,₿'],
  ['ETH', '이더리움', 'Ethereum', '이더,ether'],
  ['XRP', '리플', 'XRP', '엑스알피,ripple'],
  ['SOL', '솔라나', 'Solana'],
  ['BNB', '바이낸스코인', 'BNB', '비앤비'],
  ['DOGE', '도지코인', 'Dogecoin', '도지'],
  ['ADA', '에이다', 'Cardano', '카르다노'],
  ['TRX', '트론', 'TRON'],
  ['AVAX', '아발란체', 'Avalanche'],
  ['LINK', '체인링크', 'Chainlink'],
  ['DOT', '폴카닷', 'Polkadot'],
  ['LTC', '라이트코인', 'Litecoin'],
  ['BCH', '비트코인캐시', 'Bitcoin Cash', '비캐'],
  ['XLM', '스텔라루멘', 'Stellar', '스텔라'],
  ['USDT', '테더', 'Tether'],
  ['USDC', '유에스디코인', 'USD Coin'],
];

const COIN_CODES: ReadonlySet<Currency> = new Set(COINS.map(([code]) => code));

export const isCoinCode = (code: Currency): boolean => COIN_CODES.has(code);

const COIN_DECIMALS = 8;

const currencyOf =
  (isCoin: boolean) =>
  ([code, ko, en, , decimals]: Row): KnownCurrency => ({
    code,
    name: { ko, en },
    isCoin,
    decimals: isCoin ? COIN_DECIMALS : (decimals ?? 2),
  });

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

const ROWS: readonly (readonly [Row, KnownCurrency])[] = [
  ...MONEY.map((row) => [row, currencyOf(false)(row)] as const),
  ...COINS.map((row) => [row, currencyOf(true)(row)] as const),
];

const BY_NAME: ReadonlyMap<string, KnownCurrency> = new Map(
  ROWS.flatMap(([[code, ko, en, others = ''], currency]) =>
    [code, ko, en, ...others.split(',').filter((name) => name !== '')].map(
      (name) => [keyOf(name), currency] as const,
    ),
  ),
);

/** Every spelling with and without spaces, longest first, so that `us$` is matched as a whole. */
const SPELLINGS: readonly (readonly [spelling: string, currency: KnownCurrency])[] = [
  ...BY_NAME,
  ...ROWS.flatMap(([[, ko, en, others = ''], currency]) =>
    [ko, en, ...others.split(',')]
      .filter((name) => name.includes(' '))
      .map((name) => [name.toLowerCase(), currency] as const),
  ),
].toSorted(([a], [b]) => b.length - a.length);

/** Indexed by the first two characters, because every number of a text asks for the currency beside it. */
const BY_START: ReadonlyMap<string, typeof SPELLINGS> = Map.groupBy(SPELLINGS, ([spelling]) =>
  spelling.slice(0, 2),
);

const RANKS: ReadonlyMap<Currency, number> = new Map(MONEY.map(([code], index) => [code, index]));

/** Finds a currency by code, sign or name, in Korean or English, case-insensitively. */
export const currencyNamed = (typed: string): KnownCurrency | undefined => BY_NAME.get(keyOf(typed));

/** True if a currency name may start with this character, in either case. */
export const mayStartCurrency = characterTest(
  new RegExp(`[${Array.from(BY_START.keys(), (start) => RegExp.escape(start.charAt(0))).join('')}]`, 'iu'),
);

/** The longest currency name at the start of a text. */
export const currencyAtStart = (
  text: string,
): { readonly currency: KnownCurrency; readonly length: number } | undefined => {
  const first = text.charCodeAt(0);
  if (!mayStartCurrency(first)) return undefined;
  // Korean names and signs have no case.
  const isCased = !isSyllable(first) && isLetter(first);
  const start = text.slice(0, 2);
  const spellings = BY_START.get(isCased ? start.toLowerCase() : start);
  const lower = spellings && isCased ? text.toLowerCase() : text;
  const found =
    spellings?.find(([spelling]) => lower.startsWith(spelling)) ?? BY_START.get(text.charAt(0))?.[0];
  return found && { currency: found[1], length: found[0].length };
};

/** True if markets quote `base` in `quote` and not the reverse. */
export const isQuotedIn = (base: KnownCurrency, quote: KnownCurrency): boolean =>
  (RANKS.get(base.code) ?? 0) < (RANKS.get(quote.code) ?? 0);
