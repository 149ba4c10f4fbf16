import { describe, expect, it } from 'vitest';
import { createTypingController, type TypingOptions } from '#src/chat/delivery/acknowledgement.ts';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** The first sign comes after a moment, the next ones every five seconds. */
const nth = (index: number): number => SHOW_AFTER_MS + 5_000 * index;

const setUp = (options?: TypingOptions) => {
  const clock = new ManualClock();
  const shownAtMs: number[] = [];
  const typing = createTypingController(() => shownAtMs.push(clock.monotonicMs()), clock, options);
  return { clock, shownAtMs, typing };
};

describe('createTypingController', () => {
  it('shows nothing before it is started', async () => {
    const { clock, shownAtMs } = setUp();
    await clock.advance(60_000);
    expect(shownAtMs).toEqual([]);
  });

  it('shows the sign after a moment and then every five seconds', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    await clock.advance(SHOW_AFTER_MS - 1);
    expect(shownAtMs).toEqual([]);
    await clock.advance(1);
    expect(shownAtMs).toEqual([nth(0)]);
    await clock.advance(5_000);
    await clock.advance(9_999);
    expect(shownAtMs).toEqual([nth(0), nth(1), nth(2)]);
    await clock.advance(1);
    expect(shownAtMs).toEqual([nth(0), nth(1), nth(2), nth(3)]);
  });

  it('shows no sign for an answer that is quicker', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    await clock.advance(SHOW_AFTER_MS - 1);
    typing.seal();
    await clock.advance(60_000);
    expect(shownAtMs).toEqual([]);
  });

  it('seals itself after two minutes: a run that hangs does not type for ever', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    await clock.advance(600_000);
    expect(shownAtMs.at(-1)).toBe(nth(23));
    expect(clock.pendingTimers).toBe(0);
  });

  it('counts the two minutes from the start, not from its making', async () => {
    const { clock, shownAtMs, typing } = setUp();
    await clock.advance(119_000);
    typing.start();
    await clock.advance(nth(2));
    expect(shownAtMs).toHaveLength(3);
  });

  it('shows nothing more once sealed, and leaves no timer behind', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    await clock.advance(nth(0));
    typing.seal();
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(60_000);
    expect(shownAtMs).toEqual([nth(0)]);
  });

  it('never starts again once sealed, not even when it was sealed before the start', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.seal();
    typing.start();
    await clock.advance(60_000);
    expect(shownAtMs).toEqual([]);
  });

  it('has one rhythm however often it is started', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    typing.start();
    typing.start();
    await clock.advance(nth(1));
    expect(shownAtMs).toEqual([nth(0), nth(1)]);
  });

  it('keeps the rhythm and the limit it is given', async () => {
    const { clock, shownAtMs, typing } = setUp({ delayMs: 0, intervalMs: 10, ttlMs: 25 });
    typing.start();
    await clock.advance(100);
    expect(shownAtMs).toEqual([0, 10, 20]);
  });
});
