import type { Actor } from '#src/kernel/chat/actor.ts';
import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import type { OwnItem, OwnItems } from '#src/kernel/people/own-items.ts';

import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ModelInfo } from '#src/kernel/agent/models.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createSuggest } from '#src/chat/commands/suggest.ts';
import { isDate } from '#src/reading/dates.ts';
import { recordingLogger } from '#test/support/context.ts';
import { actor } from '#test/support/messages.ts';
import { modelInfo } from '../../commands/support.ts';

const MODELS: readonly ModelInfo[] = [
  modelInfo({ id: 'old-opus', displayName: 'Opus 1', aliases: [], isDeprecated: true }),
  modelInfo(),
  modelInfo({ id: 'gpt-9', displayName: 'GPT 9', aliases: ['gpt'], isUsable: false }),
];

const LONG: Instrument = {
  symbol: 'LONG',
  ticker: 'LONG',
  name: { ko: '긴'.repeat(200), en: 'Long '.repeat(60) },
  exchange: 'KOSPI',
  assetClass: 'equity',
  currency: 'KRW',
  priceDecimals: 0,
};

const requester = (locale: Locale, senderId = 'boss'): Actor => actor(senderId, { locale });

const symbols = createSymbolSearch();
const OWN: Readonly<Record<keyof OwnItems, readonly OwnItem[]>> = {
  portfolio: [
    { value: '연금', label: '연금 (KRW)' },
    { value: 'main', label: 'main (USD)' },
  ],
  entry: [{ value: '12', label: `#12 ${'long '.repeat(40)}` }],
  alert: [{ value: 'k3m7pq', label: 'Apple (AAPL): rises to $200' }],
  briefing: [{ value: 'h3k4m2', label: 'weekdays 08:30' }],
  watched: [{ value: 'AAPL', label: 'Apple (AAPL)' }],
};
const own =
  (source: keyof OwnItems): OwnItems[keyof OwnItems] =>
  async ({ userId }) => {
    if (userId === 'unlucky') throw new Error('The database is away');
    return userId === 'boss' ? OWN[source] : [];
  };
const { logger, records } = recordingLogger();
const suggest = createSuggest({
  symbols: {
    ...symbols,
    suggest: (typed, limit) => (typed === 'LONG' ? [LONG] : symbols.suggest(typed, limit)),
  },
  models: { list: ({ isAdmin }) => (isAdmin ? MODELS : MODELS.slice(0, 1)) },
  ownItems: {
    portfolio: own('portfolio'),
    entry: own('entry'),
    alert: own('alert'),
    briefing: own('briefing'),
    watched: own('watched'),
  },
  isAdmin: ({ senderId }) => senderId === 'boss',
  listCommands: () => commandDefinitions,
  logger,
});

const valuesOf = async (...call: Parameters<typeof suggest>): Promise<readonly string[]> =>
  (await suggest(...call)).map(({ value }) => value);
const values = (typed: string): Promise<readonly string[]> => valuesOf('symbol', typed, requester('en'), 25);

