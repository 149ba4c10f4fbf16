import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition, CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { countAmounts, countLines, privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { identityNames } from '#src/kernel/people/identity.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { AccountData, AccountDataCounts } from '#src/kernel/people/privacy.ts';
import { usageOf } from '../shared/results.ts';

const DELETE: ReadonlySet<string> = new Set(['delete', 'erase', '삭제']);
const EXPORT: ReadonlySet<string> = new Set(['export', 'download', '내보내기', '받기']);
/** An export reads and writes everything that is stored. */
const EXPORT_PAUSE_MS = 10 * 60_000;
const YES = 'yes';

type Action = 'show' | 'export' | 'ask' | 'erase' | 'unknown';

/** Parses the arguments, for the command and for its cooldown. */
const actionOf = ([word = '', ...others]: readonly string[], flags: CommandFlags): Action => {
  if (others.length > 0) return 'unknown';
  const what = word.toLowerCase();
  if (what === '') return flags.has(YES) ? 'unknown' : 'show';
  if (EXPORT.has(what)) return 'export';
  if (!DELETE.has(what)) return 'unknown';
  return flags.has(YES) ? 'erase' : 'ask';
};

export const privacyDefinition: CommandDefinition = {
  name: 'privacy',
  aliases: ['개인정보'],
  description: {
    ko: '저장된 내 정보를 보고, 파일로 받고, 삭제합니다',
    en: 'shows, exports or deletes what I store about you',
  },
  usage: { ko: '/privacy [export | delete]', en: '/privacy [export | delete]' },
  category: 'general',
  subcommands: [
    {
      name: 'show',
      nameKo: '보기',
      description: { ko: '저장된 내 정보를 봅니다', en: 'shows what I store about you' },
      typed: '',
    },
    {
      name: 'export',
      nameKo: '내보내기',
      description: { ko: '내 정보를 파일로 받습니다', en: 'exports what is stored about you' },
    },
    {
      name: 'delete',
      nameKo: '삭제',
      description: { ko: '내 정보를 삭제합니다', en: 'deletes what is stored about you' },
      options: [
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
    },
  ],
  subcommandOf: (_words, named) => named ?? 'show',
  isPrivate: true,
  pauseOf: (args, flags) =>
    actionOf(args, flags) === 'export' ? { action: 'export', cooldownMs: EXPORT_PAUSE_MS } : undefined,
};

const ephemeral = (...paragraphs: readonly string[]): CommandResult => ({
  content: paragraphs.join('\n\n'),
  ephemeral: true,
  omitsNote: true,
});

const asList = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const amounts = ({ labels }: AccountData, counts: AccountDataCounts, locale: Locale): string =>
  asList(countLines(labels, counts, locale));

const sharedWith = ({ others }: AccountDataCounts, locale: Locale) => ({
  others: identityNames(others, locale),
});

const describe = async (data: AccountData, ctx: TurnContext): Promise<CommandResult> => {
  const t = privacyTexts(ctx.locale);
  const counts = await data.counts(ctx.channelId, ctx.senderId);
  return ephemeral(
    `${t.title()}\n${amounts(data, counts, ctx.locale)}`,
    ...(counts.others.length > 0 ? [t.shared(sharedWith(counts, ctx.locale))] : []),
    t.kept({ days: data.retentionDays }),
    t.howToDelete(),
  );
};

/** Says what would be deleted, and how much. */
const ask = async (data: AccountData, ctx: TurnContext): Promise<CommandResult> => {
  const t = privacyTexts(ctx.locale);
  const counts = await data.counts(ctx.channelId, ctx.senderId);
  return {
    ...ephemeral(
      t.confirm(),
      amounts(data, counts, ctx.locale),
      ...(counts.others.length > 0 ? [t.confirmShared(sharedWith(counts, ctx.locale))] : []),
    ),
    typed: commandTexts(ctx.locale).goOn({ command: '/privacy delete --yes' }),
    choices: [
      { label: t.confirmButton(), command: '/privacy delete --yes', answers: 'yes' },
      { label: t.exportButton(), command: '/privacy export' },
    ],
  };
};

const erase = async (data: AccountData, ctx: TurnContext): Promise<CommandResult> => {
  const t = privacyTexts(ctx.locale);
  const erased = await data.erase(ctx.channelId, ctx.senderId);
  return ephemeral(
    t.done({
      amounts: countAmounts(data.labels, erased, ctx.locale),
      usageRecords: Number(erased['usageRecords'] ?? 0),
    }),
    ...(erased.others.length > 0 ? [t.doneShared(sharedWith(erased, ctx.locale))] : []),
    t.left({ days: data.retentionDays }),
  );
};

const exportData = async (data: AccountData, ctx: TurnContext): Promise<CommandResult> => {
  const { channelId, senderId, chatType, locale, timeZone } = ctx;
  const file = await data.export(channelId, senderId, locale, timeZone);
  return {
    ...ephemeral(privacyTexts(locale).exported({ name: file.name })),
    // A direct chat is private anyway, and an ephemeral message would take the file with it.
    ephemeral: chatType !== 'direct',
    media: [file],
  };
};

export const privacy = ({ accountData }: { readonly accountData: AccountData }): Command => ({
  definition: privacyDefinition,
  execute: async (args, ctx, _signal, flags = new Map()) => {
    const action = actionOf(args, flags);
    switch (action) {
      case 'show':
        return describe(accountData, ctx);
      case 'export':
        return exportData(accountData, ctx);
      case 'ask':
        return ask(accountData, ctx);
      case 'erase':
        return erase(accountData, ctx);
      case 'unknown':
        return { ...usageOf(privacyDefinition, ctx.locale), omitsNote: true };
    }
    return action satisfies never;
  },
});
