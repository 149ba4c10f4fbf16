import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { SentenceCall, SentenceWorth } from '#src/kernel/agent/sentence.ts';
import { amountsIn } from '#src/reading/amounts.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { foldWidth, withoutReadings } from '#src/reading/reading.ts';
import { coinsIn, readConversion as readWritten } from '#src/features/fx/read-conversion.ts';
import { type Call, call } from './intent.ts';
import { instrumentNamed, type Lookup, namesIn } from './lookup.ts';
import { ANY_NOUN } from './vocabulary.ts';

/** Without an amount, these words ask to convert between two currencies. */
const ASKS_RATE = /(?<!\p{L})(?:to|in|into|convert|→|->)(?!\p{L})|환전|환산|몇\s|으?로(?!\p{L})/iu;
const ASKS_WORTH = /얼마|얼만|환전|환산|환율|몇|원화로|\bhow (?:much|many)\b|\bworth\b|\bconvert\b/iu;

/** In a sentence, only a code names a coin. */
const COIN_CODE = /^[A-Z][A-Z0-9]{2,}$/;

/** A conversion: `100달러는 몇 원이야?`, `250 EUR to USD`. The default target of a Korean question is the won. */
export const readConversion = (text: string, symbols: SymbolSearch): Call | null => {
  const coinNamed = coinsIn(symbols);
  const read = readWritten(
    text.replaceAll(/[?!]/gu, ' ').replaceAll(/몇(?=\p{Script=Hangul})/gu, '몇 '),
    (typed) => (COIN_CODE.test(typed) ? coinNamed(typed) : undefined),
  );
  if (read.status !== 'read' || !read.from) return null;
  const { amount, from } = read;
  if (amount === undefined && (from.isCoin || !read.to || !ASKS_RATE.test(text))) return null;
  const isKorean = /\p{Script=Hangul}/u.test(text);
  const asked = read.to?.code === from.code ? undefined : read.to?.code;
  const to = asked ?? (isKorean && ASKS_WORTH.test(text) ? 'KRW' : undefined);
  if (to === undefined || to === from.code || amount?.isNegative() === true) return null;
  return call('convert_currency', { amount: amount?.toFixed() ?? '1', from: from.code, to });
};

/** The currency that a price is wanted in, with a word beside it that may belong to its name: 원화로, `in won`. */
const TARGETS = [
  /(?<![\p{L}\p{N}])(?:(?<beside>\p{Script=Hangul}{1,6})\s)?(?<money>\p{Script=Hangul}{1,6})(?:으로|로)(?:는|요)?(?!\p{L})/gu,
  /\b(?:in|into)\s+(?:the\s+)?(?<money>[a-z]{3,9})(?:\s(?<behind>[a-z]{3,7}))?(?![\p{L}\p{N}])/giu,
];
/** Marks questions about moves, trades, comparisons and rates. */
const OTHER =
  /올랐|올라|내렸|떨어|비교|샀|팔았|환율|환전|\b(?:up|down|since|bought|sold|compare|rates?|exchange)\b/iu;
const ASKS =
  /얼마|얼만|가격|시세|주가|현재가|값|\b(?:prices?|quotes?|how much|worth|cost|value|shares?|coins?)\b/iu;
/** The words around a number of pieces: 100주 있으면, `if I have 10 shares`. */
const BESIDE =
  /(?:(?:가지고|갖고|들고)\s?)?있(?:으면|다면)|(?:사|팔)(?:면|려면|아면)|필요\p{L}{0,6}|(?<!\p{L})(?:총|전부|모두|합쳐서?|다\s?하면|하면|이면|면|씩|치|어치)(?!\p{L})|\b(?:if|i|have|own|buy|total|altogether|would|cost|value)\b/giu;

const PRICED: ReadonlySet<Instrument['assetClass']> = new Set(['equity', 'etf', 'crypto', 'commodity']);
const MAX_NAMES = 3;

interface Target {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/** The currency that a price is wanted in. A name of two words comes first: `hong kong`, 홍콩 달러로. */
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

/** A quote for a number of pieces or in another currency: `애플 100주면 얼마야?`, `apple price in won`. Null without either. */
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
  const instruments = names
    .flatMap((name) => instrumentNamed(name, lookup.symbols) ?? [])
    .filter(({ assetClass }) => PRICED.has(assetClass));
  if (instruments.length < names.length) return null;
  const [first] = instruments;
  // Coins are also priced in won.
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

const FILLER_WORDS: ReadonlySet<string> = new Set(
  '그럼 그러면 그리고 그건 그거 그게 요 는 은 얼마 얼마야 얼마예요 얼마에요 얼마인가요 얼마지 알려줘 and then what how much is that it about or'.split(
    ' ',
  ),
);
/** Whether the text has only filler words. */
const hasOnlyFiller = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s?!.,~]+/u)
    .every((word) => word === '' || FILLER_WORDS.has(word));

/** The last quote or conversion in another currency: `and in won?`, 원화로는? */
export const readWorthAgain = (
  written: string,
  { tool, input }: SentenceCall,
  names: readonly string[],
): Call | null => {
  const text = foldWidth(written);
  const target = targetIn(text);
  if (!target || !hasOnlyFiller(text.slice(0, target.start)) || !hasOnlyFiller(text.slice(target.end)))
    return null;
  if (tool === 'convert_currency')
    return target.code === input['from'] ? null : call(tool, { ...input, to: target.code });
  return tool === 'get_quote' && names.length > 0 && names.length <= MAX_NAMES
    ? withWorth(names, { currency: target.code })
    : null;
};
