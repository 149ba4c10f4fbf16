import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { exportMessages } from '#commands/account/messages.ts';
import type { Conversations } from '#src/kernel/ports.ts';

export const exportDefinition: CommandDefinition = {
  name: 'export',
  aliases: ['내보내기'],
  description: {
    ko: '지금까지의 대화를 파일로 보내 드립니다 (1:1 대화에서만)',
    en: 'our direct chat as a file',
  },
  usage: { ko: '/export', en: '/export' },
  category: 'general',
  // Each call writes a file with the whole conversation.
  cooldownMs: 10_000,
};

export const exportConversation = ({
  conversations,
}: {
  readonly conversations: Pick<Conversations, 'export'>;
}): Command => ({
  definition: exportDefinition,
  execute: async (_args, { sessionKey, chatType, locale, timeZone }) => {
    const t = exportMessages(locale);
    // A group's conversation belongs to everybody in it, so nobody may export it.
    if (chatType !== 'direct') return { content: t.directOnly(), ephemeral: true };
    const file = await conversations.export(sessionKey, locale, timeZone);
    if (!file) return { content: t.nothing(), ephemeral: true };
    // A direct chat is private anyway, and an ephemeral message would take the file with it.
    return { content: t.done({ name: file.name }), ephemeral: false, media: [file] };
  },
});
