import { LANGUAGE_NAMES, type Locale } from '#src/kernel/locale.ts';
import type { Choice, ReplyPayload } from '#src/kernel/message.ts';
import { commonZoneChoices } from '#src/reading/zone-question.ts';
import { welcomeTexts } from './texts.ts';

const MAX_ZONES = 4;
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

/** What is known of the person is not asked. */
export interface Known {
  readonly language: boolean;
  readonly zone: boolean;
}

const LEFT = ['language', 'zone', 'nothing'] as const;
type Left = (typeof LEFT)[number];

/** A command whose answer takes the place of the questions, with the one that is left. */
const answered = (label: string, command: string, left: Left): Choice => ({
  label,
  command: `${command} --welcome=${left}`,
  effect: 'replaces',
});

/** Each language in its own name, because the person may not read the other one. */
const languages = (left: Left): readonly Choice[] => [
  answered(LANGUAGE_NAMES.ko.ko, '/profile language ko', left),
  answered(LANGUAGE_NAMES.en.en, '/profile language en', left),
];

const zones = (locale: Locale, left: Left): readonly Choice[] => [
  ...commonZoneChoices(locale)
    .slice(0, MAX_ZONES)
    .map(({ label, command }) => answered(label, command, left)),
  { label: welcomeTexts(locale).otherZone(), command: '/profile timezone' },
];

const choicesOf = (locale: Locale, { language, zone }: Known): readonly Choice[] => [
  ...tries(locale),
  ...(language ? [] : languages(zone ? 'nothing' : 'zone')),
  ...(zone ? [] : zones(locale, language ? 'nothing' : 'language')),
];

export const personPayload = (locale: Locale, known: Known): ReplyPayload => {
  const { language, zone } = known;
  const t = welcomeTexts(locale);
  const question =
    !language && !zone
      ? [t.askBoth()]
      : [...(language ? [] : [t.askLanguage()]), ...(zone ? [] : [t.askZone()])];
  return { text: [t.person(), ...question].join('\n\n'), locale, choices: choicesOf(locale, known) };
};

/** The welcome after an answer to one of its questions. Undefined if the flag does not come from such a button. */
export const restOfWelcome = (
  flag: string | true | undefined,
  locale: Locale,
): Pick<ReplyPayload, 'text' | 'choices'> | undefined => {
  const left = LEFT.find((each) => each === flag);
  if (!left) return undefined;
  const t = welcomeTexts(locale);
  const text = { language: t.askLanguage(), zone: t.askZone(), nothing: t.toTry() }[left];
  return { text, choices: choicesOf(locale, { language: left !== 'language', zone: left !== 'zone' }) };
};
