import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { LiveAnswer, LiveMode, LiveOptions } from '#src/kernel/chat/live-answer.ts';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { ContentBlock, ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import { createLiveAnswers, FIRST_TEXT_MS, SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createLiveMessages, type LiveMessages } from '#src/chat/store/live-messages.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { openStorage } from '#test/support/database.ts';

// What a run tells.

export const asks: ExecutionEvent = { type: 'state_change', from: 'idle', to: 'streaming' };
export const reset: ExecutionEvent = { type: 'text_reset' };
export const says = (delta: string): ExecutionEvent => ({ type: 'text_delta', delta });
export const calls = (id: string, name: string, call: Partial<ToolCall> = {}): ExecutionEvent => ({
  type: 'tool_use_start',
  toolCall: { id, name, input: {}, ...call },
});
export const ends = (toolUseId: string, isSample = false): ExecutionEvent => ({
  type: 'tool_use_end',
  toolUseId,
  isSample,
});
export const completes = (
  content: readonly (string | ToolCall)[],
  flags: Pick<ConversationMessage, 'isPaused' | 'isNote' | 'shown'> = {},
): ExecutionEvent => ({
  type: 'message_complete',
  message: {
    role: 'assistant',
    content: content.map((block): ContentBlock =>
      typeof block === 'string' ? { type: 'text', text: block } : { type: 'tool_use', ...block },
    ),
    ...flags,
  },
});

/** A channel that shows answers in memory; in mode `stream` it posts with the first thing to show. */
class LiveChannel extends TestChannel {
  /** All that was asked of it, in order. */
  readonly seen: string[] = [];
  readonly opened: LiveOptions[] = [];
  /** Posts wait for it; `end` waits for the post. */
  posting: Promise<void> = Promise.resolve();
  /** The same for the last edit of a message that is there. */
  ending: Promise<void> = Promise.resolve();
  /** It finds nothing worth a message. */
  isMute = false;
  #posts = 0;

  readonly openLive: NonNullable<ChannelPlugin['openLive']> = (_target, options): LiveAnswer => {
    this.opened.push(options);
    let message = options.messageId;
    let posted: Promise<void> | undefined;
    const post = async (): Promise<void> => {
      await this.posting;
      this.#posts += 1;
      message = asId<MessageId>(`live-${this.#posts}`);
      await options.onPosted(message);
    };
    const show = (what: string): void => {
      this.seen.push(what);
      if (options.mode === 'stream' && message === undefined && !this.isMute) posted ??= post();
    };
    return {
      showStatus: (status) => show(`status ${status}`),
      showText: (text) => show(`text ${text}`),
      end: async (how) => {
        await posted;
        await this.ending;
        this.seen.push(message === undefined ? how : `${how} ${message}`);
        return how === 'dropped' ? undefined : message;
      },
    };
  };
}

/** For a whole file: each test has messages of its own, and its own channel; the database is one. */
export const liveSetUp = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  let storage: Storage | undefined;
  beforeAll(async () => {
    storage = await openStorage({ dataDir });
  });
  afterAll(async () => {
    await storage?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  return async (mode: LiveMode = 'stream', broken: Partial<LiveMessages> = {}) => {
    if (!storage) throw new Error('not within a test');
    const clock = new ManualClock();
    const channel = new LiveChannel();
    const store = createLiveMessages(storage);
    const { logger, records } = recordingLogger();
    const ctx = msgContext();
    const abort = new AbortController();
    const live = createLiveAnswers({
      store: { ...store, ...broken },
      modeOf: () => mode,
      describeTool: ({ name }) => `at ${name}`,
      clock,
      logger,
    });
    const begin = () => live.begin(ctx, channel, abort.signal);
    /** Until an answer that takes its time is shown. */
    const settle = () => clock.advance(Math.max(SHOW_AFTER_MS, FIRST_TEXT_MS));
    return { clock, channel, store, records, ctx, abort, live, begin, settle };
  };
};
