import { en } from './i18n/en.ts';
import { ko } from './i18n/ko.ts';

export type Locale = 'ko' | 'en';
export type Localized = Readonly<Record<Locale, string>>;

type Catalogue = typeof en;
const CATALOGUES: Record<Locale, Catalogue> = { ko, en };

/** The sentences in one language. Keys and their parameters are checked by the compiler in both. */
export const texts = (locale: Locale): Catalogue => CATALOGUES[locale];

const HANGUL_WORD = /[\p{L}\p{N}]*[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]+[\p{L}\p{N}]*/gu;
/** In lower case: `AAPL TSLA` is not English. */
const ENGLISH_WORD = /(?<![\p{L}/])[A-Z]?[a-z']{1,20}(?!\p{L})/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * The language to answer in: a fixed one from the configuration; else what the text is written in (one
 * Korean name in an English sentence does not make it Korean); else (a bare ticker, a command without
 * words) what the platform says about the sender.
 */
export const detectLocale = (text: string, platform: Locale | undefined, fixed: Locale | 'auto'): Locale => {
  if (fixed !== 'auto') return fixed;
  const korean = count(text, HANGUL_WORD);
  const english = count(text, ENGLISH_WORD);
  if (korean > 0) return english > korean + 1 ? 'en' : 'ko';
  const isSentence = english >= 2 && !text.trimStart().startsWith('/');
  return isSentence ? 'en' : (platform ?? 'en');
};
