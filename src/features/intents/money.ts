import type { SymbolSearch } from '#src/kernel/finance.ts';
import { coinsIn, readConversion as readWritten } from '#src/features/fx/read-conversion.ts';
import { type Call, call } from './call.ts';

/** Between two currencies without an amount, it says that one is wanted in the other. */
const ASKS_RATE = /(?<!\p{L})(?:to|in|into|convert|→|->)(?!\p{L})|환전|환산|몇\s|으?로(?!\p{L})/iu;
const ASKS_WORTH = /얼마|얼만|환전|환산|환율|몇|원화로|\bhow (?:much|many)\b|\bworth\b|\bconvert\b/iu;

/** In a sentence only what is written as a code is a coin that is no money of the list. */
const COIN_CODE = /^[A-Z][A-Z0-9]{2,}$/;

/**
 * `100달러는 몇 원이야?`, `250 EUR to USD`: what is to be converted. Money without a wish for another is worth so
 * many won to who asks in Korean.
 */
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
