import { expect, it } from 'vitest';
import { calculateTool } from '#src/features/calculate/index.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const { signal } = new AbortController();
const tool = calculateTool({ clock: new ManualClock('2026-11-13T06:30:00Z') });

it('gives the result in words, and as a fact that says how it came about', async () => {
  const result = await tool.invoke({ expression: 'pct(98700, 102300)' }, toolContextOf(), signal);
  expect(result).toEqual({
    content: '`pct(98700, 102300)` ≈ 3.647416413%',
    isError: false,
    facts: [
      {
        entity: 'calculation',
        metric: 'calculation',
        label: 'pct(98700, 102300)',
        operands: ['98700', '102300'],
        value: '3.6474164133738601824',
        unit: '%',
        asOf: '2026-11-13T06:30:00Z',
        source: 'calculator',
        isSample: false,
      },
    ],
  });
});

it.each([
  ['7만 1,200 * 10주', ['71200', '10']],
  ['5% of 200 + 1.2M', ['5', '200', '1200000']],
  ['-12.50 USD / 4', ['12.5', '4']],
])('names the numbers that %s was worked out from', async (expression, operands) => {
  const { facts } = await tool.invoke({ expression }, toolContextOf(), signal);
  expect(facts?.map((fact) => fact.operands)).toEqual([operands]);
});

it('is an error without facts when there is no result, in the language of the asker', async () => {
  const result = await tool.invoke({ expression: '1 / 0' }, toolContextOf({ locale: 'ko' }), signal);
  expect(result).toEqual({ content: '0으로 나눌 수 없습니다.', isError: true, facts: [] });
});

it('repeats what was put in on one line, and as code that cannot end early', async () => {
  const { content } = await tool.invoke({ expression: '1 +\n1' }, toolContextOf(), signal);
  expect(content).toBe('`1 + 1` = 2');
});
