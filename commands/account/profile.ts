import { type Command, type CommandResult, formToComplete, REST } from '#src/kernel/chat/command.ts';
import type { CommandDefinition, CommandOption } from '#src/kernel/chat/command-definition.ts';
import { LANGUAGE_NAMES, type Locale } from '#src/kernel/locale.ts';
import { profileTexts } from './texts.ts';
import { zoneTexts } from '#src/reading/zone-texts.ts';
import type { Choice, TurnContext } from '#src/kernel/chat/message.ts';
import { requesterOfMessage } from '#src/kernel/people/requester.ts';
import {
  type TimeZoneService,
  COMPLIANCE_LEVELS,
  RISK_TOLERANCES,
  type UserProfile,
  PROFILE_MARKETS,
} from '#src/kernel/people/profile.ts';
import { shortened } from '#src/kernel/text.ts';
import type { ZoneSource } from '#src/kernel/time.ts';
import type { Uses } from '#src/platform/services.ts';
import { commonZoneChoices, zoneSourceText } from '#src/reading/zone-question.ts';
import { restOfWelcome } from '#src/features/welcome/index.ts';
import { choiceLabels } from '#commands/shared/labels.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

const PROFILE_FIELDS = [
  'riskTolerance',
  'preferredMarkets',
  'complianceLevel',
  'locale',
  'timeZone',
] as const satisfies readonly (keyof UserProfile)[];
type ProfileField = (typeof PROFILE_FIELDS)[number];

const namesOf = <Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
): ReadonlyMap<string, Value> =>
  new Map(
    values.flatMap((value) =>
      [value.toLowerCase(), ...names[value].split(' ')].map((name) => [name, value] as const),
    ),
  );

const FIELDS = namesOf(PROFILE_FIELDS, {
  riskTolerance: 'risk 위험 위험성향 투자성향 성향 리스크',
  preferredMarkets: 'markets market 시장 관심시장',
  complianceLevel: 'level 수준 등급 투자자',
  locale: 'language lang 언어',
  timeZone: 'timezone tz zone 시간대 시간',
});

const RISKS = namesOf(RISK_TOLERANCES, {
  conservative: 'low 보수 보수적 보수형 안정 안정적 안정형 낮음',
  moderate: 'medium balanced neutral 중립 중립적 중립형 중간 보통 균형',
  aggressive: 'high 공격 공격적 공격형 적극 적극적 적극형 높음',
});

const MARKETS = namesOf(PROFILE_MARKETS, {
  KRX: 'kr korea korean kospi kosdaq 국내 한국 국장 코스피 코스닥 국내주식 한국주식',
  US: 'usa america american nyse nasdaq 미국 미장 나스닥 뉴욕 미국주식',
  crypto: 'coin coins cryptocurrency 코인 암호화폐 가상화폐 가상자산',
  FX: 'forex currency currencies 환율 외환 통화',
});

const LEVELS = namesOf(COMPLIANCE_LEVELS, {
  retail: 'individual private 개인 일반 개인투자자 일반투자자',
  professional: 'pro 전문 전문가 전문투자자',
  institutional: 'institution 기관 기관투자자',
});

const LOCALES = namesOf(['ko', 'en'] as const, {
  ko: 'kr korean 한국어 한국말 한글',
  en: 'english 영어',
});

const NONE: ReadonlySet<string> = new Set(['none', 'unset', 'off', '없음', '해제', '삭제']);
const AUTO: ReadonlySet<string> = new Set(['auto', 'automatic', '자동']);
const ALL_MARKETS: ReadonlySet<string> = new Set(['all', '전체', '모두']);
/** Words around the names: `국내 주식`, `KRX and US`. */
const FILLERS: ReadonlySet<string> = new Set([
  'and',
  'stock',
  'stocks',
  'market',
  'markets',
  '주식',
  '시장',
  '및',
]);

/** Undefined if any name of the list is unknown. */
const readMarkets = (typed: string): UserProfile['preferredMarkets'] => {
  if (ALL_MARKETS.has(typed)) return PROFILE_MARKETS;
  const names = typed.split(/[\s,;/·、，]+/).filter((name) => name !== '' && !FILLERS.has(name));
  const named = new Set(names.map((name) => MARKETS.get(name)));
  return named.size > 0 && !named.has(undefined)
    ? PROFILE_MARKETS.filter((market) => named.has(market))
    : undefined;
};

