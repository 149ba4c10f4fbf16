import type { Currency } from '#src/kernel/money.ts';
import { type Money, moneyNamed } from './money-names.ts';

/** The meaning of a column. */
export type Column =
  | 'date'
  | 'time'
  | 'kind'
  | 'code'
  | 'isin'
  | 'name'
  | 'quantity'
  /** The ordered quantity, of which nothing may have been traded. */
  | 'ordered'
  | 'price'
  /** The total before fees and taxes. */
  | 'amount'
  /** The total after fees and taxes. */
  | 'net'
  /** The same in the currency of a foreign trade, beside columns in the account's currency. */
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
  /** The currency of the price alone; the account may be in another. */
  | 'priceCurrency'
  /** The currency of the total if the broker exchanges money for the trade. */
  | 'settleCurrency'
  | 'rate'
  /** The rate into the account's currency, in which the amounts are. */
  | 'accountRate'
  /** The price of a trade, or the rate of an exchange. */
  | 'priceOrRate'
  | 'baseCurrency'
  | 'toRate'
  | 'ratio'
  | 'toAmount'
  | 'toCurrency'
  /** Of the shares that a spin-off or a merger brought. */
  | 'toSymbol'
  | 'otherPortfolio'
  | 'lots'
  | 'toQuantity'
  | 'costPercent'
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
  | 'status'
  /** A column that means something else here than elsewhere. */
  | 'ignored';

type Headings = Readonly<Partial<Record<Column, string>>>;

/**
 * Headings of brokers without blanks and signs: our own export, Interactive Brokers (statement and flex), Charles
 * Schwab, Fidelity, Robinhood, E*TRADE, Vanguard, Webull, Revolut, Trading 212, DEGIRO, Freetrade, Saxo, Swissquote,
 * XTB, Trade Republic, Coinbase, Binance; 키움, 신한, 미래에셋, 삼성, 토스, NH, KB, 한국투자, 대신, 메리츠, 업비트, 빗썸. If a file
 * has several for one column, the first in this list counts.
 */
