import type { SymbolSearch } from '#src/core/finance.ts';
import { findNames } from './offline-names.ts';

/** What the offline model makes of a message. */
export type Intent =
  | { readonly kind: 'greeting' | 'thanks' | 'which' | 'unknown' }
  | { readonly kind: 'quote'; readonly names: readonly string[] };

const MAX_TEXT = 500;
/** What the tool takes. */
const MAX_NAMES = 10;

const COMMAND = /^\/\p{L}/u;
const GREETING =
  /^(?:하이|hello|hi|hey|good (?:morning|afternoon|evening)|how are you)(?!\p{L})|^(?:안녕|반가)|도움말|도와|\bhelp\b|what can you do|뭐 ?할 수/iu;
const THANKS = /고마워|고맙|감사|\bthank(?:s| you)\b/iu;
const ASKS_PRICE =
  /얼마|얼만|시세|주가|가격|현재가|어때|어떄|올랐|내렸|떨어졌|환율|종가|\b(?:prices?|quotes?|how much|how(?:['’]?s| is| are| was| did)|trading|worth|doing|cost|stocks?|shares?|exchange rate)\b/iu;
const RATE = '환율';

/** Other things that people ask about a name: a price in their place would be a wrong answer. */
const CANNOT = [
  /배당|시가총액|시총|실적|매출|뉴스|차트|전망|추천|시장|증시|날씨|목표|선물|우선주|예상|예측|분석/u,
  /(?<!\p{L})(?:왜|사도|살까|팔까|내일|작년|지난)/u,
  /\b(?:PBR|ROE|EPS|CEO|IPO|dividends?|earnings|news|charts?|forecasts?|recommend\w*|should (?:i|we)|why)\b/iu,
  /\b(?:markets?(?! price)|futures|weather|tomorrow|(?:last|next) (?:week|month|year)|p\/e)\b/iu,
  // `price per share` is a price.
  /\bPER\b|\bper\b(?!\s+[a-z])/u,
];

/** Cut between words, so that no half of one is taken for a name. */
const beginningOf = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT + 1).replace(/\S+$/u, '');

/** Reads simple questions about prices, in Korean and English. Anything else is `unknown`, never a guess. */
export const readIntent = (text: string, symbols: SymbolSearch): Intent => {
  const words = beginningOf(text.trim());
  if (COMMAND.test(words) || CANNOT.some((pattern) => pattern.test(words))) return { kind: 'unknown' };
  const asksPrice = ASKS_PRICE.test(words);
  const found = findNames(words, symbols);
  const hasKnown = found.some(({ kind }) => kind === 'known');
  const names = found.filter(
    ({ kind, isListed }) =>
      kind === 'known' || (hasKnown && isListed && kind !== 'noise') || (asksPrice && kind === 'code'),
  );
  const quote = (of: typeof found): Intent => ({
    kind: 'quote',
    names: [...new Set(of.map(({ text: name }) => name))].slice(0, MAX_NAMES),
  });
  if (names.length > 0)
    return asksPrice || names.length === found.length ? quote(names) : { kind: 'unknown' };

  const candidates = found.filter(({ kind }) => kind !== 'noise');
  const isOneWord = words.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length === 1;
  if (candidates.length === 1 && (asksPrice || isOneWord)) return quote(candidates);
  if (GREETING.test(words)) return { kind: 'greeting' };
  if (THANKS.test(words)) return { kind: 'thanks' };
  if (!asksPrice) return { kind: 'unknown' };
  // Without another currency, the rate is that of the dollar.
  return candidates.length === 0 && words.includes(RATE)
    ? { kind: 'quote', names: [RATE] }
    : { kind: 'which' };
};
