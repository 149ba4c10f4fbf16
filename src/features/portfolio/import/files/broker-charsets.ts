import { type Charset, charsetOf, korean } from '#src/platform/text/decode-text.ts';

const FULL_WIDTH = /[\u3040-\u30ff\u4e00-\u9fff]/gu;
const HALF_WIDTH = /[\uff61-\uff9f]/gu;
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const shiftJis = charsetOf('shift_jis');

/** Shift-JIS reads Hangul as half-width kana, which Japanese files hardly use. */
const japanese: Charset = (bytes, isCut) => {
  const text = shiftJis(bytes, isCut);
  if (text === undefined) return undefined;
  return countOf(text, FULL_WIDTH) > countOf(text, HALF_WIDTH) * 3 ? text : undefined;
};

/** Letters of German, French, Dutch, Italian, Spanish and the Nordic languages; signs of money, dashes and quotes. */
const NOT_WESTERN = /[^\u0000-\u007fÀ-ÖØ-öø-ÿŒœŠšŽž€£°§²³«»’“”–—…\u00a0·ºª´]/u;

/** Hangul and Japanese read so are letters among signs and each other, which touch no plain letter. */
const STRANGE =
  /(?<![A-Za-zÀ-ÖØ-öø-ÿ\s])[À-ÖØ-öø-ÿ](?![A-Za-zÀ-ÖØ-öø-ÿ])|(?<![A-Za-zÀ-ÖØ-öø-ÿ])[À-ÖØ-öø-ÿ]{2}(?![A-Za-z])|[À-ÖØ-öø-ÿ]{3}/u;

const windows1252 = charsetOf('windows-1252');

/** Undefined if a character is not of a language that is written so. */
const western: Charset = (bytes, isCut) => {
  const text = windows1252(bytes, isCut);
  const isOther = text === undefined || NOT_WESTERN.test(text) || STRANGE.test(text);
  return isOther ? undefined : text;
};

/**
 * What brokers write besides UTF-8 and UTF-16. Only a table has headings that prove a wrong guess, so no other file is
 * read so. CP949 is tried last, because almost any bytes are valid in it.
 */
export const BROKER_CHARSETS: readonly Charset[] = [western, japanese, korean];
