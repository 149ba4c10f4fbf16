import { describe, expect, it } from 'vitest';
import { amountsIn, readAmount } from '#src/language/amounts.ts';

/** `text → amounts`, each `value unit/currency/basis`; `~` where it is said to be about so much. */
const SENTENCES = `
비트코인 0.1개 1억 3천에 샀어 → 0.1 pieces, 130000000 none
비트코인 0.01개 1억 4천 5백만원에 샀어 → 0.01 pieces, 145000000 money/KRW
삼성전자 10주 71000원에 샀어 → 10 pieces, 71000 money/KRW
카카오 100주 평단 4만2천원 보유중 → 100 pieces, 42000 money/KRW/each
i have 20 msft at avg 350 → 20 none, 350 none/each
bought five shares at $1.2k → 5 pieces, 1200 money/USD
KODEX 200 주가 → 200 none
10 엔비디아 → 10 none
52주 신고가 → 52 none
이만 갈게 →
몇만원 →
1.234,50 →
3만원쯤 → 30000 money/KRW~
약 200달러 → 200 money/USD~
`;

const shown = (text: string): string =>
  amountsIn(text)
    .map(
      ({ value: { value, unit, currency, basis }, isApproximate }) =>
        `${value.toFixed()} ${[unit, currency, basis].filter((part) => part !== undefined).join('/')}${isApproximate ? '~' : ''}`,
    )
    .join(', ');

describe('amountsIn', () => {
  it.each(
    SENTENCES.trim()
      .split('\n')
      .map((line) => line.split('→').map((part) => part.trim()) as [string, string]),
  )('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

describe('readAmount', () => {
  it('names the other value where the writer may have meant it', () => {
    expect(readAmount('1억 3천원')?.alternatives.map(({ value }) => value.toFixed())).toEqual(['100003000']);
  });

  it.each(['₩100 달러', '1,5', 'NOW', '', '10주 5원'])('%j is no amount as a whole', (text) => {
    expect(readAmount(text)).toBeNull();
  });
});