const HEADINGS: Headings = {
  date: 'date tradedate transactiondate activitytradedate activitydate rundate datetime datetimeexecuted filledtime timestamp utctime dateutc 거래일자 거래일 매매일자 매매일 체결일자 체결일 거래일시 체결일시 실거래일자 주문일자 일자 날짜 입금일 tradedatetime transactiontimecet settledate reportdate',
  time: 'time tradetime 체결시간 거래시간 처리시간 체결시각 거래시각 시간',
  kind: 'kind action transcode buysell side transactiontype activitytype 매매구분 거래구분 거래종류 거래유형 매매유형 거래명 매수매도 매도매수 주문유형구분 구분 유형 종류 거래적요 operation event type transaction category',
  code: 'symbol ticker tickersymbol instrumentsymbol instrument code 종목코드 종목번호 단축코드 코드 티커 심볼 상품번호 코인 자산 asset pair details identifier',
  isin: 'isin instrumentisin isincode assetid securityisin',
  name: 'name security investmentname product instrumentname assetname holdingname title 종목명 종목 종목이름 상품명 종목명종목코드 종목명거래상대명',
  quantity:
    'quantity qty shares units noofshares filled executed vol quantitytransacted assetquantity 수량 거래수량 체결수량 매매수량 약정수량 주식수 수량외화',
  ordered: '주문수량',
  price:
    'avgprice price tprice tradeprice unitprice shareprice assetprice priceshare pricepershare priceattransaction spotpriceattransaction 단가 체결단가 체결평균단가 거래단가 매매단가 약정단가 체결가 체결가격 평균단가 가격 외화단가',
  amount:
    'amount grossamount principalamount trademoney proceeds subtotal total transactionamount totaltradevalue value cost 거래금액 거래대금 체결금액 매매금액 약정금액 금액 배당금',
  net: 'netamount netcash totalamount totalinclusiveoffeesandorspread cashflow 정산금액 정산대금 결제금액 실정산금액 입출금액 반영금액',
  foreignAmount: '거래금액외 외화거래금액 거래금액외화 외화금액 환전금액 dividendgrossdistributionamount',
  foreignNet: '정산금액외 외화정산금액 정산금액외화 dividendnetdistributionamount',
  foreignFee: '수수료외 외화수수료 수수료외화',
  foreignTax: '외국납부세액 세금외 외화세금 제세금외 dividendwithheldtaxamount',
  deposit: '입금액 입금금액 입금',
  withdrawal: '출금액 출금금액 출금',
  buyQuantity: '매수수량 기간중매수수량 매수량',
  buyPrice: '매수단가 매수평균단가 매수평균가 매입단가 기간중매수평균단가 기간중매수단가',
  buyAmount: '매수금액 매입금액 기간중매수매수금액 기간중매수금액',
  sellQuantity: '매도수량 기간중매도수량 매도량',
  sellPrice: '매도단가 매도평균단가 매도평균가 기간중매도평균단가 기간중매도단가',
  sellAmount: '매도금액 기간중매도매도금액 기간중매도금액',
  fee: 'fee fees commission commissionfees commissionandfees commissionsandfees feescomm regfee brokeragefee feesandorspread currencyconversionfee transactionandorthirdpartyfees transactioncosts feeamount fxfeeamount autofxfee costs charges 수수료 매매수수료 거래수수료 수수료합계',
  feePart: '국내수수료 해외수수료 현지수수료 기타수수료 연체료 연체합',
  loanInterest: '이자 신용이자',
  signedFee: 'commfee ibcommission comminusd',
  feeAndTax: '수수료제세금 수수료세금 수수료및세금 매매비용 매매비용수수료제세금 제비용 비용',
  feeCurrency: 'ibcommissioncurrency currencycurrencyconversionfee feecurrency feescurrency',
  tax: 'tax taxes 제세금 세금 세금합계 세금합 제세금합 제세금합계',
  taxPart:
    'withholdingtax transactiontax stampduty stampdutyreservetax ptmlevy dividendtaxamount 거래세 증권거래세 농특세 농어촌특별세 원천세 소득세 지방소득세 주민세 현지세금 현지세 국내세 인지세',
  currency:
    'currencypriceshare currency currencyprimary pricecurrency spotpricecurrency currencycode ccy 통화 통화코드 거래통화 결제통화 통화구분 기준통화 마켓',
  priceCurrency: 'instrumentcurrency assetcurrency',
  settleCurrency: 'settlecurrency currencytotal accountcurrency transactioncurrency',
  rate: 'rate 환율 적용환율 기준환율 매매일환율 입금환율',
  accountRate: 'conversionrate',
  priceOrRate: '단가환율 거래단가환율',
  baseCurrency: 'basecurrency',
  toRate: 'torate',
  ratio: 'ratio splitratio 비율 분할비율',
  toAmount: 'toamount',
  toCurrency: 'tocurrency',
  toSymbol: 'tosymbol',
  otherPortfolio: 'otherportfolio',
  lots: 'lots',
  toQuantity: 'toquantity',
  costPercent: 'costpercent',
  balance:
    'balance cashbalance cashbalanceamount runningbalance 예수금잔고 예수금잔액 예수금 잔액 거래후잔액 예수금액 잔고금액',
  foreignBalance: '외화예수금잔고 외화예수금 외화잔액 외화예수금잔액',
  held: '잔고 유가잔고 유가금잔 유가증권잔고 잔고수량 보유수량 주식잔고',
  note: 'note notes memo comment remark 적요 적요명 비고 메모 거래내용',
  description: 'description transactiondescription 상세내용 상세',
  asset: 'assetcategory assetclass securitytype assettype',
  detail: 'datadiscriminator levelofdetail',
  account: 'account accountnumber clientaccountid 계좌번호 계좌',
  status: 'status 상태',
};

