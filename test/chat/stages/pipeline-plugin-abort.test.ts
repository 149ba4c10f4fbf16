import { expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { setUpPipeline } from '#test/chat/stages/pipeline-support.ts';

const setUp = async () => {
  const base = await setUpPipeline();
  base.hooks.beforeMessageProcess.on(() => ({ skip: true, skipReply: 'closed' }), { plugin: 'test' });
  base.channel.hangSends({ isDeaf: true });
  return base;
};

it('ends when the reply of a plugin hangs on a platform that hears no abort', async () => {
  const { process, clock } = await setUp();
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(60_000 + 2_000 + 30_000 + 10_000);
  expect(outcome).toBe('failed');
});

it('is parked by a shutdown meanwhile', async () => {
  const { process, clock, run } = await setUp();
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(1_000);
  run.abort(new RunAbortedError('shutdown'));
  await clock.advance(10_000);
  expect(outcome).toBe('parked');
});

it('ends at once when the run is ended while a plugin thinks', async () => {
  const { process, hooks, clock, run } = await setUpPipeline();
  hooks.beforeMessageProcess.on(() => new Promise<undefined>(() => undefined), { plugin: 'test' });
  let outcome: unknown = 'still running';
  void process().then((result) => (outcome = result.outcome));
  await clock.advance(1_000);
  run.abort(new RunAbortedError('shutdown'));
  await clock.advance(2_000);
  expect(outcome).toBe('parked');
});
