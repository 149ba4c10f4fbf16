import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { EntryFields, EntryText } from './entries.ts';
import { stemsOf } from './particles.ts';
import { readDate } from './dates.ts';

type Symbols = Pick<SymbolSearch, 'resolve'>;

const PERCENT = /^(\d{1,3}(?:\.\d{1,18})?)[%％]$/u;
const COUNT = /^(\d[\d,]{0,20}(?:\.\d{1,18})?)(?:주|개|株|shares?)?$/iu;
const UNIT = /^(?:주|개|shares?)$/iu;
const MONEY = /^(?:[$₩€£¥]\d|\d[\d,.]*(?:원|달러|만원|USD|KRW|JPY|EUR|GBP)$)/iu;
const CURRENCY = /^(?:USD|KRW|JPY|EUR|GBP|HKD|원|달러)$/u;
const PRICE_LABEL = /^(?:@|price|가격|주가|시가)[:=]?$/iu;
const CASH_LABEL = /^(?:cash|현금)[:=]?$/iu;
const FILLER =
  /^(?:→|->|=>|to|into|for|and|of|the|from|with|로|으로|의|에서|원가|원가의|cost|비율|받음|shares?|주|개)$/iu;
const KOREAN_CODE = /^\d[0-9A-Z]{5}$/u;
/** The date is read where no year, month or day is missing, or as one word. */
const DAY = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|어제|오늘|그제|yesterday|today)$/iu;
const EPOCH = Temporal.PlainDate.from('2020-06-15');

/** The known name that a word and its particle may be: `GE에서` → GE. */
const knownName = (typed: string, symbols: Symbols): string | undefined =>
  stemsOf(typed).find((stem) => symbols.resolve(stem).status !== 'unknown');

/** `SK텔레콤 SK스퀘어`: two names in a row are split where both are known, the longest first name first. */
const twoNames = (words: readonly string[], symbols: Symbols): readonly [string, string] | undefined => {
  for (let at = words.length - 1; at > 0; at -= 1) {
    const parts = [words.slice(0, at), words.slice(at)].map((part) => part.join(' '));
    const [first, second] = parts.map((part) => knownName(part, symbols));
    if (first !== undefined && second !== undefined) return [first, second];
  }
  // A company that is gone, or not yet known, is named by one word.
  const [first, ...rest] = words;
  return first === undefined || rest.length === 0 ? undefined : [first, rest.join(' ')];
};

/**
 * Reads `GE GEV 25 19.8%`, `VMW 10 → AVGO 3 cash $700 price $900`, `SK텔레콤 39주 SK스퀘어 39주 39.26%`. The last number
 * of shares is what was received. Never throws.
 */
export const readExchangeText = (typed: string, symbols: Symbols, given: EntryFields = {}): EntryText => {
  const fields: EntryFields = {};
  const words: string[][] = [[]];
  const counts: { readonly value: string; readonly after: number }[] = [];
  const left: string[] = [];
  let label: 'price' | 'amount' | undefined;
  const set = (field: keyof EntryFields, value: string): void => {
    if (fields[field] !== undefined || given[field] !== undefined) left.push(value);
    else fields[field] = value;
  };
  for (const token of typed.normalize('NFKC').split(/\s+/u)) {
    const percent = PERCENT.exec(token.replace(/^원가의?/u, ''))?.[1];
    const isName = KOREAN_CODE.test(token) && symbols.resolve(token).status === 'found';
    if (token === '') continue;
    if (percent !== undefined) set('percent', percent);
    else if (DAY.test(token) && readDate(token, EPOCH, { looks: 'back', allowsCompact: true }))
      set('date', token);
    else if (PRICE_LABEL.test(token)) label = 'price';
    else if (CASH_LABEL.test(token)) label = 'amount';
    else if (label !== undefined && /\d/u.test(token)) {
      set(label, token);
      label = undefined;
    } else if (MONEY.test(token)) set('amount', token);
    else if (CURRENCY.test(token)) set('currency', token);
    else if (!isName && COUNT.test(token))
      counts.push({ value: COUNT.exec(token)?.[1] ?? token, after: words.flat().length });
    else if (/^(?:→|->|=>)$/u.test(token)) words.push([]);
    else if (!UNIT.test(token) && !FILLER.test(token)) {
      // A number between two names parts them.
      if (counts.length > 0 && words.length === 1 && words[0]?.length) words.push([]);
      words.at(-1)?.push(token);
    }
  }
  const groups = words.filter((group) => group.length > 0);
  const [one = [], two, ...more] = groups;
  const named = two
    ? ([one, two].map((group) => group.join(' ')) as [string, string])
    : twoNames(one, symbols);
  if (more.length > 0) left.push(...more.flat());
  const name = named?.[0] ?? one.join(' ');
  if (name !== '' && given.name === undefined) fields.name = knownName(name, symbols) ?? name;
  if (named && given.toName === undefined) fields.toName = knownName(named[1], symbols) ?? named[1];
  const received = counts.pop();
  if (received) set('toQuantity', received.value);
  const gone = counts.pop();
  if (gone) set('quantity', gone.value);
  left.push(...counts.map(({ value }) => value));
  return left.length > 0 ? { status: 'left-over', typed: left.join(' ') } : { status: 'ok', fields };
};
