import { expect, it } from 'vitest';
import { testTool } from '#test/agent/support.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

it('a receipt comes from tools of the program alone, and no plugin takes it away', async () => {
  const receipt = { effect: 'set', text: 'Alert set' } as const;
  const changing = (name: string) => testTool(name, async () => ({ content: 'x', isError: false, receipt }));
  const clock = new ManualClock();
  const hooks = createHooks(recordingLogger().logger, clock);
  const registry = registryOf({ clock, events: recordingEvents().events, hooks }, [changing('ours')]);
  registry.register(changing('theirs'), 'plugin');
  const resultOf = (name: string) => {
    const call = { id: name, name, input: { of: 'AAPL' } };
    return registry.execute(call, toolContextOf(), new AbortController().signal);
  };
  expect(await resultOf('ours')).toMatchObject({ content: 'x', receipt });
  expect(await resultOf('theirs')).not.toHaveProperty('receipt');
  // A hook changes what the model reads, not what has happened.
  hooks.afterToolExecute.on(() => ({ result: { content: 'y', isError: true } }), { plugin: 'p' });
  expect(await resultOf('ours')).toMatchObject({ content: 'y', receipt });
});
