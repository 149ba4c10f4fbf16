import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importSessionFiles } from '#src/agent/memory/transcript/import-session-files.ts';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { importedDirectory } from '#src/platform/storage/purge-files.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
import { rowsOf } from '#test/platform/storage/rows-fixture.ts';
import { recordingLogger } from '#test/support/context.ts';
import { type OldConversation, writeOldFiles } from './old-files.ts';
import { setUpStore } from './store-support.ts';
import { entriesOf, turn } from './support.ts';

const UNKNOWN = asId<SessionKey>('agent:main:slack:T1:direct:nobody');

const talk = (name: string | number, startsAt: string): readonly TranscriptEntry[] =>
  entriesOf(name, [user(`question ${name}`), assistant(`answer ${name}`)], startsAt);

const FIRST = talk(1, '2026-11-12T06:00:00Z');
const SECOND = talk(2, '2026-11-12T07:00:00Z');
const THIRD = talk(3, '2026-11-12T08:00:00Z');

const summaryOf = (words: string): TranscriptEntry => ({
  turnId: turn('summary'),
  at: '2026-11-12T07:30:00Z',
  message: { ...user(words), isSummary: true },
});

/** A data directory of the version before, whose messages name its sessions. */
const setUp = async (...conversations: readonly OldConversation[]) => {
  const world = await setUpStore();
  const { dataDir, storage } = world;
  for (const conversation of conversations) {
    writeOldFiles(dataDir, conversation);
    if (conversation.sessionKey !== UNKNOWN)
      await rowsOf(storage).inbox({ session_key: conversation.sessionKey });
  }
  const { logger, records } = recordingLogger();
  const importAll = () => importSessionFiles({ dataDir, storage, logger });
  const aside = (): readonly string[] => readdirSync(importedDirectory(dataDir)).toSorted();
  return { ...world, importAll, aside, records, directory: join(dataDir, 'sessions') };
};

describe('a data directory of the version before', () => {
  it('gives every conversation back, and goes on with it', async () => {
    const other = asId<SessionKey>('agent:main:slack:T1:channel:C1:메인');
    const { store, importAll, write } = await setUp(
      { sessionKey: SESSION, current: [...FIRST, ...SECOND] },
      { sessionKey: other, current: THIRD },
    );
    await importAll();
    await expect(store.load(SESSION, new Set())).resolves.toEqual([...FIRST, ...SECOND]);
    await expect(store.load(other, new Set())).resolves.toEqual(THIRD);
    const next = await write(4, user('and?'), assistant('so'));
    await expect(store.load(SESSION, new Set())).resolves.toEqual([...FIRST, ...SECOND, ...next]);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...FIRST, ...SECOND, ...next]);
  });

  it('keeps its files aside, without locks and drafts', async () => {
    const { importAll, aside, directory, records } = await setUp({
      sessionKey: SESSION,
      segments: [FIRST],
      current: SECOND,
    });
    const [name = ''] = readdirSync(directory);
    const base = name.slice(0, 32);
    for (const ending of ['damaged', '2026-11-01T063000.000Z.archived', 'lock', 'jsonl.tmp'])
      writeFileSync(join(directory, `${base}.${ending}`), `the ${ending}`);
    await importAll();
    expect(existsSync(directory)).toBe(false);
    expect(aside()).toEqual(
      [
        `${base}.2026-11-01T063000.000Z.archived`,
        `${base}.2026-11-12T063000.000Z-1.segment`,
        `${base}.damaged`,
        `${base}.jsonl`,
      ].toSorted(),
    );
    expect(records()).toMatchObject([{ level: 'info', imported: 1 }]);
  });

  it('has what a summary replaced in the whole conversation, and what was shortened as it was before', async () => {
    const looked = entriesOf(
      2,
      [user('price?'), assistant(call('c1')), results(result('c1', 'long result')), assistant('so much')],
      '2026-11-12T07:00:00Z',
    );
    const shortened = looked.map((entry) =>
      entry.message.role === 'tool' ? { ...entry, message: results(result('c1', 'l…')) } : entry,
    );
    const current = [summaryOf('first'), ...shortened, ...THIRD];
    const { store, importAll } = await setUp({
      sessionKey: SESSION,
      segments: [[...FIRST, ...looked]],
      current,
    });
    await importAll();
    await expect(store.load(SESSION, new Set())).resolves.toEqual(current);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...FIRST, ...looked, ...THIRD]);
  });

  it('has segments in the order of their numbers, also beyond nine', async () => {
    const talks = Array.from({ length: 12 }, (_, index) =>
      talk(index, `2026-11-12T${String(index + 6).padStart(2, '0')}:00:00Z`),
    );
    const { store, importAll } = await setUp({
      sessionKey: SESSION,
      segments: talks.slice(0, 11),
      current: talks[11] ?? [],
    });
    await importAll();
    await expect(store.loadAll(SESSION)).resolves.toEqual(talks.flat());
    await expect(store.load(SESSION)).resolves.toEqual(talks[11]);
  });

  it('has a conversation whose file was gone, as a crash may leave it', async () => {
    const { store, importAll } = await setUp({ sessionKey: SESSION, segments: [FIRST] });
    await importAll();
    await expect(store.load(SESSION)).resolves.toEqual([]);
    await expect(store.loadAll(SESSION)).resolves.toEqual(FIRST);
  });

  it('goes on with a turn that waits for a decision while others were answered', async () => {
    const waiting = entriesOf('waiting', [user('sell'), assistant(call('c1'))], '2026-11-12T06:30:00Z');
    const { store, importAll, write } = await setUp({
      sessionKey: SESSION,
      current: [...waiting, ...SECOND],
    });
    await importAll();
    await expect(store.load(SESSION, new Set([turn('waiting')]))).resolves.toEqual([...waiting, ...SECOND]);
    const done = await write('waiting', results(result('c1')), assistant('sold'));
    await expect(store.load(SESSION, new Set())).resolves.toEqual([...SECOND, ...waiting, ...done]);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...SECOND, ...waiting, ...done]);
  });

  it('keeps the order of a file in which a waiting turn was moved behind others by a summary', async () => {
    const waiting = entriesOf('waiting', [user('sell'), assistant(call('c1'))], '2026-11-12T06:30:00Z');
    const current = [summaryOf('first'), ...SECOND, ...waiting];
    const { store, importAll } = await setUp({
      sessionKey: SESSION,
      segments: [[...FIRST, ...waiting, ...SECOND]],
      current,
    });
    await importAll();
    await expect(store.load(SESSION, new Set([turn('waiting')]))).resolves.toEqual(current);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...FIRST, ...waiting, ...SECOND]);
  });

  it('has turns where they ended that were written in turns', async () => {
    const [asked, done] = [
      entriesOf('mixed', [user('sell'), assistant(call('c1'))], '2026-11-12T06:30:00Z'),
      entriesOf('mixed', [results(result('c1')), assistant('sold')], '2026-11-12T07:30:00Z'),
    ];
    const { store, importAll } = await setUp({
      sessionKey: SESSION,
      current: [...asked, ...SECOND, ...done, ...THIRD],
    });
    await importAll();
    const expected = [...SECOND, ...asked, ...done, ...THIRD];
    await expect(store.load(SESSION, new Set())).resolves.toEqual(expected);
    await expect(store.loadAll(SESSION)).resolves.toEqual(expected);
  });

  it('loses of a damaged file only what cannot be read', async () => {
    const { store, importAll } = await setUp({
      sessionKey: SESSION,
      current: [...FIRST, ...FIRST],
      debris: 'spoiled\n{"at":"2026-',
    });
    await importAll();
    await expect(store.load(SESSION, new Set())).resolves.toEqual(FIRST);
  });

  it('has entries behind each other though the clock had been set back between them', async () => {
    const earlier = talk('later', '2026-11-11T06:00:00Z');
    const { store, importAll, write } = await setUp({ sessionKey: SESSION, current: [...FIRST, ...earlier] });
    await importAll();
    await expect(store.load(SESSION)).resolves.toEqual([...FIRST, ...earlier]);
    const next = await write(3, user('and?'));
    await expect(store.load(SESSION)).resolves.toEqual([...FIRST, ...earlier, ...next]);
  });

  it('keeps a big picture', async () => {
    const picture = entriesOf(1, [
      {
        role: 'user',
        content: [
          { type: 'image', name: 'a.png', mimeType: 'image/png', base64: 'aGVyb24='.repeat(800_000) },
        ],
      },
      assistant('Seen.'),
    ]);
    const { store, importAll } = await setUp({ sessionKey: SESSION, current: picture });
    await importAll();
    expect(JSON.stringify(await store.load(SESSION)) === JSON.stringify(picture)).toBe(true);
  });
});

