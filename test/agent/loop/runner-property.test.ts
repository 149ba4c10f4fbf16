import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Runner, type RunResult } from '#src/agent/loop/runner.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { toModelRef } from '#src/agent/models/resolve-model.ts';
import type { ProviderRequest } from '#src/agent/providers/adapter.ts';
import { toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Tool, ToolResult } from '#src/kernel/agent/tool.ts';
import { AGENT, done, MODEL, says, ScriptedProvider, testTool, toolContext } from '#test/agent/support.ts';
import { problemOf } from '#test/fakes/anthropic/validate.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { callerOn } from './caller-support.ts';
import { type FuzzedAnswer, fuzzedAnswer, NEVER, streamOf } from './fuzzed-answers.ts';
import { asksFirst, deciding, expectOneDone, user } from './runner-support.ts';
import { registryOf } from '#test/support/registry.ts';

interface Plan {
  readonly answers: readonly FuzzedAnswer[];
  /** After so many events the run is aborted. */
  readonly abortAt: number;
  readonly kind: RunAbortedError['kind'];
  /** Whether the person has written something, each time that the run asks. */
  readonly steering: readonly boolean[];
  readonly maxTurns: number;
  readonly retries: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  answers: fc.array(fuzzedAnswer, { minLength: 1, maxLength: 5 }),
  abortAt: fc.oneof(fc.constant(Infinity), fc.nat({ max: 30 })),
  kind: fc.constantFrom('stopped', 'timeout', 'shutdown'),
  steering: fc.array(fc.boolean(), { maxLength: 4 }),
  maxTurns: fc.integer({ min: 1, max: 4 }),
  retries: fc.integer({ min: 0, max: 1 }),
});

/** What the API would say to this request. */
const problemOfRequest = (request: ProviderRequest): string | undefined =>
  problemOf(JSON.parse(JSON.stringify(toAnthropicRequest(request))), {
    isCount: false,
    isSigned: () => () => true,
  });

/** One conversation, of which several runs may be made one after the other. */
class World {
  readonly clock = new ManualClock();
  readonly stored: ConversationMessage[] = [user('go')];
  readonly ran: (readonly [name: string, of: string | undefined])[] = [];
  abort: () => void = () => undefined;
  isDecided = false;

  /** Runs to the end; time is moved as long as anything waits for it. */
  async run({ answers, abortAt, kind, steering, maxTurns, retries }: Plan, prefix: string) {
    const { clock, stored } = this;
    const controller = new AbortController();
    this.abort = () => controller.abort(new RunAbortedError(kind));
    const provider = new ScriptedProvider(
      ...answers.map((each, index) => streamOf(each, `${prefix}_${index}`)),
      // Whoever asks on and on is answered in the end.
      ...Array.from({ length: 4 }, () => [...says('The end.'), done()]),
    );
    const approvals = deciding(() => (this.isDecided ? 'approved' : 'waiting'));
    const { askModel, events } = callerOn(provider, { clock, settings: { maxRetriesPerKey: retries } });
    const registry = registryOf({ clock, events, approvals }, this.#tools());
    const { monotonicMs } = clock;
    const executor = new ToolExecutor({
      executeTool: registry.execute,
      maxParallel: 2,
      maxResultChars: 1_000,
      monotonicMs,
    });
    const steers = [...steering];
    const shown: ExecutionEvent[] = [];
    const params = {
      agentId: AGENT,
      models: [MODEL],
      systemPrompt: 'Be brief.',
      tools: registry.definitions(),
      messages: [...stored],
      toolContext,
      maxTurns,
      append: async (message: ConversationMessage) => void stored.push(message),
      onEvent: (event: ExecutionEvent) => {
        shown.push(event);
        if (shown.length === abortAt) this.abort();
      },
      takeSteering: async () => (steers.shift() === true ? [user('No, wait!')] : []),
    };
    const ended: RunResult[] = [];
    void new Runner({ askModel, tools: executor, clock, events })
      .execute(params, controller.signal)
      .then((end) => ended.push(end));
    for (let round = 0; round < 60 && ended.length === 0; round += 1) await clock.advance(1_000);
    const [result] = ended;
    if (!result) throw new Error('It hangs');
    const next: ProviderRequest = {
      model: toModelRef(MODEL.entry),
      systemPrompt: 'Be brief.',
      messages: [...stored, user('And now?')],
      tools: params.tools,
      toolChoice: 'auto',
      maxTokens: 1_000,
      cacheKey: 'session',
      traits: { vision: true, extendedThinking: true, pricing: null },
    };
    return { result, shown, next, requests: provider.requests };
  }

  #tools(): readonly Tool[] {
    const tool = (name: string, run: () => Promise<ToolResult>, timeoutMs = 30_000): Tool =>
      testTool(
        name,
        ({ of }) => {
          this.ran.push([name, of]);
          return run();
        },
        { timeoutMs },
      );
    return [
      tool('lookup', async () => ({ content: '304', isError: false })),
      tool('now', async () => ({ content: '', isError: false })),
      tool('broken', () => Promise.reject(new Error('no connection'))),
      tool('hanging', () => new Promise(() => undefined), 1_000),
      asksFirst(tool('suspending', async () => ({ content: 'ok', isError: false }))),
      tool('stopping', async () => {
        this.abort();
        return { content: 'stopped', isError: false };
      }),
    ];
  }
}

