import { isCurrency, isTickerWord } from './identifier-words.ts';
import { anyCase, NUMBER, readAmount } from './read-amount.ts';

/** Something in a text that a summary must not lose. */
export interface Identifier {
  /** As it is written. */
  readonly raw: string;
  /** What is compared: the same for every way to write the same. */
  readonly keys: readonly string[];
  readonly isTicker: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = anyCase(
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
);
/**
 * Each way to write a date has groups of its own: flags inside an expression and the same name twice are young
 * in the engine. With them a property test failed once and could not be made to fail again; they are suspects.
 */
const month = (way: number): string => `(?<month${way}>${MONTH})`;
const year = (way: number): string => String.raw`(?<year${way}>(?:19|20)\d{2})`;
const NTH = '(?:st|nd|rd|th)?';

/**
 * The text is read once from left to right: every run of letters or digits is taken by one of these, the last
 * one at the latest, and none looks further than a few dozen characters ahead.
 */
const TOKEN = new RegExp(
  [
    String.raw`${year(1)}[-./](?<month1>\d{1,2})[-./](?<day1>\d{1,2})(?!\d)`,
    String.raw`(?:${year(2)}년\s?)?(?<month2>\d{1,2})월\s?(?<day2>\d{1,2})일`,
    String.raw`${month(3)}\.?\s?(?<day3>\d{1,2})${NTH}(?!\d)(?:,?\s${year(3)}(?![\d\-./년]))?`,
    String.raw`(?<day4>\d{1,2})${NTH}\s${month(4)}(?![A-Za-z])(?:\.?,?\s${year(4)}(?![\d\-./년]))?`,
    String.raw`(?<code>\d{4}(?:[A-Z]\d|\d[A-Z])|\d{6}(?=\.K[SQ]))(?:\.K[SQ])?(?![A-Za-z0-9])`,
    String.raw`(?<foreign>\d{4,6}\.(?:HK|T|SS|SZ|TW))(?![A-Za-z0-9])`,
    String.raw`(?<base>[A-Z]{2,6})[/-](?<quote>[A-Z]{2,6})(?![A-Za-z0-9])`,
    String.raw`(?<share>[A-Z]{2,5})[.-](?<letter>[A-Z])(?![A-Za-z0-9])`,
    String.raw`\$(?<cash>[A-Za-z]{1,5}(?:\.[A-Za-z])?)(?![A-Za-z0-9])`,
    String.raw`(?:(?<prefix>US\$|[₩￦$€£¥]|(?:KRW|USD|EUR|JPY|GBP|CNY|HKD))\s?)?(?<number>${NUMBER})`,
    '(?<word>[A-Za-z0-9_]+)',
  ].join('|'),
  'g',
);

/** A minus or plus, and not the hyphen of 10-20%. */
const SIGN_BEFORE = /(?:^|[^A-Za-z0-9])[-−+]$/;

type Groups = Readonly<Record<string, string | undefined>>;

const dateIn = (groups: Groups): Groups => {
  const way = [1, 2, 3, 4].find((number) => groups[`day${number}`] !== undefined);
  return { year: groups[`year${way}`], month: groups[`month${way}`], day: groups[`day${way}`] };
};

const two = (part: string): string => part.padStart(2, '0');

/** A date is also its day without the year, for people leave it out where it is clear. */
const dateKeys = ({ year, month = '', day = '' }: Groups): readonly string[] => {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const monthNumber = named > 0 ? named : Number(month);
  const isDate = monthNumber >= 1 && monthNumber <= 12 && Number(day) >= 1 && Number(day) <= 31;
  if (!isDate) return [];
  const short = `${two(String(monthNumber))}-${two(day)}`;
  return year === undefined ? [short] : [`${year}-${short}`, short];
};

/** BTC/KRW, BTC-KRW and KRW-BTC are the same market. Two words that only stand side by side are two. */
const pairKeys = (base: string, quote: string): readonly string[] => {
  if (isCurrency(quote)) return [`${base}/${quote}`];
  if (isCurrency(base)) return [`${quote}/${base}`];
  return [base, quote].filter(isTickerWord);
};

const tickerKeys = ({ code, foreign, base, quote, share, letter, cash, word }: Groups): readonly string[] => {
  if (base !== undefined && quote !== undefined) return pairKeys(base, quote);
  if (share !== undefined) return [`${share}.${letter}`];
  if (word !== undefined) return isTickerWord(word) ? [word] : [];
  const single = code ?? foreign ?? cash;
  return single === undefined ? [] : [single.toUpperCase()];
};

/** In the order of the text; the same thing as often as it is there. */
export const scanIdentifiers = (text: string): readonly Identifier[] => {
  const found: Identifier[] = [];
  const token = TOKEN;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const groups: Groups = match.groups ?? {};
    const { number, prefix } = groups;
    if (number !== undefined) {
      const amount = readAmount(text, number, token.lastIndex, prefix);
      if (!amount) continue;
      token.lastIndex = amount.end;
      const start =
        match.index - (SIGN_BEFORE.test(text.slice(Math.max(0, match.index - 2), match.index)) ? 1 : 0);
      found.push({
        raw: text.slice(start, amount.end),
        keys: [amount.key],
        isTicker: amount.isStockCode,
      });
      continue;
    }
    const date = dateIn(groups);
    const isDate = date['day'] !== undefined;
    const keys = isDate ? dateKeys(date) : tickerKeys(groups);
    if (keys.length > 0) found.push({ raw: match[0], keys, isTicker: !isDate });
  }
  return found;
};

/**
 * Tickers, amounts, dates and quantities in a text, in a form in which ₩81,200 and 81200원 are the same.
 * Takes time in proportion to the length of the text, whatever it says.
 */
export const identifiersIn = (text: string): ReadonlySet<string> =>
  new Set(scanIdentifiers(text).flatMap(({ keys }) => keys));
