import type { Instrument } from '#src/kernel/finance.ts';
import type { SentenceCall, SentenceWorth } from '#src/kernel/sentence.ts';
import { amountsIn } from '#src/language/amounts.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { foldWidth, withoutReadings } from '#src/language/reading.ts';
import { type Call, call } from './call.ts';
import { type Lookup, namesIn } from './lookup.ts';
import { ANY_NOUN } from './vocabulary.ts';

/** 원화로, `in won`: the money in which a price is wanted, with a word beside it that may belong to its name. */
const TARGETS = [
  /(?<![\p{L}\p{N}])(?:(?<beside>\p{Script=Hangul}{1,6})\s)?(?<money>\p{Script=Hangul}{1,6})(?:으로|로)(?:는|요)?(?!\p{L})/gu,
  /\b(?:in|into)\s+(?:the\s+)?(?<money>[a-z]{3,9})(?:\s(?<behind>[a-z]{3,7}))?(?![\p{L}\p{N}])/giu,
];
/** How far something moved, what was paid, and what is compared are other questions. */
const OTHER =
  /올랐|올라|내렸|떨어|비교|샀|팔았|환율|환전|\b(?:up|down|since|bought|sold|compare|rates?|exchange)\b/iu;
const ASKS =
  /얼마|얼만|가격|시세|주가|현재가|값|\b(?:prices?|quotes?|how much|worth|cost|value|shares?|coins?)\b/iu;
/** Around how many pieces: 100주 있으면, `if I have 10 shares`. */
const BESIDE =
  /(?:(?:가지고|갖고|들고)\s?)?있(?:으면|다면)|(?:사|팔)(?:면|려면|아면)|필요\p{L}{0,6}|(?<!\p{L})(?:총|전부|모두|합쳐서?|다\s?하면|하면|이면|면|씩|치|어치)(?!\p{L})|\b(?:if|i|have|own|buy|total|altogether|would|cost|value)\b/giu;

const PRICED: ReadonlySet<Instrument['assetClass']> = new Set(['equity', 'etf', 'crypto', 'commodity']);
const MAX_NAMES = 3;

interface Target {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/** The money that a price is wanted in; of two words the longer name: `hong kong`, 홍콩 달러로. */
const targetIn = (text: string): Target | undefined => {
  for (const match of TARGETS.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const { money = '', beside, behind } = match.groups ?? {};
    const word = money.replace(/으$/u, '');
    const long = beside === undefined ? `${word} ${behind ?? ''}` : `${beside} ${word}`;
    const whole = currencyNamed(long);
    const found = whole ?? currencyNamed(word);
    if (!found || found.isCoin) continue;
    const end = match.index + match[0].length;
    const isShort = whole === undefined;
    return {
      start: match.index + (isShort && beside !== undefined ? beside.length + 1 : 0),
      end: end - (isShort && behind !== undefined ? behind.length : 0),
      code: found.code,
    };
  }
  return undefined;
};

const withWorth = (symbols: readonly string[], worth: SentenceWorth): Call => ({
  ...call('get_quote', { symbols }),
  worth,
});

/**
 * `애플 100주면 얼마야?`, `apple price in won`: a quote, and what so many come to or what it is in other money. Null where
 * neither is asked for.
 */
export const readWorth = (written: string, lookup: Lookup): Call | null => {
  const text = foldWidth(written);
  if (ANY_NOUN.test(text) || OTHER.test(text)) return null;
  const target = targetIn(text);
  const amounts = amountsIn(text);
  const [count, ...more] = amounts;
  const isCount = count?.value.unit === 'pieces' && count.value.value.greaterThan(0);
  if ((count && !isCount) || more.length > 0 || (!target && !(count && ASKS.test(text)))) return null;
  const taken = [...(target ? [target] : []), ...(count ? [count] : [])];
  const names = namesIn(withoutReadings(text, taken).replaceAll(BESIDE, '\n'), lookup, true) ?? [];
  if (names.length === 0 || names.length > (count ? 1 : MAX_NAMES)) return null;
  const instruments = names.flatMap((name) => {
    const match = lookup.symbols.resolve(name);
    return match.status === 'found' && PRICED.has(match.instrument.assetClass) ? [match.instrument] : [];
  });
  if (instruments.length < names.length) return null;
  const [first] = instruments;
  // A coin has a price of its own in won.
  if (!count && target?.code === 'KRW' && first?.assetClass === 'crypto' && names.length === 1)
    return call('get_quote', { symbols: [`${first.ticker}-KRW`] });
  const isMore = count !== undefined && !count.value.value.equals(1);
  const isOther = target !== undefined && instruments.some(({ currency }) => currency !== target.code);
  if (!isMore && !isOther) return null;
  return withWorth(names, {
    ...(isMore && { pieces: count.value.value.toFixed() }),
    ...(isOther && { currency: target.code }),
  });
};

const AROUND: ReadonlySet<string> = new Set(
  '그럼 그러면 그리고 그건 그거 그게 요 는 은 얼마 얼마야 얼마예요 얼마에요 얼마인가요 얼마지 알려줘 and then what how much is that it about or'.split(
    ' ',
  ),
);
/** Nothing but the money was said. */
const isAround = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s?!.,~]+/u)
    .every((word) => word === '' || AROUND.has(word));

/** `and in won?`, 원화로는?: what was quoted or converted before, in other money. */
export const readWorthAgain = (
  written: string,
  { tool, input }: SentenceCall,
  names: readonly string[],
): Call | null => {
  const text = foldWidth(written);
  const target = targetIn(text);
  if (!target || !isAround(text.slice(0, target.start)) || !isAround(text.slice(target.end))) return null;
  if (tool === 'convert_currency')
    return target.code === input['from'] ? null : call(tool, { ...input, to: target.code });
  return tool === 'get_quote' && names.length > 0 && names.length <= MAX_NAMES
    ? withWorth(names, { currency: target.code })
    : null;
};
