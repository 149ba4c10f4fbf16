import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { lettersOf } from './column-headings.ts';

/** Kinds of lines in brokers' files that have no ledger entry of the same kind. */
type BrokerKind =
  /** A deposit or a withdrawal, by its sign. */
  | 'transfer'
  | 'tax-refund'
  /** What was held before the first line, at its average cost. */
  | 'opening'
  | 'fee-refund'
  /** Shares without payment: a bonus issue, a stock dividend, a gift. */
  | 'bonus'
  /** The shares before and after a split, on two lines. */
  | 'split-out'
  | 'split-in'
  /** The two sides of a currency exchange, on two lines. */
  | 'fx-out'
  | 'fx-in'
  /** The cash of a trade whose shares are on another line. */
  | 'cash-leg'
  /** The payment for new shares and its refund; the shares are on another line. */
  | 'subscription-out'
  | 'subscription-back'
  /** A move between cash and the broker's cash fund, which changes nothing. */
  | 'sweep'
  /** Shares from or to another account. */
  | 'shares-in'
  | 'shares-out'
  | 'option'
  /** A merger, a spin-off, a change of name. */
  | 'reorganisation'
  | 'bond'
  /** The line cancels another one. */
  | 'cancelled';

export type RowKind = TransactionKind | BrokerKind;

/** Whole cells without blanks and signs. */
const WORDS: Readonly<Partial<Record<RowKind, string>>> = {
  buy: 'buy b bot bought youbought purchase marketbuy limitbuy stopbuy buymarket buylimit buystop buytocover boughttocover advancedtradebuy advancetradebuy reinvestshares reinvestment 매수 매입 구매 매수nxt 매수체결 공모주입고',
  sell: 'sell s sld sold yousold sale marketsell limitsell stopsell sellmarket selllimit sellstop sellshort soldshort shortsale advancedtradesell advancetradesell 매도 판매 매도nxt 매도체결',
  dividend:
    'dividend dividends div cdiv mdiv cashdividend qualifieddividend qualdiv nonqualifieddiv nonqualifieddividend ordinarydividend specialdividend specialqualdiv dividendreceived reinvestdividend qualdivreinvest longtermcapgain shorttermcapgain longtermcapgainreinvest shorttermcapgainreinvest capitalgainlt capitalgainst pryrcashdiv pryrdivreinvest 배당 배당금',
  interest:
    'interest int bankinterest creditinterest bondinterest interestearned interestincome slip gdbp gmpc 이자 이자입금 예탁금이용료 이용료',
  tax: 'tax withholdingtax nrataxadj nrawithholding nratax foreigntaxpaid taxwithholding taxwithheld dtax 배당세 소득세',
  'tax-refund': 'taxrefund 세금환급 세금환급금',
  opening: 'opening openingposition 기존보유',
  'cash-in-lieu': 'cashinlieu cil',
  'capital-return': 'capitalreturn returnofcapital roc 자본환급 감액배당',
  'transfer-in': 'movedin',
  'transfer-out': 'movedout',
  rights: 'rights rightsissue 유상청약 유상증자 유상입고',
  bonus: 'bonus bonusissue stockdividend rec 무상증자 무상입고',
  fee: 'fee fees accountfee custodyfee servicefee advfee advisorfee adrfee adrmgmtfee afee dfee managementfee gold margininterest mint 수수료',
  split:
    'split stocksplit forwardsplit reversesplit spl spr 액면분할 주식분할 분할 액면병합 주식병합 병합 감자',
  deposit:
    'deposit cashdeposit cashtopup fundsreceived electronicfundstransferreceived directdeposit contribution 입금',
  withdrawal: 'withdrawal withdraw cashwithdrawal fundspaid electronicfundstransferpaid 출금',
  fx: 'fx forex exchange currencyexchange 환전 외화매수환전 외화매도환전 외화매수 외화매도 환전매수 환전매도',
  transfer:
    'transfer ach moneylinktransfer moneylinkdeposit wirefunds wirereceived wiresent wirefundsreceived wirefundssent onlinetransfer directdebit itrf rtp dcf xent journal jnlc transferincoming transferoutgoing',
  sweep: 'sweepin sweepout',
  'shares-in':
    'acati receive journaledshares securitytransfer stockplanactivity internaltransfer conversionincoming',
  'shares-out': 'acato send',
  option:
    'buytoopen buytoclose selltoopen selltoclose expired assigned exercised exchangeorexercise sto btc bto stc oexp oasgn oexcs oca',
  reorganisation: 'mrgs soff spinoff merger stockmerger cashmerger namechange reorganization sxch',
};

