import { expect, onTestFinished } from 'vitest';
import { createModelCaller } from '#src/agent/loop/model-caller.ts';
import type { AgentRunParams } from '#src/agent/loop/run-params.ts';
import { Runner, type RunResult } from '#src/agent/loop/runner.ts';
import { TokenEstimator } from '#src/agent/tokens.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { BUILT_IN_MODELS } from '#src/agent/models/catalog-data.ts';
import { InMemoryModelCatalog } from '#src/agent/models/catalog.ts';
import { DEFAULT_FALLBACK_ON } from '#src/agent/models/fallback.ts';
import { buildModelAliasIndex, type ResolvedModel, resolveModel } from '#src/agent/models/resolve-model.ts';
import { createProviders } from '#src/agent/providers/providers.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import type { CallExecutionDeps } from '#src/agent/tools/call-execution.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { AGENT, ScriptedProvider, toolContext } from '#test/agent/support.ts';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeAnswer } from '#test/fakes/model-reply.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { bookingBudget } from './booking-budget.ts';
import { expectOneDone, user } from './runner-support.ts';

const catalog = new InMemoryModelCatalog(BUILT_IN_MODELS);
const aliases = buildModelAliasIndex(catalog, { onDuplicate: () => undefined });
export const builtIn = (name: string): ResolvedModel => resolveModel({ raw: name }, catalog, aliases);

interface EngineOptions {
  readonly tools?: readonly Tool[];
  readonly maxTurns?: number;
  readonly models?: readonly ResolvedModel[];
  readonly approvals?: CallExecutionDeps['approvals'];
}

/** A run that is under way. */
export interface StartedRun {
  readonly controller: AbortController;
  readonly shown: readonly ExecutionEvent[];
  /** Resolves with the first event of this kind, also when it has been. */
  readonly untilShown: (isIt: (event: ExecutionEvent) => boolean) => Promise<void>;
  readonly result: Promise<RunResult>;
}

/** One conversation of the real loop with the real SDK, on a server that keeps the provider's rules. */
export const startEngine = async (options: EngineOptions = {}) => {
  const { tools = [], maxTurns = 8, models = [builtIn('sonnet')], approvals = nobodyToAsk } = options;
  const fake = await startFakeAnthropic();
  onTestFinished(fake.close);
  const clock = new ManualClock();
  const { events } = recordingEvents();
  const budget = bookingBudget();
  const { booked } = budget;
  const provider = { baseUrl: fake.url, maxConcurrency: 8, idleTimeoutMs: 30_000 };
  const providers = createProviders({
    settings: { anthropic: provider, openai: { ...provider, api: 'responses' } },
    offline: new ScriptedProvider(),
    clock,
    onBreakerChange: () => undefined,
  });
  const askModel = createModelCaller({
    providers,
    keys: {
      resolve: async (_provider, { except }) => {
        if (except?.has('key-1')) throw new Error('There is no other key');
        return { profileId: 'key-1', apiKey: 'sk-ant-test' };
      },
      reportSuccess: async () => undefined,
      reportFailure: async () => undefined,
    },
    budget,
    estimator: new TokenEstimator(),
    settings: { maxOutputTokens: 8_192, maxRetriesPerKey: 1, fallbackOn: DEFAULT_FALLBACK_ON },
    clock,
    events,
    logger: recordingLogger().logger,
  });
  const registry = registryOf({ clock, events, approvals }, tools);
  const { monotonicMs } = clock;
  const executor = new ToolExecutor({
    executeTool: registry.execute,
    maxParallel: 8,
    maxResultChars: 10_000,
    monotonicMs,
  });
  const runner = new Runner({ askModel, tools: executor, clock, events });
  /** What is stored of it. */
  const conversation: ConversationMessage[] = [];

  const resume = (special: Partial<AgentRunParams> = {}): StartedRun => {
    const controller = new AbortController();
    const shown: ExecutionEvent[] = [];
    const waiting = new Set<() => void>();
    const result = runner.execute(
      {
        agentId: AGENT,
        models,
        systemPrompt: 'Be brief.',
        tools: registry.definitions(),
        messages: [...conversation],
        toolContext,
        maxTurns,
        append: async (message) => {
          conversation.push(message);
        },
        onEvent: (event) => {
          shown.push(event);
          for (const check of waiting) check();
        },
        ...special,
      },
      controller.signal,
    );
    const untilShown: StartedRun['untilShown'] = (isIt) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!shown.some(isIt)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    return { controller, shown, untilShown, result };
  };
  const start = (words: string, special?: Partial<AgentRunParams>): StartedRun => {
    conversation.push(user(words));
    return resume(special);
  };
  /** A whole turn, ended as it should. */
  const turn = async (
    words: string,
    status: RunResult['status'] = 'completed',
    special?: Partial<AgentRunParams>,
  ): Promise<RunResult> => {
    const { result, shown } = start(words, special);
    const finished = await result;
    expect(finished).toMatchObject({ status });
    expectOneDone(shown);
    return finished;
  };
  const stop = async (run: StartedRun, kind: RunAbortedError['kind']): Promise<void> => {
    run.controller.abort(new RunAbortedError(kind));
    await clock.advance(0);
    await expect(run.result).resolves.toMatchObject({ status: 'aborted', error: { kind } });
    expectOneDone(run.shown);
  };
  const problems = (): readonly (string | undefined)[] =>
    fake.history.filter(({ outcome }) => outcome === 'refused').map(({ problem }) => problem);
  /** The provider takes what is stored, with one more question behind it, and never refused anything. */
  const expectGoesOn = async (): Promise<void> => {
    fake.reply({ kind: 'answer', text: 'Still here.' });
    await turn('Are you there?');
    expect(problems()).toEqual([]);
    expect(conversation.at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Still here.' }],
    });
  };
  return { fake, clock, conversation, booked, start, resume, turn, stop, problems, expectGoesOn };
};

export const calling = (...toolCalls: NonNullable<FakeAnswer['toolCalls']>) =>
  ({ kind: 'answer', toolCalls }) as const;
