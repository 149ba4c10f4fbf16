import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSessionPrompts } from '#src/agent/prompt/open-prompts.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const MINUTE_MS = 60_000;
const key = (name: string | number): SessionKey => asId<SessionKey>(`agent:main:test:local:direct:${name}`);
const mina = key('mina');
const jun = key('jun');

const setUp = (options: { readonly maxIdleMs?: number; readonly maxSessions?: number } = {}) => {
  const clock = new ManualClock();
  const prompts = createSessionPrompts({ clock, ...options });
  let builds = 0;
  /** Another prompt every time. */
  const build = (): string => {
    builds += 1;
    return `prompt ${builds}`;
  };
  const ask = (session: SessionKey, basis?: string): string => prompts.promptFor(session, build, basis);
  return { clock, prompts, ask };
};

describe('the prompt of a session', () => {
  it('stays the same for as long as the session is in use', async () => {
    const { clock, ask } = setUp();
    expect(ask(mina)).toBe('prompt 1');
    for (let hour = 0; hour < 6; hour += 1) {
      await clock.advance(59 * MINUTE_MS);
      expect(ask(mina)).toBe('prompt 1');
    }
  });

  it('is built anew after an hour of rest', async () => {
    const { clock, ask } = setUp();
    ask(mina);
    await clock.advance(60 * MINUTE_MS);
    expect(ask(mina)).toBe('prompt 2');
  });

  it('is of that session alone', () => {
    const { ask } = setUp();
    ask(mina);
    expect(ask(jun)).toBe('prompt 2');
    expect(ask(mina)).toBe('prompt 1');
  });

  it('is built anew when it was forgotten, and others are not', () => {
    const { prompts, ask } = setUp();
    ask(mina);
    ask(jun);
    prompts.forget(mina);
    prompts.forget(mina);
    prompts.forget(key('stranger'));
    expect(ask(mina)).toBe('prompt 3');
    expect(ask(jun)).toBe('prompt 2');
  });

  it('is built anew when what it rests on changed, and then stays', () => {
    const { ask } = setUp();
    expect(ask(mina, 'conservative')).toBe('prompt 1');
    expect(ask(mina, 'aggressive')).toBe('prompt 2');
    expect(ask(mina, 'aggressive')).toBe('prompt 2');
    expect(ask(mina)).toBe('prompt 3');
  });

  it('can be looked at, which is no use of it', async () => {
    const { clock, prompts, ask } = setUp();
    expect(prompts.peek(mina)).toBeUndefined();
    ask(mina);
    await clock.advance(59 * MINUTE_MS);
    expect(prompts.peek(mina)).toBe('prompt 1');
    await clock.advance(MINUTE_MS);
    expect(prompts.peek(mina)).toBeUndefined();
    expect(ask(mina)).toBe('prompt 2');
  });

  it('is not kept when it could not be built', () => {
    const { prompts, ask } = setUp();
    const promptWithout = (): string =>
      prompts.promptFor(mina, () => {
        throw new Error('no prompt');
      });
    expect(promptWithout).toThrow('no prompt');
    expect(ask(mina)).toBe('prompt 1');
  });
});

describe('the number of sessions', () => {
  it('is bounded: the longest unused goes first', () => {
    const { ask } = setUp({ maxSessions: 2 });
    ask(mina);
    ask(jun);
    ask(mina);
    ask(key('third'));
    expect(ask(mina)).toBe('prompt 1');
    expect(ask(jun)).toBe('prompt 4');
  });
});

/** What is in use after everything else was cleared away. */
const heapUsed = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};

/** Made from bytes: text that is put together would share its pieces. */
const ofSize = (bytes: number, letter: string): string => Buffer.alloc(bytes, letter).toString('latin1');

describe('the memory that prompts take', () => {
  const SIZE = 300_000;
  const SESSIONS = 100;

  it('is that of one where many sessions have the same', () => {
    const { prompts } = setUp();
    const before = heapUsed();
    for (let n = 0; n < SESSIONS; n += 1) prompts.promptFor(key(n), () => ofSize(SIZE, 'a'));
    expect(heapUsed() - before).toBeLessThan(10 * SIZE);
    expect(prompts.promptFor(key(0), () => '')).toHaveLength(SIZE);
  });

  it('is given back with the last session that had it', () => {
    const { prompts } = setUp({ maxSessions: 2 });
    const before = heapUsed();
    for (let n = 0; n < SESSIONS; n += 1) prompts.promptFor(key(n), () => `${n}${ofSize(SIZE, 'b')}`);
    expect(heapUsed() - before).toBeLessThan(10 * SIZE);
    expect(prompts.promptFor(key(SESSIONS - 1), () => '').length).toBeGreaterThan(SIZE);
  });
});
