import { describe, expect, it } from 'vitest';
import { LoopDetector, type LoopKind } from '#src/agent/tools/loop-detector.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = () => {
  const clock = new ManualClock();
  const loops = new LoopDetector(clock);
  /** One call after the other; what was said about the last. */
  const calls = (...names: readonly string[]): LoopKind | undefined =>
    names.map((name) => loops.record('s', name, {})).at(-1);
  /** The same call, so many times, so far apart; what was said about each. */
  const repeat = async (times: number, apartMs: number): Promise<(string | undefined)[]> => {
    const said: (string | undefined)[] = [];
    for (let index = 0; index < times; index += 1) {
      if (index > 0) await clock.advance(apartMs);
      said.push(loops.record('s', 'get_quote', { symbol: 'AAPL' })?.kind);
    }
    return said;
  };
  return { clock, loops, calls, repeat };
};

describe('LoopDetector on a call that is repeated', () => {
  it('objects to the fifth time within ten seconds, and to each further one', async () => {
    const { repeat } = setUp();
    const none = undefined;
    expect(await repeat(7, 1_000)).toEqual([none, none, none, none, 'repeat', 'repeat', 'repeat']);
  });

  it('says in words what it noticed', () => {
    const { loops } = setUp();
    for (let times = 1; times < 5; times += 1) loops.record('s', 'get_quote', {});
    expect(loops.record('s', 'get_quote', {})?.reason).toBe(
      'get_quote was called 5 times with the same input within 10 seconds.',
    );
  });

  it('counts what is less than ten seconds ago and no more', async () => {
    expect((await setUp().repeat(5, 2_499)).at(-1)).toBe('repeat');
    expect(await setUp().repeat(20, 2_500)).toEqual(Array.from({ length: 20 }));
  });

  it('sees that inputs are the same whatever the order of their keys', () => {
    const { loops } = setUp();
    const inputs = [
      { a: 1, b: { c: [1, 2], d: null } },
      { b: { d: null, c: [1, 2] }, a: 1 },
      { a: 1, b: { d: null, c: [1, 2] } },
      { b: { c: [1, 2], d: null }, a: 1 },
      { a: 1, b: { c: [1, 2], d: null }, e: undefined },
    ];
    expect(inputs.map((input) => loops.record('s', 'x', input)?.kind)[4]).toBe('repeat');
  });

  it('does not mind many calls with different inputs, or of different tools', () => {
    const { loops } = setUp();
    for (let index = 0; index < 100; index += 1) {
      expect(loops.record('s', 'get_quote', { symbol: `S${index}` })).toBeUndefined();
      expect(loops.record('s', `tool_${index}`, { symbol: 'AAPL' })).toBeUndefined();
    }
  });

  it('finds repetitions between other calls', () => {
    const { loops, calls } = setUp();
    for (let index = 0; index < 4; index += 1) {
      expect(loops.record('s', 'same', {})).toBeUndefined();
      loops.record('s', 'other', { index });
    }
    expect(calls('same')?.kind).toBe('repeat');
  });
});

describe('LoopDetector on calls in turns', () => {
  it('objects to A, B, A, B', () => {
    const { calls } = setUp();
    expect(calls('a', 'b', 'a')).toBeUndefined();
    expect(calls('b')).toEqual({
      kind: 'cycle',
      reason: 'a and b are repeated in turns with the same inputs.',
    });
    expect(calls('a')?.kind).toBe('cycle');
  });

  it('objects to one tool that goes back and forth between two inputs', () => {
    const { loops } = setUp();
    const said = [1, 2, 1, 2].map((page) => loops.record('s', 'read', { page }));
    expect(said.map((loop) => loop?.kind)).toEqual([undefined, undefined, undefined, 'cycle']);
    expect(said[3]?.reason).toBe('Two calls of read are repeated in turns with the same inputs.');
  });

  it.each([
    ['a', 'a', 'a', 'a'],
    ['a', 'a', 'b', 'b'],
    ['a', 'b', 'b', 'a'],
    ['a', 'b', 'a', 'c'],
    ['c', 'b', 'a', 'b'],
    ['a', 'b', 'c', 'a', 'b', 'c'],
  ])('does not mind another order: %s %s %s %s', (...names) => {
    expect(setUp().calls(...names)).toBeUndefined();
  });

  it('does not mind two tools in turns over different things', () => {
    const { loops } = setUp();
    for (const symbol of ['AAPL', 'TSLA', 'MSFT', 'NVDA']) {
      expect(loops.record('s', 'get_quote', { symbol })).toBeUndefined();
      expect(loops.record('s', 'get_news', { symbol })).toBeUndefined();
    }
  });

  it('does not mind them over a longer time', async () => {
    const { clock, calls } = setUp();
    calls('a');
    await clock.advance(9_999);
    expect(calls('b', 'a', 'b')?.kind).toBe('cycle');
    const later = setUp();
    later.calls('a');
    await later.clock.advance(10_000);
    expect(later.calls('b', 'a', 'b')).toBeUndefined();
  });

  it('is content again after something else was called', () => {
    const { calls } = setUp();
    expect(calls('a', 'b', 'a', 'b', 'c')).toBeUndefined();
  });
});

describe('LoopDetector and its sessions', () => {
  it('never counts the calls of one for another', () => {
    const { loops } = setUp();
    for (let index = 0; index < 4; index += 1)
      for (const session of ['s1', 's2', 's3'])
        expect(loops.record(session, 'get_quote', {})).toBeUndefined();
    const inTurns = new LoopDetector(new ManualClock());
    for (const [session, name] of [
      ['s1', 'a'],
      ['s2', 'b'],
      ['s1', 'a'],
      ['s2', 'b'],
    ] as const)
      expect(inTurns.record(session, name, {})).toBeUndefined();
  });

  it('begins anew with one that is to be forgotten, and with no other', () => {
    const { loops } = setUp();
    for (let index = 0; index < 4; index += 1)
      for (const session of ['s1', 's2']) loops.record(session, 'get_quote', {});
    loops.forget('s1');
    loops.forget('never seen');
    expect(loops.record('s1', 'get_quote', {})).toBeUndefined();
    expect(loops.record('s2', 'get_quote', {})?.kind).toBe('repeat');
  });

  it('gives back the memory of calls and sessions that are long past', async () => {
    const { clock, loops } = setUp();
    for (let index = 0; index < 50; index += 1) loops.record(`s${index}`, 'a', {});
    await clock.advance(5_000);
    loops.record('s0', 'a', {});
    expect(loops.size).toBe(51);
    await clock.advance(5_000);
    loops.record('new', 'a', {});
    // What s0 did at first goes with its next call.
    expect(loops.size).toBe(3);
    loops.record('s0', 'a', {});
    expect(loops.size).toBe(3);
    await clock.advance(10_000);
    loops.record('new', 'a', {});
    expect(loops.size).toBe(1);
  });

  it('keeps a limited number of calls of one, and still sees its loops', () => {
    const { loops, calls } = setUp();
    for (let index = 0; index < 1_000; index += 1) loops.record('s', 'a', { index });
    expect(loops.size).toBe(200);
    expect(calls('b', 'b', 'b', 'b', 'b')?.kind).toBe('repeat');
  });
});
