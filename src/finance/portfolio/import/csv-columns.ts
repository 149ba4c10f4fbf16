import type { CsvRow } from './csv.ts';

/** What a column tells. */
export type Column =
  | 'date'
  | 'time'
  | 'kind'
  | 'code'
  | 'name'
  | 'quantity'
  | 'price'
  /** Of the whole, before fees and taxes. */
  | 'amount'
  /** After them. */
  | 'net'
  | 'deposit'
  | 'withdrawal'
  | 'fee'
  | 'feePart'
  /** A cost has a minus: Interactive Brokers. */
  | 'signedFee'
  /** Fees and taxes in one. */
  | 'feeAndTax'
  | 'feeCurrency'
  /** All taxes, or those that are not told of by themselves. */
  | 'tax'
  | 'taxPart'
  | 'currency'
  | 'rate'
  | 'baseCurrency'
  | 'toRate'
  | 'ratio'
  | 'toAmount'
  | 'toCurrency'
  | 'note'
  | 'asset'
  | 'detail'
  | 'status';

/** Where each stands: the best name for it first. */
export type Columns = ReadonlyMap<Column, readonly number[]>;

/**
 * Headings as brokers write them, without blanks and signs: our own export, Interactive Brokers (statement and flex),
 * Charles Schwab, Fidelity, Robinhood, E*TRADE, Vanguard; 키움, 미래에셋, 삼성, 토스, NH, 한국투자. Of several in one
 * file the first in this list is meant.
 */
const HEADINGS: Readonly<Record<Column, string>> = {
  date: 'date tradedate transactiondate activitytradedate activitydate rundate datetime datetimeexecuted 거래일자 거래일 매매일자 매매일 체결일자 체결일 거래일시 체결일시 주문일자 일자 날짜 입금일',
  time: 'time',
  kind: 'kind action transcode buysell side transactiontype activitytype 매매구분 거래구분 거래종류 거래유형 매매유형 거래명 매수매도 매도매수 구분 유형 type transaction',
  code: 'symbol ticker tickersymbol instrument code 종목코드 종목번호 단축코드 코드 티커 심볼 상품번호 isin',
  name: 'name security investmentname 종목명 종목 종목이름 상품명 종목명종목코드 종목명거래상대명',
  quantity: 'quantity qty shares units 수량 거래수량 체결수량 매매수량 약정수량 주식수',
  price:
    'price tprice tradeprice unitprice shareprice priceshare 단가 체결단가 거래단가 매매단가 약정단가 체결가 체결가격 가격 외화단가',
  amount:
    'amount grossamount principalamount trademoney total 거래금액 거래대금 체결금액 매매금액 약정금액 금액 외화거래금액 배당금',
  net: 'netamount netcash 정산금액 정산대금 결제금액 실정산금액 입출금액 외화정산금액',
  deposit: '입금액 입금금액 입금',
  withdrawal: '출금액 출금금액 출금',
  fee: 'fee fees commission commissionfees commissionandfees commissionsandfees feescomm regfee brokeragefee 수수료 매매수수료 거래수수료 수수료합계',
  feePart: '국내수수료 해외수수료 현지수수료 기타수수료',
  signedFee: 'commfee ibcommission comminusd',
  feeAndTax: '수수료제세금 수수료세금 수수료및세금 매매비용 매매비용수수료제세금 제비용 비용',
  feeCurrency: 'ibcommissioncurrency feecurrency feescurrency',
  tax: 'tax taxes 제세금 세금 세금합계 제세금합계',
  taxPart:
    'withholdingtax transactiontax 거래세 증권거래세 농특세 농어촌특별세 원천세 소득세 지방소득세 현지세금 인지세',
  currency: 'currency currencyprimary pricecurrency currencycode 통화 통화코드 거래통화 결제통화 통화구분',
  rate: 'rate 환율 적용환율 기준환율',
  baseCurrency: 'basecurrency',
  toRate: 'torate',
  ratio: 'ratio splitratio 비율 분할비율',
  toAmount: 'toamount',
  toCurrency: 'tocurrency',
  note: 'note notes memo 적요 적요명 비고 메모 거래내용 상세내용',
  asset: 'assetcategory assetclass securitytype',
  detail: 'datadiscriminator levelofdetail',
  status: 'status 상태',
};

/** Tell a broker of the United States, who writes the month first and counts in dollars. */
const AMERICAN: ReadonlySet<string> = new Set(
  'rundate transcode activitydate feescomm activitytradedate transactiondate commissionsandfees commissionfees'.split(
    ' ',
  ),
);
const HANGUL = /[\uac00-\ud7af]/u;

const BY_HEADING: ReadonlyMap<string, { readonly column: Column; readonly rank: number }> = new Map(
  Object.entries(HEADINGS).flatMap(([column, names]) =>
    names.split(' ').map((name, rank) => [name, { column: column as Column, rank }] as const),
  ),
);

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** `Fees & Comm`, `Comm/Fee` by their letters alone; `Price ($)`, `수수료(원)` without what stands in brackets. */
const keyOf = (heading: string): string => {
  const text = heading.normalize('NFKC').toLowerCase();
  const whole = lettersOf(text);
  return BY_HEADING.has(whole) ? whole : lettersOf(text.replaceAll(/\([^()]*\)/gu, ''));
};

export interface Header {
  readonly columns: Columns;
  /** Dates have the month first, and money is in dollars. */
  readonly isAmerican: boolean;
  /** In Korean: money is in won where nothing else is said. */
  readonly isKorean: boolean;
  /** As we write it: dates, rates and kinds mean what they mean with us. */
  readonly isOwn: boolean;
  /** Whether anything is said about taxes. */
  readonly tellsTaxes: boolean;
}

/** What marks our own export: nobody else has both. */
const OWN: readonly Column[] = ['baseCurrency', 'toRate'];

/** No column is called by a number: most lines are known by that not to be names of columns. */
const BEGINS_WITH_DIGIT = /^[^\p{L}]{0,3}\d/u;

/** Undefined for a line that does not name the columns of transactions. */
export const headerOf = ({ cells }: Pick<CsvRow, 'cells'>): Header | undefined => {
  if (cells.some((cell) => BEGINS_WITH_DIGIT.test(cell))) return undefined;
  const keys = cells.map(keyOf);
  const found = keys
    .flatMap((key, index) => {
      const known = BY_HEADING.get(key);
      return known ? [{ ...known, index }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  const columns = new Map(
    [...Map.groupBy(found, ({ column }) => column)].map(([column, all]) => [
      column,
      all.map(({ index }) => index),
    ]),
  );
  const hasAny = (...names: readonly Column[]): boolean => names.some((name) => columns.has(name));
  const isTable =
    columns.has('date') &&
    hasAny('kind', 'code', 'name') &&
    hasAny('quantity', 'amount', 'net', 'deposit', 'withdrawal');
  if (!isTable) return undefined;
  return {
    columns,
    isAmerican: keys.some((key) => AMERICAN.has(key)),
    isKorean: cells.some((cell, index) => HANGUL.test(cell) && BY_HEADING.has(keys[index] ?? '')),
    isOwn: OWN.every((column) => columns.has(column)),
    tellsTaxes: hasAny('tax', 'taxPart', 'feeAndTax'),
  };
};
