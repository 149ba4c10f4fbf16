import type { Command, CommandDefinition, CommandResult } from '#src/core/command.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { MsgContext } from '#src/core/message.ts';
import type { Profiles, UserProfile } from '#src/core/ports.ts';
import { shortened } from '#src/core/text.ts';
import { changeProfile, PROFILE_FIELDS, type ProfileField, profileFieldOf } from './profile-values.ts';

export interface ProfileDeps {
  readonly profiles: Profiles;
}

const RESET: ReadonlySet<string> = new Set(['reset', 'clear', '초기화']);

/** Beside a zone stands what time it is there: whoever chose the wrong one sees it. */
const describeZone = (zone: string, { timestamp }: MsgContext): string =>
  `${zone} (${timestamp.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })})`;

/** Undefined where nothing is set. */
const valueOf = (
  field: ProfileField,
  profile: UserProfile,
  ctx: MsgContext,
  locale: Locale,
): string | undefined => {
  const words = texts(locale).profile;
  switch (field) {
    case 'riskTolerance':
      return profile.riskTolerance && words.risks[profile.riskTolerance];
    case 'preferredMarkets':
      return profile.preferredMarkets?.map((market) => words.markets[market]).join(', ');
    case 'complianceLevel':
      return profile.complianceLevel && words.levels[profile.complianceLevel];
    case 'locale':
      return profile.locale && words.languages[profile.locale];
    case 'timeZone':
      return profile.timeZone && describeZone(profile.timeZone, ctx);
  }
  return field satisfies never;
};

const ifUnset = (field: ProfileField, { locale, timeZone }: MsgContext): string => {
  const words = texts(locale).profile;
  if (field === 'locale') return words.languageOfMessage();
  return field === 'timeZone' ? words.zoneOfBot({ zone: timeZone }) : words.unset();
};

const describeField = (field: ProfileField, profile: UserProfile, ctx: MsgContext): string =>
  `${texts(ctx.locale).profile.fields[field]}: ${valueOf(field, profile, ctx, ctx.locale) || ifUnset(field, ctx)}`;

const describeForms = (locale: Locale): string => {
  const words = texts(locale).profile;
  return [
    words.howTo(),
    ...PROFILE_FIELDS.map((field) => `- \`${words.forms[field]}\``),
    words.clearing(),
  ].join('\n');
};

const describeAll = (profile: UserProfile, ctx: MsgContext): string => {
  const words = texts(ctx.locale).profile;
  const lines = PROFILE_FIELDS.map((field) => `- ${describeField(field, profile, ctx)}`);
  return [`${words.title()}\n${lines.join('\n')}`, describeForms(ctx.locale), words.privacy()].join('\n\n');
};

/** In the language that was just chosen: then the person sees at once that it works. */
const describeChange = (field: ProfileField, profile: UserProfile, ctx: MsgContext): string => {
  const locale = field === 'locale' ? (profile.locale ?? ctx.locale) : ctx.locale;
  const words = texts(locale).profile;
  const value = valueOf(field, profile, ctx, locale);
  return value === undefined
    ? words.cleared[field]()
    : `${words.fields[field]}: **${value}**. ${words.effects[field]()}`;
};

export const profileDefinition: CommandDefinition = {
  name: 'profile',
  aliases: ['프로필'],
  description: {
    ko: '내 투자 성향, 관심 시장, 언어, 시간대를 보고 바꿉니다',
    en: 'shows and changes your risk tolerance, markets, language and time zone',
  },
  usage: { ko: '/profile [<항목> <값> | 초기화]', en: '/profile [<entry> <value> | reset]' },
  category: 'general',
  options: [
    {
      name: 'entry',
      nameKo: '항목',
      description: { ko: '보거나 바꿀 항목', en: 'what to see or to change' },
      type: 'text',
      choices: [
        { value: 'risk', label: { ko: '위험 성향', en: 'risk tolerance' } },
        { value: 'markets', label: { ko: '관심 시장', en: 'markets' } },
        { value: 'level', label: { ko: '투자자 수준', en: 'investor level' } },
        { value: 'language', label: { ko: '언어', en: 'language' } },
        { value: 'timezone', label: { ko: '시간대', en: 'time zone' } },
        { value: 'reset', label: { ko: '모두 초기화', en: 'reset everything' } },
      ],
    },
    {
      name: 'value',
      nameKo: '값',
      description: {
        ko: '새 값 (예: 보수적, 한국어, Asia/Seoul). 비워 두면 지금 값을 보여 줍니다',
        en: 'the new value, such as low, en or Asia/Seoul; leave it out to see the present one',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
};

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const profile = ({ profiles }: ProfileDeps): Command => {
  let last: Promise<unknown> = Promise.resolve();
  /** A change reads the profile and writes it whole: two at once would undo each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };

  const change = async (field: ProfileField, typed: string, ctx: MsgContext): Promise<string> => {
    const { channelId, senderId, locale } = ctx;
    const before = await profiles.get(channelId, senderId);
    const after = changeProfile(before, field, typed);
    if (after) {
      await profiles.set(channelId, senderId, after);
      return describeChange(field, after, ctx);
    }
    const words = texts(locale).profile;
    return words.wrong({ typed: shortened(typed), field: words.fields[field], form: words.forms[field] });
  };

  return {
    definition: profileDefinition,
    execute: async ([first = '', ...rest], ctx) => {
      const { channelId, senderId, locale } = ctx;
      const words = texts(locale).profile;
      const typed = rest.join(' ').trim();
      if (first === '') return personal(describeAll(await profiles.get(channelId, senderId), ctx));
      if (RESET.has(first.toLowerCase()) && typed === '') {
        await inTurn(() => profiles.set(channelId, senderId, {}));
        return personal(words.reset());
      }
      const field = profileFieldOf(first);
      if (!field)
        return personal(`${words.unknownField({ typed: shortened(first) })}\n${describeForms(locale)}`);
      if (typed !== '') return personal(await inTurn(() => change(field, typed, ctx)));
      const stored = await profiles.get(channelId, senderId);
      return personal(`${describeField(field, stored, ctx)}\n${words.howTo()} \`${words.forms[field]}\``);
    },
  };
};