const READERS: Readonly<Record<ProfileField, (typed: string) => UserProfile | undefined>> = {
  riskTolerance: (typed) => {
    const riskTolerance = RISKS.get(typed);
    return riskTolerance && { riskTolerance };
  },
  preferredMarkets: (typed) => {
    const preferredMarkets = readMarkets(typed);
    return preferredMarkets && { preferredMarkets };
  },
  complianceLevel: (typed) => {
    const complianceLevel = LEVELS.get(typed);
    return complianceLevel && { complianceLevel };
  },
  locale: (typed) => {
    const locale = LOCALES.get(typed);
    return locale && { locale };
  },
  timeZone: (typed) => {
    const timeZone = resolveTimeZone(typed);
    return timeZone === undefined ? undefined : { timeZone };
  },
};

const without = (profile: UserProfile, field: ProfileField): UserProfile => {
  const { [field]: _removed, ...rest } = profile;
  return rest;
};

const profileFieldOf = (typed: string): ProfileField | undefined => FIELDS.get(typed.toLowerCase());

/** The profile with the typed value for one field; undefined if the field has no such value. */
const changeProfile = (profile: UserProfile, field: ProfileField, typed: string): UserProfile | undefined => {
  const value = typed.toLowerCase();
  if (NONE.has(value) || (field === 'locale' && AUTO.has(value))) return without(profile, field);
  const change = READERS[field](value);
  return change && { ...profile, ...change };
};

interface ProfileDeps extends Uses<'profiles'> {
  readonly zones: TimeZoneService;
}

const RESET: ReadonlySet<string> = new Set(['reset', 'clear', '초기화']);

/** Shows the local time and the origin of a zone, so that people notice a wrong one. */
const describeZone = (zone: string, zoneFrom: ZoneSource, ctx: TurnContext, locale: Locale): string => {
  const clock = ctx.timestamp.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' });
  return `${zone} (${clock}, ${zoneSourceText({ ...ctx, locale, zoneFrom })})`;
};

/** Undefined if the field is not set. */
const valueOf = (
  field: ProfileField,
  profile: UserProfile,
  ctx: TurnContext,
  locale: Locale,
): string | undefined => {
  const t = profileTexts(locale);
  switch (field) {
    case 'riskTolerance':
      return profile.riskTolerance && t.risks[profile.riskTolerance];
    case 'preferredMarkets':
      return profile.preferredMarkets?.map((market) => t.markets[market]).join(', ');
    case 'complianceLevel':
      return profile.complianceLevel && t.levels[profile.complianceLevel];
    case 'locale':
      return profile.locale && LANGUAGE_NAMES[profile.locale][locale];
    case 'timeZone':
      return profile.timeZone && describeZone(profile.timeZone, 'profile', ctx, locale);
  }
  return field satisfies never;
};

const ifUnset = (field: ProfileField, ctx: TurnContext): string => {
  const { locale, timeZone, zoneFrom = 'machine' } = ctx;
  const t = profileTexts(locale);
  if (field === 'locale') return t.languageOfMessage();
  return field === 'timeZone' ? describeZone(timeZone, zoneFrom, ctx, locale) : t.unset();
};

const describeField = (field: ProfileField, profile: UserProfile, ctx: TurnContext): string =>
  `${profileTexts(ctx.locale).fields[field]}: ${valueOf(field, profile, ctx, ctx.locale) || ifUnset(field, ctx)}`;

const describeForms = (locale: Locale): string => {
  const t = profileTexts(locale);
  return [t.howTo(), ...PROFILE_FIELDS.map((field) => `- \`${t.forms[field]}\``), t.clearing()].join('\n');
};

const howToSet = (field: ProfileField, locale: Locale): string => {
  const t = profileTexts(locale);
  return `${t.howTo()} \`${t.forms[field]}\``;
};

const describeAll = (profile: UserProfile, ctx: TurnContext): string => {
  const t = profileTexts(ctx.locale);
  const lines = PROFILE_FIELDS.map((field) => `- ${describeField(field, profile, ctx)}`);
  return `${t.title()}\n${lines.join('\n')}\n\n${t.privacy()}`;
};

