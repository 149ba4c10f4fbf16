import { expect, it } from 'vitest';
import { factsBehind } from '#src/agent/loop/answer-facts.ts';
import { factOf } from '#test/agent/memory/window/support.ts';

const repeats = (answer: string, value: string): boolean =>
  factsBehind(answer, { ofThisTurn: [], earlierSamples: [factOf('AAPL', { value })] }).length > 0;

it.each([
  ['2026-11-13 304.12달러', '304.12'],
  ['코스피 200 345.67', '345.67'],
  ['S&P 500 456.78', '456.78'],
  ['Week 45: 304 312 298', '312'],
  ['3 304.12 USD', '304.12'],
])('a number behind another one and a space is a number of its own: %j', (answer, value) => {
  expect(repeats(answer, value)).toBe(true);
});
