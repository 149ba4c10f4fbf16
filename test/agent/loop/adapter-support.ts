import { expect } from 'vitest';
import { NOTHING_TO_CHECK } from '#src/agent/grounding/judge/verdict.ts';
import type { CheckAnswer } from '#src/agent/loop/answer-review.ts';
import { ContextKeeper } from '#src/agent/loop/context-keeper.ts';
import { createExecutionAdapter } from '#src/agent/loop/execution-adapter.ts';
import { createNumberTally } from '#src/agent/loop/number-tally.ts';
import { Runner } from '#src/agent/loop/runner.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { offlineRules } from '#src/agent/offline/offline-provider.ts';
import { TokenEstimator } from '#src/agent/tokens.ts';
import {
  createTranscriptStore,
  type TranscriptStore,
} from '#src/agent/memory/transcript/transcript-store.ts';
import type { ExecutionEvent, ExecutionResult, PipelineMsgContext } from '#src/kernel/agent/execution.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { GroundingMode } from '#src/kernel/agent/agent-settings.ts';
import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { Steering } from '#src/kernel/chat/queue.ts';
import type { ConversationMessage, StreamChunk } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import type { CallExecutionDeps } from '#src/agent/tools/call-execution.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { createExchanges } from '#src/chat/store/exchanges.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import {
  AGENT,
  calls,
  COMPACTION,
  done,
  MODEL,
  says,
  ScriptedProvider,
  SESSION,
} from '#test/agent/support.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { callerOn } from './caller-support.ts';
import { registryOf } from '#test/support/registry.ts';

export const fact: Fact = {
  entity: 'AAPL',
  metric: 'price',
  value: '304.12',
  unit: 'USD',
  asOf: '2026-11-13T06:30:00Z',
  source: 'sample',
  isSample: true,
};

export const message = (
  inboxId: string,
  body: string,
  overrides: Partial<PipelineMsgContext> = {},
): PipelineMsgContext => ({
  ...msgContext({ inboxId: asId<InboxId>(inboxId), rawBody: body, sessionKey: SESSION }),
  agentId: AGENT,
  channelCapabilities: { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false },
  unavailable: [],
  attachments: [],
  ...overrides,
});

interface BootOptions {
  readonly maxTurns?: number;
  readonly turns?: TurnStore;
  readonly approvals?: CallExecutionDeps['approvals'];
  readonly steering?: Steering;
  readonly grounding?: Grounding;
  readonly transcripts?: TranscriptStore;
}

interface Grounding {
  readonly mode: GroundingMode;
  readonly check: CheckAnswer;
}

const NO_GROUNDING: Grounding = { mode: 'off', check: async () => NOTHING_TO_CHECK };

/** Storage that outlives the process; `boot` is one process on it with its own model and tools. */
export const setUpAdapter = async () => {
  const dataDir = temporaryDir();
  const { storage } = await sqliteStorage(dataDir);
  const clock = new ManualClock();
  const openTranscripts = (): TranscriptStore =>
    createTranscriptStore(createTranscriptRows(storage), clock, recordingLogger().logger);
  const transcripts = openTranscripts();

  const boot = (
    provider: ScriptedProvider,
    tools: readonly Tool[] = [],
    {
      maxTurns = 8,
      turns = createTurns(storage),
      approvals = nobodyToAsk,
      steering = { take: async () => [] },
      grounding = NO_GROUNDING,
      // A process has read nothing yet.
      transcripts: ofProcess = openTranscripts(),
    }: BootOptions = {},
  ) => {
    const { askModel, events, payloads } = callerOn(provider, { clock });
    const tally = createNumberTally();
    const registry = registryOf({ clock, events, approvals }, tools);
    const executor = new ToolExecutor({
      executeTool: registry.execute,
      maxParallel: 8,
      maxResultChars: 10_000,
      monotonicMs: clock.monotonicMs,
    });
    const { logger, records } = recordingLogger();
    const windows = new ContextKeeper({
      askModel,
      estimator: new TokenEstimator(),
      maxOutputTokens: 4_000,
      maxContextTokens: 1_000_000,
      compaction: COMPACTION,
      events,
    });
    const head = () => ({ systemPrompt: 'You are a test.', tools: registry.definitions() });
    const visionAsked: boolean[] = [];
    const adapter = createExecutionAdapter({
      runner: new Runner({ askModel, tools: executor, clock, events }),
      transcripts: ofProcess,
      turns,
      exchanges: createExchanges(storage),
      models: {
        chainFor: async (_sessionKey, needsVision) => {
          visionAsked.push(needsVision);
          return [MODEL];
        },
      },
      prompts: {
        headFor: async () => ({ ...head(), other: head }),
      },
      windows,
      hooks: createHooks(logger, clock),
      steering,
      offline: offlineRules(async () => ({ calls: [] })),
      maxTurnsOf: () => maxTurns,
      grounding: { modeOf: () => grounding.mode, check: grounding.check, tally },
      events,
      clock,
      logger,
    });
    const controller = new AbortController();
    const shown: ExecutionEvent[] = [];
    const execute = (ctx: PipelineMsgContext): Promise<ExecutionResult> =>
      adapter.execute(ctx, controller.signal, (event) => shown.push(event));
    return { execute, controller, shown, visionAsked, adapter, records, tally, payloads };
  };
  const history = async (key: SessionKey = SESSION): Promise<readonly ConversationMessage[]> =>
    (await transcripts.load(key)).map((entry) => entry.message);
  const turnRows = () =>
    storage.db.selectFrom('turns').select(['inbox_id', 'status', 'ended_at']).orderBy('inbox_id').execute();
  return { storage, clock, transcripts, boot, history, turnRows };
};

export const answering = (words: string): ScriptedProvider => new ScriptedProvider([...says(words), done()]);
export const lookUp: readonly StreamChunk[] = [...calls('c1', 'lookup', '{"of":"AAPL"}'), done('tool_use')];

/** Every call has its result in the message behind it, and the last word is the assistant's. */
export const expectWhole = (messages: readonly ConversationMessage[]): void => {
  for (const [index, { content }] of messages.entries()) {
    const asked = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const answered = (messages[index + 1]?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.toolUseId] : [],
    );
    if (asked.length > 0) expect(answered).toEqual(asked);
  }
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text' }] });
};
