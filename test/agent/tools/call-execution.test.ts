import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallToApprove, GatedCall, ApprovalDecision } from '#src/agent/tools/approval-decision.ts';
import type { PolicyRule } from '#src/agent/tools/policy.ts';
import { defineTool, type Tool, type ToolExecutionContext, type ToolResult } from '#src/kernel/agent/tool.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

interface Options {
  readonly tool?: Partial<Parameters<typeof defineTool>[0]>;
  readonly rules?: readonly PolicyRule[];
  readonly decision?: ApprovalDecision;
  readonly earlier?: ApprovalDecision;
  readonly result?: ToolResult;
  /** In the place of a result. */
  readonly work?: () => Promise<ToolResult>;
}

const setUp = ({
  tool,
  rules = [],
  decision = { status: 'waiting' },
  earlier,
  result,
  work,
}: Options = {}) => {
  const clock = new ManualClock();
  const { events, names, payloads } = recordingEvents();
  const hooks = createHooks(recordingLogger().logger, clock);
  const asked: CallToApprove[] = [];
  const looked: GatedCall[] = [];
  const ran: unknown[] = [];
  const order: Tool = defineTool({
    name: 'place_order',
    description: 'Places an order',
    group: 'finance',
    input: z.object({ symbol: z.string() }),
    ...(tool as object),
    run: async (input) => {
      ran.push(input);
      if (work) return work();
      return result ?? { content: 'ordered', isError: false };
    },
  });
  const registry = registryOf(
    {
      clock,
      events,
      rules,
      hooks,
      approvals: {
        requireApproval: async (call) => {
          asked.push(call);
          return decision;
        },
        recallApproval: async (call) => {
          looked.push(call);
          return earlier;
        },
      },
    },
    [order],
  );
  const execute = (
    input: unknown = { symbol: 'AAPL' },
    context: Partial<ToolExecutionContext> = {},
    name = 'place_order',
  ) => registry.execute({ id: 'c1', name, input }, toolContextOf(context), new AbortController().signal);
  return { clock, hooks, asked, looked, ran, names, payloads, execute, registry };
};

const ASK: PolicyRule = { pattern: 'place_order', verdict: 'require-approval', priority: 0 };
const DENY: PolicyRule = { pattern: 'place_order', verdict: 'deny', priority: 0, reason: 'not today' };

const FEED = { name: 'feed', description: 'Reads a feed', group: 'finance', input: z.object({}) } as const;

