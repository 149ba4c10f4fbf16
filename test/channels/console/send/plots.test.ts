import { describe, expect, it } from 'vitest';
import { drawPlot } from '#channels/console/send/plots.ts';
import type { Plot } from '#src/kernel/chat/plot.ts';

const RISE: Plot = {
  lines: [{ name: 'Apple', values: [1, 2, 3, 4] }],
  high: '$4',
  low: '$1',
  dates: '2026-11-10 – 2026-11-13',
  tone: 'up',
};
const draw = (plot: Plot, sheet: Partial<Parameters<typeof drawPlot>[1]> = {}) =>
  drawPlot(plot, { width: 34, hasColour: false, locale: 'en', ...sheet });

describe('a plot on a terminal', () => {
  it('goes from the lower left to the upper right for a rise, between its lowest and highest value', () => {
    expect(draw(RISE)).toEqual([
      '$4 │                           ⣀⡴⠚',
      '   │                        ⣀⡴⠚⠁  ',
      '   │                     ⣀⡴⠚⠁     ',
      '   │                  ⣀⡴⠚⠁        ',
      '   │               ⣀⡴⠚⠁           ',
      '   │            ⣠⠴⠋⠁              ',
      '   │         ⣠⠴⠋⠁                 ',
      '   │      ⣠⠴⠋⠁                    ',
      '   │   ⣠⠴⠋⠁                       ',
      '$1 │⣠⠴⠋⠁                          ',
      '2026-11-10 – 2026-11-13',
    ]);
  });

  it.each([
    ['ko', 'up', 31],
    ['en', 'up', 32],
    ['ko', 'down', 94],
    ['en', 'down', 31],
  ] as const)('has the colour that readers of %s know for %s', (locale, tone, colour) => {
    const [first = ''] = draw({ ...RISE, tone }, { hasColour: true, locale });
    expect(first).toContain(`\u001b[${colour}m⣀⡴⠚`);
  });

  it('shows what changes are measured from, also beyond the line', () => {
    const drawn = draw({ ...RISE, base: { value: 7, name: 'Previous close $7' }, high: '$7' });
    expect(drawn[0]).toBe(`$7 │${'╌'.repeat(30)}`);
    expect(drawn.join(' ')).toContain('╌ Previous close $7');
  });

  it('names several lines in their colours, and draws none that would look alike', () => {
    const two: Plot = { ...RISE, lines: [...RISE.lines, { name: 'Tesla', values: [4, null, 2, 1] }] };
    expect(draw(two)).toEqual([]);
    const drawn = draw(two, { hasColour: true }).join('\n');
    for (const legend of ['\u001b[36m━ Apple', '\u001b[33m━ Tesla']) expect(drawn).toContain(legend);
  });

  it('is left out where there is no room, and nothing to draw', () => {
    expect(draw(RISE, { width: 22 })).toEqual([]);
    expect(draw({ ...RISE, lines: [{ name: 'x', values: [2, 2] }] })).toEqual([]);
    expect(draw({ ...RISE, lines: [{ name: 'x', values: [] }] })).toEqual([]);
  });

  it('obeys no name', () => {
    expect(draw({ ...RISE, dates: 'a\u001b[2Jb' }).at(-1)).toBe('a[2Jb');
  });
});
