import { describe, expect, it } from 'vitest';
import { FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import type { RunWindow } from '#src/agent/loop/run-params.ts';
import { Runner } from '#src/agent/loop/runner.ts';
import { ToolExecutor } from '#src/agent/loop/tool-executor.ts';
import { DEFAULT_FALLBACK_ON } from '#src/agent/models/fallback.ts';
import type { ResolvedModel } from '#src/agent/models/resolve-model.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ConversationMessage, StreamChunk } from '#src/kernel/agent/model.ts';
import {
  AGENT,
  calls,
  done,
  modelOf,
  says,
  ScriptedProvider,
  testTool,
  toolContext,
  used,
} from '#test/agent/support.ts';
import { registryOf } from '#test/support/registry.ts';
import { callerOn } from './caller-support.ts';
import { assistant, note, text, user } from './runner-support.ts';

const LOOK_UP: readonly StreamChunk[] = [...calls('c1', 'lookup', '{}'), used(100, 1), done('tool_use')];
const ANSWER: readonly StreamChunk[] = [...says('Done.'), used(200, 2), done()];
const SHORT = [user('In short: go')];

const failingWith = (error: unknown) =>
  async function* (): AsyncGenerator<StreamChunk> {
    yield* [];
    throw error;
  };
const overflow = failingWith(new FailoverError('it does not fit', 'context-overflow'));

type Keep = RunWindow['keep'];

const overflown: Keep = async (isOverflown) => (isOverflown ? SHORT : undefined);

interface Chain {
  readonly models?: readonly ResolvedModel[];
  readonly fallbackOn?: readonly FallbackReason[];
}

/** A run with a window that does what the test says, and a record of who was asked when. */
const setUp = (
  provider: ScriptedProvider,
  keep: Keep = async () => undefined,
  { models = [modelOf('only')], fallbackOn = DEFAULT_FALLBACK_ON }: Chain = {},
) => {
  const { askModel, clock, events } = callerOn(provider, { settings: { fallbackOn } });
  const registry = registryOf({ clock, events }, [testTool('lookup')]);
  const { monotonicMs } = clock;
  const tools = new ToolExecutor({
    executeTool: registry.execute,
    maxParallel: 8,
    maxResultChars: 10_000,
    monotonicMs,
  });
  const steps: string[] = [];
  const observed: {
    readonly inputTokens: number;
    readonly modelId: string;
    readonly messageCount: number;
  }[] = [];
  const appended: ConversationMessage[] = [];
  const controller = new AbortController();
  const head = { systemPrompt: 'Be brief.', tools: registry.definitions() };
  const window: RunWindow = {
    keep: (isOverflown, signal) => {
      steps.push(`keep ${isOverflown}, ${provider.requests.length} asked`);
      return keep(isOverflown, signal);
    },
    observe: ({ usage: { inputTokens }, model: { modelId } }, messageCount) => {
      steps.push(`observe, ${provider.requests.length} asked`);
      observed.push({ inputTokens, modelId, messageCount });
    },
    shapeFor: async (_model, messages) => ({ ...head, messages }),
    toolRoom: () => ({ isSmall: false, toolTokens: Infinity, resultTokens: Infinity }),
  };
  const run = (maxTurns = 8) =>
    new Runner({ askModel, tools, clock, events }).execute(
      {
        agentId: AGENT,
        models,
        ...head,
        messages: [user('go')],
        toolContext,
        maxTurns,
        append: async (message) => void appended.push(message),
        onEvent: () => undefined,
        window,
      },
      controller.signal,
    );
  const asked = () => steps.filter((step) => step.startsWith('keep true'));
  return { run, steps, asked, observed, appended, controller };
};

describe('the window of a run', () => {
  it('is looked at before every request, and told afterwards what the request took', async () => {
    const { run, steps, observed } = setUp(new ScriptedProvider(LOOK_UP, ANSWER));
    await expect(run()).resolves.toMatchObject({ status: 'completed' });
    expect(steps).toEqual([
      'keep false, 0 asked',
      'observe, 1 asked',
      'keep false, 1 asked',
      'observe, 2 asked',
    ]);
    // The question; then the call and its result with it.
    expect(observed).toEqual([
      { inputTokens: 100, modelId: 'only', messageCount: 1 },
      { inputTokens: 200, modelId: 'only', messageCount: 3 },
    ]);
  });

  it('is looked at before the last answer at the limit of steps too', async () => {
    const { run, steps } = setUp(new ScriptedProvider(LOOK_UP, ANSWER));
    await expect(run(1)).resolves.toMatchObject({ status: 'max_turns' });
    expect(steps.filter((step) => step.startsWith('keep'))).toEqual([
      'keep false, 0 asked',
      'keep false, 1 asked',
    ]);
  });

  it('hears of the model that answered, which may not be the first', async () => {
    const gone = failingWith(new FailoverError('it is gone', 'model-unavailable'));
    const models = [modelOf('first'), modelOf('second')];
    const { run, observed } = setUp(new ScriptedProvider(gone, ANSWER), undefined, { models });
    await run();
    expect(observed).toMatchObject([{ modelId: 'second' }]);
  });

  it('may shorten the conversation: the run goes on with what it gave', async () => {
    const provider = new ScriptedProvider(LOOK_UP, ANSWER);
    const { run, appended, observed } = setUp(provider, async () =>
      provider.requests.length === 1 ? SHORT : undefined,
    );
    await run();
    expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);
    expect(provider.requests[1]?.messages).toEqual(SHORT);
    expect(appended.at(-1)).toEqual(assistant(text('Done.')));
    expect(observed.map(({ messageCount }) => messageCount)).toEqual([1, 1]);
    // What it gave is stored already; only what is new is added.
    expect(appended.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
  });
});

describe('a request that does not fit', () => {
  it.each([
    ['as an error', overflow],
    ['as the end of its answer', [done('context_overflow')]],
    ['by its status', failingWith({ status: 413 })],
    ['by its code', failingWith({ status: 400, code: 'context_length_exceeded' })],
  ])('is made once more with a shorter conversation when the provider says so %s', async (_how, refusal) => {
    const provider = new ScriptedProvider(refusal, ANSWER);
    const { run, steps, appended } = setUp(provider, overflown);
    await expect(run()).resolves.toMatchObject({ status: 'completed' });
    expect(provider.requests.map(({ messages }) => messages)).toEqual([[user('go')], SHORT]);
    expect(steps).toEqual(['keep false, 0 asked', 'keep true, 1 asked', 'observe, 2 asked']);
    expect(appended).toEqual([assistant(text('Done.'))]);
  });

  it('counts as such when only one of several models said so', async () => {
    const down = failingWith(new FailoverError('down', 'server-error'));
    const provider = new ScriptedProvider(overflow, down, ANSWER);
    const { run, steps } = setUp(provider, overflown, {
      models: [modelOf('small'), modelOf('large', { contextWindow: 64_000 })],
      fallbackOn: [...DEFAULT_FALLBACK_ON, 'context-overflow'],
    });
    await expect(run()).resolves.toMatchObject({ status: 'completed' });
    expect(steps).toEqual(['keep false, 0 asked', 'keep true, 2 asked', 'observe, 3 asked']);
    expect(provider.requests[2]?.messages).toEqual(SHORT);
  });

  it('fails when the shorter one does not fit either', async () => {
    const { run, asked, appended } = setUp(new ScriptedProvider(overflow, overflow, ANSWER), overflown);
    const { status, error } = await run();
    expect(status).toBe('error');
    expect(String(error)).toContain('it does not fit');
    expect(asked()).toHaveLength(1);
    expect(appended).toEqual([note('[No answer: it failed.]')]);
  });

  it('fails when it comes to it a second time in one run', async () => {
    const provider = new ScriptedProvider(overflow, LOOK_UP, overflow, ANSWER);
    const { run, asked } = setUp(provider, overflown);
    await expect(run()).resolves.toMatchObject({ status: 'error' });
    expect(provider.requests).toHaveLength(3);
    expect(asked()).toHaveLength(1);
  });

  it('fails with its own error where nothing can be left out', async () => {
    const { run, asked } = setUp(new ScriptedProvider(overflow, ANSWER));
    const { status, error } = await run();
    expect([status, asked().length]).toEqual(['error', 1]);
    expect(error).toMatchObject({ message: 'it does not fit', fallbackReason: 'context-overflow' });
  });

  it('is not what any other failure is taken for', async () => {
    const down = failingWith(new FailoverError('down', 'server-error'));
    const { run, asked } = setUp(new ScriptedProvider(down, ANSWER), overflown);
    await expect(run()).resolves.toMatchObject({ status: 'error' });
    expect(asked()).toEqual([]);
  });
});

describe('making room', () => {
  it.each([
    ['before a request', 0, false, []],
    ['after an overflow', 1, true, [overflow]],
  ])('ends with the run that is stopped meanwhile, %s', async (_when, requests, atOverflow, answers) => {
    const provider = new ScriptedProvider(...answers, ANSWER);
    const stopped = new RunAbortedError('stopped');
    const { run, controller, appended } = setUp(provider, async (isOverflown, signal) => {
      if (isOverflown !== atOverflow) return undefined;
      controller.abort(stopped);
      return Promise.reject(signal.reason);
    });
    await expect(run()).resolves.toMatchObject({ status: 'aborted', error: stopped });
    expect(provider.requests).toHaveLength(requests);
    expect(appended).toEqual([note('[No answer: the user stopped it.]')]);
  });

  it('ends the run when it fails, and the conversation is whole', async () => {
    const full = new Error('disk full');
    const provider = new ScriptedProvider(ANSWER);
    const { run, appended } = setUp(provider, () => Promise.reject(full));
    await expect(run()).resolves.toMatchObject({ status: 'error', error: full });
    expect(provider.requests).toEqual([]);
    expect(appended).toEqual([note('[No answer: it failed.]')]);
  });

  it('is not asked for once the run is over', async () => {
    const { run, controller, steps } = setUp(new ScriptedProvider(ANSWER));
    controller.abort(new RunAbortedError('stopped'));
    await expect(run()).resolves.toMatchObject({ status: 'aborted' });
    expect(steps).toEqual([]);
  });
});
