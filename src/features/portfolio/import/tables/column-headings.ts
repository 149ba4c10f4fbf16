/** The meaning of a column. */
export type Column =
  | 'date'
  | 'time'
  | 'kind'
  | 'code'
  | 'name'
  | 'quantity'
  /** The ordered quantity, of which nothing may have been traded. */
  | 'ordered'
  | 'price'
  /** The total before fees and taxes. */
  | 'amount'
  /** The total after fees and taxes. */
  | 'net'
  /** The same in the currency of a foreign trade, beside columns in won. */
  | 'foreignAmount'
  | 'foreignNet'
  | 'foreignFee'
  | 'foreignTax'
  | 'deposit'
  | 'withdrawal'
  /** Some files have purchases and sales side by side on one line. */
  | 'buyQuantity'
  | 'buyPrice'
  | 'buyAmount'
  | 'sellQuantity'
  | 'sellPrice'
  | 'sellAmount'
  | 'fee'
  | 'feePart'
  /** The interest on a loan for the trade. */
  | 'loanInterest'
  /** Interactive Brokers writes a cost with a minus. */
  | 'signedFee'
  /** Fees and taxes in one column. */
  | 'feeAndTax'
  | 'feeCurrency'
  /** All taxes, or those without a column of their own. */
  | 'tax'
  | 'taxPart'
  | 'currency'
  /** The currency of the total if the broker exchanges money for the trade. */
  | 'settleCurrency'
  | 'rate'
  /** The price of a trade, or the rate of an exchange. */
  | 'priceOrRate'
  | 'baseCurrency'
  | 'toRate'
  | 'ratio'
  | 'toAmount'
  | 'toCurrency'
  /** The cash after the line. */
  | 'balance'
  | 'foreignBalance'
  /** The quantity held after the line. */
  | 'held'
  | 'note'
  /** A text about the company or the line, which is read but not recorded. */
  | 'description'
  | 'asset'
  | 'detail'
  | 'account'
  | 'status';

/** Columns that hold only numbers. */
export const NUMBER_COLUMNS: readonly Column[] = [
  'quantity',
  'price',
  'amount',
  'net',
  'fee',
  'tax',
  'deposit',
  'withdrawal',
  'rate',
  'balance',
];

/**
 * Headings of brokers without blanks and signs: our own export, Interactive Brokers (statement and flex), Charles
 * Schwab, Fidelity, Robinhood, E*TRADE, Vanguard, Webull, Revolut, Trading 212, DEGIRO, Coinbase; 키움, 신한, 미래에셋, 삼성,
 * 토스, NH, KB, 한국투자, 대신, 메리츠, 업비트, 빗썸. If a file has several for one column, the first in this list counts.
 */
