import { expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionAdapter, ExecutionResult } from '#src/kernel/agent/execution.ts';
import type { Enriched } from '#src/chat/pipeline/stage-types.ts';
import { execute } from '#src/chat/pipeline/5-execute.ts';
import { recordingLogger } from '#test/support/context.ts';
import { asks, liveSetUp, says } from './live-support.ts';
import { acknowledged } from '../pipeline/support.ts';

const setUpLive = liveSetUp();

/** The stage with a model that says a word, is seen, and then answers as told. */
const executeWith = async (answer: (abort: AbortController) => Partial<ExecutionResult>) => {
  const { live, channel, ctx, abort, settle } = await setUpLive();
  const adapter: ExecutionAdapter = {
    execute: async (_ctx, _signal, onEvent) => {
      for (const event of [asks, says('Hm'), says('. <<HEARTBEAT_OK>>')]) onEvent(event);
      await settle();
      return { status: 'completed', content: '', facts: [], isCut: false, ...answer(abort) };
    },
  };
  const input = await acknowledged({ ctx, channel });
  const { match } = input;
  const enriched: Enriched = {
    ...input,
    enriched: {
      ...ctx,
      agentId: match.agentId,
      channelCapabilities: channel.capabilities,
      unavailable: [],
      attachments: [],
    },
  };
  const stage = execute({
    adapter,
    live,
    awaitInput: async () => undefined,
    attachQuotes: async () => undefined,
    budget: { used: async () => undefined },
    logger: recordingLogger().logger,
  });
  const outcome = await stage.execute(enriched, abort.signal).then(
    ({ action }) => action,
    () => 'failed',
  );
  return { outcome, seen: channel.seen };
};

it.each<{ readonly what: string; readonly result: Partial<ExecutionResult>; readonly expected: string }>([
  { what: 'an answer', result: { content: 'Up.' }, expected: 'continue, replaced' },
  { what: 'an empty answer', result: {}, expected: 'continue, replaced' },
  { what: 'no reply', result: { content: '<<NO_REPLY>>' }, expected: 'skip, dropped' },
  { what: 'a silent reply', result: { content: 'Noted. <<SILENT_REPLY>>' }, expected: 'skip, dropped' },
  { what: 'a heartbeat', result: { content: '<<HEARTBEAT_OK>>' }, expected: 'skip, dropped' },
  { what: 'a question to a person', result: { status: 'suspended' }, expected: 'suspend, dropped' },
])('what was shown makes way for $what, before the stage ends', async ({ result, expected }) => {
  const { outcome, seen } = await executeWith(() => result);
  expect(seen).toContain('text Hm.');
  expect(`${outcome}, ${seen.at(-1)}`).toBe(`${expected} live-1`);
  // The signs of life are heard as before.
});

it.each([
  { error: new Error('model is down'), end: 'replaced' },
  { error: new RunAbortedError('timeout'), end: 'replaced' },
  { error: new RunAbortedError('superseded'), end: 'dropped' },
])('what was shown is $end when the run fails with $error.message', async ({ error, end }) => {
  const { outcome, seen } = await executeWith(() => {
    throw error;
  });
  expect([outcome, seen.at(-1)]).toEqual(['failed', `${end} live-1`]);
});

it('what counts for it is why the run was ended, not what the engine made of that', async () => {
  const { outcome, seen } = await executeWith((abort) => {
    abort.abort(new RunAbortedError('superseded'));
    throw new Error('the stream broke off');
  });
  expect([outcome, seen.at(-1)]).toEqual(['failed', 'dropped live-1']);
});
