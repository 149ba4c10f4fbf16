import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { exportMessages } from '#commands/account/messages/export.ts';
import type { Conversations } from '#src/kernel/ports.ts';

export interface ExportDeps {
  readonly conversations: Pick<Conversations, 'export'>;
}

export const exportDefinition: CommandDefinition = {
  name: 'export',
  aliases: ['내보내기'],
  description: {
    ko: '지금까지의 대화를 파일로 보내 드립니다 (1:1 대화에서만)',
    en: 'sends you our conversation as a file (direct chat only)',
  },
  usage: { ko: '/export', en: '/export' },
  category: 'general',
  // Each time it writes a file with all that was ever said.
  cooldownMs: 10_000,
};

export const exportConversation = ({ conversations }: ExportDeps): Command => ({
  definition: exportDefinition,
  execute: async (_args, { sessionKey, chatType, locale, timeZone }) => {
    const t = exportMessages(locale);
    // What is said in a group belongs to all who are in it: nobody takes it away as theirs.
    if (chatType !== 'direct') return { content: t.directOnly(), ephemeral: true };
    const file = await conversations.export(sessionKey, locale, timeZone);
    if (!file) return { content: t.nothing(), ephemeral: true };
    // Nobody else reads a direct chat, and a file that vanishes with its message would be of no use.
    return { content: t.done({ name: file.name }), ephemeral: false, media: [file] };
  },
});
