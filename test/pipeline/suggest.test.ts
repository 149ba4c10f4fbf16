import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import type { ModelInfo } from '#src/core/ports.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';
import { createSuggest } from '#src/pipeline/suggest.ts';
import { modelInfo } from '../commands/support.ts';

const MODELS: readonly ModelInfo[] = [
  modelInfo({ id: 'old-opus', displayName: 'Opus 1', aliases: [], isDeprecated: true }),
  modelInfo(),
  modelInfo({ id: 'gpt-9', displayName: 'GPT 9', aliases: ['gpt'], isUsable: false }),
];

const [sample] = SAMPLE_INSTRUMENTS;
if (!sample) throw new Error('no instruments');
const LONG = {
  ...sample,
  instrument: {
    ...sample.instrument,
    symbol: 'LONG',
    ticker: 'LONG',
    name: { ko: '긴'.repeat(200), en: 'Long '.repeat(60) },
  },
};

const suggest = createSuggest({
  symbols: createSymbolSearch([...SAMPLE_INSTRUMENTS, LONG]),
  models: { list: () => MODELS },
  listCommands: () => commandDefinitions,
});

describe('suggestions for an option', () => {
  it('name an instrument in the language of the person, and give its symbol', () => {
    expect(suggest('symbol', '삼성전', 'ko', 5)[0]).toEqual({
      label: '삼성전자 (005930, KOSPI)',
      value: '005930.KS',
    });
    expect(suggest('symbol', '삼성전', 'en', 5)[0]?.label).toBe(
      'Samsung Electronics Co., Ltd. (005930, KOSPI)',
    );
    expect(suggest('symbol', '', 'ko', 7)).toHaveLength(7);
  });

  it('fit into what platforms show, with the code whole', () => {
    for (const locale of ['ko', 'en'] as const) {
      const label = suggest('symbol', 'LONG', locale, 1)[0]?.label ?? '';
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
    expect(suggest('model', typed, 'ko', 25).map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ['/pri', 'en', 'price', '/price — shows'],
    ['시', 'ko', 'price', '/시세 — '],
    ['프로', 'ko', 'profile', '/프로필 — '],
  ] as const)('of a command: %j (%s)', (typed, locale, value, label) => {
    const [first] = suggest('command', typed, locale, 25);
    expect(first?.value).toBe(value);
    expect(first?.label.startsWith(label)).toBe(true);
  });

  it('leave out what is for administrators, and give no more than asked for', () => {
    expect(suggest('command', 'keys', 'en', 25)).toEqual([]);
    expect(suggest('command', '', 'en', 3)).toHaveLength(3);
  });
});
