import { unitAt } from '#src/reading/units.ts';

const digit = (text: string, index: number): number => text.charCodeAt(index) - 48;

const isLuhnValid = (digits: string): boolean => {
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index -= 1, isDoubled = !isDoubled) {
    const value = digit(digits, index) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
};

/** Prefixes and lengths of cards in use. Visa no longer issues 13 digits and never issued 19. */
const ISSUED =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14}(?:\d{3})?)$/;

const hasIssuer = (digits: string): boolean => ISSUED.test(digits);

/** Accepts 29 February in every year, because a resident number does not contain the century. */
const isMonthAndDay = (month: number, day: number): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= ([4, 6, 9, 11].includes(month) ? 30 : month === 2 ? 29 : 31);

/** Whether the digits are a date of the 20th or 21st century: `20240115`. */
const isCalendarDay = (digits: string): boolean =>
  /^(?:19|20)\d{6}$/.test(digits) && isMonthAndDay(Number(digits.slice(4, 6)), Number(digits.slice(6)));

/** Korean resident and foreigner numbers have thirteen digits: a date of birth, a digit from 1 to 8, and six more. */
const isResidentNumber = (digits: string): boolean =>
  /^\d{6}[1-8]\d{6}$/.test(digits) && isMonthAndDay(Number(digits.slice(2, 4)), Number(digits.slice(4, 6)));

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * digit(digits, index), 0);

const RESIDENT_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
const COMPANY_WEIGHTS = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];

/**
 * The public number of a Korean company looks like a resident number: 110111-1707178. It counts as one if only
 * the checksum of companies is valid. Resident numbers issued since 2020 have no checksum.
 */
const isCompanyNumber = (digits: string): boolean => {
  const last = digit(digits, 12);
  const rest = weighted(digits, RESIDENT_WEIGHTS) % 11;
  // The checksum of foreigners is two higher.
  const isResident = (11 - rest) % 10 === last || (13 - rest) % 10 === last;
  return !isResident && (10 - (weighted(digits, COMPANY_WEIGHTS) % 10)) % 10 === last;
};

/** Areas 000, 666 and 9xx, group 00 and serial 0000 were never issued. */
const isSocialSecurityNumber = (digits: string): boolean =>
  /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);

const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 ' +
    'QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

export const ibanLength = (country: string): number | undefined => IBAN_LENGTHS[country];

/** Applies ISO 7064: move the first four characters to the end, read letters as 10 to 35, and test mod 97 for 1. */
export const isIbanValid = (iban: string): boolean => {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
};

/** The kind of number that the words directly before it announce. */
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

/** The leftmost match wins, so "주민등록번호" is never read as "등록번호". */
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

/** Allowed between a label and its number: a remark in brackets, a sign, quotes, the border of a table cell. */
const BETWEEN =
  '["\'`*\\s]{0,4}(?:\\([^()]{0,20}\\))?["\'`*\\s]{0,4}(?:[:=#|：>]|is\\b|was\\b|은|는|이|가)?["\'`*\\s(\\[|]{0,6}$';
/** Bank names are also names of shares, so only a number directly after one can be an account. */
const AFTER_BANK = '[ :：]{0,3}[(\\[]?$';