describe('the import of files', () => {
  it('does nothing where there are none', async () => {
    const { importAll, dataDir, records } = await setUp();
    await importAll();
    expect(existsSync(importedDirectory(dataDir))).toBe(false);
    expect(records()).toEqual([]);
  });

  it('sets files of unknown sessions aside, and says so', async () => {
    const { importAll, rowsIn, aside, records } = await setUp({ sessionKey: UNKNOWN, current: FIRST });
    await importAll();
    expect(await rowsIn()).toEqual([]);
    expect(aside()).toHaveLength(1);
    expect(records()).toMatchObject([
      { level: 'info', imported: 0 },
      { level: 'warn', unknown: 1 },
    ]);
  });

  it('stores nothing twice when it was interrupted between the rows and the files', async () => {
    const conversation = { sessionKey: SESSION, segments: [FIRST], current: [summaryOf('first'), ...SECOND] };
    const { importAll, rowsIn, store, aside, directory, dataDir } = await setUp(conversation);
    await importAll();
    const before = await rowsIn();
    // As if only some of its files had been moved.
    const [segment = '', file = ''] = aside();
    mkdirSync(directory);
    renameSync(join(importedDirectory(dataDir), file), join(directory, file));
    await importAll();
    expect(await rowsIn()).toEqual(before);
    expect(aside()).toEqual([segment, file]);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...FIRST, ...SECOND]);
  });

  it('leaves all files in place when the rows cannot be stored, and succeeds later', async () => {
    const { importAll, rowsIn, store, directory, disk } = await setUp({
      sessionKey: SESSION,
      current: FIRST,
    });
    const [name = ''] = readdirSync(directory);
    const before = readFileSync(join(directory, name), 'utf8');
    disk.isFull = true;
    await expect(importAll()).rejects.toThrow('disk is full');
    disk.isFull = false;
    expect(readFileSync(join(directory, name), 'utf8')).toBe(before);
    expect(await rowsIn()).toEqual([]);
    await importAll();
    await expect(store.load(SESSION)).resolves.toEqual(FIRST);
  });
});
