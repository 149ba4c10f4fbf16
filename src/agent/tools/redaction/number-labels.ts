/** What the words directly before a number say that it is. */
export type NumberLabel =
  | 'account-number'
  | 'account'
  | 'bank'
  | 'card'
  | 'ssn'
  | 'rrn'
  | 'reference'
  | 'phone';

const NUMBER_WORD = '\\s?(?:numbers?|num|no\\.?|nr\\.?|id|#)';

const BANKS =
  '(?:(?:kb)?국민|신한|우리|하나|(?:nh)?농협|(?:ibk)?기업|sc제일|제일|씨티|카카오|토스|케이|새마을금고|우체국|신협|수협|산업|부산|대구|im|경남|광주|전북|제주|저축)\\s?(?:은행|뱅크|bank)?' +
  '|(?:k|woori|shinhan|hana|kakao|toss)\\s?bank' +
  '|(?:키움|미래에셋|삼성|nh투자|한국투자|kb|대신|신한|하나|메리츠|토스|카카오페이)\\s?증권';

/** The leftmost of them counts, so "주민등록번호" is never read as "등록번호". */
const LABELS: Readonly<Record<NumberLabel, string>> = {
  rrn: '(?:주민|외국인)\\s?등록\\s?(?:번호)?|주민\\s?번호|\\brrn|resident(?:\\s?registration)?\\s?(?:number|no\\.?)|jumin\\s?(?:no)?',
  ssn: `\\bssn|social\\s?security(?:${NUMBER_WORD})?|사회보장번호`,
  reference:
    '(?:주문|접수|승인|거래|체결|송장|운송장|문서|공시|관리|사업자\\s?(?:등록)?|법인\\s?(?:등록)?|등록|고유|상품|모델|일련|예약|신청|계약|허가|특허|출원|인증|고객|회원)\\s?번호' +
    `|(?:orders?|invoice|tracking|ref(?:erence)?|ticket|confirmation|serial|model|part|patent|transaction|trade|case|accession|corporate\\s?registration)(?:${NUMBER_WORD})?` +
    '|\\b(?:isbn|ein|cusip|isin|crno|jurir\\s?no|bizr\\s?no|rcept\\s?no|rcp\\s?no)',
  'account-number': `(?:accounts?|acct|\\bacc|a\\/c)\\.?${NUMBER_WORD}|(?:계좌|통장)\\s?번호|\\b(?:cano|acnt\\s?no|acno|accno|iban)`,
  account: 'account|acct\\.?|\\ba\\/c|계좌|통장',
  card: `카드\\s?(?:번호)?|cards?(?:${NUMBER_WORD})?|\\b(?:visa|master\\s?card|amex|american\\s?express|jcb|unionpay|pan)`,
  phone:
    '\\b(?:tel|phone|mobile|fax|call)|전화\\s?(?:번호)?|휴대폰\\s?(?:번호)?|연락처|팩스|문의|고객센터|대표번호',
  bank: BANKS,
};

/** Between a label and its number: a remark in brackets, a sign, quotes, the border of a table's cell. */
const BETWEEN =
  '["\'`*\\s]{0,4}(?:\\([^()]{0,20}\\))?["\'`*\\s]{0,4}(?:[:=#|：>]|is\\b|was\\b|은|는|이|가)?["\'`*\\s(\\[|]{0,6}$';
/** The name of a bank is also that of a share: only what follows at once is its account. */
const BEHIND_BANK = '[ :：]{0,3}[(\\[]?$';

const ADJACENT = new RegExp(
  Object.entries(LABELS)
    .map(([name, words]) => {
      const group = `(?<${name.replace('-', '_')}>${words})`;
      return name === 'bank' ? `(?:${group}${BEHIND_BANK})` : `(?:${group}${BETWEEN})`;
    })
    .join('|'),
  'i',
);

const NAMES = Object.keys(LABELS) as readonly NumberLabel[];

export const adjacentLabel = (before: string): NumberLabel | undefined => {
  const groups = ADJACENT.exec(before)?.groups;
  return groups && NAMES.find((name) => groups[name.replace('-', '_')] !== undefined);
};

const CARD_OR_OTHER = new RegExp(
  `(?<card>${LABELS.card})|(?<other>${[
    '시가총액|시총|거래량|거래대금|잔고|잔액|금액|대금|매출|이익|손실|자산|부채|자본|주식\\s?수|수량|가격|종가|시가|고가|저가|현재가|평가|합계|총액|예탁금|일시|시각|시간|날짜|일자|기준|번호|코드|아이디',
    '(?:cap|vol|val|prc|amt|qty|cnt|shrs)\\b|capitali[sz]ation|volume|turnover|price|\\b(?:open|high|low|close|last|bid|ask)\\b|amount|total|\\bsum\\b|balance|value|revenue|sales|income|profit|earnings|ebitda|assets?\\b|liabilit|equity|debt|cash|shares?\\b|outstanding|float|supply|time|epoch|date|\\bas of\\b|\\bts\\b|orders?\\b|trade|transaction|\\bids?\\b|\\bref\\b|reference|invoice|tracking|\\bseq|\\bcount|\\bcode\\b|[$₩€¥£]|\\b(?:krw|usd|eur|jpy)\\b',
  ].join('|')})`,
  'gi',
);

/** Whether the nearest word that tells speaks of a card or of something else (an amount, a time, an id). */
export const nearestTopic = (before: string): 'card' | 'other' | undefined => {
  let topic: 'card' | 'other' | undefined;
  for (const { groups } of before.matchAll(CARD_OR_OTHER)) topic = groups?.['card'] ? 'card' : 'other';
  return topic;
};

/** The same, of the words behind the last number before: those before it speak of that one. */
export const topicSinceNumber = (before: string): 'card' | 'other' | undefined =>
  nearestTopic(before.replace(/^.*\d/s, ''));

const WINDOW_CHARS = 60;

/** `accountNumber`, `account_number` and "Account Number" say the same. */
export const asWords = (text: string): string =>
  text.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll(/[_-]+/g, ' ');

/**
 * The words before a number: of its line, or of the last line before where the number begins its own.
 * `name` is what a value in JSON is called.
 */
export const wordsBefore = (text: string, start: number, name: string): string => {
  const from = Math.max(0, start - WINDOW_CHARS);
  const window = text.slice(from, start);
  const lineStart = window.lastIndexOf('\n') + 1;
  const isLineBegun = window.slice(lineStart).trim() !== '';
  const words = window.slice(isLineBegun ? lineStart : window.trimEnd().lastIndexOf('\n') + 1);
  const isFirstLine = from === 0 && lineStart === 0;
  return asWords(isFirstLine && name !== '' ? `${name}: ${words}` : words);
};
