import type { ConversationMessage } from '#src/kernel/model.ts';
import type { Conversations } from '#src/kernel/ports.ts';
import type { Clock } from '#src/platform/clock.ts';
import { createExportWriter } from '#src/platform/storage/export-file.ts';
import type { Turns } from '#src/platform/storage/turns.ts';
import { thresholdAt } from './memory/window/thresholds.ts';
import { conversationAsMarkdown } from './conversation-markdown.ts';
import type { ContextKeeper } from './loop/context-keeper.ts';
import { withoutOldImages } from './loop/turn-message.ts';
import type { ModelChoice } from './models/model-choice.ts';
import type { Prompts } from './prompt/open-prompts.ts';
import type { TranscriptStore } from './memory/transcript/transcript-store.ts';

export interface ConversationsDeps {
  readonly dataDir: string;
  readonly transcripts: TranscriptStore;
  readonly windows: Pick<ContextKeeper, 'stateOf' | 'windowOf' | 'forget'>;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  /** Share of the window from which on older parts are shortened. */
  readonly compactAt: number;
  /** Gives the head of a request, and forgets it when the conversation ends. */
  readonly prompts: Pick<Prompts, 'of' | 'forget'>;
  readonly turns: Pick<Turns, 'sendersIn'>;
  readonly clock: Clock;
}

/** What a person counts as a message: words, and not what was looked up in between. */
const isSaid = ({ role, isNote, content }: ConversationMessage): boolean =>
  role !== 'tool' && !isNote && content.some(({ type }) => type === 'text');

/** What a person can do with a conversation as a whole: start anew, look at its size, take it along. */
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
      const messageCount = entries.filter(({ message }) => isSaid(message)).length;
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