/** The names of all calls, and of those of which the conversation says that they were not made. */
const callsIn = (messages: readonly ConversationMessage[]) => {
  const blocks = messages.flatMap(({ content }) => content);
  const names = new Map(
    blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name]] : [])),
  );
  const notMade = blocks.flatMap((block) =>
    block.type === 'tool_result' && block.content.startsWith('Not run') ? [names.get(block.toolUseId)] : [],
  );
  return { made: [...names.values()], notMade };
};

/** No call that was begun is said not to have been made. What a shutdown cut is begun twice. */
const expectTrueResults = ({ stored, ran }: World): void => {
  const { made, notMade } = callsIn(stored);
  for (const name of new Set(made)) {
    const count = (all: readonly (string | undefined)[]): number =>
      all.filter((each) => each === name).length;
    expect(count(ran.map(([each]) => each)) + count(notMade)).toBeLessThanOrEqual(count(made));
  }
};

const RESUMED: Plan = {
  answers: [],
  abortAt: Infinity,
  kind: 'stopped',
  steering: [],
  maxTurns: 4,
  retries: 0,
};

describe('Runner, whatever comes', () => {
  it('ends, says so once, runs only whole calls, and leaves a conversation that the API takes', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const world = new World();
        let run = await world.run(each, 'first');
        const { result, shown } = run;
        seen.add(result.status);
        expectOneDone(shown);
        expect(run.requests.map(problemOfRequest).filter(Boolean)).toEqual([]);
        // What rests, or was left by a shutdown, goes on first; everything else is whole as it is.
        if (result.status === 'suspended' || (result.status === 'aborted' && each.kind === 'shutdown')) {
          world.isDecided = true;
          run = await world.run(RESUMED, 'second');
          expectOneDone(run.shown);
          expect(run.requests.map(problemOfRequest).filter(Boolean)).toEqual([]);
        }
        expect(problemOfRequest(run.next)).toBeUndefined();
        for (const [name, of] of world.ran)
          expect([name, of]).toEqual([name, name === 'now' ? undefined : 'ok']);
        expect(world.ran.filter(([, of]) => of === NEVER)).toEqual([]);
        if (each.kind !== 'shutdown') expectTrueResults(world);
      }),
      { numRuns: 600 },
    );
    expect(seen).toEqual(new Set(['completed', 'max_turns', 'suspended', 'aborted', 'error']));
  }, 60_000);
});
