import { describe, expect, it } from 'vitest';
import { readListChoice } from '#src/reading/ordinals.ts';
import { everyRow } from '#test/support/every-row.ts';

/** Texts, separated by ` | ` or line ends. */
const table = (texts: string): readonly string[] =>
  texts
    .split(/ \| |\n/u)
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** By the place that is meant, counted from 1 as people do, of a list of four. */
const ONE: Readonly<Record<number, readonly string[]>> = {
  1: table(`
    1 | 1. | 1) | #1 | # 1 | １ | ① | 1️⃣ | 1번 | 1 번 | 1번이요 | 1번으로 | 1번 거 | 일번 | 1st
    first | the first one | First! | the first | 첫번째 | 첫 번째 | 첫째 | 첫 번째 거 | 맨 위 | 맨 처음 거
  `),
  2: table(`
    2 | #2 | 2번 | 2번째 | 2번째 거요 | 2번째거 | 두번째 | 두 번째 | 두 번째 거 | 두번째꺼 | 둘째 | 두 번째 종목 | 2번 보여줘
    second | the 2nd one | the second one please | number 2 | No. 2 | option 2 | I mean the second | 네 2번
  `),
  3: table('third | 3 | 세번째 | 셋째 | 삼번 | 세 번째 것으로 해줘'),
  4: table('last | the last one | 마지막 | 마지막 거 | 맨 끝 | 맨 마지막 | 4 | 네번째 | 네 번째'),
};

const UNCLEAR: readonly (readonly [string, 'several' | 'outside'])[] = [
  ['the first two', 'several'],
  ['both', 'several'],
  ['all', 'several'],
  ['1 and 2', 'several'],
  ['1, 3', 'several'],
  ['1번이랑 2번', 'several'],
  ['둘 다', 'several'],
  ['전부', 'several'],
  ['5', 'outside'],
  ['0', 'outside'],
  ['99번', 'outside'],
  ['다섯 번째', 'outside'],
];

const NOTHING = table(`
  ? | 1주 샀어 | 1주 | 2026-01-01 | 3% | 1.5 | 1,000 | -1 | $1 | 1억 | 3개월 | 1d | 2h | 1 share | the
  이번 | 하나 | 삼성전자 | AAPL | 2nd quarter earnings | second half of 2026 | 첫번째로 산 주식은? | 마지막 배당 | yes | 네
  1위 | 1년 차트 | 10:30 | 1/2 | 1번 알림 지워줘 | one | 두산 | 005930
`);

describe('a choice from a list of four', () => {
  everyRow(
    Object.entries(ONE).flatMap(([place, texts]) => texts.map((text) => [text, Number(place)] as const)),
  )('%j is place %i', (text, place) => {
    expect(readListChoice(text, 4)).toEqual({ kind: 'one', index: place - 1 });
  });

  everyRow(UNCLEAR)('%j is unclear (%s)', (text, why) => {
    expect(readListChoice(text, 4)).toEqual({ kind: 'unclear', why });
  });

  everyRow(NOTHING)('%j is not a choice', (text) => {
    expect(readListChoice(text, 4)).toBeNull();
  });

  it('ignores empty and long text', () => {
    expect(readListChoice('  ', 4)).toBeNull();
    expect(readListChoice('1 '.repeat(10_000), 4)).toBeNull();
  });
});
