import type { Locale } from '#src/kernel/locale.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/model.ts';
import { withoutRepaired } from './memory/transcript/repaired-answers.ts';
import type { TranscriptEntry, TranscriptStore } from './memory/transcript/transcript-store.ts';
import type { Conversations } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { createExportWriter } from '#src/platform/storage/accounts/export-file.ts';
import type { Turns } from '#src/platform/storage/messages/turns.ts';
import { thresholdAt } from './memory/window/context-window.ts';
import type { ContextKeeper } from './loop/context-keeper.ts';
import { withoutOldImages } from './loop/turn-message.ts';
import type { ModelChoice } from './models/model-choice.ts';
import type { Prompts } from './prompt/open-prompts.ts';

interface MarkdownOptions {
  readonly locale: Locale;
  readonly timeZone: string;
  readonly exportedAt: Timestamp;
}

const WORDS = {
  en: {
    title: 'Conversation with FinClaw',
    exported: 'Exported',
    person: 'You',
    bot: 'FinClaw',
    tool: 'Looked up',
    result: 'Result',
    failed: 'Result (error)',
    image: 'image',
  },
  ko: {
    title: 'FinClaw와의 대화',
    exported: '내보낸 시각',
    person: '나',
    bot: 'FinClaw',
    tool: '조회',
    result: '결과',
    failed: '결과 (오류)',
    image: '이미지',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** The context block that the program appends is not part of the person's message. */
const isOurContext = (block: ContentBlock): boolean =>
  block.type === 'text' && block.text.startsWith('<context>') && block.text.endsWith('</context>');

const quoted = (text: string): string => text.replaceAll(/^/gm, '> ');

const timeOf = (at: string, timeZone: string): string => {
  const time = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  return `${time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')} ${timeZone}`;
};

/** What people saw of a message. */
const shownBlocks = ({ isNote, shown, content }: ConversationMessage): readonly ContentBlock[] => {
  const others = isNote ? [] : content.filter((block) => !isOurContext(block));
  if (shown === undefined) return others;
  return [...others.filter(({ type }) => type !== 'text'), { type: 'text', text: shown }];
};

const blockAsMarkdown = (block: ContentBlock, locale: Locale): readonly string[] => {
  const words = WORDS[locale];
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'image':
      return [`[${words.image}: ${block.name}]`];
    case 'tool_use':
      return [`_${words.tool}: ${block.name} ${JSON.stringify(block.input)}_`];
    case 'tool_result':
      return [quoted(`${block.isError ? words.failed : words.result}: ${block.content}`)];
    case 'thinking':
      return [];
  }
  return block satisfies never;
};

/** Renders a conversation for a person: who said what when, and which tools ran in between. */
export const conversationAsMarkdown = (
  entries: readonly TranscriptEntry[],
  options: MarkdownOptions,
): string => {
  const { locale, timeZone, exportedAt } = options;
  const words = WORDS[locale];
  const parts: string[] = [];
  let speaker: 'person' | 'bot' | undefined;
  for (const { at, message } of withoutRepaired(entries)) {
    const body = shownBlocks(message).flatMap((block) => blockAsMarkdown(block, locale));
    if (body.length === 0) continue;
    // Calls and results follow their answer without a heading of their own.
    const side = message.role === 'user' ? 'person' : 'bot';
    if (side !== speaker || side === 'person') parts.push(`## ${words[side]} · ${timeOf(at, timeZone)}`);
    parts.push(...body);
    speaker = side;
  }
  return `${[`# ${words.title}`, `${words.exported}: ${timeOf(exportedAt.toString(), timeZone)}`, ...parts].join('\n\n')}\n`;
};

interface ConversationsDeps {
  readonly dataDir: string;
  readonly transcripts: TranscriptStore;
  readonly windows: Pick<ContextKeeper, 'stateOf' | 'windowOf' | 'forget'>;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  /** Share of the window at which compaction starts. */
  readonly compactAt: number;
  /** Gives the head of a request, and drops it when the conversation ends. */
  readonly prompts: Pick<Prompts, 'of' | 'forget'>;
  readonly turns: Pick<Turns, 'sendersIn'>;
  readonly clock: Clock;
}

/** A person counts only messages with text, not tool results. */
const isSaid = ({ role, isNote, shown, content }: ConversationMessage): boolean =>
  role !== 'tool' && (!isNote || shown !== undefined) && content.some(({ type }) => type === 'text');

/** The operations on a whole conversation: reset, size, export. */
export const createConversations = (deps: ConversationsDeps): Conversations => {
  const { transcripts, windows, prompts, clock } = deps;

  const writeExport = createExportWriter(deps.dataDir);

  return {
    reset: async (sessionKey) => {
      windows.forget(sessionKey);
      prompts.forget(sessionKey);
      return transcripts.archive(sessionKey);
    },

    participants: async (sessionKey) => {
      const [entries, senders] = await Promise.all([
        transcripts.loadAll(sessionKey),
        deps.turns.sendersIn(sessionKey),
      ]);
      const ids = [...new Set(entries.map(({ turnId }) => turnId))];
      return {
        people: new Set(ids.flatMap((id) => senders.get(id) ?? [])),
        isComplete: ids.every((id) => senders.has(id)),
      };
    },

    context: async (sessionKey, agentId, place) => {
      const messages = withoutOldImages((await transcripts.load(sessionKey)).map(({ message }) => message));
      const models = await deps.models.chainFor(sessionKey, false);
      const head = prompts.of(sessionKey, agentId, place, windows.windowOf(models[0]));
      const request = { models, ...head };
      const { state, isMeasured, reserveTokens } = windows.stateOf(request, messages, sessionKey);
      const { currentTokens, maxTokens, breakdown, usageRatio } = state;
      const passed = thresholdAt(usageRatio);
      return {
        modelName: models[0]?.entry.displayName ?? '',
        windowTokens: maxTokens + reserveTokens,
        reserveTokens,
        usedTokens: currentTokens,
        isMeasured,
        breakdown,
        messageCount: messages.length,
        compactionAtTokens: Math.floor(maxTokens * deps.compactAt),
        ...(passed !== undefined && { passedThreshold: passed }),
      };
    },

    summary: async (sessionKey) => {
      const entries = await transcripts.loadAll(sessionKey);
      const [first] = entries;
      const messageCount = withoutRepaired(entries).filter(({ message }) => isSaid(message)).length;
      return first && { messageCount, since: Temporal.Instant.from(first.at) };
    },

    export: async (sessionKey, locale, timeZone) => {
      const entries = await transcripts.loadAll(sessionKey);
      if (entries.length === 0) return undefined;
      const markdown = conversationAsMarkdown(entries, { locale, timeZone, exportedAt: clock.now() });
      const file = { kind: 'conversation', subject: sessionKey, extension: 'md' } as const;
      return {
        kind: 'file',
        mimeType: 'text/markdown',
        name: `finclaw-${clock.now().toZonedDateTimeISO(timeZone).toPlainDate().toString()}.md`,
        url: await writeExport(file, markdown),
        sizeBytes: Buffer.byteLength(markdown),
      };
    },
  };
};
