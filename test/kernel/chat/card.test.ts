import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Card, cardLine, cardPages, commonTone } from '#src/kernel/chat/card.ts';

const listOf = (count: number, length = 40): Card => ({
  title: 'Your watchlist',
  headline: '',
  fields: Array.from({ length: count }, (_none, index) => ({
    name: `N${index}`,
    value: 'v'.repeat(length),
  })),
  footer: 'source: Yahoo',
  tone: 'flat',
});

describe('a card of many rows', () => {
  it('is one card up to 24 rows', () => {
    expect(cardPages([listOf(24)])).toEqual([[listOf(24)]]);
  });

  it('becomes cards of about the same length, numbered, each with its source', () => {
    const [page = [], ...others] = cardPages([listOf(50)]);
    expect(others).toEqual([]);
    expect(page.map(({ title, fields, footer }) => [title, fields.length, footer])).toEqual([
      ['Your watchlist (1/3)', 17, 'source: Yahoo'],
      ['Your watchlist (2/3)', 17, 'source: Yahoo'],
      ['Your watchlist (3/3)', 16, 'source: Yahoo'],
    ]);
  });

  it('goes over several messages where one has no room for it, and tells its headline once', () => {
    const pages = cardPages([{ ...listOf(100, 150), headline: 'Sum' }]);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().filter(({ headline }) => headline === 'Sum')).toHaveLength(1);
  });

  it('loses no row, keeps the order, and never exceeds the platforms', () => {
    const field = fc.record({ name: fc.string({ maxLength: 60 }), value: fc.string({ maxLength: 300 }) });
    const card = fc.record({
      fields: fc.array(field, { maxLength: 130 }),
      footer: fc.string({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(card, { minLength: 1, maxLength: 12 }), (given) => {
        const cards = given.map((each): Card => ({ ...listOf(0), ...each }));
        const pages = cardPages(cards);
        expect(pages.flat().flatMap(({ fields }) => fields)).toEqual(cards.flatMap(({ fields }) => fields));
        for (const page of pages) {
          const texts = page.flatMap(({ title, footer, fields }) => [
            title,
            footer,
            ...fields.flatMap(({ name, value }) => [name, value]),
          ]);
          expect(page.length).toBeLessThanOrEqual(10);
          expect(texts.join('').length).toBeLessThanOrEqual(6_000);
          for (const { fields } of page) expect(fields.length).toBeLessThanOrEqual(24);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a card in a notification', () => {
  it('is its headline', () => {
    expect(cardLine({ ...listOf(3), title: 'Apple', headline: '$304.12 ▲ +1.2%' })).toBe(
      'Apple: $304.12 ▲ +1.2%',
    );
  });

  it('is the first moves of a list, or the first names', () => {
    const moving = { name: 'KOSPI', value: '4,011.57\n▲ +1.49%\n15:30', tone: 'up' } as const;
    expect(cardLine({ ...listOf(0), title: 'Markets', fields: [moving, moving, moving] })).toBe(
      'Markets — KOSPI 4,011.57 ▲ +1.49%, KOSPI 4,011.57 ▲ +1.49% …',
    );
    expect(cardLine({ ...listOf(2), title: 'Alerts' })).toBe('Alerts — N0, N1');
    expect(cardLine({ ...listOf(0), title: 'Alerts' })).toBe('Alerts');
  });
});

describe('the tone of a list', () => {
  it.each([
    [['up', 'up'], 'up'],
    [['down'], 'down'],
    [['up', 'down'], 'flat'],
    [[], 'flat'],
  ] as const)('of %j is %s', (tones, tone) => {
    expect(commonTone(tones)).toBe(tone);
  });
});
