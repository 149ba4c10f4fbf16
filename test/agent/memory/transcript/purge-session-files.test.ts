import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createSessionFilePurge } from '#src/agent/memory/transcript/purge-session-files.ts';
import { fileNameOf } from '#src/agent/memory/transcript/session-files.ts';
import { acquireWriteLock } from '#src/agent/memory/transcript/write-lock.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { createExportWriter, exportName } from '#src/platform/storage/accounts/export-file.ts';
import { SESSION } from '#test/agent/support.ts';
import type { ManualClock } from '#test/support/manual-clock.ts';
import { setUpStore } from './store-support.ts';
import { turn } from './support.ts';

const LIMIT = Temporal.Instant.from('2026-10-14T06:30:00Z');
const OLD = new Date('2026-10-14T06:29:59.999Z');
const YOUNG = new Date('2026-10-14T06:30:00Z');
const OTHER = asId<SessionKey>('agent:main:slack:T1:direct:U2');

const message: ConversationMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };

const setUp = (live: readonly SessionKey[] = []) => {
  const { dataDir, clock, store, directory } = setUpStore();
  const unsent = new Set<string>();
  const files = createSessionFilePurge({
    dataDir,
    clock,
    liveSessions: async () => new Set(live),
    unsentFiles: async () => unsent,
  });
  const exportDir = join(dataDir, 'exports');
  const say = (key: SessionKey = SESSION) => store.append(key, { turnId: turn(1), message });
  const names = (): readonly string[] => readdirSync(directory).toSorted();
  const endings = (): readonly string[] => names().map((name) => name.slice(name.lastIndexOf('.') + 1));
  const age = (pattern: RegExp | string, at: Date): void => {
    const aged = names().filter((name) => name.search(pattern) >= 0);
    expect(aged).not.toEqual([]);
    for (const name of aged) utimesSync(join(directory, name), at, at);
  };
  return { dataDir, directory, exportDir, unsent, clock, store, files, say, names, endings, age };
};

const advanceUntil = async (task: Promise<unknown>, clock: ManualClock): Promise<void> => {
  const state = { isDone: false };
  const onDone = (): void => {
    state.isDone = true;
  };
  void task.then(onDone, onDone);
  while (!state.isDone) await clock.advance(1_000);
};

/** A conversation with a segment, a damaged copy and an archived predecessor. */
const withFiles = async (live: readonly SessionKey[] = []) => {
  const all = setUp(live);
  await all.say();
  await all.store.replace(SESSION, []);
  writeFileSync(join(all.directory, `${fileNameOf(SESSION)}.damaged`), 'x');
  await all.store.archive(SESSION);
  await all.clock.advance(1_000);
  await all.say();
  await all.store.replace(SESSION, []);
  await all.say();
  for (const ending of ['damaged', 'jsonl.tmp'])
    writeFileSync(join(all.directory, `${fileNameOf(SESSION)}.${ending}`), 'x');
  expect(all.endings().toSorted()).toEqual([
    'archived',
    'archived',
    'archived',
    'damaged',
    'jsonl',
    'segment',
    'tmp',
  ]);
  return all;
};

describe('old conversations', () => {
  it('are removed with their segments and all that was set aside', async () => {
    const { files, names, age } = await withFiles();
    age(/./, OLD);
    expect(await files.purge(LIMIT)).toEqual({ conversations: 1, set_aside_files: 5, exports: 0 });
    expect(names()).toEqual([]);
  });

  it('stay with all their segments while something is written to them', async () => {
    const { files, endings, age, store } = await withFiles();
    age(/./, OLD);
    age(/jsonl$/, YOUNG);
    expect(await files.purge(LIMIT)).toEqual({ conversations: 0, set_aside_files: 5, exports: 0 });
    expect(endings()).toEqual(['segment', 'jsonl']);
    expect(await store.loadAll(SESSION)).toHaveLength(2);
  });

  it('stay where only their newest segment is young', async () => {
    const { files, endings, age } = await withFiles();
    age(/./, OLD);
    age(/segment$/, YOUNG);
    expect(await files.purge(LIMIT)).toMatchObject({ conversations: 0 });
    expect(endings()).toEqual(['segment', 'jsonl']);
  });

  it('stay while one of their messages is not at its end', async () => {
    const { files, endings, age } = await withFiles([SESSION]);
    age(/./, OLD);
    expect(await files.purge(LIMIT)).toEqual({ conversations: 0, set_aside_files: 5, exports: 0 });
    expect(endings()).toEqual(['segment', 'jsonl']);
  });

  it('stay to the moment, as does what was set aside', async () => {
    const { files, names, age } = await withFiles();
    age(/./, YOUNG);
    const before = names();
    expect(await files.purge(LIMIT)).toEqual({ conversations: 0, set_aside_files: 0, exports: 0 });
    expect(names()).toEqual(before);
  });

  it('are told apart from others', async () => {
    const { files, names, age, say } = setUp();
    await say();
    await say(OTHER);
    age(fileNameOf(SESSION), OLD);
    expect(await files.purge(LIMIT)).toMatchObject({ conversations: 1 });
    expect(names()).toEqual([`${fileNameOf(OTHER)}.jsonl`]);
  });

  it('stay when somebody goes on with them at the last moment', async () => {
    const { files, names, age, say, clock, directory, store } = setUp();
    await say();
    age(/jsonl$/, OLD);
    const base = fileNameOf(SESSION);
    const lock = await acquireWriteLock({ sessionDir: directory, sessionId: base, clock });
    const writing = say();
    const purging = files.purge(LIMIT);
    for (let tries = 0; tries < 50; tries += 1) await new Promise((resolve) => void setImmediate(resolve));
    if (lock.acquired) await lock.release();
    await writing;
    expect(await purging).toMatchObject({ conversations: 0 });
    expect(names()).toEqual([`${base}.jsonl`]);
    expect(await store.load(SESSION)).toHaveLength(2);
  });

  it('wait for the next time when somebody writes and does not end', async () => {
    const { files, age, say, clock, directory } = setUp();
    await say();
    await say(OTHER);
    age(/jsonl$/, OLD);
    const base = fileNameOf(SESSION);
    const lock = await acquireWriteLock({ sessionDir: directory, sessionId: base, clock });
    const purging = files.purge(LIMIT);
    await advanceUntil(purging, clock);
    expect(await purging).toMatchObject({ conversations: 1 });
    expect(existsSync(join(directory, `${base}.jsonl`))).toBe(true);
    expect(existsSync(join(directory, `${fileNameOf(OTHER)}.jsonl`))).toBe(false);
    if (lock.acquired) await lock.release();
  });

  it('leave files alone that are none of theirs', async () => {
    const { files, names, age, say, directory } = setUp();
    await say();
    const strange = ['notes.jsonl', `${fileNameOf(SESSION)}.jsonl.bak`, `x${fileNameOf(OTHER)}.archived`];
    for (const name of strange) writeFileSync(join(directory, name), 'x');
    age(/./, OLD);
    expect(await files.purge(LIMIT)).toMatchObject({ conversations: 1, set_aside_files: 0 });
    expect(names()).toEqual(strange.toSorted());
  });
});

