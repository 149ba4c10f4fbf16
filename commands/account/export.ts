import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { exportTexts } from '#commands/account/texts.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { Feedback } from '#src/kernel/people/feedback.ts';
import type { ConversationFormat, Conversations } from '#src/kernel/agent/conversations.ts';
import { ephemeral, usageOf } from '../shared/results.ts';

const JSON_WORDS = ['jsonl', 'json-lines'];
const MARKDOWN_WORDS = ['md', '마크다운'];

const FEEDBACK = 'feedback';
const FEEDBACK_WORDS = ['ratings', '평가', '피드백'];

/** By what people type. */
const FORMATS: ReadonlyMap<string, ConversationFormat> = new Map([
  ...['', 'markdown', ...MARKDOWN_WORDS].map((word) => [word, 'markdown'] as const),
  ...['json', ...JSON_WORDS].map((word) => [word, 'json-lines'] as const),
]);

export const exportDefinition: CommandDefinition = {
  name: 'export',
  aliases: ['내보내기'],
  description: {
    ko: '지금까지의 대화를 파일로 보내 드립니다 (다이렉트 메시지에서만)',
    en: 'our direct chat as a file',
  },
  usage: { ko: '/export [json]', en: '/export [json]' },
  examples: {
    ko: [
      ['/export', '읽기 좋은 마크다운 파일로'],
      ['/export json', '다른 프로그램에서 쓸 수 있게, 한 줄에 한 항목씩 적은 JSON 파일로'],
    ],
    en: [
      ['/export', 'as Markdown, to read'],
      ['/export json', 'as JSON lines, one line per entry, for other programs'],
    ],
  },
  category: 'general',
  options: [
    {
      name: 'format',
      nameKo: '형식',
      description: { ko: '비워 두면 마크다운 파일로 보내 드립니다', en: 'leave it out for Markdown' },
      type: 'text',
      choices: [
        { value: 'markdown', label: { ko: '마크다운', en: 'Markdown' }, words: MARKDOWN_WORDS },
        {
          value: 'json',
          label: { ko: 'JSON (한 줄에 한 항목)', en: 'JSON lines' },
          words: JSON_WORDS,
        },
        {
          value: FEEDBACK,
          label: { ko: '답변 평가 (관리자)', en: 'ratings of answers (administrators)' },
          words: FEEDBACK_WORDS,
        },
      ],
    },
  ],
  // Each call writes a file with the whole conversation.
  cooldownMs: 10_000,
};

interface ExportDeps {
  readonly conversations: Pick<Conversations, 'export'>;
  readonly feedback: Pick<Feedback, 'export'>;
}

/** What people think of the answers of all conversations, for whoever runs the bot. */
const exportFeedback = async (
  feedback: ExportDeps['feedback'],
  { isAdmin, chatType, locale }: TurnContext,
): Promise<CommandResult> => {
  const t = exportTexts(locale);
  if (!isAdmin) return ephemeral(commandTexts(locale).missingRole({ name: `export ${FEEDBACK}` }));
  const exported = await feedback.export();
  if (!exported) return ephemeral(t.noFeedback());
  const { file, counts } = exported;
  return {
    content: t.feedback({ name: file.name, ...counts }),
    // As with a conversation. In a server it is for the administrator alone, who may be one by a role of that server.
    ephemeral: chatType !== 'direct',
    media: [file],
  };
};

export const exportConversation = ({ conversations, feedback }: ExportDeps): Command => ({
  definition: exportDefinition,
  execute: async (args, ctx) => {
    const { sessionKey, chatType, locale, timeZone } = ctx;
    const t = exportTexts(locale);
    const what = args.join(' ').toLowerCase();
    if (what === FEEDBACK || FEEDBACK_WORDS.includes(what)) return exportFeedback(feedback, ctx);
    // A group's conversation belongs to everybody in it, so nobody may export it.
    if (chatType !== 'direct') return { content: t.directOnly(), ephemeral: true };
    const format = FORMATS.get(what);
    if (!format) return usageOf(exportDefinition, locale);
    const file = await conversations.export(sessionKey, { format, locale, timeZone });
    if (!file) return { content: t.nothing(), ephemeral: true };
    // A direct chat is private anyway, and an ephemeral message would take the file with it.
    return { content: t.done({ name: file.name }), ephemeral: false, media: [file] };
  },
});
