import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
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
  it('puts entries in the place of all others, and the conversation goes on behind them', async () => {
    const { store, write, rowsIn } = await setUpStore();
    const first = await write(1, user('q'), assistant('a'));
    const second = await write(2, user('and?'), assistant('so'));
    const kept = [summaryOf('q, a'), ...second];
    await store.replace(SESSION, kept);
    await expect(store.load(SESSION, new Set())).resolves.toEqual(kept);
    expect(await rowsIn('compacted')).toEqual(first.map(({ message }) => JSON.stringify(message)));
    const third = await write(3, user('more'), assistant('enough'));
    await expect(store.load(SESSION, new Set())).resolves.toEqual([...kept, ...third]);
  });

  it('sets nothing aside where nothing was', async () => {
    const { store, rowsIn } = await setUpStore();
    const entries = entriesOf(1, [user('q'), assistant('a')]);
    await store.replace(SESSION, entries);
    await expect(store.load(SESSION)).resolves.toEqual(entries);
    expect(await rowsIn()).toHaveLength(2);
  });

  it('writes no row anew that stays as it is', async () => {
    const { store, write, rowsIn } = await setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    await store.replace(SESSION, written);
    expect(await rowsIn()).toHaveLength(2);
  });

  it('keeps everything that it replaces, also at the same moment', async () => {
    const { store, rowsIn } = await setUpStore();
    for (let round = 0; round < 12; round += 1) await store.replace(SESSION, entriesOf(round, [user('q')]));
    expect(await rowsIn('compacted')).toHaveLength(11);
    expect(idsOf(await store.loadAll(SESSION))).toEqual(
      Array.from({ length: 12 }, (_, round) => turn(round)),
    );
  });

  it('gives entries in the order in which it was given them', async () => {
    const { store, write } = await setUpStore();
    const [waiting] = await write('waiting', user('sell'));
    const between = await write(2, user('hi'), assistant('hello'));
    if (!waiting) throw new Error('no entry');
    const kept = [summaryOf('…'), ...between, waiting];
    await store.replace(SESSION, kept);
    await expect(store.load(SESSION)).resolves.toEqual(kept);
    await store.replace(SESSION, [waiting, ...between]);
    await expect(store.load(SESSION)).resolves.toEqual([waiting, ...between]);
  });

  it('changes nothing if it fails', async () => {
    const { store, write, disk } = await setUpStore();
    const written = await write(1, user('q'), assistant('a'));
    disk.isFull = true;
    await expect(store.replace(SESSION, [summaryOf('q')])).rejects.toThrow('disk is full');
    disk.isFull = false;
    await expect(store.load(SESSION)).resolves.toEqual(written);
  });
});

describe('loadAll', () => {
  it('gives the whole conversation, each entry once, without the summaries', async () => {
    const { store, write } = await setUpStore();
    const first = await write(1, user('q'), assistant('a'));
    const second = await write(2, user('and?'), assistant('so'));
    await store.replace(SESSION, [summaryOf('first'), ...second]);
    const third = await write(3, user('more'), assistant('enough'));
    await store.replace(SESSION, [summaryOf('first and second'), ...third]);
    const fourth = await write(4, user('more'), assistant('enough'));
    await expect(store.loadAll(SESSION)).resolves.toEqual([...first, ...second, ...third, ...fourth]);
  });

  it('gives what was shortened when it was kept as it was before', async () => {
    const { store, write } = await setUpStore();
    const whole = await write(
      1,
      user('q'),
      assistant(call('c1')),
      results(result('c1', 'long')),
      assistant('a'),
    );
    const shortenedTo = (words: string): readonly TranscriptEntry[] =>
      whole.map((entry) =>
        entry.message.role === 'tool' ? { ...entry, message: results(result('c1', words)) } : entry,
      );
    for (const words of ['l…', '…']) {
      await store.replace(SESSION, shortenedTo(words));
      await expect(store.load(SESSION)).resolves.toEqual(shortenedTo(words));
      await expect(store.loadAll(SESSION)).resolves.toEqual(whole);
    }
  });

  it('follows the order of the replacements, though the clock was set back', async () => {
    const { store, restart } = await setUpStore();
    await store.replace(SESSION, entriesOf(1, [user('q')]));
    await store.replace(SESSION, entriesOf(2, [user('q')]));
    const later = restart(new ManualClock('2026-11-13T05:30:00Z'));
    await later.replace(SESSION, entriesOf(3, [user('q')]));
    expect(idsOf(await store.loadAll(SESSION))).toEqual([turn(1), turn(2), turn(3)]);
  });

  it('gives what can be read, and repairs nothing', async () => {
    const { store, write, spoil, rowsIn } = await setUpStore();
    const [spoiled, ...written] = await write(1, user('gone'), user('q'), assistant(call('c1')));
    if (!spoiled) throw new Error('no entry');
    await spoil(spoiled, 'spoiled');
    await expect(store.loadAll(SESSION)).resolves.toEqual(written);
    expect(await rowsIn('current')).toHaveLength(3);
  });

  it('has the parts of a turn together that waited while older turns were summed up', async () => {
    const { store, write } = await setUpStore();
    const asked = await write(1, user('sell'), assistant(call('c1')));
    const between = await write(2, user('hi'), assistant('hello'));
    await store.replace(SESSION, [summaryOf('…'), ...asked]);
    const done = await write(1, results(result('c1')), assistant('sold'));
    await expect(store.loadAll(SESSION)).resolves.toEqual([...between, ...asked, ...done]);
  });

  it('of nothing is nothing', async () => {
    const { store } = await setUpStore();
    await expect(store.loadAll(SESSION)).resolves.toEqual([]);
  });
});