const HEADINGS: Readonly<Record<Column, string>> = {
  date: 'date tradedate transactiondate activitytradedate activitydate rundate datetime datetimeexecuted filledtime timestamp 거래일자 거래일 매매일자 매매일 체결일자 체결일 거래일시 체결일시 실거래일자 주문일자 일자 날짜 입금일 settledate reportdate',
  time: 'time tradetime 체결시간 거래시간 처리시간 체결시각 거래시각 시간',
  kind: 'kind action transcode buysell side transactiontype activitytype 매매구분 거래구분 거래종류 거래유형 매매유형 거래명 매수매도 매도매수 주문유형구분 구분 유형 종류 거래적요 type transaction',
  code: 'symbol ticker tickersymbol instrument code 종목코드 종목번호 단축코드 코드 티커 심볼 상품번호 코인 자산 asset isin',
  name: 'name security investmentname product 종목명 종목 종목이름 상품명 종목명종목코드 종목명거래상대명',
  quantity:
    'quantity qty shares units noofshares filled quantitytransacted 수량 거래수량 체결수량 매매수량 약정수량 주식수 수량외화',
  ordered: '주문수량',
  price:
    'avgprice price tprice tradeprice unitprice shareprice priceshare pricepershare priceattransaction spotpriceattransaction 단가 체결단가 체결평균단가 거래단가 매매단가 약정단가 체결가 체결가격 평균단가 가격 외화단가',
  amount:
    'amount grossamount principalamount trademoney proceeds subtotal total 거래금액 거래대금 체결금액 매매금액 약정금액 금액 배당금',
  net: 'netamount netcash totalamount totalinclusiveoffeesandorspread 정산금액 정산대금 결제금액 실정산금액 입출금액 반영금액',
  foreignAmount: '거래금액외 외화거래금액 거래금액외화 외화금액 환전금액',
  foreignNet: '정산금액외 외화정산금액 정산금액외화',
  foreignFee: '수수료외 외화수수료 수수료외화',
  foreignTax: '외국납부세액 세금외 외화세금 제세금외',
  deposit: '입금액 입금금액 입금',
  withdrawal: '출금액 출금금액 출금',
  buyQuantity: '매수수량 기간중매수수량 매수량',
  buyPrice: '매수단가 매수평균단가 매수평균가 매입단가 기간중매수평균단가 기간중매수단가',
  buyAmount: '매수금액 매입금액 기간중매수매수금액 기간중매수금액',
  sellQuantity: '매도수량 기간중매도수량 매도량',
  sellPrice: '매도단가 매도평균단가 매도평균가 기간중매도평균단가 기간중매도단가',
  sellAmount: '매도금액 기간중매도매도금액 기간중매도금액',
  fee: 'fee fees commission commissionfees commissionandfees commissionsandfees feescomm regfee brokeragefee feesandorspread currencyconversionfee transactionandorthirdpartyfees 수수료 매매수수료 거래수수료 수수료합계',
  feePart: '국내수수료 해외수수료 현지수수료 기타수수료 연체료 연체합',
  loanInterest: '이자 신용이자',
  signedFee: 'commfee ibcommission comminusd',
  feeAndTax: '수수료제세금 수수료세금 수수료및세금 매매비용 매매비용수수료제세금 제비용 비용',
  feeCurrency: 'ibcommissioncurrency currencycurrencyconversionfee feecurrency feescurrency',
  tax: 'tax taxes 제세금 세금 세금합계 세금합 제세금합 제세금합계',
  taxPart:
    'withholdingtax transactiontax 거래세 증권거래세 농특세 농어촌특별세 원천세 소득세 지방소득세 주민세 현지세금 현지세 국내세 인지세',
  currency:
    'currencypriceshare currency currencyprimary pricecurrency spotpricecurrency currencycode 통화 통화코드 거래통화 결제통화 통화구분 기준통화 마켓',
  settleCurrency: 'settlecurrency currencytotal',
  rate: 'rate 환율 적용환율 기준환율 매매일환율 입금환율',
  priceOrRate: '단가환율 거래단가환율',
  baseCurrency: 'basecurrency',
  toRate: 'torate',
  ratio: 'ratio splitratio 비율 분할비율',
  toAmount: 'toamount',
  toCurrency: 'tocurrency',
  balance:
    'balance cashbalance runningbalance 예수금잔고 예수금잔액 예수금 잔액 거래후잔액 예수금액 잔고금액',
  foreignBalance: '외화예수금잔고 외화예수금 외화잔액 외화예수금잔액',
  held: '잔고 유가잔고 유가금잔 유가증권잔고 잔고수량 보유수량 주식잔고',
  note: 'note notes memo 적요 적요명 비고 메모 거래내용',
  description: 'description transactiondescription 상세내용 상세',
  asset: 'assetcategory assetclass securitytype',
  detail: 'datadiscriminator levelofdetail',
  account: 'account accountnumber clientaccountid 계좌번호 계좌',
  status: 'status 상태',
};

/** Headings of US brokers, who write the month first, count in dollars and state totals after fees. */
const AMERICAN: ReadonlySet<string> = new Set(
  'rundate transcode activitydate feescomm activitytradedate transactiondate commissionsandfees commissionfees filledtime'.split(
    ' ',
  ),
);
const HANGUL = /[\uac00-\ud7af]/u;

const BY_HEADING: ReadonlyMap<string, { readonly column: Column; readonly rank: number }> = new Map(
  Object.entries(HEADINGS).flatMap(([column, names]) =>
    names.split(' ').map((name, rank) => [name, { column: column as Column, rank }] as const),
  ),
);

