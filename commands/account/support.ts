import { supportTexts } from '#commands/account/texts.ts';
import {
  placeOf,
  type ChatType,
  type TurnContext,
  type ReplyTarget,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { SharedState, SupportShares } from '#src/kernel/people/support-shares.ts';
import { formatMoment } from '#src/kernel/time.ts';
import { ephemeral, usageOf } from '../shared/results.ts';

interface SupportDeps {
  readonly supportShares: SupportShares;
  /** The direct chat with a person; undefined if the channel cannot open one. */
  readonly directTarget: (target: ReplyTarget, chatType: ChatType) => Promise<ReplyTarget | undefined>;
}

const SHOW: ReadonlySet<string> = new Set(['', 'status', 'show', '상태', '보기']);
const SHARE: ReadonlySet<string> = new Set(['share', '공유']);
const REVOKE: ReadonlySet<string> = new Set(['revoke', 'stop', 'off', '해제', '중지']);

export const supportDefinition: CommandDefinition = {
  name: 'support',
  aliases: ['문의'],
  description: {
    ko: '이 대화를 24시간 동안 운영자가 읽을 수 있게 합니다 (다이렉트 메시지에서만)',
    en: 'lets operators read our direct chat for a day',
  },
  usage: { ko: '/support [share | revoke | status]', en: '/support [share | revoke | status]' },
  category: 'general',
  subcommands: [
    {
      name: 'status',
      nameKo: '상태',
      description: {
        ko: '대화를 공유하고 있는지, 누가 읽었는지 봅니다',
        en: 'whether you are sharing it, and who has read it',
      },
      words: ['show', '보기'],
    },
    {
      name: 'share',
      nameKo: '공유',
      description: { ko: '24시간 동안 이 대화를 공유합니다', en: 'shares this conversation for 24 hours' },
    },
    {
      name: 'revoke',
      nameKo: '해제',
      description: { ko: '공유를 중단합니다', en: 'stops sharing it' },
      words: ['stop', 'off', '중지'],
    },
  ],
  subcommandOf: (_words, named) => named ?? 'status',
  isPrivate: true,
  isOfConversation: true,
};

const describeShare = ({ expiresAt, readers }: SharedState, ctx: TurnContext): CommandResult => {
  const t = supportTexts(ctx.locale);
  const read = readers.map(({ name, at }) => `- ${name} · ${formatMoment(at, ctx)}`);
  return {
    ...ephemeral(
      [
        t.shared({ until: formatMoment(expiresAt, ctx) }),
        read.length === 0 ? t.unread() : [t.readBy(), ...read].join('\n'),
      ].join('\n\n'),
    ),
    choices: [{ label: t.revokeButton(), command: '/support revoke' }],
  };
};

const share = async (deps: SupportDeps, ctx: TurnContext): Promise<CommandResult> => {
  const { supportShares, directTarget } = deps;
  const { channelId, senderId, sessionKey, locale } = ctx;
  const target = replyTargetOf({ ...ctx, threadId: ctx.messageThreadId });
  const direct = await directTarget(target, ctx.chatType).catch(() => undefined);
  const expiresAt = await supportShares.share({
    person: { channelId, userId: senderId },
    sessionKey,
    target: placeOf(direct ?? target),
    locale,
  });
  const { readers } = (await supportShares.current(sessionKey)) ?? { readers: [] };
  return describeShare({ expiresAt, readers }, ctx);
};

/** A person shares their direct chat with the operators, who can read no other conversation. */
export const support = (deps: SupportDeps): Command => ({
  definition: supportDefinition,
  execute: async (args, ctx) => {
    const { channelId, senderId, sessionKey, chatType, locale } = ctx;
    const t = supportTexts(locale);
    const what = args.join(' ').toLowerCase();
    if (chatType !== 'direct') return ephemeral(t.directOnly());
    if (SHARE.has(what)) return share(deps, ctx);
    if (REVOKE.has(what)) {
      const person = { channelId, userId: senderId };
      const wasShared = await deps.supportShares.revoke({ person, sessionKey });
      return ephemeral(wasShared ? t.revoked() : t.wasNotShared());
    }
    if (!SHOW.has(what)) return usageOf(supportDefinition, locale);
    const current = await deps.supportShares.current(sessionKey);
    if (current) return describeShare(current, ctx);
    return {
      ...ephemeral(`${t.what()}\n\n${t.notShared()}`),
      choices: [{ label: t.shareButton(), command: '/support share' }],
    };
  },
});
