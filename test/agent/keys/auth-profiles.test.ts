import { describe, expect, it } from 'vitest';
import { type AuthProfileRows, createAuthProfileRows } from '#src/agent/store/auth-profiles.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  anthropicKey,
  diskFull,
  emptyRows,
  inFull,
  NEW_SECRET_KEY,
  openaiKey,
  rejectionOf,
  SECRET_KEY,
  setUpStore,
  startStore,
} from './support.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';

const MAIN = { name: 'main', provider: 'anthropic', apiKey: anthropicKey('main-1') } as const;
const UNSAVED = [
  { name: 'ANTHROPIC_API_KEY #1', provider: 'anthropic', apiKey: anthropicKey('env-1') },
  { name: 'ANTHROPIC_API_KEY #2', provider: 'anthropic', apiKey: anthropicKey('env-2') },
  { name: 'OPENAI_API_KEY #1', provider: 'openai', apiKey: openaiKey('env-3') },
] as const;
const DAY_MS = 86_400_000;

/** The first failure takes the longest to write: without an order it would come last and win. */
const slow = (rows: AuthProfileRows): AuthProfileRows => ({
  ...rows,
  update: async (id, patch) => {
    const turns = patch.failureCount === 1 ? 20 : 0;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return rows.update(id, patch);
  },
});