/** Letters and digits alone. */
export const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** No heading is longer than this. */
const MAX_HEADING = 40;

/** Compares `Fees & Comm` and `수 량` by their letters alone, `Price ($)` and `수수료(원)` without the brackets. */
const headingKey = (heading: string): string => {
  if (heading === '' || heading.length > MAX_HEADING) return '';
  const text = heading.normalize('NFKC').toLowerCase();
  const whole = lettersOf(text);
  return BY_HEADING.has(whole) ? whole : lettersOf(text.replaceAll(/\([^()]*\)/gu, ''));
};

/** A line with a number cannot be a heading line, which rules most lines out quickly. */
const BEGINS_WITH_DIGIT = /^[^\p{L}]{0,3}\d/u;

const knownHeadings = (cells: readonly string[]): readonly string[] =>
  cells.some((cell) => BEGINS_WITH_DIGIT.test(cell))
    ? []
    : cells.map(headingKey).filter((key) => BY_HEADING.has(key));

/** Whether three cells of a line, or at least half of them, are headings. */
export const isHeadingLine = (cells: readonly string[]): boolean => {
  const known = knownHeadings(cells).length;
  return known >= 3 || (known === 2 && cells.filter((cell) => cell !== '').length <= 4);
};

/** The number of different columns that a line names. */
export const columnsIn = (cells: readonly string[]): number => new Set(knownHeadings(cells)).size;

export interface Header {
  /** The positions of each column, the best heading first. */
  readonly columns: ReadonlyMap<Column, readonly number[]>;
  /** Dates have the month first, amounts are in dollars, and totals are after fees. */
  readonly isAmerican: boolean;
  /** The headings are Korean: amounts are in won unless the file says otherwise. */
  readonly isKorean: boolean;
  /** The table is our own export. */
  readonly isOwn: boolean;
  /** Some column states taxes. */
  readonly tellsTaxes: boolean;
  /** Some column states fees. */
  readonly tellsFees: boolean;
}

/** Only our own export has both columns. */
const OWN: readonly Column[] = ['baseCurrency', 'toRate'];
const SIDES: readonly Column[] = ['buyQuantity', 'sellQuantity'];

/** DEGIRO puts the currency of a number into a column without a heading after it. */
const DEGIRO_CURRENCIES: Readonly<Record<string, string>> = {
  price: 'currency',
  total: 'settlecurrency',
  transactionandorthirdpartyfees: 'feecurrency',
};

/** Undefined if the headings are not those of transactions. */
export const headerOf = (headings: readonly string[]): Header | undefined => {
  const named = headings.map(headingKey);
  const isDegiro = named.includes('product') && named.includes('isin');
  const keys = named.map((key, index) =>
    isDegiro && key === '' ? (DEGIRO_CURRENCIES[named[index - 1] ?? ''] ?? '') : key,
  );
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
  // Without a date column, the time column has the date too: 체결시간 of Upbit.
  const times = columns.get('time');
  if (!columns.has('date') && times) columns.set('date', times);
  const hasAny = (...names: readonly Column[]): boolean => names.some((name) => columns.has(name));
  const isTable =
    columns.has('date') &&
    hasAny('kind', 'code', 'name', 'note', 'description') &&
    hasAny('quantity', 'amount', 'net', 'deposit', 'withdrawal', ...SIDES);
  if (!isTable) return undefined;
  // Brokers who put purchases and sales on one line mean the position by 보유수량.
  if (SIDES.every((side) => columns.has(side))) columns.delete('quantity');
  return {
    columns,
    isAmerican: keys.some((key) => AMERICAN.has(key)),
    isKorean: headings.some((heading, index) => HANGUL.test(heading) && BY_HEADING.has(keys[index] ?? '')),
    isOwn: OWN.every((column) => columns.has(column)),
    tellsTaxes: hasAny('tax', 'taxPart', 'feeAndTax', 'foreignTax'),
    tellsFees: hasAny('fee', 'feePart', 'signedFee', 'feeAndTax', 'foreignFee'),
  };
};
