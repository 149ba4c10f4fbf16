import { expect, it } from 'vitest';
import { testTool } from '#test/agent/support.ts';
import { deciding } from '#test/agent/loop/runner-support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

// An open breaker turns a call away before the tool begins: there is nothing that the person could check.
it('a call that the breaker turned away leaves no doubt', async () => {
  let runs = 0;
  const made = testTool('pay', async () => {
    runs += 1;
    throw new Error('no connection');
  });
  const tool = { ...made, definition: { ...made.definition, isTransactional: true, isExternal: true } };
  const clock = new ManualClock();
  const approvals = deciding(() => 'approved');
  const registry = registryOf({ clock, events: recordingEvents().events, approvals }, [tool]);
  for (let i = 0; i < 30; i += 1) {
    const before = runs;
    const call = { id: `c${i}`, name: 'pay', input: { of: String(i) } };
    const { content } = await registry.execute(call, toolContextOf(), new AbortController().signal);
    if (runs === before) {
      expect(content).not.toContain('not known whether');
      return;
    }
  }
  throw new Error('the breaker never opened');
});

const broken = (name: string, isExternal: boolean) => {
  const made = testTool(name, async () => {
    throw new Error('no connection');
  });
  return { ...made, definition: { ...made.definition, isExternal } };
};

it('tells which tools fail, and only of those that depend on a service outside', async () => {
  const registry = registryOf(
    { clock: new ManualClock(), events: recordingEvents().events, approvals: deciding(() => 'approved') },
    [broken('outside', true), broken('inside', false), broken('unused', true)],
  );
  expect(registry.breakers()).toEqual([]);
  for (const name of ['outside', 'inside'])
    for (let i = 0; i < 5; i += 1) {
      const call = { id: `${name}${i}`, name, input: { of: String(i) } };
      await registry.execute(call, toolContextOf(), new AbortController().signal);
    }
  expect(registry.breakers()).toEqual([{ name: 'outside', state: 'open' }]);
});
