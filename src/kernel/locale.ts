export type Locale = 'ko' | 'en';
export type Localized = Readonly<Record<Locale, string>>;

/** What each language is called in each language. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, Localized>> = {
  ko: { ko: '한국어', en: 'Korean' },
  en: { ko: '영어', en: 'English' },
};

/** Messages in both languages. The compiler requires every key in both. */
export const localized =
  <Messages>(messages: Readonly<Record<Locale, Messages>>) =>
  (locale: Locale): Messages =>
    messages[locale];

/** `1 entry`, `2 entries`, `1,234 alerts`: an English noun with its number. A string is a number already formatted. */
export const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 || count === '1' ? one : many}`;

const WORD = /[\p{L}\p{N}]+/gu;
const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/u;
/** Lower case except for the first letter: `AAPL TSLA` is not English. */
const ENGLISH_WORD = /(?<![\p{L}/])[A-Z]?[a-z']{1,20}(?!\p{L})/gu;

const wordsIn = (text: string, pattern: RegExp): readonly string[] => text.match(pattern) ?? [];

/** Any possible prefix with a Latin command name. A Korean command name does tell the language. */
const COMMAND = /^[/!.;?%&+=-]{1,3}(?=\p{L})[a-z0-9_-]*/iu;
const FLAG_NAME = /(?<!\S)--\p{L}[\p{L}\p{N}_-]*=?/gu;
/** Keywords such as `add`, `above` and `repeat` are English for everybody, so a command needs more English words. */
const SENTENCE_WORDS = { message: 2, command: 5 };

/** The first line of a command without its name and the names of its flags. */
const ownWords = (command: string): string =>
  (command.split('\n', 1)[0] ?? '').replace(COMMAND, '').replaceAll(FLAG_NAME, ' ');

/**
 * The language that a text is written in. A Korean name in an English sentence does not make it Korean. Undefined for a
 * bare ticker or a command without words.
 */
export const languageOf = (text: string): Locale | undefined => {
  const trimmed = text.trimStart();
  const isCommand = COMMAND.test(trimmed);
  const words = isCommand ? ownWords(trimmed) : trimmed;
  const korean = wordsIn(words, WORD).filter((word) => HANGUL.test(word)).length;
  const english = wordsIn(words, ENGLISH_WORD).length;
  if (english >= korean + SENTENCE_WORDS[isCommand ? 'command' : 'message']) return 'en';
  return korean > 0 ? 'ko' : undefined;
};

/** Whether it begins with the Latin name of a command. A Korean one tells the language. */
const isLatinCommand = (text: string): boolean => /^\/[a-z]/iu.test(text);

/**
 * The language to answer in: a fixed one from the configuration; else that of the text; else the platform's report. What
 * stands in a command (names of companies, indicators, looks) tells it only where the platform does not.
 */
export const detectLocale = (text: string, platform: Locale | undefined, fixed: Locale | 'auto'): Locale => {
  if (fixed !== 'auto') return fixed;
  const told = isLatinCommand(text.trimStart()) ? platform : undefined;
  return told ?? languageOf(text) ?? platform ?? 'en';
};

/** The language of a reply's reader. Where the payload has none, the text decides. */
export const replyLocale = (
  { locale, text }: { readonly locale?: Locale; readonly text: string },
  fixed: Locale | 'auto',
): Locale => locale ?? detectLocale(text, undefined, fixed);
