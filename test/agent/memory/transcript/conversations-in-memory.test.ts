import { describe, expect, it, vi } from 'vitest';
import {
  createTranscriptStore,
  type TranscriptStore,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { SESSION } from '#test/agent/support.ts';
import { recordingLogger } from '#test/support/context.ts';
import { said, setUpStore, wordsIn } from './store-support.ts';

/** Text in the rows alone, so that a test sees where a conversation was read from. */
const IN_THE_ROWS = JSON.stringify(said('from the rows').message);

/** A store whose next reading of rows has read them, but waits before it ends. */
const setUpSlowReading = async () => {
  const world = await setUpStore();
  const rows = createTranscriptRows(world.storage);
  const hasRead = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  let isSlow = false;
  const store = createTranscriptStore(
    {
      ...rows,
      current: async (key) => {
        const found = await rows.current(key);
        if (!isSlow) return found;
        isSlow = false;
        hasRead.resolve();
        await mayEnd.promise;
        return found;
      },
    },
    world.clock,
    recordingLogger().logger,
  );
  /** Reads the rows, does this, and ends the reading after it. */
  const whileReading = async (act: () => Promise<unknown>): Promise<void> => {
    isSlow = true;
    const read = store.load(SESSION);
    await hasRead.promise;
    await act();
    mayEnd.resolve();
    await read;
  };
  return { ...world, store, whileReading, words: async () => wordsIn(await store.load(SESSION)) };
};

describe('a conversation in memory', () => {
  it('is not read from its rows again, and grows with its entries', async () => {
    const { store, spoil, wordsOf } = await setUpStore();
    const first = await store.append(SESSION, said('first'));
    await store.load(SESSION);
    await spoil(first, IN_THE_ROWS);
    await expect(wordsOf(SESSION)).resolves.toEqual(['first']);
    await expect(store.isEmpty(SESSION)).resolves.toBe(false);
    await store.append(SESSION, said('second'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'second']);
  });

  it('is read again if it was archived or removed, and after its first entry', async () => {
    const { store, wordsOf } = await setUpStore();
    await store.append(SESSION, said('old'));
    await store.load(SESSION);
    await store.archive(SESSION);
    await expect(wordsOf(SESSION)).resolves.toEqual([]);
    await store.append(SESSION, said('new'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['new']);
    await store.remove(SESSION);
    await expect(wordsOf(SESSION)).resolves.toEqual([]);
    await expect(store.isEmpty(SESSION)).resolves.toBe(true);
  });

  it('is read again if a shorter one took its place, also one with the same ends', async () => {
    const { store, wordsOf } = await setUpStore();
    const first = await store.append(SESSION, said('first'));
    await store.append(SESSION, said('between'));
    const last = await store.append(SESSION, said('last'));
    await store.load(SESSION);
    await store.replace(SESSION, [first, last]);
    await expect(wordsOf(SESSION)).resolves.toEqual(['first', 'last']);
  });

  it('is not kept if it was read while a shorter one took its place', async () => {
    const { store, whileReading, words } = await setUpSlowReading();
    const first = await store.append(SESSION, said('first'));
    await store.append(SESSION, said('between'));
    const last = await store.append(SESSION, said('last'));
    await whileReading(() => store.replace(SESSION, [first, last]));
    await expect(words()).resolves.toEqual(['first', 'last']);
  });

  it('misses no entry that was added while it was read', async () => {
    const { store, whileReading, words } = await setUpSlowReading();
    await store.append(SESSION, said('first'));
    await whileReading(() => store.append(SESSION, said('second')));
    await store.append(SESSION, said('third'));
    await expect(words()).resolves.toEqual(['first', 'second', 'third']);
  });

  it('has an entry once that was read before its writer knew that it was stored', async () => {
    const { storage, clock } = await setUpStore();
    const rows = createTranscriptRows(storage);
    const flushed = Promise.withResolvers<void>();
    const { logger, records } = recordingLogger();
    const store = createTranscriptStore(
      { ...rows, append: (...given) => rows.append(...given).then(() => flushed.promise) },
      clock,
      logger,
    );
    await store.load(SESSION);
    const appended = store.append(SESSION, said('once'));
    await vi.waitFor(async () => expect(wordsIn(await store.load(SESSION))).toEqual(['once']), {
      timeout: 30_000,
    });
    flushed.resolve();
    await appended;
    expect(wordsIn(await store.load(SESSION))).toEqual(['once']);
    expect(records()).toEqual([]);
  });

  it.each([
    { did: 'archived', act: (other: TranscriptStore) => other.archive(SESSION) },
    { did: 'removed', act: (other: TranscriptStore) => other.remove(SESSION) },
  ])('forgets what another process $did while a turn runs here', async ({ act }) => {
    const { store, restart, wordsOf } = await setUpStore();
    await store.append(SESSION, said('secret'));
    await store.load(SESSION);
    await act(restart());
    await store.append(SESSION, said('question'));
    await store.append(SESSION, said('answer', 'assistant'));
    await expect(wordsOf(SESSION)).resolves.toEqual(['question', 'answer']);
  });

  it.each([
    {
      did: 'went on',
      wordsAfter: ['first', 'elsewhere'],
      act: async (other: TranscriptStore) => {
        await other.load(SESSION);
        await other.append(SESSION, said('elsewhere'));
      },
    },
    {
      did: 'was archived, and began anew,',
      wordsAfter: ['elsewhere'],
      act: async (other: TranscriptStore) => {
        await other.archive(SESSION);
        await other.load(SESSION);
        await other.append(SESSION, said('elsewhere'));
      },
    },
    {
      did: 'was summarized',
      wordsAfter: ['in short', 'first'],
      act: async (other: TranscriptStore) => {
        const [first] = await other.load(SESSION);
        const summary = { ...said('in short'), at: '2026-11-13T06:00:00Z' };
        await other.replace(SESSION, first ? [summary, first] : []);
      },
    },
    { did: 'was removed', wordsAfter: [], act: (other: TranscriptStore) => other.remove(SESSION) },
  ])('is read again if it $did in another process', async ({ act, wordsAfter }) => {
    const { store, restart, wordsOf } = await setUpStore();
    await store.append(SESSION, said('first'));
    await store.load(SESSION);
    await act(restart());
    await expect(wordsOf(SESSION)).resolves.toEqual(wordsAfter);
  });

  it('is read every time if it is very long', async () => {
    const { store, spoil, wordsOf } = await setUpStore();
    const long = await store.append(SESSION, said('x'.repeat(600_000)));
    await store.load(SESSION);
    await spoil(long, IN_THE_ROWS);
    await expect(wordsOf(SESSION)).resolves.toEqual(['from the rows']);
  });
});
