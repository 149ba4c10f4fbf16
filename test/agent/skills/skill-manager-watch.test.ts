import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillFixture, skillText, writeSkill } from './support.ts';

const SETTLE_MS = 300;

/** The system tells of a change after some real time; then the clock is moved over the pause that follows. */
const changeSeen = (clock: ReturnType<typeof skillFixture>['clock']) =>
  expect.poll(() => clock.pendingTimers(), { interval: 5 }).toBe(1);

const started = async () => {
  const fixture = skillFixture();
  const path = await writeSkill(fixture.own, 'a', skillText('briefing', 'old', 'Old.'));
  await fixture.manager.start();
  const { clock, manager, payloads } = fixture;
  /** Lets a change arrive and be read. */
  const reloaded = async (): Promise<void> => {
    const before = payloads('skill:load').length;
    await changeSeen(clock);
    await clock.advance(SETTLE_MS);
    await expect.poll(() => payloads('skill:load').length, { interval: 5 }).toBeGreaterThan(before);
  };
  const names = (): readonly string[] => manager.list().map(({ name }) => name);
  return { ...fixture, path, reloaded, names };
};

describe('a change of the files', () => {
  it('to a skill is read', async () => {
    const { manager, path, reloaded } = await started();
    await writeFile(path, skillText('briefing', 'new', 'New.'));
    await expect(manager.read('briefing')).resolves.toMatchObject({ body: 'Old.' });
    await reloaded();
    expect(manager.list()).toEqual([{ name: 'briefing', description: 'new' }]);
    await expect(manager.read('briefing')).resolves.toMatchObject({ body: 'New.' });
  });

  it('by which skills come and go is read', async () => {
    const { own, reloaded, names, payloads } = await started();
    await writeSkill(own, 'b', skillText('earnings'));
    await reloaded();
    expect(names()).toEqual(['briefing', 'earnings']);
    await rm(join(own, 'a'), { recursive: true });
    await reloaded();
    expect(names()).toEqual(['earnings']);
    expect(payloads('skill:load').at(-1)).toEqual({ count: 1 });
  });

  it('is read only after it has settled, once for many', async () => {
    const { clock, own, path, payloads, names } = await started();
    await writeFile(path, '---\nname: half');
    await changeSeen(clock);
    await clock.advance(SETTLE_MS - 1);
    const before = clock.timersSet();
    await writeFile(path, skillText('whole'));
    await writeSkill(own, 'b', skillText('other'));
    await expect.poll(() => clock.timersSet(), { interval: 5 }).toBeGreaterThan(before);
    await clock.advance(SETTLE_MS - 1);
    expect(payloads('skill:load')).toHaveLength(1);
    await clock.advance(SETTLE_MS);
    await expect.poll(() => payloads('skill:load')).toHaveLength(2);
    expect(names()).toEqual(['other', 'whole']);
    expect(payloads('skill:error')).toEqual([]);
  });

  it('that breaks a skill takes it away and is reported once, until it breaks anew', async () => {
    const { path, reloaded, names, payloads } = await started();
    const reports = (): number => payloads('skill:error').length;
    await writeFile(path, 'broken');
    await reloaded();
    expect(names()).toEqual([]);
    expect(reports()).toBe(1);
    await writeFile(path, 'broken still');
    await reloaded();
    expect(reports()).toBe(1);
    await writeFile(path, skillText('UPPER'));
    await reloaded();
    expect(reports()).toBe(2);
    await writeFile(path, skillText('briefing'));
    await reloaded();
    expect(names()).toEqual(['briefing']);
    await writeFile(path, skillText('UPPER'));
    await reloaded();
    expect(reports()).toBe(3);
  });

  it('is no longer read after the end, also one that was on its way', async () => {
    const { clock, manager, path, payloads, names } = await started();
    await writeFile(path, skillText('late'));
    await changeSeen(clock);
    manager.stop();
    expect(clock.pendingTimers()).toBe(0);
    await clock.advance(10 * SETTLE_MS);
    expect(payloads('skill:load')).toHaveLength(1);
    expect(names()).toEqual(['briefing']);
  });
});

describe('a manager', () => {
  it('that cannot watch a directory says so and goes on without', async () => {
    const { createFor, own, warnings } = skillFixture();
    await writeSkill(own, 'a', skillText('briefing'));
    const unwatchable = 'no\0path';
    const manager = createFor(unwatchable, own);
    await manager.start();
    expect(manager.list()).toHaveLength(1);
    expect(warnings()).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('not watched'), directory: unwatchable }),
    );
  });

  it('that is stopped while it reads changes nothing any more', async () => {
    const { manager, own, payloads } = skillFixture();
    await writeSkill(own, 'a', skillText('briefing'));
    const reading = manager.start();
    manager.stop();
    await reading;
    expect(payloads('skill:load')).toEqual([]);
    expect(manager.list()).toEqual([]);
  });
});
