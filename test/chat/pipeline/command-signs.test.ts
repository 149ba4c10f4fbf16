import { describe, expect, it } from 'vitest';
import type { Command } from '#src/kernel/chat/command.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { ping, setUpPipeline, untilAborted } from '#test/chat/pipeline/pipeline-support.ts';
import { msgContext } from '#test/support/context.ts';

const SLOW_MS = 6_000;
const typed = (more = {}) => msgContext({ rawBody: '/ping', isFirstAttempt: true, ...more });

/** A pipeline whose only command works as the test says. */
const setUp = async (work: (signal: AbortSignal) => Promise<unknown>, enableAck = true) => {
  const slow: Command = {
    ...ping,
    execute: async (_args, _ctx, signal) => {
      await work(signal);
      return { content: 'pong', ephemeral: false };
    },
  };
  const registry = createCommandRegistry([slow]);
  return setUpPipeline({ registry, enableAck, deps: { enableAck } });
};

const setUpSlow = async (enableAck?: boolean) => {
  const base = await setUp(
    () => new Promise<void>((resolve) => void base.clock.after(SLOW_MS, resolve)),
    enableAck,
  );
  return base;
};

describe('a typed command', () => {
  it('that takes a while shows that it was seen, and takes that back with its answer', async () => {
    const { process, channel, clock } = await setUpSlow();
    const outcome = process(typed());
    await clock.advance(SHOW_AFTER_MS - 1);
    expect([...channel.reactions, ...channel.typing]).toEqual([]);
    await clock.advance(1);
    expect(channel.visibleReactions).toEqual(['👀']);
    expect(channel.typing).toHaveLength(1);
    await clock.advance(5_000);
    expect(channel.typing).toHaveLength(2);
    await clock.advance(SLOW_MS);
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['pong']);
    expect(channel.visibleReactions).toEqual([]);
    await clock.advance(60_000);
    expect(channel.typing).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that answers at once costs no sign, however long the platform takes to accept its answer', async () => {
    const { process, channel, clock } = await setUp(async () => undefined);
    const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
    channel.onSend = () => accepted;
    const outcome = process(typed());
    await clock.advance(SLOW_MS);
    accept();
    expect(await outcome).toEqual({ outcome: 'done' });
    expect(channel.texts).toEqual(['pong']);
    expect([...channel.reactions, ...channel.typing]).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that fails after a while is marked, and nobody types any more', async () => {
    const { process, channel, clock } = await setUp(async () => {
      await clock.advance(200);
      throw new Error('broken');
    });
    expect(await process(typed())).toMatchObject({ outcome: 'failed' });
    expect(channel.visibleReactions).toEqual(['⚠️']);
    expect(channel.typing).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    ['stopped', { outcome: 'done' }, []],
    ['shutdown', { outcome: 'parked' }, ['👀']],
    ['superseded', { outcome: 'superseded' }, []],
  ] as const)('that is cut off (%s) leaves no typing and no timer', async (kind, outcome, left) => {
    const { process, channel, clock, run } = await setUp(untilAborted);
    const processed = process(typed());
    await clock.advance(200);
    run.abort(new RunAbortedError(kind));
    expect(await processed).toEqual(outcome);
    await clock.advance(60_000);
    expect(channel.visibleReactions).toEqual(left);
    expect(channel.typing).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('shows nothing where signs are switched off', async () => {
    const { process, channel, clock } = await setUpSlow(false);
    const outcome = process(typed());
    await clock.advance(SLOW_MS);
    await outcome;
    expect([...channel.reactions, ...channel.typing]).toEqual([]);
  });
});

it('a slash command shows no sign of its own: the platform does', async () => {
  const { process, channel, clock } = await setUpSlow();
  const outcome = process(typed({ interaction: { token: 't', isPrivate: false } }));
  await clock.advance(SLOW_MS);
  await outcome;
  expect(channel.texts).toEqual(['pong']);
  expect([...channel.reactions, ...channel.typing]).toEqual([]);
});