/** Terms of brokers in Europe and Japan. */
const FOREIGN_WORDS: Readonly<Partial<Record<RowKind, string>>> = {
  buy: 'buytrade kauf ankauf wertpapierkauf sparplan sparplanausführung koop aankoop achat achatcomptant achatcomptantetr compra acquisto köp stocksetfpurchase savingsplanexecution 買付 買 買い 購入 現物買 株式現物買 積立',
  sell: 'selltrade verkauf wertpapierverkauf verkoop vente ventecomptant ventecomptantetr venta vendita sälj stocksetfsale 売付 売 売り 売却 現物売 株式現物売',
  dividend:
    'dividende dividenden dividendeninkünfte ausschüttung dividendo dividendi utdelning contantdividend coupon coupons dividenddividend dividendordinary cashdividendonashare 配当金 配当 分配金',
  interest:
    'zins zinsen habenzinsen guthabenzinsen kontozins intérêts rente ränta interessi intereses interests interestpayment interestoncash interestfromcash freefundsinterests 利金 預り金利息',
  tax: 'quellensteuer kapitalertragsteuer dividendensteuer dividendbelasting impôt retenueàlasource källskatt utländskkällskatt ritenuta',
  'tax-refund': 'steuerrückerstattung steuererstattung steuerkorrektur',
  fee: 'gebühr gebühren depotgebühr kosten frais droitsdegarde courtage custodyfees tradingfee subscriptionfee conversionfee commissioni',
  deposit:
    'einzahlung einlage storting versement dépôt insättning ingreso deposito topup sepadeposit customerinpayment customerinbound idealdeposit idealstorting sofortdeposit soforteinzahlung flatexdeposit 入金',
  withdrawal:
    'auszahlung entnahme opname onttrekking retrait uttag retirada prelievo sepawithdrawal cardtransaction customeroutboundrequest withdrawrequest kartenzahlung 出金',
  transfer:
    'überweisung overboeking virement virementespèces virementespeces bonifico stortingopname cashtransfer',
  split: 'aktiensplit fractionnement',
  'fx-in': 'valutacreditering währungswechseleinbuchung fxcredit forexcredit',
  'fx-out': 'valutadebitering währungswechselausbuchung fxdebit forexdebit',
  sweep: 'degirocashsweeptransfer reservationidealsofortdeposit monthlystatement taxcertificate',
  'shares-in':
    'depotübertrageingang einlieferung transferin stakingreward stakingincome rewardincome learningreward airdrop freeshareorder simpleearnflexibleinterest simpleearnlockedrewards stakingrewards',
  'shares-out': 'depotübertragausgang auslieferung transferout',
  reorganisation: 'kapitalmaßnahme fusie fusion stocksplitopen stocksplitclose stockdistribution',
};

const BY_WORD: ReadonlyMap<string, RowKind> = new Map(
  [WORDS, FOREIGN_WORDS].flatMap((words) =>
    Object.entries(words).flatMap(([kind, all]) =>
      all.split(' ').map((word) => [word, kind as RowKind] as const),
    ),
  ),
);

const MAX_WORD = 100;

/** What marks a cancelled trade: `BUY (Ca.)` and `Ca;O` of Interactive Brokers, `Cancel Sell`, `BCXL`, `Storno Kauf`. */
const CANCELLING =
  /^cancel(?:led|ed)? ?(?:buy|sell|trade|dividend)?$|\(ca\.\)|(?:^|;)ca(?:;|$)|^(?:[bs]cxl|storno|stornierung|annulation|storning)\b/iu;

