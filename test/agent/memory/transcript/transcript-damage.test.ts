import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireWriteLock } from '#src/agent/memory/transcript/write-lock.ts';
import type { TurnId } from '#src/kernel/ids.ts';
import { assistant, call, result, results, until, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
import { setUpStore } from './store-support.ts';
import { apiProblem, messagesOf, turn } from './support.ts';

const NONE: ReadonlySet<TurnId> = new Set();
const CLOSING = { role: 'assistant', isNote: true };

describe('a damaged transcript', () => {
  it('is repaired on disk when it is loaded, and kept aside as it was', async () => {
    const { store, write, onlyFile, filesOf, records, payloads } = setUpStore();
    const [question, answer] = await write(1, user('q'), assistant('a'));
    await write(2, user('gone'));
    const path = await onlyFile();
    const damaged = readFileSync(path, 'utf8').slice(0, -5);
    writeFileSync(path, damaged);
    await expect(store.load(SESSION, NONE)).resolves.toEqual([question, answer]);
    expect(filesOf('.damaged')).toEqual([damaged]);
    expect(filesOf('.jsonl')).toEqual([damaged.slice(0, damaged.lastIndexOf('\n') + 1)]);
    expect(payloads('session:repair')).toEqual([{ sessionKey: SESSION, corruptions: ['truncated-json'] }]);
    expect(records()).toMatchObject([
      {
        level: 'WARN',
        sessionKey: SESSION,
        corruptions: { 'truncated-json': 1 },
        isRecoverable: true,
        found: [expect.any(String)],
      },
    ]);
    // Nothing is left to be repaired, and no draft.
    await store.load(SESSION, NONE);
    expect(payloads('session:repair')).toHaveLength(1);
    expect(filesOf('')).toHaveLength(2);
  });

  it('is kept aside once: the first copy is never written over', async () => {
    const { store, write, onlyFile, filesOf, payloads } = setUpStore();
    await write(1, user('q'), assistant('a'));
    const path = await onlyFile();
    for (const debris of ['first', 'second']) {
      appendFileSync(path, debris);
      await expect(store.load(SESSION, NONE)).resolves.toHaveLength(2);
    }
    expect(payloads('session:repair')).toHaveLength(2);
    expect(filesOf('.damaged')).toEqual([expect.stringMatching(/first$/)]);
  });

  it('keeps of the rest every byte', async () => {
    const { store, write, onlyFile, filesOf } = setUpStore();
    await write(1, user('q'), assistant('a'));
    const path = await onlyFile();
    const odd = `{ "message": {"content":[{"text":"\\u0071","type":"text"}],"role":"user"}, "at":"x", "turnId":"t", "by":"another version" }`;
    const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [first, 'spoiled', second, '', odd, 'torn'].join('\n'));
    await expect(store.load(SESSION)).resolves.toHaveLength(3);
    expect(filesOf('.jsonl')).toEqual([`${[first, second, odd].join('\n')}\n`]);
  });

  it('starts anew where nothing can be read, and what was there is kept', async () => {
    const { store, write, onlyFile, filesOf, records } = setUpStore();
    await write(1, user('q'));
    writeFileSync(await onlyFile(), 'spoiled\nall of it\n');
    await expect(store.load(SESSION, NONE)).resolves.toEqual([]);
    expect(filesOf('.damaged')).toEqual(['spoiled\nall of it\n']);
    expect(records()).toMatchObject([{ isRecoverable: false }]);
    await write(2, user('anew'));
    expect(messagesOf(await store.load(SESSION))).toEqual([user('anew')]);
  });

  it('is given repaired even where that cannot be written', async () => {
    const { store, write, onlyFile, filesOf, records } = setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    const path = await onlyFile();
    appendFileSync(path, 'torn');
    // A directory stands where the new file would be written.
    mkdirSync(`${path}.tmp`);
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    expect(records()).toMatchObject([{ level: 'ERROR', sessionKey: SESSION }]);
    expect(filesOf('.jsonl')).toEqual([expect.stringMatching(/torn$/)]);
  });

  it.each([
    ['last', 1],
    ['second last', 2],
    ['third last', 3],
  ])(
    'can be cut at every byte of its %s line: it loads, is taken by the API, and goes on',
    async (_what, line) => {
      const { store, write, onlyFile } = setUpStore();
      await write(1, user('가?'), assistant(call('c1')), results(result('c1', '나')), assistant('다'));
      await write(2, user('라?'), assistant(call('c2')), results(result('c2', '마')));
      const path = await onlyFile();
      const whole = readFileSync(path);
      const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index] : []));
      const [start = 0, end = 0] = ends.slice(-line - 1);
      expect(end - start).toBeGreaterThan(100);
      for (let length = start + 1; length <= end + 1; length += 1) {
        writeFileSync(path, whole.subarray(0, length));
        const loaded = await store.load(SESSION, NONE);
        expect(apiProblem(loaded), `cut at byte ${length}`).toBeUndefined();
        expect(loaded.at(-1)?.message.role).toBe('assistant');
        const linesLeft = ends.filter((each) => each < length).length;
        expect(loaded.filter(({ message }) => !message.isNote).length).toBeGreaterThanOrEqual(linesLeft);
        const next = await write(3, user('and?'), assistant('so'));
        const again = await store.load(SESSION, NONE);
        expect(again, `cut at byte ${length}`).toEqual([...loaded, ...next]);
        expect(apiProblem(again)).toBeUndefined();
      }
    },
  );
});