const ADJACENT = new RegExp(
  Object.entries(LABELS)
    .map(([name, words]) => {
      const group = `(?<${name.replace('-', '_')}>${words})`;
      return name === 'bank' ? `(?:${group}${AFTER_BANK})` : `(?:${group}${BETWEEN})`;
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

/** The topic of the nearest known word: a card, or something else (an amount, a time, an id). */
export const nearestTopic = (before: string): 'card' | 'other' | undefined => {
  let topic: 'card' | 'other' | undefined;
  for (const { groups } of before.matchAll(CARD_OR_OTHER)) topic = groups?.['card'] ? 'card' : 'other';
  return topic;
};

/** Ignores words before the previous number, because they describe that number. */
export const topicSinceNumber = (before: string): 'card' | 'other' | undefined =>
  nearestTopic(before.replace(/^.*\d/s, ''));

const WINDOW_CHARS = 60;

/** Makes `accountNumber` and `account_number` match the same labels as "Account Number". */
export const asWords = (text: string): string =>
  text.replaceAll(/([a-z])(?=[A-Z])/g, '$1 ').replaceAll(/[_-]+/g, ' ');

/**
 * The words before a number in its line, or the previous line if the number starts its own. `name` is the name of
 * a JSON value.
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

/** A separate number of at least seven digits, with the text around it. */
interface Candidate {
  readonly digits: string;
  /** The name of the JSON value that contains it. */
  readonly name: string;
  /** The lengths of its groups: `3-3-6`. */
  readonly shape: string;
  readonly firstGroup: string;
  readonly before: string;
  readonly after: string;
  /** The heading of its column; empty outside a table. */
  readonly heading: string;
  readonly label: NumberLabel | undefined;
}

const lastFour = (digits: string): string => `****${digits.slice(-4)}`;
const cardMask = (digits: string): string => `[card ${lastFour(digits)}]`;

/** The last four digits of a short number would be half of it, so none are shown. */
export const accountMask = (digits: string): string =>
  digits.length >= 10 ? `[account ${lastFour(digits)}]` : '[account]';

/** Korean scales and counters (만, 억, 명, 건) that end the word. Money, shares and percentages are in `unitAt`. */
const COUNTED =
  /^\s?(?:[십백천]?[만억조]|명|건)(?!\p{L})|^(?:[십백천]?[만억조]|명|건)(?:[을를이가은는의에로씩도와과]|으로|입니|규모|까지|부터|증가|감소)/u;
const SCALED_MONEY = /^\s?[십백천]?[만억조백천]\s?(?=\p{L})/u;
/** In `98765432 USD 500`, the currency belongs to the amount after it. */
const AMOUNT_AFTER = /^\s*[\d$]/;

/** Whether a unit makes it an amount or a count: 1234567890원, 98765432 shares. 주식회사 and bank names are no units. */
const isCounted = (after: string): boolean => {
  if (COUNTED.test(after)) return true;
  const unit = unitAt(after, SCALED_MONEY.exec(after)?.[0].length ?? 0);
  return unit !== null && !(/^\s?[a-z]/i.test(after) && AMOUNT_AFTER.test(after.slice(unit.end)));
};

const EPOCH = /^(?:1[2-9]|20)\d{8}(?:\d{3}|\d{6})?$/;
const ROUND = /000$/;
/** After `?id=` or `#`, a number without a label is part of an address or a reference. */
const IN_ADDRESS = /[=#&?]$/;

/** The groups in which card numbers are printed. */
export const CARD_SHAPE = /^(?:4-4-4-4|4-4-4-4-3|4-6-5|4-6-4)$/;

/**
 * A valid checksum alone proves nothing, because every tenth market cap has one. A card also needs the printed
 * groups, a word that announces it, or an issuer's prefix and length without a word for an amount, a time or an id.
 */
const classifyCard = ({
  digits,
  name,
  shape,
  before,
  after,
  heading,
  label,
}: Candidate): string | undefined => {
  if (digits.length < 13 || digits.length > 19) return undefined;
  const isGrouped = CARD_SHAPE.test(shape);
  if (!isLuhnValid(digits)) return label === 'card' && isGrouped ? cardMask(digits) : undefined;
  if (isGrouped) return label === 'reference' && !hasIssuer(digits) ? undefined : cardMask(digits);
  const topic = nearestTopic(heading) ?? nearestTopic(before);
  if (topic === 'card') return cardMask(digits);
  const isFree = /(?:^|[\s"'`*([|:>가-힣])$/.test(before) && !isCounted(after) && !ROUND.test(digits);
  const isBare = !shape.includes('-') && isFree && topic !== 'other';
  // A named JSON value of 14 or 15 digits is more likely an amount in won.
  const isLongEnough = name.trim() === '' || digits.length >= 16;
  return isBare && isLongEnough && hasIssuer(digits) ? cardMask(digits) : undefined;
};

const classifyPersonalId = ({ digits, shape, label, before }: Candidate): string | undefined => {
  const isFree = label !== 'reference' && label !== 'phone' && !IN_ADDRESS.test(before);
  if (isResidentNumber(digits)) {
    if (label === 'rrn') return '[RRN]';
    if (shape === '6-7' && isFree && !isCompanyNumber(digits)) return '[RRN]';
  }
  if (label === 'ssn' && digits.length === 9) return '[SSN]';
  return shape === '3-2-4' && isFree && isSocialSecurityNumber(digits) ? '[SSN]' : undefined;
};

/** The groups in which Korean banks and brokers write account numbers. */
const BANK_SHAPE = /^(?:6-2-6|3-3-6|3-2-6|4-3-6|3-6-5|3-4-4-2|3-6-2-3|4-2-7|4-4-4-1)$/;
const YEAR = /^(?:19|20)\d\d$/;
const MOBILE = /^01[016-9]/;

const isPhone = ({ digits, shape, firstGroup }: Candidate): boolean =>
  (firstGroup.startsWith('0') && /^[234]-[34]-4$/.test(shape)) ||
  (shape === '4-4' && /^1[5-8]/.test(digits)) ||
  (/^(?:1-)?3-3-4$/.test(shape) && !firstGroup.startsWith('0')) ||
  (MOBILE.test(digits) && digits.length <= 11);

/** Matches 2024-01-15, 2024-2025 and 20240115-0001. */
const isDate = ({ digits, shape, firstGroup }: Candidate): boolean =>
  (YEAR.test(firstGroup) && (/^4-\d-\d$/.test(shape) || (shape === '4-4' && YEAR.test(digits.slice(4))))) ||
  (shape.startsWith('8-') && isCalendarDay(firstGroup));

const hasBankFormat = ({ digits, shape, firstGroup, label, before }: Candidate): boolean =>
  label !== 'reference' &&
  label !== 'phone' &&
  (label !== undefined || !IN_ADDRESS.test(before)) &&
  !MOBILE.test(digits) &&
  ((BANK_SHAPE.test(shape) && !YEAR.test(firstGroup)) || (shape === '4-4-4' && /^100\d/.test(digits)));

const SAYS_BANK = /(?:은행|뱅크|bank|증권|금고|우체국)[ :：]{0,3}[([]?$|계좌|account|입금|송금|이체|예금주/i;
const BANK_AFTER = /^\s?\(?[가-힣A-Z]{2,6}(?:은행|뱅크)|^\s?계좌/;

/** Bank names are also names of listed shares, so the number must look like an account and like nothing else. */
const isNamedByBank = ({ digits, shape, firstGroup, label, before, after }: Candidate): boolean => {
  if (digits.length < 10) return false;
  if (shape.includes('-')) return label === 'bank' && !YEAR.test(firstGroup);
  const isNamed = (label === 'bank' && SAYS_BANK.test(before)) || (!label && BANK_AFTER.test(after));
  const isQuantity = EPOCH.test(digits) || ROUND.test(digits) || topicSinceNumber(before) === 'other';
  return isNamed && !isQuantity && digits.length >= 11 && digits.length <= 14;
};

const classifyAccount = (candidate: Candidate): string | undefined => {
  const { digits, shape, label, before, after, heading } = candidate;
  const isBare = !shape.includes('-');
  const isLocal = label === 'account-number' && shape === '3-3-4';
  if ((isPhone(candidate) && !isLocal) || isDate(candidate) || digits.length > 16) return undefined;
  const mask = accountMask(digits);
  if (!isBare && hasBankFormat(candidate)) return mask;
  if (label === 'account-number') return mask;
  if (isBare && isCounted(after)) return undefined;
  if (label !== 'account') return isNamedByBank(candidate) ? mask : undefined;
  // Without a sign after "account", a round number is an amount: "per account 10000000".
  const isSigned = heading !== '' || /[:=#：|"]["'`\s]{0,3}$/.test(before);
  const isRound = isBare && ROUND.test(digits) && !isSigned;
  return digits.length >= 8 && !isRound && !isCalendarDay(digits) ? mask : undefined;
};

/** The mask for the number; undefined if the number may stay. */
export const classifyNumber = (candidate: Candidate): string | undefined =>
  classifyCard(candidate) ?? classifyPersonalId(candidate) ?? classifyAccount(candidate);
