import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeProblem,
  formatResult,
  resultUnit,
  resultValue,
} from '#src/features/calculate/describe-result.ts';
import { evaluate } from '#src/features/calculate/evaluate.ts';
import { everyRow } from '#test/support/every-row.ts';

const resultOf = (expression: string): string => {
  const calculation = evaluate(expression);
  if (calculation.status === 'failed') return calculation.problem.kind;
  return `${resultValue(calculation.result).toFixed()} ${resultUnit(calculation.result)}`;
};

describe('an expression', () => {
  everyRow([
    ['1 + 2 * 3', '7 number'],
    ['(1 + 2) × 3 ÷ 4', '2.25 number'],
    ['10 − 2 − 3', '5 number'],
    ['0.1 + 0.2', '0.3 number'],
    ['-2^2', '-4 number'],
    ['2^3^2', '512 number'],
    ['2^-1', '0.5 number'],
    ['5 * -3', '-15 number'],
    ['1/3', '0.33333333333333333333 number'],
    ['1.005^360', '6.0225752122632161841 number'],
    ['sqrt(2) * sqrt(2)', '2 number'],
    ['exp(1)', '2.7182818284590452354 number'],
    ['ln(exp(2)) + log10(1000)', '5 number'],
    ['abs(-5) + min(3, 1, 2) + max(1; 9)', '15 number'],
    ['round(10 / 3, 2)', '3.33 number'],
    ['round(2.5)', '3 number'],
    ['round(-2.5)', '-3 number'],
    ['12 × 5 =', '60 number'],
  ])('%s comes to %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  it.each([
    ['1,234,567 + 1', '1234568 number'],
    ['3만 5000 + 1', '35001 number'],
    ['1억 2천만 원', '120000000 KRW'],
    ['2.5조', '2500000000000 number'],
    ['15K + 1.2M + 3B', '3001215000 number'],
    ['１２３ + 1', '124 number'],
    ['1e3', '1000 number'],
  ])('reads the number %s as %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  everyRow([
    ['5% of 200', '10 number'],
    ['200의 5%', '10 number'],
    ['100 + 5%', '105 number'],
    ['₩100,000 - 3%', '97000 KRW'],
    ['5% + 2.5%', '7.5 %'],
    ['-5%', '-5 %'],
    ['pct(100, 110)', '10 %'],
    ['pct(98700원, 102300원)', '3.6474164133738601824 %'],
    ['round(pct(98700, 102300), 2)', '3.65 %'],
    ['pct(-100, -50)', '50 %'],
  ])('takes the percentages in %s as %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  everyRow([
    ['$100 + 20 USD', '120 USD'],
    ['10주 * 102,300원', '1023000 KRW'],
    ['100 USD * 1463.25 KRW/USD', '146325 KRW'],
    ['146,325원 / 1,463.25 KRW/USD', '100 USD'],
    ['₩300 / $2', '150 KRW/USD'],
    ['₩300 / ₩100', '3 number'],
    ['max(3 EUR, 5 EUR)', '5 EUR'],
    ['(100 + 50) 달러', '150 USD'],
    ['0.5 BTC * 96,540 USD/BTC', '48270 USD'],
  ])('keeps the unit in %s: %s', (expression, result) => {
    expect(resultOf(expression)).toBe(result);
  });

  everyRow([
    ['', 'empty'],
    ['1 +', 'unreadable'],
    ['(1', 'unreadable'],
    ['1)', 'unreadable'],
    ['1 2', 'unreadable'],
    ['10 % 3', 'unreadable'],
    ['1,23', 'unreadable'],
    ['1억 0.5억', 'unreadable'],
    ['#', 'unreadable'],
    ['foo(3)', 'unknownWord'],
    ['process.exit()', 'unreadable'],
    ['1'.repeat(501), 'tooLong'],
    ['('.repeat(200), 'tooDeep'],
    ['-'.repeat(200), 'tooDeep'],
    ['2^'.repeat(150), 'tooDeep'],
    ['100 KRW + 5 USD', 'differentUnits'],
    ['100 KRW + 5', 'differentUnits'],
    ['min(1 KRW, 1 USD)', 'differentUnits'],
    ['pct(1 KRW, 1 USD)', 'differentUnits'],
    ['5% + 100', 'percentFirst'],
    ['2 ^ (3 USD)', 'plainNeeded'],
    ['sqrt(4 USD)', 'plainNeeded'],
    ['1 / (2 - 2)', 'dividedByZero'],
    ['0^-1', 'dividedByZero'],
    ['pct(0, 5)', 'dividedByZero'],
    ['sqrt(-1)', 'noResult'],
    ['ln(0)', 'noResult'],
    ['(-8)^(1/3)', 'noResult'],
    ['pct(1)', 'wrongCount'],
    ['sqrt(1, 2)', 'wrongCount'],
    // Two prices, or one number of a hundred thousand: nobody can tell.
    ['pct(100,110)', 'ambiguousComma'],
    ['min(1,234,567, 5)', 'ambiguousComma'],
    ['9^9^9^9', 'outOfRange'],
    ['10^(10^9)', 'outOfRange'],
    ['exp(1e9)', 'outOfRange'],
    ['1e999', 'outOfRange'],
    ['(1e90)*(1e90)', 'outOfRange'],
    ['0.1^(10^9)', 'outOfRange'],
  ])('%s has no result: %s', (expression, kind) => {
    expect(resultOf(expression)).toBe(kind);
  });

  it('says in one sentence of either language that won and dollars do not add up', () => {
    const calculation = evaluate('100원 + 5달러');
    if (calculation.status === 'ok') throw new Error('it has a result');
    expect(describeProblem(calculation.problem, 'en')).toBe(
      'KRW and USD cannot be added or compared. Convert one of them first.',
    );
    expect(describeProblem(calculation.problem, 'ko')).toContain('더하거나 비교할 수 없습니다: KRW, USD');
  });

  everyRow([
    ['1/3', '≈ 0.3333333333'],
    ['1,000,000 / 7', '≈ 142,857.1429'],
    ['3,097.45 * 2', '= 6,194.9'],
    ['₩100 * 3', '= ₩300'],
    ['$1 / 3', '≈ $0.3333333333'],
    ['100원 / 3 USD', '≈ 33.33333333 KRW/USD'],
    ['pct(3, 4)', '≈ 33.33333333%'],
    ['0.5 BTC * 2', '= BTC 1'],
    ['1 / 10^30', '= 0.000000000000000000000000000001'],
  ])('shows %s as %s, and whether digits were left off', (expression, shown) => {
    const calculation = evaluate(expression);
    if (calculation.status === 'failed') throw new Error(calculation.problem.kind);
    const { sign, value } = formatResult(calculation.result, 'en');
    expect(`${sign} ${value.replaceAll('\u00a0', ' ')}`).toBe(shown);
  });
});