describe('the way of a call', () => {
  it('asks nobody and hooks nothing where the policy denies', async () => {
    const { execute, hooks, asked, ran, payloads } = setUp({ rules: [DENY] });
    const heard: unknown[] = [];
    hooks.beforeToolExecute.on((payload) => void heard.push(payload), { plugin: 'p' });
    const result = await execute();
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('not today') });
    expect(result.content).toContain('(tool-policy)');
    expect([asked, ran, heard]).toEqual([[], [], []]);
    expect(payloads('tool:policy:deny')).toHaveLength(1);
  });

  it('asks nobody about input that is wrong', async () => {
    const { execute, asked } = setUp({ rules: [ASK] });
    expect(await execute({ symbol: 7 })).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  it('rests while a person has not decided, and goes on with what they decided', async () => {
    const waiting = setUp({ rules: [ASK] });
    expect(await waiting.execute()).toMatchObject({ isSuspended: true });
    expect(waiting.ran).toEqual([]);
    expect(waiting.asked).toMatchObject([{ callId: 'c1', toolName: 'place_order', why: 'policy' }]);

    const approved = setUp({ rules: [ASK], decision: { status: 'approved' } });
    expect(await approved.execute()).toMatchObject({ content: 'ordered', isError: false });

    const refused = setUp({
      rules: [ASK],
      decision: { status: 'refused', why: 'the person refused it', code: 'approval-denied' },
    });
    expect(await refused.execute()).toMatchObject({
      isError: true,
      content: 'Not done: the person refused it.',
      code: 'approval-denied',
    });
    expect(refused.ran).toEqual([]);
  });

  it('asks nobody about a call that its tool finds impossible, and shows what the tool found otherwise', async () => {
    const prepared: unknown[] = [];
    const prepare = async (input: unknown) => {
      prepared.push(input);
      return (input as { symbol: string }).symbol === 'TSLA'
        ? ({ status: 'refused', result: { content: 'none are held', isError: true } } as const)
        : ({ status: 'ready', summary: 'checked' } as const);
    };
    const { execute, asked, ran } = setUp({ tool: { isTransactional: true, prepare } });
    expect(await execute({ symbol: 'TSLA' })).toMatchObject({ content: 'none are held', isError: true });
    expect([asked, ran]).toEqual([[], []]);
    expect(await execute()).toMatchObject({ isSuspended: true });
    expect(asked).toMatchObject([{ summary: '> checked' }]);

    // Who has decided is not asked again, whatever would be found now.
    const later = setUp({ tool: { isTransactional: true, prepare }, earlier: { status: 'approved' } });
    expect(await later.execute({ symbol: 'TSLA' }, { isResumed: true })).toMatchObject({
      content: 'ordered',
    });
    expect(prepared).toHaveLength(2);
  });

  it('asks about what moves money whatever the rules say, and says so', async () => {
    const allow: PolicyRule = { pattern: 'place_order', verdict: 'allow', priority: 9 };
    const { execute, asked } = setUp({ tool: { isTransactional: true }, rules: [allow] });
    expect(await execute()).toMatchObject({ isSuspended: true });
    expect(asked).toMatchObject([{ why: 'transactional', isTransactional: true }]);
  });

  it('heeds what a person said before a restart, even where the policy would ask nobody now', async () => {
    const { execute, ran, looked } = setUp({
      earlier: { status: 'refused', why: 'the person refused it', code: 'approval-denied' },
    });
    expect(await execute(undefined, { isResumed: true })).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
    expect(looked).toHaveLength(1);
    expect(await execute(), 'in a new run').toMatchObject({ content: 'ordered' });
    expect(looked).toHaveLength(1);
  });

  it('lets hooks change the input before a person is asked, so that what is asked about is what is done', async () => {
    const { execute, hooks, asked } = setUp({ rules: [ASK] });
    hooks.beforeToolExecute.on(() => ({ input: { symbol: 'MSFT' } }), { plugin: 'p' });
    await execute();
    const summary = '> place_order\n> - `"symbol"`: `"MSFT"`';
    expect(asked).toMatchObject([{ input: { symbol: 'MSFT' }, summary }]);
  });

  it('does not run what a hook made of the input where that is wrong', async () => {
    const { execute, hooks, ran } = setUp();
    hooks.beforeToolExecute.on(() => ({ input: { symbol: 1 } }), { plugin: 'p' });
    expect(await execute()).toMatchObject({
      isError: true,
      content: expect.stringContaining('Invalid input'),
    });
    expect(ran).toEqual([]);
  });

  it('lets a hook answer in the place of a tool, guarded', async () => {
    const { execute, hooks, ran } = setUp();
    const skipResult = { content: 'from memory <<NO_REPLY>>', isError: false };
    hooks.beforeToolExecute.on(() => ({ skip: true, skipResult }), { plugin: 'p' });
    expect(await execute()).toMatchObject({ content: 'from memory ‹‹NO_REPLY››', isError: false });
    expect(ran).toEqual([]);
  });

  it('says that it was skipped where a hook says nothing', async () => {
    const { execute, hooks } = setUp();
    hooks.beforeToolExecute.on(() => ({ skip: true }), { plugin: 'p' });
    expect(await execute()).toMatchObject({ content: 'Skipped', isError: false });
  });

  it('lets a hook see the guarded result and change it; what it puts there is guarded too', async () => {
    const { execute, hooks } = setUp({ result: { content: 'card 4242 4242 4242 4242', isError: false } });
    const seen: string[] = [];
    hooks.afterToolExecute.on(
      ({ result }) => {
        seen.push(result.content);
        return { result: { content: `${result.content} and 4000 0566 5566 5556`, isError: false } };
      },
      { plugin: 'p' },
    );
    const { content } = await execute();
    expect(seen.join()).not.toContain('4242 4242 4242');
    expect(content).not.toContain('5566 5556');
  });

  it('takes a display from tools of the program alone', async () => {
    const display = { choices: [{ label: 'Chart', command: '/chart AAPL' }] };
    const result = { content: 'x', isError: false, display };
    expect((await setUp({ result }).execute()).display).toEqual(display);
    const byPlugin = setUp();
    byPlugin.registry.register(defineTool({ ...FEED, run: async () => result }), 'plugin');
    expect((await byPlugin.execute({}, {}, 'feed')).display).toBeUndefined();
  });

  it('takes web addresses from tools of the program alone: not from a plugin, a hook, an error or a repeated input', async () => {
    const linkSource = { from: 'headlines', urls: ['https://news.example/1#top', 'not an address'] } as const;
    const result = { content: 'No https://made.example/up', isError: false, linkSource };
    const links = { from: 'headlines', urls: ['https://news.example/1'] };
    expect((await setUp({ result }).execute()).links).toEqual(links);
    expect((await setUp({ result: { ...result, isError: true } }).execute()).links).toBeUndefined();

    const byPlugin = setUp({ result });
    byPlugin.registry.register(defineTool({ ...FEED, run: async () => result }), 'plugin');
    expect((await byPlugin.execute({}, {}, 'feed')).links).toBeUndefined();

    const skipped = setUp();
    skipped.hooks.beforeToolExecute.on(() => ({ skip: true, skipResult: result }), { plugin: 'p' });
    expect((await skipped.execute()).links).toBeUndefined();

    const changed = setUp({ result });
    const other = { ...result, linkSource: { from: 'page', page: 'https://made.example/up' } } as const;
    changed.hooks.afterToolExecute.on(() => ({ result: other }), { plugin: 'p' });
    expect((await changed.execute()).links).toEqual(links);
  });

  it('does not let a tool rest by itself: it would wait for nobody', async () => {
    const { execute } = setUp({ result: { content: 'wait', isError: false, isSuspended: true } });
    expect(await execute()).not.toHaveProperty('isSuspended');
  });

  it('finds a tool that is called by another name for what it is', async () => {
    const { execute, ran, asked } = setUp({ rules: [ASK] });
    await execute({ name: 'place_order', input: { symbol: 'AAPL' } }, {}, 'call_tool');
    // A weak model writes the input as JSON in a string.
    await execute({ name: 'place_order', input: '{"symbol":"AAPL"}' }, {}, 'call_tool');
    const call = { callId: 'c1', toolName: 'place_order', input: { symbol: 'AAPL' } };
    expect(asked).toMatchObject([call, call]);
    for (const input of ['AAPL', '["AAPL"]', 'null'])
      expect(await execute({ name: 'place_order', input }, {}, 'call_tool'), input).toMatchObject({
        isError: true,
        content: expect.stringContaining('Invalid input for call_tool'),
      });
    expect(await execute({ name: 'no_such', input: {} }, {}, 'call_tool')).toMatchObject({
      isError: true,
      content: expect.stringContaining('no tool "no_such"'),
    });
    expect(await execute({ input: {} }, {}, 'call_tool')).toMatchObject({ isError: true });
    expect(await execute({ name: 'call_tool', input: {} }, {}, 'call_tool'), 'itself').toMatchObject({
      isError: true,
    });
    expect(ran).toEqual([]);
  });

  it('turns a failure of what stands around the tool into a result', async () => {
    const { registry } = setUp({ rules: [ASK] });
    const broken = registryOf(
      {
        clock: new ManualClock(),
        events: recordingEvents().events,
        rules: [ASK],
        approvals: {
          requireApproval: async () => {
            throw new Error('the disk is full');
          },
          recallApproval: async () => undefined,
        },
      },
      registry.list().map(({ tool }) => tool),
    );
    const call = { id: 'c1', name: 'place_order', input: { symbol: 'AAPL' } };
    const result = await broken.execute(call, toolContextOf(), new AbortController().signal);
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining('the disk is full') });
  });
});