describe('createAuthProfileStore', () => {
  it('creates a profile that is active, unused and saved', async () => {
    const { store, clock } = await setUpStore();
    const created = await store.create(MAIN);
    expect(created).toMatchObject({
      ...MAIN,
      id: expect.stringMatching(/^key-[0-9a-f]{8}$/),
      origin: 'added',
      isActive: true,
      priority: 0,
      lastUsedAt: null,
      failureCount: 0,
      isSaved: true,
    });
    expect(created.createdAt.equals(clock.now())).toBe(true);
    expect(store.get(created.id)).toEqual(created);
    expect(store.list()).toEqual([created]);
  });

  it('lists by provider in the order of creation', async () => {
    const { store } = await setUpStore();
    const first = await store.create(MAIN);
    const other = await store.create({ ...MAIN, provider: 'openai', apiKey: openaiKey('o') });
    const second = await store.create({ ...MAIN, name: 'second', priority: 5 });
    expect(store.list('anthropic').map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(store.list('openai').map(({ id }) => id)).toEqual([other.id]);
    expect(store.list().map(({ id }) => id)).toEqual([first.id, other.id, second.id]);
  });

  it('has the saved profiles again after a restart, with all that was changed', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    const kept = await before.store.create(MAIN);
    const gone = await before.store.create({ ...MAIN, apiKey: anthropicKey('gone') });
    await before.store.update(kept.id, { name: 'renamed', priority: 3, isActive: false });
    expect(await before.store.delete(gone.id)).toBe(true);
    const after = await startStore(rows);
    expect(after.store.list()).toMatchObject([
      { id: kept.id, apiKey: MAIN.apiKey, name: 'renamed', priority: 3, isActive: false, isSaved: true },
    ]);
  });

  it('has no profiles of the environment after a restart without them, and none of them in the database', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows, { unsaved: UNSAVED });
    expect(before.store.list().map(({ id, name, isSaved }) => [id, name, isSaved])).toEqual([
      ['env-anthropic-1', 'ANTHROPIC_API_KEY #1', false],
      ['env-anthropic-2', 'ANTHROPIC_API_KEY #2', false],
      ['env-openai-1', 'OPENAI_API_KEY #1', false],
    ]);
    await before.store.update('env-anthropic-1', { isActive: false });
    await before.store.recordUsage('env-anthropic-2', false);
    expect(await rows.list()).toEqual([]);
    expect((await startStore(rows)).store.list()).toEqual([]);
    const again = await startStore(rows, { unsaved: UNSAVED });
    expect(again.store.get('env-anthropic-1')).toMatchObject({ isActive: true, origin: 'environment' });
  });

  it('keeps profiles in memory only where there is no secret key', async () => {
    const { store, rows } = await setUpStore({ secretKeys: [] });
    const created = await store.create(MAIN);
    expect(created).toMatchObject({ isSaved: false, origin: 'added' });
    expect(store.selectNext('anthropic')?.id).toBe(created.id);
    expect(await rows.list()).toEqual([]);
  });

  it('leaves saved profiles alone where there is no secret key, and warns with their number', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    await before.store.create(MAIN);
    await before.store.create({ ...MAIN, apiKey: anthropicKey('two') });
    const closed = await rows.list();
    const { store, logs } = await startStore(rows, { secretKeys: [] });
    expect(store.list()).toEqual([]);
    expect(logs.records()).toMatchObject([
      { level: 'warn', message: expect.stringContaining('FINCLAW_SECRET_KEY is not set'), count: 2 },
    ]);
    expect(await rows.list()).toEqual(closed);
    expect((await startStore(rows)).store.list()).toHaveLength(2);
  });

  it('says nothing where there is neither a secret key nor a saved profile', async () => {
    const { logs } = await setUpStore({ secretKeys: [], unsaved: UNSAVED });
    expect(logs.records()).toEqual([]);
  });

  it('does not start with a wrong secret key, says what to do, and changes nothing', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    const { id } = await before.store.create(MAIN);
    const closed = await rows.list();
    const error = await rejectionOf(startStore(rows, { secretKeys: [NEW_SECRET_KEY] }));
    expect(error).toMatchObject({ code: 'SECRET_KEY_WRONG', message: expect.stringContaining(id) });
    expect(inFull(error)).not.toMatch(/main-1|AQEB|AgIC/);
    expect(await rows.list()).toEqual(closed);
  });

  it('seals anew with the current secret key what an old one opened, so that the old one can go', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    const { id } = await before.store.create(MAIN);
    const [closed] = await rows.list();
    await startStore(rows, { secretKeys: [NEW_SECRET_KEY, SECRET_KEY] });
    const [resealed] = await rows.list();
    expect(resealed?.sealedKey).not.toBe(closed?.sealedKey);
    const { store } = await startStore(rows, { secretKeys: [NEW_SECRET_KEY] });
    expect(store.get(id)?.apiKey).toBe(MAIN.apiKey);
    await startStore(rows, { secretKeys: [NEW_SECRET_KEY, SECRET_KEY] });
    expect((await rows.list())[0]?.sealedKey).toBe(resealed?.sealedKey);
  });

  it('seals nothing anew when the keys given open only some profiles', async () => {
    const rows = await emptyRows();
    const third = secretKeyOf(3);
    await (await startStore(rows)).store.create(MAIN);
    const [first] = await rows.list();
    if (first) await rows.insert({ ...first, id: 'other', sealedKey: 'v1.00000000.a.b.c' });
    await expect(startStore(rows, { secretKeys: [third, SECRET_KEY] })).rejects.toMatchObject({
      code: 'SECRET_KEY_WRONG',
    });
    expect((await rows.list())[0]?.sealedKey).toBe(first?.sealedKey);
  });

  it('leaves profiles of a provider it does not know alone', async () => {
    const rows = await emptyRows();
    await (await startStore(rows)).store.create(MAIN);
    const [row] = await rows.list();
    if (row) await rows.insert({ ...row, id: 'later', provider: 'gemini', sealedKey: 'v9.later' });
    const { store, logs } = await startStore(rows);
    expect(store.list().map(({ name }) => name)).toEqual(['main']);
    expect(logs.records()).toMatchObject([{ level: 'warn', count: 1 }]);
    expect(await rows.list()).toHaveLength(2);
  });

  it('stores no key that can be read, and logs none', async () => {
    const { storage } = await sqliteStorage();
    const { store, logs } = await startStore(createAuthProfileRows(storage), { unsaved: UNSAVED });
    const { id } = await store.create(MAIN);
    await store.recordUsage(id, false);
    const tables = await storage.db.selectFrom('auth_profiles').selectAll().execute();
    expect(JSON.stringify([tables, logs.records()])).not.toMatch(/main-1|env-[123]-|xxxx|yyyy/);
  });

  it('rests a profile after a restart as long as it still had to, as after a day without credit', async () => {
    const rows = await emptyRows();
    const before = await startStore(rows);
    const { id } = await before.store.create(MAIN);
    before.cooldowns.setCooldown(id, 'billing');
    await before.store.recordUsage(id, false);
    await before.store.recordUsage(id, false);
    await before.clock.advance(3_600_000);

    const after = await startStore(rows, { clock: new ManualClock(before.clock.now().toString()) });
    expect(after.store.get(id)).toMatchObject({ failureCount: 2 });
    expect(after.cooldowns.getRemainingMs(id)).toBe(DAY_MS - 3_600_000);
    expect(after.store.selectNext('anthropic')).toBeUndefined();
    await after.clock.advance(DAY_MS - 3_600_000);
    expect(after.store.selectNext('anthropic')?.id).toBe(id);
  });

  it('writes down that a success ended the failures', async () => {
    const { store, rows, cooldowns } = await setUpStore();
    const { id } = await store.create(MAIN);
    cooldowns.setCooldown(id, 'rate-limit');
    await store.recordUsage(id, false);
    expect(await rows.list()).toMatchObject([{ failureCount: 1 }]);
    cooldowns.clearCooldown(id);
    await store.recordUsage(id, true);
    expect(store.get(id)?.failureCount).toBe(0);
    expect(await rows.list()).toMatchObject([{ failureCount: 0, cooldownUntil: null }]);
  });

  it('gives a profile that is switched on a fresh start, at once and after a restart', async () => {
    const { store, rows, cooldowns, health } = await setUpStore();
    const { id } = await store.create(MAIN);
    for (let count = 0; count < 3; count += 1) health.recordResult(id, false);
    cooldowns.setCooldown(id, 'billing');
    await store.recordUsage(id, false);
    await store.update(id, { isActive: false });
    expect(cooldowns.isInCooldown(id)).toBe(true);
    expect(await store.update(id, { isActive: true })).toMatchObject({
      isActive: true,
      failureCount: 0,
    });
    expect(health.getHealth(id)).toBe('healthy');
    expect(store.selectNext('anthropic')?.id).toBe(id);
    expect(await rows.list()).toMatchObject([{ isActive: true, failureCount: 0, cooldownUntil: null }]);
  });

  it('knows nothing of a profile that is not there', async () => {
    const { store } = await setUpStore();
    expect(store.get('ghost')).toBeUndefined();
    expect(await store.update('ghost', { isActive: false })).toBeUndefined();
    expect(await store.delete('ghost')).toBe(false);
    await expect(store.recordUsage('ghost', false)).resolves.toBeUndefined();
    expect(store.list()).toEqual([]);
  });

  it('forgets the rest and the failures of a deleted profile', async () => {
    const { store, cooldowns, health } = await setUpStore();
    const { id } = await store.create(MAIN);
    cooldowns.setCooldown(id, 'billing');
    for (let count = 0; count < 3; count += 1) health.recordResult(id, false);
    await store.delete(id);
    expect([cooldowns.isInCooldown(id), health.getHealth(id)]).toEqual([false, 'healthy']);
  });

  it('ends with the newest state in the database when many results come at once', async () => {
    const { store, rows } = await startStore(slow(await emptyRows()));
    const { id } = await store.create(MAIN);
    await Promise.all([1, 2, 3].map(() => store.recordUsage(id, false)));
    expect(await rows.list()).toMatchObject([{ failureCount: 3 }]);
    await Promise.all([store.recordUsage(id, false), store.recordUsage(id, true)]);
    expect(await rows.list()).toMatchObject([{ failureCount: 0 }]);
  });

  it('goes on when a use cannot be written down, and logs it without the key', async () => {
    const rows = await emptyRows();
    const broken = { ...rows, update: diskFull };
    const { store, logs } = await startStore(broken);
    const { id } = await store.create(MAIN);
    await expect(store.recordUsage(id, false)).resolves.toBeUndefined();
    await expect(store.recordUsage(id, false)).resolves.toBeUndefined();
    expect(store.get(id)?.failureCount).toBe(2);
    expect(logs.records()).toHaveLength(2);
    expect(logs.records()).toMatchObject([{ level: 'warn', profileId: id }, {}]);
    expect(JSON.stringify(logs.records())).not.toContain('main-1');
  });

  it('changes nothing in memory that the database refused', async () => {
    const rows = await emptyRows();
    const { store } = await startStore({ ...rows, insert: diskFull });
    await expect(store.create(MAIN)).rejects.toThrow('disk full');
    expect(store.list()).toEqual([]);
    const second = await startStore({ ...rows, update: diskFull, delete: diskFull });
    const { id } = await second.store.create(MAIN);
    await expect(second.store.update(id, { isActive: false })).rejects.toThrow('disk full');
    await expect(second.store.delete(id)).rejects.toThrow('disk full');
    expect(second.store.list()).toMatchObject([{ id, isActive: true }]);
  });
});
