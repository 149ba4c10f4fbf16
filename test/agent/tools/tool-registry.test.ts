import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { asId, type TurnId } from '#src/kernel/ids.ts';
import { defineTool, type Tool, type ToolExecutionContext, type ToolResult } from '#src/kernel/agent/tool.ts';
import { SESSION, testTool, toolContext } from '#test/agent/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';

const setUp = (...tools: readonly Tool[]) => {
  const clock = new ManualClock();
  const { events, names, payloads } = recordingEvents();
  const registry = registryOf({ clock, events }, tools);
  const controller = new AbortController();
  let turns = 0;
  /** Each in a turn of its own: in one, so many equal calls would be taken for a loop. */
  const execute = async (name: string, input: unknown = {}): Promise<ToolResult> => {
    turns += 1;
    const context = { ...toolContext, turnId: asId<TurnId>(`turn-${turns}`) };
    const result = await registry.execute({ id: 'call-1', name, input }, context, controller.signal);
    const { wasTruncated: _t, masked: _m, originalSize: _o, guardedSize: _g, ...plain } = result;
    return plain;
  };
  return { clock, registry, controller, execute, names, payloads };
};

const never = (): Promise<ToolResult> => new Promise(() => undefined);
const failing = async (): Promise<ToolResult> => {
  throw new Error('the service is down');
};

const external = (run: () => Promise<ToolResult>) => testTool('quotes', run, { isExternal: true });

