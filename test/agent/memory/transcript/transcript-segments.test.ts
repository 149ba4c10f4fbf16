import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { setUpStore } from './store-support.ts';
import { entriesOf, turn } from './support.ts';

const summaryOf = (words: string): TranscriptEntry => ({
  turnId: turn('summary'),
  at: '2026-11-13T07:00:00Z',
  message: { ...user(words), isSummary: true },
});

const idsOf = (entries: readonly TranscriptEntry[]): readonly string[] => entries.map(({ turnId }) => turnId);

describe('replace', () => {
  it('puts entries in the place of all others, and sets those aside as they were', async () => {
    const { store, write, filesOf, directory } = setUpStore();
    await write(1, user('q'), assistant('a'));
    const second = await write(2, user('and?'), assistant('so'));
    const before = filesOf('.jsonl');
    const kept = [summaryOf('q, a'), ...second];
    await store.replace(SESSION, kept);
    await expect(store.load(SESSION, new Set())).resolves.toEqual(kept);
    expect(filesOf('.segment')).toEqual(before);
    expect(readdirSync(directory).toSorted()).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}\.2026-11-13T063000\.000Z-1\.segment$/),
      expect.stringMatching(/^[0-9a-f]{32}\.jsonl$/),
    ]);
    const third = await write(3, user('more'), assistant('enough'));
    await expect(store.load(SESSION, new Set())).resolves.toEqual([...kept, ...third]);
  });

  it('sets nothing aside where nothing was', async () => {
    const { store, filesOf } = setUpStore();
    const entries = entriesOf(1, [user('q'), assistant('a')]);
    await store.replace(SESSION, entries);
    await expect(store.load(SESSION)).resolves.toEqual(entries);
    expect(filesOf('')).toHaveLength(1);
  });

  it('keeps every segment, also of the same moment', async () => {
    const { store, filesOf } = setUpStore();
    for (let round = 0; round < 12; round += 1) await store.replace(SESSION, entriesOf(round, [user('q')]));
    expect(filesOf('.segment')).toHaveLength(11);
    expect(idsOf(await store.loadAll(SESSION))).toEqual(
      Array.from({ length: 12 }, (_, round) => turn(round)),
    );
  });

  it('writes over what a crash left of another attempt', async () => {
    const { store, write, onlyFile, filesOf } = setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    writeFileSync(`${await onlyFile()}.tmp`, 'half of something longer than the whole');
    await expect(store.load(SESSION)).resolves.toEqual(written);
    await store.replace(SESSION, written);
    await expect(store.load(SESSION)).resolves.toEqual(written);
    expect(filesOf('.tmp')).toEqual([]);
  });
});

