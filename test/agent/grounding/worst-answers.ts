import type { Evidence, SourceText } from '#src/agent/grounding/facts/evidence.ts';
import { evidenceOf } from './evidence.ts';
import { conversationOf, evidenceFor, UNSEEN } from './recorded.ts';

const MAX_FILE = 60_000;

const numbersOf = (count: number, unit: string): string =>
  Array.from({ length: count }, (_, nth) => `${(nth * 7_919 + 12_345) % 999_983}.${nth % 90}${unit}`).join(
    ', ',
  );

/** As many numbers as fit, in lines of eight. */
const fileOf = (nth: number): SourceText => ({
  from: 'stranger',
  text: Array.from({ length: 1_200 }, (_, line) =>
    Array.from({ length: 8 }, (_each, cell) => (line * 8 + cell) * 131 + nth * 17 + 1_000).join(' '),
  )
    .join('\n')
    .slice(0, MAX_FILE),
});

const FACTS = evidenceFor(conversationOf(UNSEEN, 'ko-pf-analysis'), {}).facts;
const FILES = Array.from({ length: 8 }, (_, nth) => fileOf(nth));

/** Answers and conversations that cost most, as people can bring them about. */
export const WORST_ANSWERS: Readonly<Record<string, readonly [answer: string, evidence: Evidence]>> = {
  '10,000 numbers': [numbersOf(10_000, '원'), evidenceOf(FACTS)],
  '499 amounts beside eight files of 60 kB': [
    numbersOf(499, ' dollars'),
    evidenceOf(FACTS, 'list them in dollars', FILES),
  ],
  '400 summands': [
    `${Array.from({ length: 400 }, (_, nth) => `$${1_013 + nth * 37}.5`).join(' + ')} = $1,234,567.89`,
    evidenceOf(FACTS, '', FILES.slice(0, 1)),
  ],
  'a table of 1,000 rows': [
    `| 종목 | 가격 | 등락률 |\n|---|---|---|\n${Array.from({ length: 1_000 }, (_, nth) => `| 회사${nth} | ${1_000 + nth}원 | ${(nth % 90) / 10}% |`).join('\n')}`,
    evidenceOf(FACTS),
  ],
};
