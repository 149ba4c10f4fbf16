import type { Command, CommandDefinition, CommandResult } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { MsgContext } from '#src/core/message.ts';
import type { PersonalData } from '#src/core/operations.ts';

export interface PrivacyDeps {
  readonly personalData: PersonalData;
}

const DELETE: ReadonlySet<string> = new Set(['delete', 'erase', '삭제']);
const YES = 'yes';

export const privacyDefinition: CommandDefinition = {
  name: 'privacy',
  aliases: ['개인정보'],
  description: {
    ko: '저장된 내 정보를 보고 삭제합니다',
    en: 'shows what I store about you, and deletes it',
  },
  usage: { ko: '/privacy [delete | 삭제]', en: '/privacy [delete]' },
  category: 'general',
  options: [
    {
      name: 'action',
      nameKo: '작업',
      description: { ko: '비워 두면 저장된 내용을 보여 줍니다', en: 'leave it out to see what is stored' },
      type: 'text',
      choices: [{ value: 'delete', label: { ko: '내 정보 삭제', en: 'delete what is stored about me' } }],
    },
    {
      name: 'yes',
      nameKo: '확인',
      description: {
        ko: '정말 삭제합니다. 되돌릴 수 없습니다',
        en: 'really delete it; this cannot be undone',
      },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

/** Nobody else is told what is stored about a person, wherever they ask. */
const personal = (...paragraphs: readonly string[]): CommandResult => ({
  content: paragraphs.join('\n\n'),
  ephemeral: true,
  omitsNote: true,
});

const describe = async (data: PersonalData, ctx: MsgContext): Promise<CommandResult> => {
  const words = texts(ctx.locale).privacy;
  const counts = await data.counts(ctx.channelId, ctx.senderId);
  const lines = [
    words.messages({ count: counts.messages }),
    words.conversations({ count: counts.conversations }),
    words.usage({ count: counts.usageRecords }),
    words.reminders({ count: counts.reminders }),
    words.profile({ state: counts.hasProfile ? words.profileSet() : words.profileUnset() }),
  ];
  return personal(
    [words.title(), ...lines.map((line) => `- ${line}`)].join('\n'),
    words.kept({ days: data.retentionDays }),
    words.howToDelete(),
  );
};

const erase = async (data: PersonalData, ctx: MsgContext): Promise<CommandResult> => {
  const words = texts(ctx.locale).privacy;
  const erased = await data.erase(ctx.channelId, ctx.senderId);
  return personal(words.done(erased), words.left({ days: data.retentionDays }));
};

export const privacy = ({ personalData }: PrivacyDeps): Command => ({
  definition: privacyDefinition,
  execute: async (args, ctx, _signal, flags) => {
    const words = args.filter((word) => word !== `--${YES}`).map((word) => word.toLowerCase());
    const isSure = words.length < args.length || flags?.has(YES) === true;
    const [what = '', ...others] = words;
    if (what === '' && !isSure) return describe(personalData, ctx);
    if (!DELETE.has(what) || others.length > 0)
      return personal(texts(ctx.locale).helpUsage({ usage: privacyDefinition.usage[ctx.locale] }));
    return isSure ? erase(personalData, ctx) : personal(texts(ctx.locale).privacy.confirm());
  },
});