describe('InMemoryToolRegistry', () => {
  it('runs a tool with its input and the context of the caller', async () => {
    const given: { input?: unknown; context?: ToolExecutionContext } = {};
    const spy = defineTool({
      name: 'spy',
      description: 'Looks at what it gets',
      group: 'finance',
      input: z.object({ n: z.number() }),
      run: async (input, context) => {
        Object.assign(given, { input, context });
        return { content: 'seen', isError: false };
      },
    });
    const { execute } = setUp(spy);
    await expect(execute('spy', { n: 7 })).resolves.toEqual({ content: 'seen', isError: false });
    expect(given).toEqual({ input: { n: 7 }, context: { ...toolContext, turnId: 'turn-1' } });
  });

  it('answers a call of a tool that does not exist with an error that names those that do', async () => {
    const { execute } = setUp(testTool('get_quote'), testTool('get_news'));
    const result = await execute('get_weather');
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(/no tool "get_weather".*get_news.*get_quote/);
  });

  it('answers input that does not fit with an error that names the field, without running the tool', async () => {
    let runs = 0;
    const tool = testTool('strict', async () => {
      runs += 1;
      return { content: '', isError: false };
    });
    const { execute } = setUp(tool);
    const result = await execute('strict', { of: 42 });
    expect(result).toEqual({
      content: expect.stringMatching(/Invalid input for strict.*of/s),
      isError: true,
      code: 'invalid-input',
    });
    expect(runs).toBe(0);
  });

  it.each([{ input: null }, { input: 'text' }, { input: 3 }, { input: [] }])(
    'refuses $input',
    async ({ input }) => {
      const { execute } = setUp(testTool('strict'));
      await expect(execute('strict', input)).resolves.toMatchObject({ isError: true });
    },
  );

  it('turns what a tool throws into an error result', async () => {
    const { execute, payloads } = setUp(testTool('broken', failing));
    await expect(execute('broken')).resolves.toEqual({
      content: 'The tool broken failed: the service is down',
      isError: true,
      code: 'tool-failed',
    });
    expect(payloads('tool:execute:error')).toEqual([
      {
        name: 'broken',
        sessionKey: SESSION,
        inboxId: 'inbox-1',
        durationMs: 0,
        error: 'the service is down',
      },
    ]);
  });

  it('survives a tool that throws before it returns a promise, and one that throws no Error', async () => {
    const base = testTool('early');
    const early: Tool = {
      ...base,
      invoke: () => {
        throw new Error('too early');
      },
    };
    const odd: Tool = {
      ...base,
      definition: { ...base.definition, name: 'odd' },
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what others throw is not ours to choose
      invoke: () => Promise.reject('just words'),
    };
    const { execute, clock } = setUp(early, odd);
    await expect(execute('early')).resolves.toMatchObject({
      isError: true,
      content: expect.stringContaining('too early'),
    });
    await expect(execute('odd')).resolves.toMatchObject({
      isError: true,
      content: expect.stringContaining('just words'),
    });
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves a deaf tool behind when its time is up and says so to the model', async () => {
    const { clock, execute, payloads } = setUp(testTool('deaf', never, { timeoutMs: 5_000 }));
    const running = execute('deaf');
    await clock.advance(4_999);
    expect(payloads('tool:execute:timeout')).toEqual([]);
    await clock.advance(1);
    await expect(running).resolves.toEqual({
      content: 'The tool deaf failed: no result within 5 s',
      isError: true,
      code: 'tool-failed',
    });
    expect(payloads('tool:execute:timeout')).toEqual([
      { name: 'deaf', sessionKey: SESSION, timeoutMs: 5_000 },
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('tells a tool that listens when its time is up', async () => {
    let heard: unknown;
    const listening = testTool(
      'listening',
      (_input, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            heard = signal.reason;
            reject(new Error('I stopped'));
          });
        }),
      { timeoutMs: 1_000 },
    );
    const { clock, execute } = setUp(listening);
    const running = execute('listening');
    await clock.advance(1_000);
    await expect(running).resolves.toMatchObject({ isError: true });
    expect(heard).toMatchObject({ code: 'TOOL_TIMEOUT' });
  });

  it('sets no timer free running after a tool that was quick', async () => {
    const { clock, execute } = setUp(testTool('quick'));
    await execute('quick');
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    [
      'a tool that listens',
      (_input: unknown, signal: AbortSignal) =>
        new Promise<ToolResult>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted in my own words')));
        }),
    ],
    ['a deaf tool', never],
  ])('rejects with the reason of the caller who aborts %s', async (_what, run) => {
    const { clock, controller, execute, payloads } = setUp(testTool('running', run));
    const reason = new RunAbortedError('stopped');
    const rejected = expect(execute('running')).rejects.toBe(reason);
    controller.abort(reason);
    await clock.advance(0);
    await rejected;
    expect(payloads('tool:execute:error')).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  describe('with a tool that depends on a service', () => {
    it('stops calling it after five failures in a row and answers with an error result instead', async () => {
      let runs = 0;
      const { execute, payloads } = setUp(
        external(() => {
          runs += 1;
          return failing();
        }),
      );
      for (let count = 0; count < 5; count += 1) await execute('quotes');
      expect(runs).toBe(5);
      expect(payloads('tool:circuit:change')).toEqual([{ name: 'quotes', from: 'closed', to: 'open' }]);

      const refused = await execute('quotes');
      expect(refused.isError).toBe(true);
      expect(refused.content).toMatch(/quotes.*not being called/);
      expect(runs).toBe(5);
    });

    it('counts a service that does not answer in time as failing', async () => {
      const { clock, execute, payloads } = setUp(external(never));
      for (let count = 0; count < 5; count += 1) {
        const running = execute('quotes');
        await clock.advance(30_000);
        await running;
      }
      expect(payloads('tool:circuit:change')).toHaveLength(1);
    });

    it('does not hold it against the service that people stop their answers', async () => {
      const listening = testTool(
        'quotes',
        (_input, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          }),
        { isExternal: true },
      );
      const { clock, registry, payloads } = setUp(listening);
      for (let count = 0; count < 5; count += 1) {
        const person = new AbortController();
        const stopped = new RunAbortedError('stopped');
        const context = { ...toolContext, turnId: asId<TurnId>(`turn-${count}`) };
        const rejected = expect(
          registry.execute({ id: '1', name: 'quotes', input: {} }, context, person.signal),
        ).rejects.toBe(stopped);
        person.abort(stopped);
        await clock.advance(0);
        await rejected;
      }
      expect(payloads('tool:circuit:change')).toEqual([]);
    });

    it('tries it again after half a minute and goes on when it works', async () => {
      let isDown = true;
      const { clock, execute } = setUp(
        external(() => (isDown ? failing() : Promise.resolve({ content: '304.12', isError: false }))),
      );
      for (let count = 0; count < 5; count += 1) await execute('quotes');
      isDown = false;
      await clock.advance(30_000);
      await expect(execute('quotes')).resolves.toEqual({ content: '304.12', isError: false });
      await expect(execute('quotes')).resolves.toMatchObject({ isError: false });
    });

    it('does not hold error results and bad input against the service', async () => {
      const { execute, payloads } = setUp(
        external(async () => ({ content: 'unknown symbol', isError: true })),
      );
      for (let count = 0; count < 10; count += 1) {
        await execute('quotes');
        await execute('quotes', { of: 42 });
      }
      expect(payloads('tool:circuit:change')).toEqual([]);
    });

    it('keeps the breaker of one tool away from the others', async () => {
      const other = testTool('news', undefined, { isExternal: true });
      const { execute } = setUp(external(failing), other);
      for (let count = 0; count < 6; count += 1) await execute('quotes');
      await expect(execute('news')).resolves.toMatchObject({ isError: false });
    });
  });

  it.each(['requiresApproval', 'isTransactional'] as const)(
    'never runs a tool that %s, for nobody can be asked, and tells the model so',
    async (trait) => {
      let runs = 0;
      const sell = defineTool({
        name: 'sell',
        description: 'Sells everything',
        group: 'finance',
        input: z.object({}),
        [trait]: true,
        run: async () => {
          runs += 1;
          return { content: 'sold', isError: false };
        },
      });
      const { execute, names } = setUp(sell);
      await expect(execute('sell')).resolves.toEqual({
        content: expect.stringMatching(/sell needs a person's word, and nobody can be asked/),
        isError: true,
        code: 'approval-not-asked',
      });
      expect(runs).toBe(0);
      expect(names()).toEqual(['tool:register', 'tool:policy:verdict']);
    },
  );

  it('never stops calling a tool of our own, however often it fails', async () => {
    let runs = 0;
    const { execute } = setUp(
      testTool('local', () => {
        runs += 1;
        return failing();
      }),
    );
    for (let count = 0; count < 8; count += 1) await execute('local');
    expect(runs).toBe(8);
  });

  it('reports registration, start and end with the time it took', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = testTool('slow', async () => {
      await gate.promise;
      return { content: 'done', isError: false };
    });
    const { clock, execute, names, payloads } = setUp(slow);
    const running = execute('slow');
    await clock.advance(250);
    gate.resolve();
    await running;
    expect(names()).toEqual([
      'tool:register',
      'tool:policy:verdict',
      'tool:execute:start',
      'tool:execute:end',
    ]);
    expect(payloads('tool:register')).toEqual([{ name: 'slow', group: 'finance', source: 'built-in' }]);
    expect(payloads('tool:execute:start')).toEqual([{ name: 'slow', sessionKey: SESSION }]);
    expect(payloads('tool:execute:end')).toEqual([
      { name: 'slow', sessionKey: SESSION, inboxId: 'inbox-1', durationMs: 250, isError: false },
    ]);
  });
});
