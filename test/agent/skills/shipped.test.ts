import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutOurMarkup } from '#src/core/text.ts';
import { skillFixture } from './support.ts';

const SHIPPED = join(import.meta.dirname, '../../../src/skills');

const loaded = async () => {
  const fixture = skillFixture();
  const manager = fixture.createFor(SHIPPED);
  await manager.start();
  return { manager, payloads: fixture.payloads };
};

describe('the skills that ship', () => {
  it('are all whole, and named like their folders', async () => {
    const { manager, payloads } = await loaded();
    expect(payloads('skill:error')).toEqual([]);
    expect(manager.list().map(({ name }) => name)).toEqual((await readdir(SHIPPED)).toSorted());
  });

  it('come in one part, and reach the model as they are', async () => {
    const { manager } = await loaded();
    for (const { name } of manager.list()) {
      const body = (await manager.read(name))?.body ?? '';
      expect(body.length).toBeLessThan(8_000);
      expect(withoutOurMarkup(body)).toBe(body);
    }
  });

  it('brief on a stock without a number of their own', async () => {
    const { manager } = await loaded();
    const body = (await manager.read('stock-briefing'))?.body ?? '';
    for (const tool of ['get_quote', 'get_fundamentals', 'get_news', 'fetch_url', 'get_datetime', 'notify'])
      expect(body).toContain(`\`${tool}\``);
    expect(body).not.toMatch(/[$₩]\s?\d|\d\s?원/);
  });
});
