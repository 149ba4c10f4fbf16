import { datesIn, type DateValue, SOME_DAY } from '#src/language/dates.ts';
import { type Reading, withoutReadings } from '#src/language/reading.ts';
import { isCurrency, isTickerWord } from './identifier-words.ts';
import { NUMBER, readAmount } from './read-amount.ts';

/** Something in a text that a summary must not lose. */
export interface Identifier {
  /** As it is written. */
  readonly raw: string;
  /** What is compared: the same for every way to write the same. */
  readonly keys: readonly string[];
  readonly isTicker: boolean;
}

/**
 * The text is read once from left to right: every run of letters or digits is taken by one of these, the last
 * one at the latest, and none looks further than a few dozen characters ahead.
 */
const TOKEN = new RegExp(
  [
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

type DayReading = Reading<Extract<DateValue, { readonly status: 'date' }>>;

/** Days that are written out: which day `yesterday` was, the text alone does not say. */
const isDay = (reading: Reading<DateValue>): reading is DayReading =>
  reading.value.status === 'date' && reading.value.precision === 'day' && reading.value.said !== 'relative';

/** A date is also its day without the year, for people leave it out where it is clear. */
const dateKeys = ({ value: { first, said } }: DayReading): readonly string[] => {
  const whole = first.toString();
  const short = whole.slice(-'11-13'.length);
  return said === 'full' ? [whole, short] : [short];
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

interface Placed extends Identifier {
  readonly start: number;
}

const placedIn = (text: string): readonly Placed[] => {
  const found: Placed[] = [];
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
        start,
        raw: text.slice(start, amount.end),
        keys: [amount.key],
        isTicker: amount.isStockCode,
      });
      continue;
    }
    const keys = tickerKeys(groups);
    if (keys.length > 0) found.push({ start: match.index, raw: match[0], keys, isTicker: true });
  }
  return found;
};

/** In the order of the text; the same thing as often as it is there. */
export const scanIdentifiers = (text: string): readonly Identifier[] => {
  const days = datesIn(text, SOME_DAY, { looks: 'near' }).filter(isDay);
  const dates = days.map((reading) => ({
    start: reading.start,
    raw: text.slice(reading.start, reading.end),
    keys: dateKeys(reading),
    isTicker: false,
  }));
  return [...dates, ...placedIn(withoutReadings(text, days))]
    .toSorted((a, b) => a.start - b.start)
    .map(({ raw, keys, isTicker }) => ({ raw, keys, isTicker }));
};

/**
 * Tickers, amounts, dates and quantities in a text, in a form in which ₩81,200 and 81200원 are the same.
 * Takes time in proportion to the length of the text, whatever it says.
 */
export const identifiersIn = (text: string): ReadonlySet<string> =>
  new Set(scanIdentifiers(text).flatMap(({ keys }) => keys));