/** Whether a cell says that its line cancels another. */
export const cancels = (cell: string): boolean => CANCELLING.test(cell.slice(0, MAX_WORD));

/** The term without the word that cancels it. */
export const withoutCancelling = (words: string): string =>
  words.replace('취소', '').replaceAll(/\(ca\.\)|\bcancel(?:led|ed)?\b|\bstorno\b/giu, '');

/**
 * Korean brokers build their terms from parts: `해외주식매수입고`, `외화증권배당금입금`. The first match counts, so
 * narrower patterns come first.
 */
const PARTS: readonly (readonly [pattern: RegExp, kind: RowKind])[] = [
  [/환전?외화입금취소$/u, 'fx-out'],
  [/환전?원화입금취소$/u, 'fx-out'],
  [/취소/u, 'cancelled'],
  [/(?:환전|외화매[수도])(?:원화|외화)?출금/u, 'fx-out'],
  [/(?:환전|외화매[수도])(?:원화|외화)?입금/u, 'fx-in'],
  [/유상감자|공개매수(?!매도)/u, 'reorganisation'],
  [/채권|발행어음|환매조건부|조건부매수|환매도|rp매[수도]/u, 'bond'],
  [/선물|옵션/u, 'option'],
  [/(?:액면|주식)?(?:분할|병합)출고$|감자출고$/u, 'split-out'],
  [/(?:액면|주식)(?:분할|병합)입고$|^(?:분할|병합)입고$|감자입고$/u, 'split-in'],
  [/감자$/u, 'split'],
  [/합병|회사분할|인적분할|물적분할|주식교환|티커변경|종목변경|신주인수권/u, 'reorganisation'],
  [/단수?주대금/u, 'cash-in-lieu'],
  [/무상|배당주|주식배당(?!금)|이벤트.{0,4}입고|보상입고/u, 'bonus'],
  [/(?:유상|실권주).{0,6}(?:입고|청약)$/u, 'rights'],
  [/(?:공모|청약).{0,8}환불|청약환불/u, 'subscription-back'],
  [/(?:공모|유상).{0,6}출금$|청약(?:대금|증거금)?출금$|공모주?청약$|청약증거금$/u, 'subscription-out'],
  [/매수.{0,4}출금$|매도.{0,4}입금$/u, 'cash-leg'],
  [/매수(?:입고|결제|체결|nxt)?[kn]?$|(?:공모|청약).{0,6}입고$/u, 'buy'],
  [/매도(?:출고|상환|결제|체결|nxt)?[kn]?$/u, 'sell'],
  [/(?:세금?|세액|과세|납부액).{0,4}(?:환급|환입)/u, 'tax-refund'],
  [/(?:소득세|배당세|주민세|세금|세액|원천세|양도세)(?:출금|징수|납부)?$/u, 'tax'],
  [/(?:신용|대출|융자|미수|연체)이자|연체료|이자(?:출금|납부)$/u, 'fee'],
  [/이용료|이자|대여료|대여수수료.{0,2}입금$/u, 'interest'],
  [/수수료.{0,2}(?:환급|환불|반환|입금)/u, 'fee-refund'],
  [/배당|분배금/u, 'dividend'],
  [/수수료|보관료|사용료/u, 'fee'],
  [/타사.{0,4}입고|대체입고|이체입고|입고$/u, 'shares-in'],
  [/타사.{0,4}출고|대체출고|이체출고|출고$/u, 'shares-out'],
  [/(?:입금|입금오픈|캐시백|리워드|이벤트)$/u, 'deposit'],
  [/(?:출금|송금|체크카드승인|(?:대출|융자)금?상환)$/u, 'withdrawal'],
];

