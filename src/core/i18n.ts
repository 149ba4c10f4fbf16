import { en } from './i18n/en.ts';
import { ko } from './i18n/ko.ts';

export type Locale = 'ko' | 'en';
export type Localized = Readonly<Record<Locale, string>>;

type Catalogue = typeof en;
const CATALOGUES: Record<Locale, Catalogue> = { ko, en };

/** The sentences in one language. Keys and their parameters are checked by the compiler in both. */
export const texts = (locale: Locale): Catalogue => CATALOGUES[locale];

const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/u;
/** Two words, one of them in lower case: `AAPL TSLA` is not English. */
const LATIN_SENTENCE = /\b[a-z']{2,20}\s+[a-z']{1,20}\b|\b[a-z']{1,20}\s+[a-z']{2,20}\b/i;
const LOWER_CASE_WORD = /\b[a-z']{2,20}\b/;

/**
 * The language to answer in: a fixed one from the configuration; else what the text is written in;
 * else (a bare ticker, a command without words) what the platform says about the sender.
 */
export const detectLocale = (text: string, platform: Locale | undefined, fixed: Locale | 'auto'): Locale => {
  if (fixed !== 'auto') return fixed;
  if (HANGUL.test(text)) return 'ko';
  const isSentence =
    !text.trimStart().startsWith('/') && LATIN_SENTENCE.test(text) && LOWER_CASE_WORD.test(text);
  return isSentence ? 'en' : (platform ?? 'en');
};
