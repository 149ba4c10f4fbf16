import type { TransactionKind } from '#src/core/ledger.ts';

/** How the pieces of an entry look; what they are worth is for the desk to say. */

const SIGNS = '[$₩€£¥]|us\\$|hk\\$';
const UNITS = '원|달러|불|엔|유로|위안|파운드|krw|usd|eur|jpy|gbp|cny|hkd';
const DIGITS = '\\d[\\d,]*(?:\\.\\d*)?|\\.\\d+';
const KOREAN = `(?:(?:${DIGITS})?[십백천만억조])+(?:\\d[\\d,]*)?`;
const NUMBER = new RegExp(
  `^[-+−]?(?:${SIGNS})?\\s*[-+−]?(?:${KOREAN}|(?:${DIGITS})(?:e[+-]?\\d+)?[kmb]?)(?:주|개|좌|shares?|(?:${UNITS})?(?:어치)?)?$`,
  'iu',
);
export const MONEY =
  /^(?:원|달러|불|엔|유로|위안|파운드|원화|달러화|엔화|유로화|위안화|won|dollars?|euros?|yen|krw|usd|eur|jpy|gbp|cny|hkd|twd|cad|aud|chf|sgd|nzd|inr|vnd|thb|btc|eth|xrp|sol|usdt|usdc)$/iu;
export const COUNTED = /(?:주|개|좌|shares?)$/iu;
export const IS_PRICED = new RegExp(`^(?:@|${SIGNS})|(?:${UNITS})$`, 'iu');
/** `71만원어치`: for all of them. */
export const WORTH = /어치$/u;
const HAS_MONEY = new RegExp(`${SIGNS}|(?:${UNITS})(?:어치)?$`, 'iu');

const YEAR = '(?:19|20)\\d\\d';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const WEEK_DAY = '[월화수목금토일]요일|(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const NAMED_DATE = [
  '오늘|어제|그제|그저께|엊그제|내일|today|yesterday|tomorrow',
  `(?:지난 ?주|저번 ?주|이번 ?주|지난|저번|(?:last|this)(?: week)?)? ?(?:${WEEK_DAY})`,
  '(?:\\d{1,3} ?(?:일|주|주일|달|개월)|하루|일주일|한 ?달) ?전',
  '(?:\\d{1,3}|an?|one) ?(?:days?|weeks?|months?) ago',
  `${MONTH} ?\\d{1,2}(?:st|nd|rd|th)?(?:,? ${YEAR})?`,
  `\\d{1,2}(?:st|nd|rd|th)?(?: of)? ?${MONTH},? ?${YEAR}`,
  `\\d{1,2}(?:st|nd|rd|th)(?: of)? ?${MONTH}`,
].join('|');
const DATE = new RegExp(
  `^(?:${YEAR}[-./]\\d{1,2}[-./]\\d{1,2}\\.?|\\d{1,2}/\\d{1,2}(?:/${YEAR})?|\\d{1,2}[-.]\\d{1,2}[-.]${YEAR}|(?:${YEAR}년)?\\d{1,2}월\\d{1,2}일|${NAMED_DATE})$`,
  'iu',
);
/** `20261113`: where other numbers are there already. */
export const COMPACT_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/u;
const LAST_DAY = new RegExp(`^\\d{1,2} ${MONTH}$`, 'iu');
export const isDateWord = (word: string): boolean => DATE.test(word) || LAST_DAY.test(word);
const DATE_PIECE = /^(?:(?:19|20)\d\d년|\d{1,2}월|\d{1,2}일)$/u;
const MAX_DATE_WORDS = 4;

export const RATIO = /^\d+(?:\.\d+)?(?::|대|-for-)\d+(?:\.\d+)?$/iu;
const SPOKEN_RATIO = /^(\d+(?:\.\d+)?) ?(?:for|to|대|:) ?(\d+(?:\.\d+)?)$/iu;
const GLUED = /^(.*\p{L})(\d[\d,.]*(?:주|개))$/u;
const HANGUL = /\p{Script=Hangul}/u;
const PARTICLE = /(?:으로|에서|을|를|에|로|은|는|이|가|씩|에게)$/u;

export const isNumberWord = (word: string): boolean => {
  const [number = '', money] = word.split(' ');
  return NUMBER.test(number.replace(/^@/u, '')) && (money === undefined || MONEY.test(money));
};

const clean = (word: string): string => word.normalize('NFKC').replace(/(?<![,;])[,;]+$/u, '');

/** `5주를`, `72000원에`, `13일에`, `달러로`: without what only ties words together. */
const bare = (word: string): string => {
  const stem = word.replace(PARTICLE, '');
  if (stem === word || stem === '' || isNumberWord(word) || DATE.test(word) || MONEY.test(word)) return word;
  return isNumberWord(stem) || DATE.test(stem) || DATE_PIECE.test(stem) || MONEY.test(stem) ? stem : word;
};

const piecesOf = (words: readonly string[]): readonly string[] =>
  words
    .map(clean)
    .filter((word) => word !== '')
    .flatMap((word, index) => {
      const plain = bare(word);
      const [, name, count] = index === 0 ? (GLUED.exec(plain) ?? []) : [];
      return name !== undefined && count !== undefined ? [name, count] : [plain];
    });

/** How many words from here on are one date: `Nov 13, 2026`, `3일 전`, `last friday`. */
const dateLength = (words: readonly string[], at: number): number => {
  for (let length = Math.min(MAX_DATE_WORDS, words.length - at); length > 1; length -= 1) {
    const phrase = words.slice(at, at + length).join(' ');
    if (DATE.test(phrase) || (at + length === words.length && LAST_DAY.test(phrase))) return length;
  }
  return 0;
};

/** `11월 13일`, `7만 1천원`, `1,000 USD`, `last friday` are one thing each, `삼성전자10주` two. */
export const joinWords = (words: readonly string[], kind: TransactionKind): readonly string[] => {
  const pieces = piecesOf(words);
  // `MAR 10 250` is a company.
  const firstDate = kind === 'deposit' || kind === 'withdrawal' || kind === 'fee' || kind === 'fx' ? 0 : 1;
  const done: string[] = [];
  for (let index = 0; index < pieces.length;) {
    const word = pieces[index] ?? '';
    const last = done.at(-1) ?? '';
    const length = index < firstDate && !HANGUL.test(word) ? 0 : dateLength(pieces, index);
    const spoken = kind === 'split' ? SPOKEN_RATIO.exec(pieces.slice(index, index + 3).join(' ')) : null;
    if (spoken && pieces.length >= index + 3) {
      done.push(`${spoken[1]}:${spoken[2]}`);
      index += 3;
      continue;
    }
    if (length > 0) {
      done.push(pieces.slice(index, index + length).join(' '));
      index += length;
      continue;
    }
    const isDate = /(?:년|월)$/u.test(last) && DATE_PIECE.test(word);
    const isNumber = /\d[십백천]?[만억조]$/u.test(last) && NUMBER.test(word);
    const isMoney = NUMBER.test(last) && !HAS_MONEY.test(last) && !COUNTED.test(last) && MONEY.test(word);
    if (isMoney) done[done.length - 1] = `${last} ${word}`;
    else if (isDate || isNumber) done[done.length - 1] = `${last}${word}`;
    else done.push(word);
    index += 1;
  }
  return done;
};