/** A new language is used at once, so that the person sees the effect. */
const describeChange = (field: ProfileField, profile: UserProfile, ctx: TurnContext): string => {
  const locale = field === 'locale' ? (profile.locale ?? ctx.locale) : ctx.locale;
  const t = profileTexts(locale);
  const value = valueOf(field, profile, ctx, locale);
  return value === undefined ? t.cleared[field]() : `${t.fields[field]}: **${value}**. ${t.effects[field]()}`;
};

const valueOption = (choices?: CommandOption['choices']): CommandOption => ({
  name: 'value',
  nameKo: '값',
  description: {
    ko: '새 값. 비워 두면 지금 값을 보여 줍니다',
    en: 'the new value; leave it out to see the present one',
  },
  type: 'text',
  ...(choices && { choices }),
});

export const profileDefinition: CommandDefinition = {
  name: 'profile',
  aliases: ['프로필'],
  description: {
    ko: '내 투자 성향, 관심 시장, 언어, 시간대를 보고 바꿉니다',
    en: 'your risk tolerance, markets, language and time zone',
  },
  usage: { ko: '/profile [<항목> <값> | 초기화]', en: '/profile [<entry> <value> | reset]' },
  category: 'general',
  subcommands: [
    {
      name: 'show',
      nameKo: '보기',
      description: { ko: '내 프로필을 봅니다', en: 'shows your profile' },
      typed: '',
    },
    {
      name: 'risk',
      nameKo: '위험',
      description: { ko: '위험 성향', en: 'risk tolerance' },
      options: [
        valueOption(
          RISK_TOLERANCES.map((value) => ({
            value,
            label: choiceLabels((locale) => profileTexts(locale).risks[value]),
          })),
        ),
      ],
    },
    {
      name: 'markets',
      nameKo: '시장',
      description: { ko: '관심 시장', en: 'markets you follow' },
      options: [
        {
          ...valueOption(),
          description: { ko: '예: 국내, 미국, 코인 (쉼표로 여러 개)', en: 'e.g. KRX, US, crypto, FX' },
        },
      ],
    },
    {
      name: 'level',
      nameKo: '수준',
      description: { ko: '투자자 수준', en: 'investor level' },
      options: [
        valueOption(
          COMPLIANCE_LEVELS.map((value) => ({
            value,
            label: choiceLabels((locale) => profileTexts(locale).levels[value]),
          })),
        ),
      ],
    },
    {
      name: 'language',
      nameKo: '언어',
      description: { ko: '답변 언어', en: 'language of the answers' },
      options: [
        valueOption([
          { value: 'ko', label: LANGUAGE_NAMES.ko },
          { value: 'en', label: LANGUAGE_NAMES.en },
          { value: 'auto', label: { ko: '자동', en: 'automatic' } },
        ]),
      ],
    },
    {
      name: 'timezone',
      nameKo: '시간대',
      description: { ko: '시간대', en: 'time zone' },
      options: [{ ...valueOption(), suggest: 'zone' }],
    },
    {
      name: 'reset',
      nameKo: '초기화',
      description: { ko: '모두 초기화합니다', en: 'resets everything' },
    },
  ],
  subcommandOf: (_words, named) => named ?? 'show',
  isPrivate: true,
};

/** `typed`: how to do without the buttons. */
const ephemeral = (content: string, choices: readonly Choice[] = [], typed?: string): CommandResult => ({
  content,
  ephemeral: true,
  ...(choices.length > 0 && { choices }),
  ...(typed !== undefined && { typed }),
});

/** The name of each entry in a command. */
const ENTRIES: Readonly<Record<ProfileField, string>> = {
  riskTolerance: 'risk',
  preferredMarkets: 'markets',
  complianceLevel: 'level',
  locale: 'language',
  timeZone: 'timezone',
};

const press = (label: string, words: string): Choice => ({
  label,
  command: `/profile ${words}`,
  effect: 'replaces',
});

const entryChoices = (locale: Locale): readonly Choice[] =>
  PROFILE_FIELDS.map((field) => press(profileTexts(locale).fields[field], ENTRIES[field]));

