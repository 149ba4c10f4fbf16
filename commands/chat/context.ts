import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { contextTexts } from '#commands/chat/texts.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { ContextReport, Conversations } from '#src/kernel/agent/conversations.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';

const SOURCES = ['systemPrompt', 'tools', 'conversation', 'toolResults', 'summary'] as const;
const BAR_LENGTH = 20;

/** A part above zero is never shown as 0 %. */
const share = (part: number, whole: number, locale: Locale): string => {
  const percent = whole > 0 ? (part / whole) * 100 : 0;
  return percent > 0 && percent < 1 ? '<1%' : `${formatCount(Math.round(percent), locale)}%`;
};

const bar = (part: number, whole: number): string => {
  const filled = whole > 0 ? Math.ceil((part / whole) * BAR_LENGTH) : 0;
  const shown = Math.min(Math.max(filled, 0), BAR_LENGTH);
  return '▓'.repeat(shown) + '░'.repeat(BAR_LENGTH - shown);
};

const describe = (report: ContextReport, locale: Locale): string => {
  const t = contextTexts(locale);
  const { usedTokens, windowTokens, reserveTokens, breakdown, passedThreshold } = report;
  const total = SOURCES.reduce((sum, source) => sum + breakdown[source], 0);
  const sources = SOURCES.map((source) => {
    const tokens = formatCount(breakdown[source], locale);
    const part = share(breakdown[source], total, locale);
    return `- ${t.sources[source]} — ${t.tokens({ tokens })} (${part})`;
  });
  return [
    t.title({ model: report.modelName }),
    [
      t.used({
        used: formatCount(usedTokens, locale),
        window: formatCount(windowTokens, locale),
        share: share(usedTokens, windowTokens, locale),
      }),
      `${bar(usedTokens, windowTokens)} ${report.isMeasured ? t.measured() : t.estimated()}`,
    ].join('\n'),
    sources.join('\n'),
    [
      ...(passedThreshold === undefined
        ? []
        : [
            t.passed({
              share: `${passedThreshold * 100}%`,
              tokens: formatCount(windowTokens - reserveTokens, locale),
            }),
          ]),
      t.messages({ count: report.messageCount }),
      t.compaction({ tokens: formatCount(report.compactionAtTokens, locale) }),
      t.reserve({ tokens: formatCount(reserveTokens, locale) }),
      t.hint(),
    ].join('\n'),
  ].join('\n\n');
};

export const contextDefinition: CommandDefinition = {
  name: 'context',
  aliases: ['컨텍스트', '문맥'],
  description: {
    ko: '모델의 컨텍스트가 무엇으로 얼마나 찼는지 보여 줍니다',
    en: 'what fills the context window',
  },
  usage: { ko: '/context', en: '/context' },
  category: 'general',
  isOfConversation: true,
  isPrivate: true,
};

export const context = ({
  conversations,
}: {
  readonly conversations: Pick<Conversations, 'context'>;
}): Command => ({
  definition: contextDefinition,
  execute: async (_args, ctx) => {
    const { sessionKey, locale } = ctx;
    const report = await conversations.context(sessionKey, agentOf(sessionKey), ctx);
    return { content: describe(report, locale), ephemeral: true };
  },
});
