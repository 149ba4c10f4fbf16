import type { Command, CommandResult } from '#src/kernel/command.ts';
import type { CommandDefinition, CommandFlags } from '#src/kernel/command-definition.ts';
import { chatNoticeTexts } from '#src/kernel/texts/chat-notices.ts';
import type { TurnContext } from '#src/kernel/message.ts';
import {
  type AlertService,
  requesterOfMessage,
  type ChatNoticeService,
} from '#src/kernel/account-services.ts';
import { ephemeral } from '../shared/results.ts';
import { accountResult } from '#src/markets/answers/command-result.ts';

export interface AlertsDeps {
  readonly alerts: Pick<AlertService, 'list'>;
  readonly chatNotices: ChatNoticeService;
}

const HERE: ReadonlySet<string> = new Set(['here', '여기', '채널']);
const REMOVE: ReadonlySet<string> = new Set(['remove', 'delete', '삭제', '제거']);

export const alertsDefinition: CommandDefinition = {
  name: 'alerts',
  aliases: ['알림목록', '알림들'],
  description: {
    ko: '설정한 알림을 보여 주고 삭제합니다',
    en: 'lists and deletes your alerts',
  },
  usage: { ko: '/alerts [here [삭제 ID]]', en: '/alerts [here [remove ID]]' },
  examples: {
    ko: [
      ['/alerts', '내 알림'],
      ['/alerts here', '이 채널에 설정된 알림과 브리핑 (서버 관리자)'],
      ['/alerts here 삭제 ID', '그중 하나를 삭제 (서버 관리자)'],
    ],
    en: [
      ['/alerts', 'your alerts'],
      ['/alerts here', 'alerts and briefings set in this channel (for server admins)'],
      ['/alerts here remove ID', 'removes one of them (for server admins)'],
    ],
  },
  category: 'finance',
  options: [
    {
      name: 'where',
      nameKo: '위치',
      description: {
        ko: '비워 두면 내 알림, here는 이 채널에 설정된 것 (서버 관리자)',
        en: 'leave it out for your own; here: set in this channel (for server admins)',
      },
      type: 'text',
      choices: [
        { value: 'here', label: { ko: '이 채널에 설정된 것', en: 'set in this channel' }, words: ['여기'] },
      ],
    },
    {
      name: 'remove',
      nameKo: '삭제',
      description: {
        ko: '이 채널에서 삭제할 알림이나 브리핑의 ID (서버 관리자)',
        en: 'the id of what to remove from this channel (for server admins)',
      },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'page',
      nameKo: '페이지',
      description: { ko: '목록의 페이지', en: 'page of the list' },
      type: 'integer',
      isNamed: true,
      min: 1,
    },
  ],
  isPrivate: true,
};

/** The id behind `here`, or of the flag. Undefined if nothing is to be removed. */
const idIn = (words: readonly string[], flags: CommandFlags | undefined): string | undefined => {
  const flag = flags?.get('remove') ?? flags?.get('삭제');
  if (typeof flag === 'string') return flag;
  return REMOVE.has(words[0]?.toLowerCase() ?? '') ? words.slice(1).join(' ') : undefined;
};

const inChannel = async (
  notices: ChatNoticeService,
  which: string | undefined,
  ctx: TurnContext,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const t = chatNoticeTexts(ctx.locale);
  if (ctx.chatType === 'direct') return ephemeral(t.onlyInChannel());
  if (!ctx.isAdmin && !ctx.managesGuild) return ephemeral(t.managersOnly());
  const requester = requesterOfMessage(ctx);
  const answer =
    which === undefined
      ? await notices.list({}, requester, signal)
      : await notices.remove({ which }, requester, signal);
  return accountResult(answer, ctx);
};

export const alerts = ({ alerts: service, chatNotices }: AlertsDeps): Command => ({
  definition: alertsDefinition,
  execute: async ([first = '', ...rest], ctx, signal, flags) => {
    const isHere = HERE.has(first.toLowerCase());
    const which = idIn(isHere ? rest : [], flags);
    if (isHere || which !== undefined) return inChannel(chatNotices, which, ctx, signal);
    const page = Math.trunc(Number(flags?.get('page') ?? 1)) || 1;
    return accountResult(await service.list({ page }, requesterOfMessage(ctx), signal), ctx);
  },
});