/** Buttons for the values of an entry; the common ones where there are too many. */
const choicesOf = (field: ProfileField, locale: Locale): readonly Choice[] => {
  const t = profileTexts(locale);
  const entry = ENTRIES[field];
  const named = (labels: Readonly<Record<string, string>>): readonly Choice[] =>
    Object.entries(labels).map(([value, label]) => press(label, `${entry} ${value}`));
  const none = press(t.none, `${entry} none`);
  const other: Choice = { label: t.other, command: `/profile ${entry} ${REST}` };
  switch (field) {
    case 'riskTolerance':
      return [...named(t.risks), none];
    case 'preferredMarkets':
      return [...named(t.markets), other, none];
    case 'complianceLevel':
      return [...named(t.levels), none];
    case 'locale':
      return [
        ...named({ ko: LANGUAGE_NAMES.ko[locale], en: LANGUAGE_NAMES.en[locale] }),
        press(t.automatic, `${entry} auto`),
      ];
    case 'timeZone':
      return [...commonZoneChoices(locale), other];
  }
  return field satisfies never;
};

export const profile = ({ profiles, zones }: ProfileDeps): Command => {
  const change = async (
    field: ProfileField,
    typed: string,
    ctx: TurnContext,
    welcome: string | true | undefined,
  ): Promise<CommandResult> => {
    const { channelId, senderId, locale } = ctx;
    const after = await profiles.change(channelId, senderId, (before) => changeProfile(before, field, typed));
    if (!after) {
      const t = profileTexts(locale);
      const given = { typed: shortened(typed), field: t.fields[field] };
      const wrong = field === 'timeZone' ? t.wrongZone(given) : t.wrong(given);
      return ephemeral(wrong, choicesOf(field, locale), howToSet(field, locale));
    }
    const { timeZone } = after;
    const isMoved = field === 'timeZone' && timeZone !== undefined;
    const moved = isMoved ? await zones.settle(requesterOfMessage(ctx), timeZone) : [];
    const told = [describeChange(field, after, ctx), ...moved].join('\n');
    const rest = restOfWelcome(welcome, after.locale ?? locale);
    if (!rest) return ephemeral(told);
    return {
      ...ephemeral(`${told}\n\n${rest.text}`, rest.choices),
      // It takes the place of the welcome.
      ephemeral: ctx.chatType !== 'direct',
    };
  };

  return {
    definition: profileDefinition,
    form: {
      open: ([first = '', last], locale) => {
        const field = last === REST ? profileFieldOf(first) : undefined;
        if (!field) return undefined;
        const t = profileTexts(locale);
        const words = {
          title: t.fields[field],
          submitLabel: t.save,
          label: t.examples[field] ?? t.fields[field],
        };
        return formToComplete(`/profile ${ENTRIES[field]}`, words);
      },
    },
    execute: async ([first = '', ...rest], ctx, _signal, flags) => {
      const { channelId, senderId, locale } = ctx;
      const t = profileTexts(locale);
      const typed = rest.join(' ').trim();
      if (first === '') {
        const content = describeAll(await profiles.get(channelId, senderId), ctx);
        return ephemeral(content, entryChoices(locale), describeForms(locale));
      }
      if (RESET.has(first.toLowerCase()) && typed === '') {
        // Values from the platform stay: the platform would send them again.
        await profiles.change(channelId, senderId, ({ platform }) => (platform ? { platform } : {}));
        return ephemeral(t.reset());
      }
      const field = profileFieldOf(first);
      if (!field)
        return ephemeral(
          t.unknownField({ typed: shortened(first) }),
          entryChoices(locale),
          describeForms(locale),
        );
      // A terminal has no form for it.
      if (typed === REST) return ephemeral(howToSet(field, locale));
      if (typed !== '') return change(field, typed, ctx, flags?.get('welcome'));
      const stored = await profiles.get(channelId, senderId);
      const asked = field === 'timeZone' ? [zoneTexts(locale).asked()] : [];
      return ephemeral(
        [describeField(field, stored, ctx), ...asked].join('\n'),
        choicesOf(field, locale),
        howToSet(field, locale),
      );
    },
  };
};