describe('any expression', () => {
  const PIECES = [
    ' ',
    ' of ',
    ', ',
    ...'1 9 0.5 1,234 1e99 999999999999 만 조 K % ^ ** * / + - ( ) , ;'.split(' '),
    ...'sqrt( exp( ln( round( pct( max( USD 원 $ 의 x é `'.split(' '),
  ];

  it('ends with a result within bounds or with a reason, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), (pieces) => {
        const calculation = evaluate(pieces.join(''));
        if (calculation.status === 'failed') return describeProblem(calculation.problem, 'ko') !== '';
        const { value } = calculation.result;
        return (
          value.isFinite() &&
          value.toFixed().length < 220 &&
          formatResult(calculation.result, 'ko').value !== ''
        );
      }),
      { numRuns: 2_000 },
    );
  });

  interface Sample {
    readonly text: string;
    readonly value: bigint;
  }
  const { whole } = fc.letrec<{ whole: Sample; leaf: Sample; both: Sample }>((tie) => ({
    whole: fc.oneof({ maxDepth: 6, withCrossShrink: true }, tie('leaf'), tie('both')),
    leaf: fc.bigInt({ min: 0n, max: 99_999n }).map((value) => ({ text: String(value), value })),
    both: fc.tuple(tie('whole'), fc.constantFrom('+', '-', '*'), tie('whole')).map(([a, sign, b]) => ({
      text: `(${a.text} ${sign} ${b.text})`,
      value: sign === '+' ? a.value + b.value : sign === '-' ? a.value - b.value : a.value * b.value,
    })),
  }));

  it('of whole numbers comes to what whole numbers come to', () => {
    fc.assert(
      fc.property(whole, ({ text, value }) => {
        // What has more digits than are carried is rounded, and not compared.
        fc.pre(text.length <= 500 && value < 10n ** 20n && value > -(10n ** 20n));
        const result = resultOf(text);
        return result === `${value} number`;
      }),
      { numRuns: 300 },
    );
  });
});
