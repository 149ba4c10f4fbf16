import { describe, expect, it } from 'vitest';
import { createTypingController, type TypingOptions } from '#src/chat/reply/acknowledgement.ts';
import { SHOW_AFTER_MS } from '#src/chat/reply/live-answers.ts';
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
    const { clock, shownAtMs, typing } = setUp();
    await clock.advance(60_000);
    expect(typing.state()).toBe('idle');
    expect(shownAtMs).toEqual([]);
  });

  it('goes from active over processing to sealed', () => {
    const { typing } = setUp();
    typing.start();
    expect(typing.state()).toBe('active');
    typing.process();
    expect(typing.state()).toBe('processing');
    typing.seal();
    expect(typing.state()).toBe('sealed');
  });

  it('shows the sign after a moment and then every five seconds, also while the model is at work', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    await clock.advance(SHOW_AFTER_MS - 1);
    expect(shownAtMs).toEqual([]);
    await clock.advance(1);
    expect(shownAtMs).toEqual([nth(0)]);
    await clock.advance(5_000);
    typing.process();
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
    typing.process();
    await clock.advance(119_999);
    expect(typing.state()).toBe('processing');
    // The next time it would be shown.
    await clock.advance(401);
    expect(typing.state()).toBe('sealed');
    await clock.advance(600_000);
    expect(shownAtMs.at(-1)).toBe(nth(23));
    expect(clock.pendingTimers).toBe(0);
  });

  it('counts the two minutes from the start, not from its making', async () => {
    const { clock, typing } = setUp();
    await clock.advance(119_000);
    typing.start();
    await clock.advance(10_000);
    expect(typing.state()).toBe('active');
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
    typing.process();
    await clock.advance(60_000);
    expect(typing.state()).toBe('sealed');
    expect(shownAtMs).toEqual([]);
  });

  it('has one rhythm however often it is started', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    typing.start();
    typing.process();
    typing.start();
    await clock.advance(nth(1));
    expect(typing.state()).toBe('processing');
    expect(shownAtMs).toEqual([nth(0), nth(1)]);
  });

  it('does not begin to type because the model is at work: that needs a start', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.process();
    await clock.advance(10_000);
    expect(typing.state()).toBe('idle');
    expect(shownAtMs).toEqual([]);
  });

  it('keeps the rhythm and the limit it is given', async () => {
    const { clock, shownAtMs, typing } = setUp({ delayMs: 0, intervalMs: 10, ttlMs: 25 });
    typing.start();
    await clock.advance(100);
    expect(shownAtMs).toEqual([0, 10, 20]);
    expect(typing.state()).toBe('sealed');
  });

  it('counts its two minutes from the last sign of life', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.start();
    typing.process();
    await clock.advance(100_000);
    typing.extend();
    await clock.advance(119_999);
    expect(typing.state()).toBe('processing');
    expect(shownAtMs.at(-1)).toBe(nth(43));
    await clock.advance(401);
    expect(typing.state()).toBe('sealed');
  });

  it('neither begins nor begins again by a sign of life', async () => {
    const { clock, shownAtMs, typing } = setUp();
    typing.extend();
    expect(typing.state()).toBe('idle');
    typing.start();
    await clock.advance(nth(0));
    typing.seal();
    typing.extend();
    await clock.advance(60_000);
    expect(typing.state()).toBe('sealed');
    expect(shownAtMs).toEqual([nth(0)]);
  });
});
