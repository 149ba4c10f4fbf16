import { describe, expect, it } from 'vitest';
import { weekdays } from '#test/features/analysis-support.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';

const COSTS = ['42000', '64300', '90000'];
const KAKAO = '035720.KS';

/** Up two days, down one. */
const wave = (first: number, step: number): Readonly<Record<string, string>> => {
  let close = first;
  return Object.fromEntries(
    weekdays(120).map((day, index) => {
      if (index > 0) close *= 1 + (index % 3 === 2 ? -2 : 1.2) * step;
      return [day.toString(), close.toFixed(0)];
    }),
  );
};

/** Kakao from 64,300 on; the index moves half as far. */
const open = async () => {
  const all = await openPortfolios();
  all.closes.set(KAKAO, wave(64_300, 0.01));
  all.closes.set('^KS11', wave(4_000_000, 0.005));
  all.prices.set(KAKAO, { price: '70000' });
  return all;
};
const [first] = weekdays(120);
const day = first?.toString() ?? '';

/** What `/portfolio` and `/portfolio analysis` answer once these lines are typed. */
const answersTo = async (...lines: readonly string[]) => {
  const { say } = await open();
  for (const line of lines) {
    const { content } = await say(line);
    if (!content.includes('기록했어요')) throw new Error(content);
  }
  const [summary, analysis] = [await say('/portfolio'), await say('/portfolio 분석 1y')];
  return { summary: summary.content, analysis: analysis.content };
};

const WAYS: readonly (readonly [string, (cost: string) => readonly string[]])[] = [
  ['a price that the day did not have', (cost) => [`/portfolio add 카카오 50 ${cost} ${day} --yes`]],
  ['an average cost', (cost) => [`/portfolio add 카카오 50 평단 ${cost} ${day}`]],
  ['a holding', (cost) => [`/portfolio 보유 카카오 50주 ${cost}원 ${day}`]],
  [
    'a holding beside counted cash',
    (cost) => [`/portfolio 입금 100만원 ${day}`, `/portfolio 카카오 50주 평단 ${cost}원 ${day}`],
  ],
  ['a holding from before the range', (cost) => [`/portfolio 카카오 50주 평단 ${cost}원 2024-03-04`]],
];

describe('an opening position', () => {
  it.each(WAYS)('told as %s has the same analysis whatever it cost', async (_way, linesFor) => {
    const told = await Promise.all(COSTS.map((cost) => answersTo(...linesFor(cost))));
    const [one, two, three] = told.map(({ analysis }) =>
      analysis.replaceAll(/^기록한 날부터 계산.*\n/gmu, ''),
    );
    expect(one).toMatch(/TWR\): \+\d+\.\d\d%/u);
    expect([two, three]).toEqual([one, one]);
    // The gain since it was bought stays in the summary.
    expect(new Set(told.map(({ summary }) => summary)).size).toBe(COSTS.length);
  });

  it('is named below the analysis, and in the history with its average', async () => {
    const { say } = await open();
    const { content } = await say(`/portfolio 카카오 50주 평단 42000 ${day}`);
    expect(content).toContain('보유: 카카오 (035720) 50주 × 평단 ₩42,000 = ₩2,100,000');
    expect((await say('/portfolio 분석 1y')).content).toContain('기록한 날부터 계산: 카카오 (035720)');
    expect((await say('/portfolio 내역')).content).toContain('× 평단 ₩42,000');
  });

  it('takes no cash, and is an opening position again when an export is read', async () => {
    const { say, files, ledgerOf } = await open();
    await say('/portfolio 입금 100만원 2026-06-01');
    await say(`/portfolio 카카오 50주 평단 42000 ${day}`);
    expect((await say('/portfolio')).content).toMatch(/현금[^\n]*1,000,000/u);
    await say('/portfolio export');
    expect(files[0]).toMatch(/,opening,035720\.KS,/u);
    expect((await ledgerOf('mina'))[1]).toMatchObject({ kind: 'buy', isOpening: true });
  });

  it('told in words asks for the holdings if it has no number', async () => {
    const { say } = await open();
    expect((await say('/portfolio 보유')).content).not.toContain('평단');
  });

  it('leaves a purchase at a price of its day as it is', async () => {
    const { analysis } = await answersTo(`/portfolio add 카카오 50 64300 ${day}`);
    expect(analysis).not.toContain('기록한 날의 시세부터');
  });
});
