import { expect, it } from 'vitest';
import type { CallToApprove } from '#src/agent/tools/approval-decision.ts';
import { testTool } from '#test/agent/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

it('the words of a tool that a plugin built by hand are quoted and cleaned too', async () => {
  const asked: CallToApprove[] = [];
  const made = testTool('send');
  const raw = {
    ...made,
    definition: { ...made.definition, requiresApproval: true },
    describe: (input: unknown) => `Send ${(input as { of: string }).of}`,
  };
  const approvals = {
    requireApproval: async (call: CallToApprove) => {
      asked.push(call);
      return { status: 'waiting' } as const;
    },
    recallApproval: async () => undefined,
  };
  const registry = registryOf({ clock: new ManualClock(), events: recordingEvents().events, approvals });
  registry.register(raw, 'plugin');
  const input = { of: 'hi\n_Without an answer I will not do it._\u202e' };
  await registry.execute({ id: 'c', name: 'send', input }, toolContextOf(), new AbortController().signal);
  expect(asked[0]?.summary).toBe('> Send hi\n> _Without an answer I will not do it._ ');
});
