import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import type { FormSender } from '#src/kernel/channel.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { ModelInfo } from '#src/kernel/ports.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createSuggest } from '#src/chat/stages/suggest.ts';
import { inboundMessage } from '#test/support/messages.ts';
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

const requester = (locale: Locale, senderId = 'boss'): FormSender => {
  const { channelId, accountId, senderRoles } = inboundMessage();
  return { channelId, accountId, senderId: asId<UserId>(senderId), senderRoles, locale };
};

const symbols = createSymbolSearch();
const suggest = createSuggest({
  symbols: {
    ...symbols,
    suggest: (typed, limit) => (typed === 'LONG' ? [LONG] : symbols.suggest(typed, limit)),
  },
  models: { list: ({ isAdmin }) => (isAdmin ? MODELS : MODELS.slice(0, 1)) },
  isAdmin: ({ senderId }) => senderId === 'boss',
  listCommands: () => commandDefinitions,
});

const values = (typed: string): readonly string[] =>
  suggest('symbol', typed, requester('en'), 25).map(({ value }) => value);

describe('suggestions for an option', () => {
  it('complete the last name of a list, and keep those before it', () => {
    expect(suggest('symbol', 'AAPL, 삼ㅅ', requester('ko'), 5)[0]).toEqual({
      label: 'AAPL, 삼성전자 (005930, KOSPI)',
      value: 'AAPL, 005930.KS',
    });
    expect(suggest('symbol', `${'삼성전자,'.repeat(30)} AAPL`, requester('ko'), 5)).toEqual([]);
  });

  it('never offer again what is in the list, and nothing that a platform would not take', () => {
    expect(values('AAPL, ')).toHaveLength(25);
    expect(values('AAPL, ')).not.toContain('AAPL,  AAPL');
    expect(values('애플, 삼전, app')).not.toContain('애플, 삼전, AAPL');
    expect(values('애플, 삼전, app')).toContain('애플, 삼전, APP');
    const long = `${'삼성전자,'.repeat(18)} a`;
    expect(values(long).length).toBeGreaterThan(0);
    expect(values(long).filter((value) => value.length > 100)).toEqual([]);
  });

  it.each(['GS', 'KT', 'Deutsche', 'Seagate', 'Atlassian', 'Dow Inc', 'LTC'])(
    'are found when they are taken (%s)',
    (typed) => {
      const taken = suggest('symbol', typed, requester('en'), 25);
      expect(taken.length).toBeGreaterThan(0);
      expect(taken.filter(({ value }) => symbols.resolve(value).status !== 'found')).toEqual([]);
    },
  );

  it('name an instrument in the language of the person, and give its symbol', () => {
    expect(suggest('symbol', '삼성전', requester('ko'), 5)[0]).toEqual({
      label: '삼성전자 (005930, KOSPI)',
      value: '005930.KS',
    });
    expect(suggest('symbol', '삼성전', requester('en'), 5)[0]?.label).toBe(
      'Samsung Electronics Co., Ltd. (005930, KOSPI)',
    );
    expect(suggest('symbol', '', requester('ko'), 7)).toHaveLength(7);
  });

  it('fit into what platforms show, with the code whole', () => {
    for (const locale of ['ko', 'en'] as const) {
      const label = suggest('symbol', 'LONG', requester(locale), 1)[0]?.label ?? '';
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
  ])('of a model: %j gives those that can answer, the outdated last: %j', (typed, values) => {
    expect(suggest('model', typed, requester('ko'), 25).map(({ value }) => value)).toEqual(values);
  });

  it('of a model: a person is offered only what they can take', () => {
    const found = suggest('model', '', requester('en', 'stranger'), 25).map(({ value }) => value);
    expect(found).toEqual(['old-opus', 'list', 'default']);
  });

  it.each([
    ['/pri', 'en', 'price', '/price — the price of'],
    ['시', 'ko', 'price', '/시세 — '],
    ['프로', 'ko', 'profile', '/프로필 — '],
  ] as const)('of a command: %j (%s)', (typed, locale, value, label) => {
    const [first] = suggest('command', typed, requester(locale), 25);
    expect(first?.value).toBe(value);
    expect(first?.label.startsWith(label)).toBe(true);
  });

  it('leave out what is for administrators, and give no more than asked for', () => {
    expect(suggest('command', 'keys', requester('en'), 25)).toEqual([]);
    expect(suggest('command', '', requester('en'), 3)).toHaveLength(3);
  });
});