describe('a turn that has not ended', () => {
  const messages = [user('sell'), assistant(call('c1'))];

  it('is no damage while it is live, whatever it ends with', async () => {
    const { store, write, filesOf, payloads } = setUpStore();
    const written = await write(1, ...messages);
    const before = filesOf('.jsonl');
    await expect(store.load(SESSION, new Set([turn(1)]))).resolves.toEqual(written);
    expect(filesOf('')).toEqual(before);
    expect(payloads('session:repair')).toEqual([]);
  });

  it('is left alone by whoever does not know what is live', async () => {
    const { store, write, filesOf } = setUpStore();
    const written = await write(1, ...messages);
    await expect(store.load(SESSION)).resolves.toEqual(written);
    expect(filesOf('')).toHaveLength(1);
  });

  it('is closed on disk once it is live no more, with nothing changed that was there', async () => {
    const { store, write, payloads, filesOf } = setUpStore();
    await write(1, ...messages);
    const [before = ''] = filesOf('.jsonl');
    const closed = await store.load(SESSION, NONE);
    expect(messagesOf(closed)).toMatchObject([...messages, { role: 'tool' }, CLOSING]);
    // From now on for everybody.
    await expect(store.load(SESSION)).resolves.toEqual(closed);
    expect(filesOf('')).toEqual([expect.stringMatching(/^.*\n.*\n.*\n.*\n$/)]);
    expect(filesOf('.jsonl')[0]?.startsWith(before)).toBe(true);
    expect(payloads('session:repair')).toEqual([
      { sessionKey: SESSION, corruptions: ['missing-tool-result', 'invalid-role-sequence'] },
    ]);
  });

  it('stands where it ended, though another was written between its parts', async () => {
    const { store, write, payloads } = setUpStore();
    const first = await write(1, ...messages);
    const between = await write(2, user('hi'), assistant('hello'));
    await expect(store.load(SESSION, new Set([turn(1)]))).resolves.toEqual([...first, ...between]);
    const second = await write(1, results(result('c1')), assistant('sold'));
    await expect(store.load(SESSION, NONE)).resolves.toEqual([...between, ...first, ...second]);
    expect(payloads('session:repair')).toEqual([]);
  });
});

const setUpLocked = async () => {
  const world = setUpStore();
  const written = await world.write(1, user('q'), assistant('a'));
  const path = await world.onlyFile();
  const sessionId = basename(path, '.jsonl');
  const lock = await acquireWriteLock({ sessionDir: world.directory, sessionId });
  if (!lock.acquired) throw new Error('not acquired');
  return { ...world, written, path, release: lock.release };
};

describe('the lock of a transcript', () => {
  it('is not taken to read what is whole', async () => {
    const { store, written, release, clock } = await setUpLocked();
    await expect(store.load(SESSION, NONE)).resolves.toEqual(written);
    await expect(store.loadAll(SESSION)).resolves.toEqual(written);
    expect(clock.pendingTimers).toBe(0);
    await release();
  });

  it.each([
    ['append', 'append'],
    ['replace', 'replace'],
    ['archive', 'archive'],
  ] as const)('is waited for by %s, which fails with an error of its own', async (_what, operation) => {
    const { store, written, release, clock } = await setUpLocked();
    const [entry] = written;
    if (!entry) throw new Error('no entry');
    const tasks = {
      append: () => store.append(SESSION, entry),
      replace: () => store.replace(SESSION, []),
      archive: () => store.archive(SESSION),
    };
    const refused = expect(tasks[operation]()).rejects.toMatchObject({
      code: 'SESSION_LOCKED',
      details: { sessionKey: SESSION, heldBy: process.pid },
    });
    await until(() => clock.pendingTimers > 0);
    await clock.advance(5_000);
    await refused;
    await release();
    await expect(store.load(SESSION)).resolves.toEqual(written);
  });

  it('is waited for when a line has no end yet; nothing is repaired if it gets one', async () => {
    const { store, written, release, path, clock, payloads, filesOf } = await setUpLocked();
    const [first] = written;
    const line = JSON.stringify({ ...first, turnId: 'turn-2' });
    appendFileSync(path, line.slice(0, 30));
    const loading = store.load(SESSION);
    await until(() => clock.pendingTimers > 0);
    appendFileSync(path, `${line.slice(30)}\n`);
    await release();
    await expect(loading).resolves.toHaveLength(3);
    expect(payloads('session:repair')).toEqual([]);
    expect(filesOf('.damaged')).toEqual([]);
  });

  it('is an error of its own when it cannot be had for a repair', async () => {
    const { store, release, path, clock, directory } = await setUpLocked();
    appendFileSync(path, 'torn');
    const loading = store.load(SESSION);
    const refused = expect(loading).rejects.toMatchObject({ code: 'SESSION_LOCKED' });
    await until(() => clock.pendingTimers > 0);
    await clock.advance(5_000);
    await refused;
    await release();
    expect(readdirSync(directory)).toEqual([basename(path)]);
  });

  it('is given back after each write, also one that failed', async () => {
    const { store, write, directory, onlyFile } = setUpStore();
    await write(1, user('q'), assistant('a'));
    expect(readdirSync(directory)).toHaveLength(1);
    mkdirSync(join(directory, `${basename(await onlyFile())}.tmp`));
    await expect(store.replace(SESSION, [])).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(directory).filter((name) => name.includes('.lock'))).toEqual([]);
    await write(2, user('q'));
  });
});
