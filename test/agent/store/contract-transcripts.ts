import { describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { createTranscriptRows, type TranscriptRow } from '#src/agent/store/transcript-rows.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';
import { DIRECT } from '../../platform/storage/rows-fixture.ts';

const MINE = asId<SessionKey>(DIRECT);
const OTHER = asId<SessionKey>('agent:main:slack:T1:direct:U2');

/** Beyond 32 bits, as microseconds of today are. */
const FIRST = 1_794_551_400_000_000;

const rowOf = (index: number, more: Partial<TranscriptRow> = {}): TranscriptRow => ({
  position: FIRST + index,
  version: 0,
  turnId: `turn-${index}`,
  at: '2026-11-13T06:30:00Z',
  message: `{"n":${index}}`,
  ...more,
});

const turnsOf = (found: readonly TranscriptRow[]): readonly string[] => found.map(({ turnId }) => turnId);

/** The part of the contract about the entries of conversations. */
export const describeTranscriptsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async (...stored: readonly TranscriptRow[]) => {
    const { storage } = await open();
    const rows = createTranscriptRows(storage);
    for (const [index, row] of stored.entries()) await rows.append(MINE, row, index % 2 === 0);
    const states = async (): Promise<readonly string[]> => {
      const found = await storage.db
        .selectFrom('transcript_entries')
        .selectAll()
        .orderBy('position')
        .orderBy('version')
        .execute();
      return found.map(({ state, turn_id, left_at }) => `${turn_id} ${state}${left_at ? ` ${left_at}` : ''}`);
    };
    return { storage, rows, states };
  };

  describe(`transcripts on ${name}`, () => {
    it('give rows back as they were stored, by position and then by version', async () => {
      const stored = [rowOf(2), rowOf(1, { version: 10 }), rowOf(1, { version: 9, turnId: 'b' })];
      const { rows } = await setUp(...stored);
      expect(await rows.current(MINE)).toEqual([stored[2], stored[1], stored[0]]);
      expect(await rows.all(MINE)).toEqual(await rows.current(MINE));
      expect(await rows.current(OTHER)).toEqual([]);
    });

    it('know where the rows that are read begin and end', async () => {
      const { rows } = await setUp(rowOf(2), rowOf(1, { version: 10 }), rowOf(1, { version: 9 }), rowOf(3));
      expect(await rows.ends(MINE)).toEqual([
        { position: FIRST + 1, version: 9 },
        { position: FIRST + 3, version: 0 },
      ]);
      expect(await rows.ends(OTHER)).toEqual([]);
      await rows.archive(MINE, AT);
      expect(await rows.ends(MINE)).toEqual([]);
      const only = rowOf(4);
      await rows.append(MINE, only, true);
      expect(await rows.ends(MINE)).toEqual(
        [only, only].map(({ position, version }) => ({ position, version })),
      );
    });

    it('know the last position, also of rows that are no longer read', async () => {
      const { rows } = await setUp(rowOf(1), rowOf(2));
      expect(await rows.lastPosition(OTHER)).toBe(0);
      await rows.archive(MINE, AT);
      expect(await rows.lastPosition(MINE)).toBe(FIRST + 2);
    });

    it('refuse a second row in the place of another', async () => {
      const { rows } = await setUp(rowOf(1));
      await expect(rows.append(MINE, rowOf(1), true)).rejects.toThrow(/unique/i);
      await rows.append(OTHER, rowOf(1), true);
    });

    it('change in one step; what was compacted still belongs to the whole, what was damaged does not', async () => {
      const { rows, states } = await setUp(rowOf(1), rowOf(2), rowOf(3));
      const seen: number[] = [];
      const change = (as: 'compacted' | 'damaged', index: number) =>
        rows.change(
          MINE,
          as,
          (current, nextVersion) => {
            seen.push(nextVersion);
            const added = rowOf(index, { version: nextVersion, turnId: `new-${index}` });
            return { retired: current.filter(({ turnId }) => turnId === `turn-${index}`), added: [added] };
          },
          LATER,
        );
      await change('compacted', 1);
      await change('damaged', 3);
      expect(seen).toEqual([1, 2]);
      expect(await states()).toEqual([
        'turn-1 compacted',
        'new-1 current',
        'turn-2 current',
        'turn-3 damaged 2026-11-13T06:30:05.000Z',
        'new-3 current',
      ]);
      expect(turnsOf(await rows.current(MINE))).toEqual(['new-1', 'turn-2', 'new-3']);
      expect(turnsOf(await rows.all(MINE))).toEqual(['turn-1', 'new-1', 'turn-2', 'new-3']);
    });

    it('change nothing if the plan wants nothing, or fails', async () => {
      const { rows, states } = await setUp(rowOf(1));
      await rows.change(MINE, 'compacted', () => undefined, AT);
      const failing = rows.change(
        MINE,
        'damaged',
        (retired) => ({ retired, added: [rowOf(2), rowOf(2)] }),
        AT,
      );
      await expect(failing).rejects.toThrow(/unique/i);
      expect(await states()).toEqual(['turn-1 current']);
    });

    it('are archived and removed with everything, and no others are', async () => {
      const { rows, states } = await setUp(rowOf(1), rowOf(2));
      await rows.append(OTHER, rowOf(3), true);
      expect(await rows.archive(MINE, LATER)).toBe(true);
      expect(await rows.archive(MINE, LATER)).toBe(false);
      expect(await rows.hasAny(MINE, 'current')).toBe(false);
      expect(await rows.hasAny(MINE, 'archived')).toBe(true);
      await rows.append(MINE, rowOf(4), true);
      expect(await rows.remove(MINE)).toBe(true);
      expect(await rows.remove(MINE)).toBe(false);
      expect(await states()).toEqual(['turn-3 current']);
    });
  });
};