/** Headings in German, French, Dutch, Italian, Spanish and Swedish, whose files often leave the currency unsaid. */
const CONTINENTAL: Headings = {
  date: 'datum geschäftstag affärsdag buchungstag buchungsdatum bokföringsdag handelstag handelsdatum ausführungsdatum schlusstag dateopération datedopération datedeloperation dateexécution dataoperazione fecha fechaoperación wertstellung datevaleur',
  time: 'uhrzeit zeit heure tijd ora hora',
  kind: 'typ transaktion transaktionstyp transaktionsart umsatzart geschäftsart vorgang buchungsart auftragsart opération typedopération typeopération sens transactietype typemutatie transactiesoort tipooperazione tipo operación tipodeoperación typavtransaktion',
  code: 'symbole simbolo símbolo kürzel',
  isin: 'codeisin códigoisin codiceisin',
  name: 'wertpapier wertpapiername wertpapierbezeichnung bezeichnung produkt produit prodotto producto valeur libellé naam fonds fondsnaam titolo valor värdepapperbeskrivning värdepapper',
  quantity:
    'stück anzahl menge nominale stücknominale stücknom quantité qté nombre aantal volume quantità cantidad antal',
  price:
    'kurs ausführungskurs preis stückpreis cours coursunitaire prix prixunitaire koers prijs prezzo precio',
  amount:
    'betrag umsatz kurswert bruttobetrag montant montantbrut bedrag mutatie totaal importo importoeuro importe belopp',
  net: 'wert nettobetrag endbetrag gesamtbetrag gesamt montantnet totalbetrag waardenetto totale',
  fee: 'totalavgift gebühr gebühren provision kosten spesen entgelt ordergebühr frais commissions courtage transactiekosten transactiekostenenofkostenvanderden transactiekostenenof autofxkosten transaktionskostenundodergebührenvondritten transaktionsgebühren autofxgebühr fraisdetransactionetoudetiers fraisautofx fraisconversionautofx commissioni comisión comisiones',
  tax: 'steuer steuern belasting impôt impôts imposta impuestos skatt',
  taxPart: 'kapitalertragsteuer solidaritätszuschlag kirchensteuer quellensteuer',
  currency: 'währung devise valuta munt divisa moneda',
  priceCurrency: 'instrumentvaluta deviseduprix valutakoers',
  settleCurrency:
    'buchungswährung abrechnungswährung kontowährung transaktionsvaluta deviseducompte valutamutatie',
  rate: 'wechselkurs devisenkurs wisselkoers tauxdechange tassodicambio tipodecambio valutakurs',
  balance: 'saldo kontostand solde',
  note: 'notiz opmerking remarque verwendungszweck kommentar',
  description: 'beschreibung buchungstext omschrijving descrizione descripción',
};

/** Headings of Japanese brokers: SBI, 楽天, マネックス, 松井. */
const JAPANESE: Headings = {
  date: '約定日 国内約定日 約定日時 取引日 日付 入出金日 受渡日',
  kind: '売買区分 売買 取引 取引区分 取引種別 取引種類',
  code: '銘柄コード ティッカー ティッカーコード コード',
  name: '銘柄名 銘柄 ファンド名',
  quantity: '約定数量 数量 株数 約定株数',
  price: '約定単価 単価 約定価格',
  amount: '約定代金 約定金額 金額',
  net: '受渡金額 受渡金額決済損益 精算金額',
  fee: '手数料 手数料諸経費等 手数料等 国内手数料 諸費用 諸経費',
  tax: '税金等 税金 税額 消費税',
  currency: '通貨',
  settleCurrency: '決済通貨 受渡通貨',
  rate: '為替レート 約定為替レート',
  note: '摘要 備考',
};

export interface Format {
  /** A file with all of these headings has this format. */
  readonly when: string;
  /** Columns with another meaning than elsewhere. */
  readonly columns?: Readonly<Record<string, Column>>;
  /** The meaning of a column without a heading, by the heading before it. */
  readonly unnamed?: Readonly<Record<string, Column>>;
  /** Nothing in such files says in which currency the account is. */
  readonly leavesMoneyUnsaid?: true;
}

const DEGIRO_TRADES: Readonly<Record<string, Column>> = Object.fromEntries([
  ...'price koers kurs cours prezzo precio'.split(' ').map((key) => [key, 'currency'] as const),
  ...'total totaal gesamt totale'.split(' ').map((key) => [key, 'settleCurrency'] as const),
  ...'transactionandorthirdpartyfees transactiekosten transactiekostenenof transactiekostenenofkostenvanderden fraisdetransactionetoudetiers'
    .split(' ')
    .map((key) => [key, 'feeCurrency'] as const),
]);

/** DEGIRO's account statement puts the currency below the heading and the number into the column after it. */
const degiroAccount = (product: string, change: string, balance: string, others = ''): Format => ({
  when: `${product} isin ${change} ${balance}`,
  columns: Object.fromEntries([
    [change, 'currency'],
    [balance, 'ignored'],
    ...others
      .split(' ')
      .filter((key) => key !== '')
      .map((key) => [key, 'ignored'] as const),
  ]),
  unnamed: { [change]: 'amount', [balance]: 'balance' },
});