describe('loadAll', () => {
  it('gives the whole conversation, each entry once, without the summaries', async () => {
    const { store, write } = setUpStore();
    const first = await write(1, user('q'), assistant('a'));
    const second = await write(2, user('and?'), assistant('so'));
    await store.replace(SESSION, [summaryOf('first'), ...second]);
    const third = await write(3, user('more'), assistant('enough'));
    await store.replace(SESSION, [summaryOf('first and second'), ...third]);
    const fourth = await write(4, user('more'), assistant('enough'));
    await expect(store.loadAll(SESSION)).resolves.toEqual([...first, ...second, ...third, ...fourth]);
  });

  it('gives what was shortened when it was kept as it was before', async () => {
    const { store, write } = setUpStore();
    const whole = await write(
      1,
      user('q'),
      assistant(call('c1')),
      results(result('c1', 'long')),
      assistant('a'),
    );
    const shortened = whole.map((entry) =>
      entry.message.role === 'tool' ? { ...entry, message: results(result('c1', 'l…')) } : entry,
    );
    await store.replace(SESSION, shortened);
    await expect(store.load(SESSION)).resolves.toEqual(shortened);
    await expect(store.loadAll(SESSION)).resolves.toEqual(whole);
  });

  it('gives entries of the same time that are several', async () => {
    const { store } = setUpStore();
    const twice = ['a', 'b'].map((words) => ({ ...summaryOf(''), turnId: turn(1), message: user(words) }));
    await store.replace(SESSION, twice);
    await store.replace(SESSION, twice);
    await expect(store.loadAll(SESSION)).resolves.toEqual(twice);
  });

  it('follows the order of the segments, though the clock was set back', async () => {
    const { store, dataDir } = setUpStore();
    await store.replace(SESSION, entriesOf(1, [user('q')]));
    await store.replace(SESSION, entriesOf(2, [user('q')]));
    const earlier = new ManualClock('2026-11-13T05:30:00Z');
    const later = createTranscriptStore(dataDir, earlier, recordingLogger().logger);
    await later.replace(SESSION, entriesOf(3, [user('q')]));
    expect(idsOf(await store.loadAll(SESSION))).toEqual([turn(1), turn(2), turn(3)]);
  });

  it('gives everything once after a crash between setting aside and putting in place', async () => {
    const { store, write, onlyFile } = setUpStore();
    const first = await write(1, user('q'), assistant('a'));
    const path = await onlyFile();
    linkSync(path, path.replace(/jsonl$/, '2026-11-13T063000.000Z-1.segment'));
    const second = await write(2, user('and?'), assistant('so'));
    await expect(store.loadAll(SESSION)).resolves.toEqual([...first, ...second]);
    await store.replace(SESSION, second);
    await expect(store.loadAll(SESSION)).resolves.toEqual([...first, ...second]);
  });

  it('gives what can be read, and repairs nothing', async () => {
    const { store, write, onlyFile } = setUpStore();
    const written = await write(1, user('q'), assistant(call('c1')));
    const path = await onlyFile();
    const spoiled = `spoiled\n${readFileSync(path, 'utf8')}torn`;
    writeFileSync(path, spoiled);
    await expect(store.loadAll(SESSION)).resolves.toEqual(written);
    expect(readFileSync(path, 'utf8')).toBe(spoiled);
  });

  it('has the parts of a turn together that waited while older turns were summed up', async () => {
    const { store, write } = setUpStore();
    const asked = await write(1, user('sell'), assistant(call('c1')));
    const between = await write(2, user('hi'), assistant('hello'));
    await store.replace(SESSION, [summaryOf('…'), ...asked]);
    const done = await write(1, results(result('c1')), assistant('sold'));
    await expect(store.loadAll(SESSION)).resolves.toEqual([...between, ...asked, ...done]);
  });

  it('of nothing is nothing', async () => {
    const { store } = setUpStore();
    await expect(store.loadAll(SESSION)).resolves.toEqual([]);
  });
});

describe('archive', () => {
  it('takes the segments and the damaged copy along, so that the next conversation begins anew', async () => {
    const { store, write, onlyFile, directory, filesOf } = setUpStore();
    await write(1, user('old'), assistant('a'));
    await store.replace(SESSION, entriesOf(2, [user('newer'), assistant('a')]));
    writeFileSync(await onlyFile(), `${readFileSync(await onlyFile(), 'utf8')}torn`);
    await store.load(SESSION);
    const before = ['.segment', '.damaged', '.jsonl'].flatMap(filesOf);
    expect(before).toHaveLength(3);
    await expect(store.archive(SESSION)).resolves.toBe(true);
    const names = readdirSync(directory).toSorted();
    expect(names.every((name) => name.endsWith('.archived'))).toBe(true);
    expect(names.map((name) => readFileSync(join(directory, name), 'utf8')).toSorted()).toEqual(
      before.toSorted(),
    );
    await expect(store.loadAll(SESSION)).resolves.toEqual([]);
    const anew = await write(3, user('anew'));
    await expect(store.loadAll(SESSION)).resolves.toEqual(anew);
  });

  it('goes on with what an attempt that broke off had left', async () => {
    const { store, write, directory, filesOf } = setUpStore();
    await write(1, user('old'));
    await store.replace(SESSION, []);
    const base = readdirSync(directory)[0]?.slice(0, 32) ?? '';
    // Only a segment is left.
    await store.archive(SESSION);
    writeFileSync(join(directory, `${base}.2026-11-13T063000.000Z-2.segment`), '');
    await expect(store.archive(SESSION)).resolves.toBe(true);
    expect(filesOf('.segment')).toEqual([]);
    await expect(store.archive(SESSION)).resolves.toBe(false);
  });
});
