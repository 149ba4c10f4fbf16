import { describe, expect, it } from 'vitest';
import type { TurnId } from '#src/kernel/ids.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
import { setUpStore } from './store-support.ts';
import { apiProblem, messagesOf, turn } from './support.ts';

const NONE: ReadonlySet<TurnId> = new Set();
const CLOSING = { role: 'assistant', isNote: true };

describe('a damaged transcript', () => {
  it('is repaired in the database when it is loaded, and what was damaged is kept', async () => {
    const { store, write, spoil, rowsIn, records, payloads } = await setUpStore();
    const [question, answer] = await write(1, user('q'), assistant('a'));
    const [gone] = await write(2, user('gone'));
    if (!question || !answer || !gone) throw new Error('no entries');
    await spoil(gone, '{"role":"us');
    await expect(store.load(SESSION, NONE)).resolves.toEqual([question, answer]);
    expect(await rowsIn('damaged')).toEqual(['{"role":"us']);
    expect(await rowsIn('current')).toHaveLength(2);
    expect(payloads('session:repair')).toEqual([{ sessionKey: SESSION, corruptions: ['truncated-json'] }]);
    expect(records()).toMatchObject([
      {
        level: 'warn',
        sessionKey: SESSION,
        corruptions: { 'truncated-json': 1 },
        isRecoverable: true,
        found: [expect.any(String)],
      },
    ]);
    // Nothing is left to be repaired, and damaged rows do not come back.
    await expect(store.load(SESSION, NONE)).resolves.toEqual([question, answer]);
    await expect(store.loadAll(SESSION)).resolves.toEqual([question, answer]);
    expect(payloads('session:repair')).toHaveLength(1);
  });

  it('keeps what every repair replaced', async () => {
    const { store, write, plant, rowsIn, payloads } = await setUpStore();
    await write(1, user('q'), assistant('a'));
    for (const message of ['first', 'second']) {
      await plant({ turnId: 't', at: '2026-11-13T07:00:00Z', message });
      await expect(store.load(SESSION, NONE)).resolves.toHaveLength(2);
    }
    expect(payloads('session:repair')).toHaveLength(2);
    expect(await rowsIn('damaged')).toEqual(['first', 'second']);
  });

  it('keeps of the rest every byte', async () => {
    const { store, write, plant, rowsIn } = await setUpStore();
    await write(1, user('q'), assistant('a'));
    const before = await rowsIn('current');
    await plant({ turnId: 't', at: '2026-11-13T07:00:00Z', message: 'spoiled' });
    await expect(store.load(SESSION)).resolves.toHaveLength(2);
    expect(await rowsIn('current')).toEqual(before);
  });

  it('loses an entry that is there twice', async () => {
    const { store, write, plant, payloads } = await setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    const [first] = written;
    if (!first) throw new Error('no entry');
    await plant({ ...first, message: JSON.stringify(first.message) });
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    expect(payloads('session:repair')).toEqual([{ sessionKey: SESSION, corruptions: ['duplicate-entry'] }]);
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    expect(payloads('session:repair')).toHaveLength(1);
  });

  it('starts anew where nothing can be read, and what was there is kept', async () => {
    const { store, write, spoil, rowsIn, records } = await setUpStore();
    const [only] = await write(1, user('q'));
    if (!only) throw new Error('no entry');
    await spoil(only, 'spoiled');
    await expect(store.load(SESSION, NONE)).resolves.toEqual([]);
    expect(await rowsIn('damaged')).toEqual(['spoiled']);
    expect(records()).toMatchObject([{ isRecoverable: false }]);
    await write(2, user('anew'));
    expect(messagesOf(await store.load(SESSION))).toEqual([user('anew')]);
  });

  it('is given repaired even where that cannot be written, and repaired again later', async () => {
    const { store, write, plant, disk, rowsIn, records } = await setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    await plant({ turnId: 't', at: '2026-11-13T07:00:00Z', message: 'torn' });
    disk.isFull = true;
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    expect(records()).toMatchObject([{ level: 'error', sessionKey: SESSION }]);
    disk.isFull = false;
    expect(await rowsIn('current')).toHaveLength(3);
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    expect(await rowsIn('current')).toHaveLength(2);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'can have lost row %i of a turn with calls: it loads, is taken by the API, and goes on',
    async (lost) => {
      const { store, write, spoil } = await setUpStore();
      const written = [
        ...(await write(1, user('가?'), assistant(call('c1')), results(result('c1', '나')), assistant('다'))),
        ...(await write(2, user('라?'), assistant(call('c2')), results(result('c2', '마')))),
      ];
      const entry = written[lost];
      if (!entry) throw new Error('no entry');
      await spoil(entry, '{');
      const loaded = await store.load(SESSION, NONE);
      expect(apiProblem(loaded)).toBeUndefined();
      expect(loaded.at(-1)?.message.role).toBe('assistant');
      await expect(store.load(SESSION, NONE)).resolves.toEqual(loaded);
      const next = await write(3, user('and?'), assistant('so'));
      const again = await store.load(SESSION, NONE);
      expect(again).toEqual([...loaded, ...next]);
      expect(apiProblem(again)).toBeUndefined();
    },
  );
});

describe('a turn that has not ended', () => {
  const messages = [user('sell'), assistant(call('c1'))];

  it('is no damage while it is live, whatever it ends with', async () => {
    const { store, write, rowsIn, payloads } = await setUpStore();
    const written = await write(1, ...messages);
    await expect(store.load(SESSION, new Set([turn(1)]))).resolves.toEqual(written);
    expect(await rowsIn()).toHaveLength(2);
    expect(payloads('session:repair')).toEqual([]);
  });

  it('is left alone by whoever does not know what is live', async () => {
    const { store, write, rowsIn } = await setUpStore();
    const written = await write(1, ...messages);
    await expect(store.load(SESSION)).resolves.toEqual(written);
    expect(await rowsIn()).toHaveLength(2);
  });

  it('is closed in the database once it is live no more, with nothing changed that was there', async () => {
    const { store, write, payloads, rowsIn } = await setUpStore();
    await write(1, ...messages);
    const before = await rowsIn();
    const closed = await store.load(SESSION, NONE);
    expect(messagesOf(closed)).toMatchObject([...messages, { role: 'tool' }, CLOSING]);
    // From now on for everybody.
    await expect(store.load(SESSION)).resolves.toEqual(closed);
    expect(await rowsIn('current')).toEqual([...before, expect.any(String), expect.any(String)]);
    expect(await rowsIn('damaged')).toEqual([]);
    expect(payloads('session:repair')).toEqual([
      { sessionKey: SESSION, corruptions: ['missing-tool-result', 'invalid-role-sequence'] },
    ]);
  });

  it('stands where it ended, though another was written between its parts', async () => {
    const { store, write, payloads } = await setUpStore();
    const first = await write(1, ...messages);
    const between = await write(2, user('hi'), assistant('hello'));
    await expect(store.load(SESSION, new Set([turn(1)]))).resolves.toEqual([...first, ...between]);
    const second = await write(1, results(result('c1')), assistant('sold'));
    await expect(store.load(SESSION, NONE)).resolves.toEqual([...between, ...first, ...second]);
    expect(payloads('session:repair')).toEqual([]);
  });
});
