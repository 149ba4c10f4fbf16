import type { TransactionKind } from '#src/core/ledger.ts';

/** `transfer`: money that came or went, as its sign tells. `tax-refund`: tax that was paid back. */
export type RowKind = TransactionKind | 'transfer' | 'tax-refund';

/** Whole cells, without blanks and signs. Never a guess: what stands in no list is asked about. */
const WORDS: Readonly<Record<RowKind, string>> = {
  buy: 'buy b bot bought youbought purchase marketbuy limitbuy reinvestshares reinvestment 매수 현금매수 주식매수 장내매수 신용매수 융자매수 소수점매수 현금매입 매입 구매 해외주식매수 해외주매수 외화증권매수 매수nxt 매수체결 보통매수 kospi매수 kosdaq매수 코스피매수 코스닥매수 코스닥주식매수 거래소주식매수',
  sell: 'sell s sld sold yousold sale marketsell limitsell 매도 현금매도 주식매도 장내매도 신용매도 융자매도 소수점매도 판매 해외주식매도 해외주매도 외화증권매도 매도nxt 매도체결 보통매도 kospi매도 kosdaq매도 코스피매도 코스닥매도 코스닥주식매도 거래소주식매도',
  dividend:
    'dividend dividends div cdiv cashdividend qualifieddividend qualdiv nonqualifieddiv nonqualifieddividend ordinarydividend specialdividend specialqualdiv dividendreceived reinvestdividend qualdivreinvest 배당 배당금 배당입금 배당금입금 현금배당 분배금 분배금입금 배당금수령 해외배당금 해외주배당금 해외주식배당금 외화배당금입금 외화증권배당금입금 etf분배금 etf분배금입금',
  fee: 'fee fees accountfee servicefee advfee adrfee adrmgmtfee managementfee gold 수수료 계좌수수료 수수료출금 예탁수수료',
  split: 'split stocksplit forwardsplit reversesplit 액면분할 주식분할 분할 액면병합 주식병합 병합 무상증자',
  deposit:
    'deposit cashdeposit fundsreceived electronicfundstransferreceived directdeposit contribution 입금 이체입금 은행이체입금 현금입금 타사이체입금 당사이체입금 은행입금 오픈뱅킹입금 계좌입금 대체입금 연계입금',
  withdrawal:
    'withdrawal withdraw cashwithdrawal fundspaid electronicfundstransferpaid 출금 이체출금 은행이체출금 현금출금 타사이체출금 당사이체출금 은행출금 계좌출금 대체출금 연계출금',
  interest: 'interest 이자',
  tax: 'tax',
  'tax-refund': 'taxrefund',
  'cash-in-lieu': 'cashinlieu 단주대금',
  rights: 'rights',
  fx: 'fx forex exchange currencyexchange 환전',
  transfer: 'transfer ach moneylinktransfer wirefunds wirereceived wiresent onlinetransfer directdebit',
};

const BY_WORD: ReadonlyMap<string, RowKind> = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind as RowKind] as const),
  ),
);

/** Fidelity writes a sentence that begins so: `YOU BOUGHT APPLE INC (AAPL) (Cash)`. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, kind: RowKind])[] = [
  [/^you bought\b/u, 'buy'],
  [/^you sold\b/u, 'sell'],
  [/^dividend received\b/u, 'dividend'],
  [/^reinvestment\b/u, 'buy'],
  [/^electronic funds transfer received\b/u, 'deposit'],
  [/^electronic funds transfer paid\b/u, 'withdrawal'],
  [/^(?:이체입금|오픈뱅킹입금|은행이체입금)\(/u, 'deposit'],
  [/^(?:이체출금|은행이체출금)\(/u, 'withdrawal'],
];

const normal = (cell: string): string => cell.normalize('NFKC').trim().toLowerCase();

/** What happened, by the word of a broker; undefined for a word that is not known. */
export const rowKindOf = (cell: string): RowKind | undefined => {
  const text = normal(cell);
  const known = BY_WORD.get(text.replaceAll(/[^\p{L}\p{N}]/gu, ''));
  return known ?? BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1];
};

const SUMS: ReadonlySet<string> = new Set(
  '합계 총합계 총계 소계 계 누계 합 total totals subtotal grandtotal transactionstotal sum'.split(' '),
);

/** The line below a table that adds it up, or one in between. */
export const isSumLine = (cells: readonly string[]): boolean => {
  const first = cells.find((cell) => cell !== '') ?? '';
  return SUMS.has(normal(first).replaceAll(/[^\p{L}\p{N}]/gu, ''));
};

const SHARES: ReadonlySet<string> = new Set(
  'stk stock stocks eq equity equities etf etfs mf fund funds mutualfund crypto 주식 국내주식 해외주식'.split(
    ' ',
  ),
);

/** False for options, bonds, futures and the like, which are no holdings here. */
export const isShareWord = (cell: string): boolean => {
  const word = normal(cell).replaceAll(/[^\p{L}\p{N}]/gu, '');
  return word === '' || SHARES.has(word);
};
