import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import { conversationAsJsonLines, conversationAsMarkdown } from './conversation-export.ts';
import { withoutRepaired } from './memory/transcript/repaired-answers.ts';
import type { TranscriptStore } from './memory/transcript/transcript-store.ts';
import type { ConversationFormat, Conversations } from '#src/kernel/agent/conversations.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { conversationFile, createExportWriter, sizeInSteps } from '#src/platform/storage/export-file.ts';
import type { Uses } from '#src/platform/services.ts';
import { thresholdAt } from './memory/window/context-window.ts';
import type { ContextKeeper } from './loop/context-keeper.ts';
import { withoutOldImages } from './loop/turn-message.ts';
import type { ModelChoice } from './models/model-choice.ts';
import type { Prompts } from './prompt/open-prompts.ts';

interface ConversationsDeps extends Uses<'clock' | 'turns.sendersIn'> {
  readonly files: Pick<SentFiles, 'save'>;
  readonly transcripts: TranscriptStore;
  readonly windows: Pick<ContextKeeper, 'stateOf' | 'windowOf' | 'forget'>;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  /** Share of the window at which compaction starts. */
  readonly compactAt: number;
  /** Gives the head of a request, and drops it when the conversation ends. */
  readonly prompts: Pick<Prompts, 'of' | 'forget'>;
}

const MIME_TYPES = {
  markdown: 'text/markdown',
  'json-lines': 'application/jsonl',
} as const satisfies Record<ConversationFormat, string>;

/** A person counts only messages with text, not tool results. */
const isSaid = ({ role, isNote, shown, content }: ConversationMessage): boolean =>
  role !== 'tool' && (!isNote || shown !== undefined) && content.some(({ type }) => type === 'text');

/** The operations on a whole conversation: reset, size, export. */
export const createConversations = (deps: ConversationsDeps): Conversations => {
  const { transcripts, windows, prompts, clock } = deps;

  const writeExport = createExportWriter(deps.files);

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

    export: async (sessionKey, { format, locale, timeZone }) => {
      const entries = await transcripts.loadAll(sessionKey);
      if (entries.length === 0) return undefined;
      const exportedAt = clock.now();
      const pieces =
        format === 'markdown'
          ? [conversationAsMarkdown(entries, { locale, timeZone, exportedAt })]
          : await byTime(conversationAsJsonLines(entries, { sessionKey, exportedAt }), NEVER_ABORTED);
      const file = conversationFile(sessionKey, format);
      const day = exportedAt.toZonedDateTimeISO(timeZone).toPlainDate().toString();
      return {
        kind: 'file',
        mimeType: MIME_TYPES[format],
        name: `finclaw-${day}.${file.extension}`,
        url: await writeExport(file, pieces),
        sizeBytes: await byTime(sizeInSteps(pieces), NEVER_ABORTED),
      };
    },
  };
};
