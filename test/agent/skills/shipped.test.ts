import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutOurMarkup } from '#src/kernel/text.ts';
import { FINANCE_TOOL_NAMES } from '#src/features/open/tools.ts';
import { skillFixture } from './support.ts';

/** Those of a person's own money. */
const PERSONAL_TOOLS = [
  'get_portfolio',
  'analyze_portfolio',
  'record_transaction',
  'set_alert',
  'list_alerts',
  'remove_alert',
  'manage_watchlist',
  'set_briefing',
];

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

  it.each([
    [
      'earnings-review',
      ['get_earnings_calendar', 'get_fundamentals', 'get_history', 'get_news', 'fetch_url', 'set_alert'],
    ],
    ['portfolio-check-up', ['get_portfolio', 'analyze_portfolio', 'record_transaction', 'set_briefing']],
    [
      'market-briefing',
      ['get_market_hours', 'get_market_overview', 'get_news', 'manage_watchlist', 'set_briefing'],
    ],
  ])('%s names its tools, says where numbers are from, and has none of its own', async (name, tools) => {
    const { manager } = await loaded();
    const body = (await manager.read(name))?.body ?? '';
    for (const tool of tools) expect(body).toContain(`\`${tool}\``);
    for (const said of [
      'Every number comes from a call',
      'as-of',
      'Sample',
      'control token for the risk notice',
    ])
      expect(body).toContain(said);
    expect(body).not.toMatch(/[$₩]\s?\d|\d\s?원/);
  });

  it('name no tool that there is not', async () => {
    const { manager } = await loaded();
    const known = new Set<string>([
      ...FINANCE_TOOL_NAMES,
      ...PERSONAL_TOOLS,
      'fetch_url',
      'get_datetime',
      'notify',
    ]);
    for (const { name } of manager.list()) {
      const body = (await manager.read(name))?.body ?? '';
      const named = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, tool = '']) => tool);
      expect(named.length).toBeGreaterThan(4);
      expect(named.filter((tool) => !known.has(tool))).toEqual([]);
    }
  });
});