/** Beginnings of sentences such as `YOU BOUGHT APPLE INC (AAPL) (Cash)`. */
const BEGINNINGS: readonly (readonly [pattern: RegExp, kind: RowKind])[] = [
  [/^you (?:bought|sold) (?:opening|closing) transaction\b/u, 'option'],
  [/^you bought\b/u, 'buy'],
  [/^you sold\b/u, 'sell'],
  [/^dividend \(|^(?:dividend received|(?:long|short)-term cap gain)\b/u, 'dividend'],
  [/^reinvestment\b/u, 'buy'],
  [/^(?:interest earned|interest on cash)\b/u, 'interest'],
  [/^(?:foreign tax paid|fed(?:eral)? tax withheld|non-resident tax)\b/u, 'tax'],
  [/^(?:in lieu of|cash in lieu)\b/u, 'cash-in-lieu'],
  [/^(?:fee charged|advisory fee|foreign tax recl)\b/u, 'fee'],
  [/^(?:redemption from|purchase into) core account\b/u, 'sweep'],
  [/^(?:merger|(?:distribution )?spin-?off|name changed?)\b/u, 'reorganisation'],
  [/^(?:distribution|(?:reverse |stock )?split)\b/u, 'split'],
  [/^(?:expired|assigned|exercised|opening|closing) (?:call|put|transaction)/u, 'option'],
  [/^electronic funds transfer received\b/u, 'deposit'],
  [/^electronic funds transfer paid\b/u, 'withdrawal'],
  [/^(?:wire transfer|direct (?:deposit|debit)|check received|bill payment|debit card)\b/u, 'transfer'],
  [/^transferred (?:from|to)\b/u, 'transfer'],
  [/\b(?:connectivity fee|aansluitingskosten|handelsmodalitäten|frais de connexion)\b/u, 'fee'],
];

/** Kinds so general that another column may be more specific. */
const GENERAL: ReadonlySet<RowKind> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'shares-in',
  'shares-out',
]);

/** Terms for groups of transactions; another column names the kind. */
const GROUP_TERMS: ReadonlySet<string> = new Set(
  '입출금 입출고 매매 대체 보통 현금 신용 기타 일반 주식'.split(' '),
);

const normal = (cell: string): string => cell.normalize('NFKC').trim().toLowerCase();

/** The kind that a broker's term means. Undefined for an unknown term. */
export const rowKindOf = (cell: string): RowKind | undefined => {
  const text = normal(cell).slice(0, MAX_WORD);
  const known = BY_WORD.get(lettersOf(text));
  if (known) return known;
  const reported = BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1];
  if (reported) return reported;
  if (!/[\uac00-\ud7af]/u.test(text)) return undefined;
  const word = lettersOf(text.replaceAll(/\([^()]*\)/gu, ''));
  if (GROUP_TERMS.has(word)) return undefined;
  return BY_WORD.get(word) ?? PARTS.find(([pattern]) => pattern.test(word))?.[1];
};

/** The most specific kind among several columns: `입금` and `배당금` is a dividend. */
export const rowKindIn = (cells: readonly string[]): RowKind | undefined => {
  const kinds = cells.flatMap((cell) => (cell === '' ? [] : (rowKindOf(cell) ?? [])));
  return kinds.find((kind) => !GENERAL.has(kind)) ?? kinds[0];
};

const SUMS: ReadonlySet<string> = new Set(
  '합계 총합계 총계 소계 계 누계 합 월계 일계 total totals subtotal grandtotal transactionstotal sum'.split(
    ' ',
  ),
);

/** Whether a line sums up a table or a part of it. */
export const isSumLine = (cells: readonly string[]): boolean => {
  const first = cells.find((cell) => cell !== '') ?? '';
  return first.length <= MAX_WORD && SUMS.has(lettersOf(normal(first)));
};

const SHARES: ReadonlySet<string> = new Set(
  'stk stock stocks eq equity equities etf etfs mf fund funds mutualfund crypto cash security actions 주식 국내주식 해외주식'.split(
    ' ',
  ),
);

/** False for options, bonds, futures and other assets that a portfolio cannot hold. */
export const isShareWord = (cell: string): boolean => {
  const word = lettersOf(normal(cell));
  return word === '' || SHARES.has(word);
};