/** What single formats mean by headings that are ambiguous or say nothing. The first that fits counts. */
const FORMATS: readonly Format[] = [
  degiroAccount('product', 'change', 'balance'),
  degiroAccount('product', 'mutatie', 'saldo'),
  degiroAccount('produkt', 'änderung', 'saldo', 'valuta'),
  degiroAccount('produit', 'mouvements', 'solde'),
  degiroAccount('prodotto', 'variazioni', 'saldo'),
  degiroAccount('producto', 'variación', 'saldo'),
  { when: 'product isin', unnamed: DEGIRO_TRADES },
  { when: 'produkt isin', unnamed: DEGIRO_TRADES, columns: { valuta: 'ignored' } },
  { when: 'produit isin', unnamed: DEGIRO_TRADES, columns: { valeur: 'ignored' } },
  { when: 'prodotto isin', unnamed: DEGIRO_TRADES },
  { when: 'producto isin', unnamed: DEGIRO_TRADES },
  {
    // Bitvavo: `Currency` is what was traded.
    when: 'quotecurrency receivedpaidamount',
    columns: {
      currency: 'code',
      amount: 'quantity',
      quotecurrency: 'currency',
      quoteprice: 'price',
      receivedpaidamount: 'net',
      receivedpaidcurrency: 'settleCurrency',
    },
  },
  {
    // Crypto.com
    when: 'transactionkind nativecurrency',
    columns: {
      transactionkind: 'kind',
      currency: 'code',
      amount: 'quantity',
      tocurrency: 'ignored',
      toamount: 'ignored',
    },
  },
  // Binance: every coin and currency of a trade has a line of its own.
  {
    when: 'utctime operation coin change',
    columns: { coin: 'code', change: 'quantity', account: 'ignored' },
  },
  // XTB's comment says what was traded at which price.
  {
    when: 'type symbol comment amount',
    columns: { comment: 'description', id: 'ignored' },
    leavesMoneyUnsaid: true,
  },
  // eToro
  { when: 'realizedequitychange realizedequity', leavesMoneyUnsaid: true },
  // Revolut's coins: the value is before the fee.
  { when: 'symbol type quantity price value fees', columns: { value: 'amount' } },
  // The categories above the types of Trade Republic and BUX.
  { when: 'category type', columns: { category: 'ignored' } },
  { when: 'transactioncategory transactiontype', columns: { transactioncategory: 'ignored' } },
];

/** Columns that hold only numbers. */
export const NUMBER_COLUMNS: readonly Column[] = [
  'quantity',
  'price',
  'amount',
  'net',
  'fee',
  'feePart',
  'tax',
  'taxPart',
  'deposit',
  'withdrawal',
  'balance',
];
export const RATE_COLUMNS: readonly Column[] = ['rate', 'accountRate'];

/** Headings of US brokers, who write the month first, count in dollars and state totals after fees. */
const AMERICAN: ReadonlySet<string> = new Set(
  'rundate transcode activitydate feescomm activitytradedate transactiondate commissionsandfees commissionfees filledtime'.split(
    ' ',
  ),
);
const HANGUL = /[\uac00-\ud7af]/u;

interface Known {
  readonly column: Column;
  readonly rank: number;
  readonly language: 'continental' | 'japanese' | undefined;
}

const BY_HEADING: ReadonlyMap<string, Known> = new Map(
  ([HEADINGS, CONTINENTAL, JAPANESE] as const)
    .flatMap((headings, index) =>
      Object.entries(headings).flatMap(([column, names]) =>
        names.split(' ').map((name, rank): readonly [string, Known] => {
          const language = ([undefined, 'continental', 'japanese'] as const)[index];
          return [name, { column: column as Column, rank, language }];
        }),
      ),
    )
    .toReversed(),
);

/** Letters and digits alone. */
export const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** No heading is longer than this. */
const MAX_HEADING = 60;
const BRACKETS = /[([〔【]([^()[\]〔〕【】]{0,20})[)\]〕】]/gu;

interface Heading {
  readonly key: string;
  /** The money that it names: `Total EUR`, `수수료(원)`, `単価［USドル］`, `Price (pence)`. */
  readonly money?: Money | undefined;
}

/** Compares `Fees & Comm` and `수 량` by their letters alone, `Price ($)` and `Totaal EUR` without the currency. */
const readHeading = (heading: string): Heading => {
  if (heading === '' || heading.length > MAX_HEADING) return { key: '' };
  const text = heading.normalize('NFKC').toLowerCase();
  const whole = lettersOf(text);
  if (BY_HEADING.has(whole)) return { key: whole };
  const inside = [...text.matchAll(BRACKETS)].map(([, word = '']) => moneyNamed(word));
  const words = text.replaceAll(BRACKETS, ' ').trim().split(/\s+/u);
  const last = words.length > 1 ? moneyNamed(words.at(-1) ?? '') : undefined;
  const named = last && words.at(-2) === 'in' ? words.slice(0, -2) : last ? words.slice(0, -1) : words;
  return { key: lettersOf(named.join('')), money: last ?? inside.find((money) => money !== undefined) };
};

/** A line with a number cannot be a heading line, which rules most lines out quickly. */
const BEGINS_WITH_DIGIT = /^[^\p{L}]{0,3}\d/u;

