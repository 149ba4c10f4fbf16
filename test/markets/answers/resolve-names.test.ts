import { describe, expect, it } from 'vitest';
import { echo, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';

const symbols = createSymbolSearch();
const { signal } = new AbortController();

describe('a question about a name', () => {
  it.each(['GS', 'johnson', 'DOW', 'KT', 'SKT', 'STX', 'coke', 'SM', 'GOLD', 'LTC'])(
    'has only answers that are answers (%s)',
    async (typed) => {
      const { choices } = await resolveNames([typed], symbols, 'en', (code) => code, signal);
      expect(choices.length).toBeGreaterThan(1);
      expect(choices.filter(({ command }) => symbols.resolve(command).status !== 'found')).toEqual([]);
    },
  );

  it('types the plain symbol where that is enough', async () => {
    const { choices } = await resolveNames(['GS'], symbols, 'en', (code) => `/price ${code}`, signal);
    expect(choices.map(({ command }) => command)).toEqual(['/price $GS', '/price 078930.KS']);
  });
});

describe('a future that no source here covers', () => {
  it.each(['코스피200 선물', '코스피200선물', 'KOSPI 200 futures'])(
    'is said to be none, and the index is named as what it is: %s',
    async (typed) => {
      const { names, choices } = await resolveNames([typed], symbols, 'en', (code) => code, signal);
      expect(names).toEqual([
        {
          status: 'missed',
          text: `I have no prices for "${typed}", only the spot price behind it: KOSPI 200 (KOSPI200, KRX).`,
        },
      ]);
      expect(choices).toHaveLength(1);
    },
  );
});

describe('what was typed is repeated', () => {
  it.each([
    ['**bold** `code` ~~no~~', 'bold code no'],
    ['[here](https://evil.example)', 'here (https //evil.example)'],
    ['<@U123> @everyone <#C1>', 'U123 everyone C1'],
    ['two\nlines\u202e', 'two lines'],
    ['USD/KRW', 'USD/KRW'],
    ['BRK.B & ^GSPC', 'BRK.B & ^GSPC'],
    ['x'.repeat(100), `${'x'.repeat(40)}…`],
  ])('without markup, links and mentions: %j', (typed, shown) => {
    expect(echo(typed)).toBe(shown);
  });
});
