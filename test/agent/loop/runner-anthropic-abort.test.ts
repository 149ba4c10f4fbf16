import { describe, expect, it } from 'vitest';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { RunAbortedError } from '#src/kernel/errors.ts';
import { testTool } from '#test/agent/support.ts';
import { builtIn, calling, startEngine } from './engine-fixture.ts';
import { expectOneDone, interruptedResult, result, results, statesOf } from './runner-support.ts';

const KINDS = ['stopped', 'timeout', 'shutdown'] as const;

const isState = (state: string) => (event: ExecutionEvent) =>
  event.type === 'state_change' && event.to === state;
const isText = ({ type }: ExecutionEvent): boolean => type === 'text_delta';

const deaf = () => {
  let runs = 0;
  const started = Promise.withResolvers<void>();
  const tool = testTool('deaf', () => {
    runs += 1;
    if (runs > 1) return Promise.resolve({ content: 'heard', isError: false });
    started.resolve();
    return new Promise(() => undefined);
  });
  return { tool, started: started.promise };
};

type Engine = Awaited<ReturnType<typeof startEngine>>;

/** After a shutdown the same run goes on first; the others have left a conversation that is whole. */
const goOn = async (engine: Engine, kind: RunAbortedError['kind']): Promise<void> => {
  if (kind === 'shutdown') {
    engine.fake.reply({ kind: 'answer', text: 'Taken up again.' });
    const { result: resumed, shown } = engine.resume();
    await expect(resumed).resolves.toMatchObject({ status: 'completed' });
    expectOneDone(shown);
  }
  await engine.expectGoesOn();
};

describe.each(KINDS)('Runner on the Anthropic API, ended as %s', (kind) => {
  it('before it began leaves a conversation that goes on', async () => {
    const engine = await startEngine();
    const run = engine.start('go');
    await engine.stop(run, kind);
    expect(statesOf(run.shown)[0]).not.toBe('executing');
    await goOn(engine, kind);
  });

  it('while it streams leaves a conversation that goes on', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'stall', answer: { thinking: 'Hm.', text: 'It is 3' } });
    const run = engine.start('go');
    await run.untilShown(isText);
    await engine.stop(run, kind);
    expect(statesOf(run.shown)).toEqual(['streaming', 'done']);
    await goOn(engine, kind);
    expect(JSON.stringify(engine.conversation).includes('It is 3')).toBe(kind !== 'shutdown');
    expect(engine.fake.history[0]?.wasAborted()).toBe(true);
  });

  it('while it waits for the first word leaves a conversation that goes on', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'stall' });
    const run = engine.start('go');
    while (engine.fake.history.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await engine.stop(run, kind);
    expect(statesOf(run.shown)).toEqual(['streaming', 'done']);
    await goOn(engine, kind);
  });

  it('while a call comes in leaves a conversation that goes on, without the call', async () => {
    const { tool } = deaf();
    const engine = await startEngine({ tools: [tool] });
    const toolCalls = [{ name: 'deaf', input: { of: 'a' } }, { name: 'deaf' }];
    engine.fake.reply({ kind: 'stall', answer: { text: 'Looking.', toolCalls } });
    const run = engine.start('go');
    await run.untilShown(isState('tool_use'));
    await engine.stop(run, kind);
    expect(statesOf(run.shown)).toEqual(['streaming', 'tool_use', 'done']);
    expect(JSON.stringify(engine.conversation)).not.toContain('tool_use');
    await goOn(engine, kind);
  });

  it('while tools run leaves a conversation that goes on, with the results that were there', async () => {
    const { tool, started } = deaf();
    let fastRuns = 0;
    const fast = testTool('fast', async () => {
      fastRuns += 1;
      return { content: 'kept', isError: false };
    });
    const engine = await startEngine({ tools: [tool, fast] });
    engine.fake.reply({
      kind: 'answer',
      thinking: 'Both.',
      text: 'Looking.',
      toolCalls: [
        { id: 'c1', name: 'deaf' },
        { id: 'c2', name: 'fast' },
        { id: 'c3', name: 'fast' },
      ],
    });
    const run = engine.start('go');
    await started;
    await engine.stop(run, kind);
    expect(statesOf(run.shown)).toEqual(['streaming', 'tool_use', 'executing', 'done']);
    // What a shutdown left under way is made again; of all else nobody knows what became of it.
    expect(engine.conversation[2]).toEqual(
      results(
        ...(kind === 'shutdown' ? [] : [interruptedResult('c1')]),
        result('c2', 'kept'),
        result('c3', 'kept'),
      ),
    );
    await goOn(engine, kind);
    expect(fastRuns).toBe(2);
  });

  it('between two tries leaves a conversation that goes on', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'stream-error', type: 'overloaded_error', answer: { text: 'It is 3' } });
    const run = engine.start('go');
    await run.untilShown(isText);
    while (engine.booked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await engine.stop(run, kind);
    expect(engine.fake.history).toHaveLength(1);
    await goOn(engine, kind);
  });
});

describe('Runner on the Anthropic API', () => {
  it('is booked once for each request that was stopped, with what the provider had reported', async () => {
    const engine = await startEngine();
    engine.fake.reply({ kind: 'stall', answer: { text: 'It is 304 dollars and so on.' } });
    const run = engine.start('go');
    await run.untilShown(isText);
    await engine.stop(run, 'stopped');
    expect(engine.booked).toMatchObject([
      { outcome: 'ok', usage: { inputTokens: engine.fake.history[0]?.usage?.input } },
    ]);
  });

  it('keeps to a model that thinks, whose thoughts go back to it through the tools', async () => {
    const engine = await startEngine({ models: [builtIn('opus')], tools: [testTool('lookup')] });
    engine.fake.reply(
      { kind: 'answer', thinking: 'First.', text: 'Looking.', toolCalls: [{ name: 'lookup' }] },
      { kind: 'answer', thinking: 'Second.', text: 'It is 304.' },
    );
    await engine.turn('go');
    await engine.expectGoesOn();
  });

  it('goes on after a stop in the middle of a loop that had thought and run tools', async () => {
    const engine = await startEngine({ tools: [testTool('lookup')] });
    engine.fake.reply(
      { kind: 'answer', thinking: 'First.', toolCalls: [{ name: 'lookup' }, { name: 'lookup' }] },
      { kind: 'stall', answer: { thinking: 'Second.', text: 'It is', toolCalls: [{ name: 'lookup' }] } },
    );
    const run = engine.start('go');
    await run.untilShown(isText);
    await engine.stop(run, 'stopped');
    await engine.expectGoesOn();
  });

  it('has calls of its own ids and names only, whatever the model makes up', async () => {
    const engine = await startEngine({ tools: [testTool('lookup')] });
    engine.fake.reply(calling({ id: 'call:1.2/x', name: 'get weather!', input: { of: 'Seoul' } }));
    await engine.turn('go');
    await engine.expectGoesOn();
  });
});