describe('suggestions for an option', () => {
  it('complete the last name of a list, and keep those before it', async () => {
    expect((await suggest('symbol', 'AAPL, 삼ㅅ', requester('ko'), 5))[0]).toEqual({
      label: 'AAPL, 삼성전자 (005930, KOSPI)',
      value: 'AAPL, 005930.KS',
    });
    expect(await suggest('symbol', `${'삼성전자,'.repeat(30)} AAPL`, requester('ko'), 5)).toEqual([]);
  });

  it('never offer again what is in the list, and nothing that a platform would not take', async () => {
    expect(await values('AAPL, ')).toHaveLength(25);
    expect(await values('AAPL, ')).not.toContain('AAPL,  AAPL');
    expect(await values('애플, 삼전, app')).not.toContain('애플, 삼전, AAPL');
    expect(await values('애플, 삼전, app')).toContain('애플, 삼전, APP');
    const long = `${'삼성전자,'.repeat(18)} a`;
    expect((await values(long)).length).toBeGreaterThan(0);
    expect((await values(long)).filter((value) => value.length > 100)).toEqual([]);
  });

  it.each(['GS', 'KT', 'Deutsche', 'Seagate', 'Atlassian', 'Dow Inc', 'LTC'])(
    'are found when they are taken (%s)',
    async (typed) => {
      const taken = await suggest('symbol', typed, requester('en'), 25);
      expect(taken.length).toBeGreaterThan(0);
      expect(taken.filter(({ value }) => symbols.resolve(value).status !== 'found')).toEqual([]);
    },
  );

  it('name an instrument in the language of the person, and give its symbol', async () => {
    expect((await suggest('symbol', '삼성전', requester('ko'), 5))[0]).toEqual({
      label: '삼성전자 (005930, KOSPI)',
      value: '005930.KS',
    });
    expect((await suggest('symbol', '삼성전', requester('en'), 5))[0]?.label).toBe(
      'Samsung Electronics Co., Ltd. (005930, KOSPI)',
    );
    expect(await suggest('symbol', '', requester('ko'), 7)).toHaveLength(7);
  });

  it('fit into what platforms show, with the code whole', async () => {
    for (const locale of ['ko', 'en'] as const) {
      const label = (await suggest('symbol', 'LONG', requester(locale), 1))[0]?.label ?? '';
      expect(label.length).toBe(100);
      expect(label).toMatch(/… \(LONG, \w+\)$/);
    }
  });

  it.each([
    ['', ['sonnet', 'old-opus', 'list', 'default']],
    ['SONN', ['sonnet']],
    ['claude', ['sonnet']],
    ['op', ['old-opus']],
    ['기본', ['default']],
    ['gpt', []],
  ])('of a model: %j gives those that can answer, the outdated last: %j', async (typed, wanted) => {
    expect(await valuesOf('model', typed, requester('ko'), 25)).toEqual(wanted);
  });

  it('of a model: a person is offered only what they can take', async () => {
    const found = await valuesOf('model', '', requester('en', 'stranger'), 25);
    expect(found).toEqual(['old-opus', 'list', 'default']);
  });

  it.each([
    ['/pri', 'en', 'price', '/price — the price of'],
    ['시', 'ko', 'price', '/시세 — '],
    ['프로', 'ko', 'profile', '/프로필 — '],
  ] as const)('of a command: %j (%s)', async (typed, locale, value, label) => {
    const [first] = await suggest('command', typed, requester(locale), 25);
    expect(first?.value).toBe(value);
    expect(first?.label.startsWith(label)).toBe(true);
  });

  it('leave out what is for administrators, and give no more than asked for', async () => {
    expect(await suggest('command', 'keys', requester('en'), 25)).toEqual([]);
    expect(await suggest('command', '', requester('en'), 3)).toHaveLength(3);
  });

  it('of their own things: the labels say what they are, and a stranger gets none of them', async () => {
    expect(await suggest('portfolio', '', requester('ko'), 25)).toEqual(OWN.portfolio);
    expect(await valuesOf('portfolio', 'usd', requester('ko'), 25)).toEqual(['main']);
    expect(await valuesOf('alert', 'apple', requester('en'), 25)).toEqual(['k3m7pq']);
    expect(await valuesOf('briefing', 'h3', requester('en'), 25)).toEqual(['h3k4m2']);
    expect(await valuesOf('watched', '', requester('en'), 25)).toEqual(['AAPL']);
    const [entry] = await suggest('entry', '12', requester('en'), 25);
    expect([entry?.value, entry?.label.length]).toEqual(['12', 100]);
    for (const source of ['portfolio', 'entry', 'alert', 'briefing', 'watched'] as const)
      expect(await suggest(source, '', requester('en', 'stranger'), 25)).toEqual([]);
  });

  it('are none when they cannot be read, which is logged', async () => {
    expect(await suggest('alert', '', requester('en', 'unlucky'), 25)).toEqual([]);
    expect(records().map(({ message }) => message)).toEqual(['An option could not be completed']);
  });

  it('of a day and of a time zone', async () => {
    expect(await valuesOf('date', '', requester('ko'), 2)).toEqual(['오늘', '어제']);
    expect(await valuesOf('date', 'fri', requester('en'), 25)).toEqual(['last Friday']);
    expect(await valuesOf('zone', 'seo', requester('en'), 25)).toEqual(['Asia/Seoul']);
    expect(await valuesOf('zone', 'new york', requester('en'), 1)).toEqual(['America/New_York']);
  });

  it('of a day are all read as a day', async () => {
    for (const locale of ['ko', 'en'] as const)
      for (const day of await valuesOf('date', '', requester(locale), 25))
        expect(isDate(day), day).toBe(true);
  });
});