const knownHeadings = (cells: readonly string[]): readonly string[] =>
  cells.some((cell) => BEGINS_WITH_DIGIT.test(cell))
    ? []
    : cells.map((cell) => readHeading(cell).key).filter((key) => BY_HEADING.has(key));

/** Whether three cells of a line, or at least half of them, are headings. */
export const isHeadingLine = (cells: readonly string[]): boolean => {
  const known = knownHeadings(cells).length;
  return known >= 3 || (known === 2 && cells.filter((cell) => cell !== '').length <= 4);
};

/** The number of different columns that a line names. */
export const columnsIn = (cells: readonly string[]): number => new Set(knownHeadings(cells)).size;

/** A column whose heading names a currency, and says nothing else that is known. */
export interface MoneyColumn {
  readonly index: number;
  readonly heading: string;
  /** The column whose currency it states, as in `Currency (Withholding tax)`; undefined if the heading names none. */
  readonly of: number | undefined;
}

export interface Header {
  /** The positions of each column, the best heading first. */
  readonly columns: ReadonlyMap<Column, readonly number[]>;
  /** The money that the heading of a column names, by its position. */
  readonly money: ReadonlyMap<number, Money>;
  readonly otherMoney: readonly MoneyColumn[];
  /** Dates have the month first, amounts are in dollars, and totals are after fees. */
  readonly isAmerican: boolean;
  /** The headings are Korean: amounts are in won unless the file says otherwise. */
  readonly isKorean: boolean;
  readonly isJapanese: boolean;
  /** The headings are of a country or a broker whose files do not say by themselves which currency they are in. */
  readonly leavesMoneyUnsaid: boolean;
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

const MONEY_WORD = /currency|währung|devise|valuta|divisa|moneda|munt|通貨|통화/iu;
const OF_COLUMN = /\(([^()]{1,40})\)/u;

const formatOf = (keys: readonly string[]): Format | undefined =>
  FORMATS.find(({ when }) => when.split(' ').every((key) => keys.includes(key)));

const knownAs = (column: Column | undefined): Known | undefined =>
  column && { column, rank: 0, language: undefined };

const meaningsOf = (keys: readonly string[], format: Format | undefined): readonly (Known | undefined)[] => {
  return keys.map((key, index) => {
    const { unnamed, columns } = format ?? {};
    if (key === '') return knownAs(unnamed?.[keys[index - 1] ?? '']);
    const usual = BY_HEADING.get(key);
    const own = columns?.[key];
    return own ? { rank: 0, language: usual?.language, column: own } : usual;
  });
};

const otherMoneyIn = (headings: readonly string[], keys: readonly string[], isKnown: readonly boolean[]) =>
  headings.flatMap((heading, index): readonly MoneyColumn[] => {
    if (isKnown[index] || !MONEY_WORD.test(heading)) return [];
    const named = OF_COLUMN.exec(heading)?.[1];
    const of = named === undefined ? undefined : keys.indexOf(readHeading(named).key);
    // The currency of a column that is not used does not matter.
    if (of !== undefined && (of < 0 || !isKnown[of])) return [];
    return [{ index, heading, of }];
  });

/** Undefined if the headings are not those of transactions. */
export const headerOf = (headings: readonly string[]): Header | undefined => {
  const read = headings.map(readHeading);
  const keys = read.map(({ key }) => key);
  const format = formatOf(keys);
  const meanings = meaningsOf(keys, format);
  const found = meanings
    .flatMap((known, index) => (known && known.column !== 'ignored' ? [{ ...known, index }] : []))
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
  const isIn = (language: Known['language']): boolean => found.some((known) => known.language === language);
  return {
    columns,
    money: new Map(read.flatMap(({ money }, index) => (money ? [[index, money] as const] : []))),
    otherMoney: otherMoneyIn(
      headings,
      keys,
      meanings.map((known) => known !== undefined),
    ),
    isAmerican: keys.some((key) => AMERICAN.has(key)),
    isKorean: headings.some((heading, index) => HANGUL.test(heading) && meanings[index] !== undefined),
    isJapanese: isIn('japanese'),
    leavesMoneyUnsaid: isIn('continental') || format?.leavesMoneyUnsaid === true,
    isOwn: OWN.every((column) => columns.has(column)),
    tellsTaxes: hasAny('tax', 'taxPart', 'feeAndTax', 'foreignTax'),
    tellsFees: hasAny('fee', 'feePart', 'signedFee', 'feeAndTax', 'foreignFee'),
  };
};

/** The currency that the heading of a column names. */
export const headingCurrency = ({ columns, money }: Header, column: Column): Currency | undefined =>
  money.get(columns.get(column)?.[0] ?? -1)?.currency;
