import { LANGUAGE_NAMES, type Locale } from '#src/kernel/locale.ts';
import type { Choice, ReplyPayload } from '#src/kernel/chat/message.ts';
import { welcomeTexts } from './texts.ts';

const EXAMPLES = { ko: '005930.KS', en: 'AAPL' } as const satisfies Record<Locale, string>;

/** Three things to try. */
export const tries = (locale: Locale): readonly Choice[] => {
  const t = welcomeTexts(locale);
  const code = EXAMPLES[locale];
  return [
    { label: t.price(), command: `/price ${code}` },
    { label: t.market(), command: '/market' },
    { label: t.chart(), command: `/chart ${code}` },
  ];
};

/** A command whose answer takes the place of the question. */
const answered = (label: string, command: string): Choice => ({
  label,
  command: `${command} --welcome=nothing`,
  effect: 'replaces',
});

/** Each language in its own name, because the person may not read the other one. */
const LANGUAGES: readonly Choice[] = [
  answered(LANGUAGE_NAMES.ko.ko, '/profile language ko'),
  answered(LANGUAGE_NAMES.en.en, '/profile language en'),
];

/** The language is asked where it is not known; the time zone is asked when a time is set first. */
export const personPayload = (
  locale: Locale,
  { isLanguageKnown, isAnswered }: { readonly isLanguageKnown: boolean; readonly isAnswered: boolean },
): ReplyPayload => {
  const t = welcomeTexts(locale);
  // Whoever has an answer was greeted with it, so nobody is greeted twice.
  const text = isAnswered ? t.toTry() : t.person();
  return {
    text: isLanguageKnown ? text : `${text}\n\n${t.askLanguage()}`,
    locale,
    choices: [...tries(locale), ...(isLanguageKnown ? [] : LANGUAGES)],
  };
};

/** The welcome after the answer to its question. Undefined if the flag does not come from such a button. */
export const restOfWelcome = (
  flag: string | true | undefined,
  locale: Locale,
): Pick<ReplyPayload, 'text' | 'choices'> | undefined =>
  flag === 'nothing' ? { text: welcomeTexts(locale).toTry(), choices: tries(locale) } : undefined;
