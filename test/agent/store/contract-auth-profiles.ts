import { describe, expect, it } from 'vitest';
import { type AuthProfileRow, createAuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';

const rowOf = (id: string, overrides: Partial<AuthProfileRow> = {}): AuthProfileRow => ({
  id,
  provider: 'anthropic',
  name: 'main',
  sealedKey: 'v1.72cd6e84.bm9uY2U.dGFn.dGV4dA',
  isActive: true,
  priority: 0,
  createdAt: AT,
  lastUsedAt: null,
  failureCount: 0,
  cooldownUntil: null,
  ...overrides,
});

/** Instants are compared by what they say: an equality of objects would hold for any two of them. */
const inWords = (rows: readonly AuthProfileRow[]): readonly Readonly<Record<string, unknown>>[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Temporal.Instant ? value.toString() : value,
      ]),
    ),
  );

/** The saved keys' part of the contract. */
export const describeAuthProfilesContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const rows = createAuthProfileRows(storage);
    return { storage, reopen, rows, all: async () => inWords(await rows.list()) };
  };

  describe(`auth profiles on ${name}`, () => {
    it('has none at first', async () => {
      const { all } = await setUp();
      expect(await all()).toEqual([]);
    });

    it('gives a profile back as it was, in neutral types, also after a restart', async () => {
      const { storage, reopen, rows, all } = await setUp();
      const plain = rowOf('a');
      const full = rowOf('b', {
        provider: 'openai',
        name: `회사 "열쇠" 'o;-- 🔑`,
        isActive: false,
        priority: -7,
        createdAt: LATER,
        lastUsedAt: LATER,
        failureCount: 12,
        cooldownUntil: LATER.add({ hours: 24 }),
      });
      await rows.insert(plain);
      await rows.insert(full);
      expect(await all()).toEqual(inWords([plain, full]));
      await storage.close();
      const again = createAuthProfileRows(await reopen());
      expect(inWords(await again.list())).toEqual(inWords([plain, full]));
    });

    it('lists the oldest first, and those of one moment by their ids', async () => {
      const { rows, all } = await setUp();
      await rows.insert(rowOf('c', { createdAt: LATER }));
      await rows.insert(rowOf('z'));
      await rows.insert(rowOf('b'));
      expect((await all()).map(({ id }) => id)).toEqual(['b', 'z', 'c']);
    });

    it('refuses a second profile of the same id and keeps the first', async () => {
      const { rows, all } = await setUp();
      await rows.insert(rowOf('a'));
      await expect(rows.insert(rowOf('a', { name: 'other' }))).rejects.toThrow();
      expect(await all()).toEqual(inWords([rowOf('a')]));
    });

    it.each<[string, Partial<Omit<AuthProfileRow, 'id' | 'provider' | 'createdAt'>>]>([
      ['name', { name: '새 이름' }],
      ['sealed key', { sealedKey: 'v1.new' }],
      ['being active', { isActive: false }],
      ['priority', { priority: 3 }],
      ['last use', { lastUsedAt: null }],
      ['failures', { failureCount: 0 }],
      ['cooldown', { cooldownUntil: null }],
      ['use and cooldown', { lastUsedAt: LATER.add({ seconds: 9 }), cooldownUntil: LATER, failureCount: 4 }],
      ['nothing at all', {}],
    ])('changes the %s of one profile and nothing else', async (_what, patch) => {
      const { rows, all } = await setUp();
      const used = { lastUsedAt: LATER, failureCount: 2, cooldownUntil: LATER.add({ hours: 24 }) };
      await rows.insert(rowOf('a', used));
      await rows.insert(rowOf('b', used));
      expect(await rows.update('a', patch)).toBe(true);
      expect(await all()).toEqual(inWords([rowOf('a', { ...used, ...patch }), rowOf('b', used)]));
    });

    it('switches a profile on again', async () => {
      const { rows, all } = await setUp();
      await rows.insert(rowOf('a', { isActive: false }));
      await rows.update('a', { isActive: true });
      expect(await all()).toMatchObject([{ isActive: true }]);
    });

    it('deletes one profile, and says of one that is not there that it is not', async () => {
      const { rows, all } = await setUp();
      await rows.insert(rowOf('a'));
      await rows.insert(rowOf('b'));
      expect(await rows.delete('a')).toBe(true);
      expect(await rows.delete('a')).toBe(false);
      expect(await rows.update('a', { name: 'ghost' })).toBe(false);
      expect(await all()).toEqual(inWords([rowOf('b')]));
    });
  });
};