describe('old exports', () => {
  it('are removed after two days; younger ones stay, and what is still to be sent', async () => {
    const { files, exportDir, clock, unsent } = setUp();
    mkdirSync(exportDir);
    const limitMs = clock.now().subtract({ hours: 48 }).epochMilliseconds;
    for (const [name, atMs] of [
      ['old.md', limitMs - 1],
      ['unsent.md', limitMs - 1],
      ['young.md', limitMs],
    ] as const) {
      writeFileSync(join(exportDir, name), 'x');
      utimesSync(join(exportDir, name), atMs / 1_000, atMs / 1_000);
    }
    unsent.add(pathToFileURL(join(exportDir, 'unsent.md')).href);
    expect(await files.purge(LIMIT)).toEqual({ conversations: 0, set_aside_files: 0, exports: 1 });
    expect(readdirSync(exportDir)).toEqual(['unsent.md', 'young.md']);
    unsent.clear();
    expect(await files.purge(LIMIT)).toMatchObject({ exports: 1 });
  });

  it('of a conversation go with it', async () => {
    const { files, say, dataDir, exportDir } = setUp();
    await say();
    const write = createExportWriter(dataDir);
    for (const subject of [SESSION, OTHER])
      await write({ kind: 'conversation', subject, extension: 'md' }, 'x');
    await files.removeConversations([SESSION]);
    expect(readdirSync(exportDir)).toEqual([
      exportName({ kind: 'conversation', subject: OTHER, extension: 'md' }),
    ]);
  });

  it('need not be there, nor conversations', async () => {
    const { files, dataDir } = setUp();
    expect(await files.purge(LIMIT)).toEqual({ conversations: 0, set_aside_files: 0, exports: 0 });
    expect(await files.removeConversations([SESSION])).toBe(0);
    expect(await files.removeSent([pathToFileURL(join(dataDir, 'exports', 'x.md')).href])).toBe(0);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('are removed by their addresses, and nothing else is', async () => {
    const { files, dataDir, exportDir } = setUp();
    mkdirSync(join(exportDir, 'deeper'), { recursive: true });
    mkdirSync(join(dataDir, 'charts'));
    const paths = {
      mine: join(exportDir, '내 대화.md'),
      picture: join(dataDir, 'charts', '1.png'),
      outside: join(dataDir, 'finclaw.sqlite'),
      deeper: join(exportDir, 'deeper', 'x.md'),
    };
    for (const path of Object.values(paths)) writeFileSync(path, 'x');
    symlinkSync(paths.outside, join(exportDir, 'link.md'));
    const urls = [
      ...Object.values(paths).map((path) => pathToFileURL(path).href),
      `${pathToFileURL(exportDir).href}/../finclaw.sqlite`,
      pathToFileURL(join(exportDir, 'link.md')).href,
      'https://cdn.example.com/exports/x.md',
      'file://elsewhere/exports/x.md',
      'exports/x.md',
      '',
    ];
    expect(await files.removeSent(urls)).toBe(3);
    expect(Object.values(paths).map((path) => existsSync(path))).toEqual([false, false, true, true]);
  });
});

describe('the conversations of a person', () => {
  it('are removed with all that was set aside, whatever their age; others stay', async () => {
    const { files, names, say, store } = await withFiles();
    await say(OTHER);
    const unknown = asId<SessionKey>('agent:main:slack:T1:direct:nobody');
    expect(await files.removeConversations([SESSION, unknown])).toBe(1);
    expect(names()).toEqual([`${fileNameOf(OTHER)}.jsonl`]);
    expect(await store.loadAll(SESSION)).toEqual([]);
  });

  it('are not removed from under somebody who writes to them', async () => {
    const { files, names, say, clock, directory } = setUp();
    await say();
    const base = fileNameOf(SESSION);
    const lock = await acquireWriteLock({ sessionDir: directory, sessionId: base, clock });
    const removing = files.removeConversations([SESSION]).catch((error: unknown) => error);
    await advanceUntil(removing, clock);
    expect(await removing).toMatchObject({ code: 'SESSION_LOCKED' });
    expect(names()).toContain(`${base}.jsonl`);
    if (lock.acquired) await lock.release();
    expect(await files.removeConversations([SESSION])).toBe(1);
    expect(names()).toEqual([]);
  });
});