const extra = (name: string, description: string, more: object = {}): Tool =>
  defineTool({
    name,
    description,
    group: 'custom',
    input: z.object({ of: z.string() }),
    ...more,
    run: async () => ({ content: '', isError: false }),
  });

const DOUBT = '. It is not known whether it took effect: do not repeat it, and tell the person to check.';

describe('a tool that fails', () => {
  const FAILURES = [
    {
      how: 'throws',
      says: 'The tool place_order failed: no connection',
      work: () => Promise.reject(new Error('no connection')),
    },
    {
      how: 'hangs',
      says: 'The tool place_order failed: no result within 5 s',
      work: () => new Promise<never>(() => undefined),
    },
  ];

  it.each(FAILURES)(
    'and $how says so, without a doubt where nothing can have changed',
    async ({ work, says }) => {
      const { execute, clock } = setUp({ tool: { timeoutMs: 5_000 }, work });
      const running = execute();
      await clock.advance(5_000);
      expect(await running).toMatchObject({ isError: true, content: says });
    },
  );

  it.each(FAILURES)(
    'and $how may have taken effect where it changes something, and the model hears so',
    async ({ work, says }) => {
      const tool = { timeoutMs: 5_000, isTransactional: true };
      const { execute, clock, ran } = setUp({ tool, work, decision: { status: 'approved' } });
      const running = execute();
      await clock.advance(5_000);
      expect(await running).toMatchObject({
        isError: true,
        content: `${says}${DOUBT}`,
        code: 'maybe-done',
      });
      expect(ran).toHaveLength(1);
    },
  );

  it.each([
    ['wrong input', {}, { symbol: 7 }],
    [
      'a refusal',
      { decision: { status: 'refused', why: 'the person refused it', code: 'approval-denied' } },
      undefined,
    ],
    ['an error result of its own', { result: { content: 'no such symbol', isError: true } }, undefined],
  ] as const)('leaves no doubt after %s: nothing took effect', async (_what, special, input) => {
    const { execute } = setUp({
      tool: { isTransactional: true },
      decision: { status: 'approved' },
      ...special,
    });
    const { content, isError } = await execute(input);
    expect(isError).toBe(true);
    expect(content).not.toContain('not known');
  });

  it('is no result at all when the run was ended meanwhile', async () => {
    const stopped = new Error('stopped');
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const { registry, clock } = setUp({
      tool: { isTransactional: true },
      decision: { status: 'approved' },
      work: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    });
    const call = { id: 'c1', name: 'place_order', input: { symbol: 'AAPL' } };
    const running = registry.execute(call, toolContextOf(), controller.signal);
    await started.promise;
    controller.abort(stopped);
    const ended = expect(running).rejects.toBe(stopped);
    await clock.advance(0);
    await ended;
  });
});

describe('find_tools', () => {
  it('lists what is in no prompt, the best fit first, with inputs and whether it asks, for this person', async () => {
    const { registry, execute } = setUp();
    registry.register(extra('tarot', 'Reads cards'), 'plugin');
    registry.register(extra('weather', 'Tells the weather of a city'), 'plugin');
    registry.register(extra('admin_only', 'For few', { adminsOnly: true }), 'plugin');
    const { content } = await execute({ query: 'the weather in Seoul' }, {}, 'find_tools');
    expect(content.indexOf('weather (custom, asks the person first)')).toBe(0);
    expect(content).toContain('tarot');
    expect(content).toContain('"of"');
    expect(content).not.toContain('admin_only');
    expect(content).not.toContain('place_order');
    expect((await execute({}, { isAdmin: true }, 'find_tools')).content).toContain('admin_only');
  });

  it('says where there are none', async () => {
    const { execute } = setUp();
    expect((await execute({}, {}, 'find_tools')).content).toContain('no further tools');
  });
});
