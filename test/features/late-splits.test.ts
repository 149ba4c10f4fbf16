import { describe, expect, it } from 'vitest';
import { type Adjusted, openLateSplit } from './late-split-world.ts';

const HOUR_MS = 3_600_000;

const SPLITS = [
  {
    text: '4:1 split',
    ratio: 4,
    before: 200,
    alerts: [
      'AAPL < 150',
      'AAPL crosses below 180',
      'AAPL -10% from now',
      'AAPL 52w low',
      'AAPL -5%',
      'AAPL > 240',
    ],
    levels: ['37.5', '45', '60'],
    held: '40',
  },
  {
    text: '1:10 reverse split',
    ratio: 0.1,
    before: 5,
    alerts: [
      'AAPL > 20',
      'AAPL crosses above 6',
      'AAPL 10% from now',
      'AAPL 52w high',
      'AAPL +5%',
      'AAPL < 4',
    ],
    levels: ['200', '60', '40'],
    held: '1',
  },
] as const;
const INDICATORS = ['AAPL rsi > 90', 'AAPL rsi < 10', 'AAPL ma5 > ma20', 'AAPL ma5 < ma20', 'AAPL volume 3x'];

const NOTHING: Adjusted = { close: false, year: false, bars: false };
const CLOSE: Adjusted = { close: true, year: false, bars: false };
const PRICES: Adjusted = { close: true, year: true, bars: true };

/** How late the source reports it, whether anybody looked before the opening, and what it has adjusted without a report. */
const STORIES = [
  [0, true, NOTHING],
  [0, false, PRICES],
  [1, true, NOTHING],
  [1, false, CLOSE],
  [6, true, PRICES],
  [6, false, NOTHING],
  [30, true, NOTHING],
  [30, false, PRICES],
  [30, true, CLOSE],
] as const;

/** No day of these stories moves by more than a few percent. */
const wrongPercents = (text: string): readonly string[] =>
  (text.match(/[-+][\d,.]+%/gu) ?? []).filter((each) => Math.abs(Number(each.replaceAll(/[,%]/gu, ''))) > 6);

describe.each(SPLITS)('a $text', ({ ratio, before, alerts, levels, held }) => {
  it.each(STORIES)(
    'that the source reports %i hours late misleads nobody (looked at before the opening: %s; adjusted: %o)',
    async (hoursLate, isLookedAt, adjusted) => {
      const world = await openLateSplit({ ratio, before, hoursLate, adjusted });
      await world.begin();
      for (const each of [...alerts, ...INDICATORS]) await world.setAlert(each);
      await world.goTo(-71);
      await world.clock.advance(68 * HOUR_MS);
      if (isLookedAt) await world.show();
      for (const hours of [0.05, 0.5, 1.2, 6.2, 24.5, 30.3]) {
        await world.goTo(hours);
        const shown = await world.show();
        for (const [view, text] of Object.entries(shown))
          expect(wrongPercents(text), `${view} after ${hours} h:\n${text}`).toEqual([]);
        const isKnown = hours >= hoursLate;
        expect(shown.portfolio, `after ${hours} h`).toContain(isKnown ? '⚠️' : '⚠️ check');
        if (isKnown) expect(shown.portfolio).toMatch(new RegExp(`\\| ${held} \\| [^–]`, 'u'));
        if (!isKnown && !adjusted.year && hours < 20)
          for (const text of Object.values(shown)) expect(text).toContain('⚠️ check');
      }
      const told = await world.told();
      expect(told.filter((text) => text.startsWith('🔔'))).toEqual([]);
      expect(told.filter((text) => text.startsWith('✂️'))).toHaveLength(1);
      expect(await world.levels()).toEqual(levels);
    },
  );
});

describe('a holding whose price jumped', () => {
  const MONDAY = [-71, 0.5] as const;
  const CRASH = { ratio: 2, before: 200, hoursLate: 'never', adjusted: NOTHING } as const;
  const open = async (story: Parameters<typeof openLateSplit>[0], hours: readonly number[] = MONDAY) => {
    const world = await openLateSplit(story);
    await world.begin();
    await world.setAlert('AAPL < 150');
    for (const each of hours) await world.goTo(each, 60);
    return world;
  };
  const fired = async ({ told }: Awaited<ReturnType<typeof open>>) =>
    (await told()).filter((text) => text.startsWith('🔔'));

  it('is told about in Korean, too, with the command that settles it', async () => {
    const world = await open({ ...CRASH, ratio: 4 });
    const { price, watch, portfolio, briefing } = await world.show('ko');
    expect(price).toContain('$50.50 (⚠️ 확인 필요)');
    expect(price).toContain(
      '⚠️ 확인 필요: 현재가가 전일 종가($200.00), 52주 범위($140.00~$240.00)와 맞지 않아요.',
    );
    expect(watch).toMatch(/\| \$50\.50 \| – \| ⚠️ 확인 필요 \|/u);
    expect(portfolio).toContain('⚠️ 확인 필요 · 애플 (AAPL): 분할·병합 때처럼 가격이 크게 달라졌어요');
    expect(portfolio).toContain('`/portfolio 배당확인 숨기기 AAPL`');
    expect(briefing).toContain('⚠️ 확인 필요');
  });

  it('during the day is shown and told as ever: a split comes before the first trade', async () => {
    const world = await open({ ...CRASH, isTraded: true });
    const shown = await world.show();
    for (const text of Object.values(shown)) expect(text).toMatch(/-49\.50%/u);
    await world.goTo(1, 5);
    expect(await fired(world)).toHaveLength(1);
  });

  it('overnight has its value back as soon as its owner says that it was no split, and else after the next day', async () => {
    const world = await open(CRASH);
    expect((await world.show()).portfolio).toContain('| Apple (AAPL) ⚠️ | 10 | $200.00 | – | – | – |');
    expect((await world.dismiss()).content).toContain('Dismissed');
    const settled = (await world.show()).portfolio;
    expect(settled).toContain('| Apple (AAPL) | 10 | $200.00 | $1,010.00 | -49.50% | – |');
    expect(settled).not.toContain('⚠️');

    const other = await open(CRASH, [...MONDAY, 24.5]);
    expect((await other.show()).portfolio).toContain('⚠️ check Apple (AAPL)');
    expect(await fired(other)).toEqual([]);
    await other.goTo(48.5);
    expect((await other.show()).portfolio).toContain('| Apple (AAPL) | 10 | $200.00 | $1,010.00 | -49.50% |');
    expect(await fired(other)).toHaveLength(1);
  });

  it('adjusts alerts to a split that is reported after they went on without it', async () => {
    const world = await open({ ...CRASH, ratio: 4, hoursLate: 60 }, [-71.2]);
    await world.setAlert('AAPL > 240');
    for (const hours of [...MONDAY, 24.5]) await world.goTo(hours, 60);
    expect(await fired(world)).toEqual([]);
    await world.goTo(49);
    expect(await fired(world)).toHaveLength(1);
    await world.goTo(73);
    expect(await world.levels()).toEqual(['60']);
    expect(await fired(world)).toHaveLength(1);
  });

  it('fires no older alert because of one that is set at the new price', async () => {
    const world = await open({ ...CRASH, ratio: 4 });
    await world.setAlert('AAPL > 60');
    await world.goTo(3, 10);
    expect(await fired(world)).toEqual([]);
    expect(await world.told()).toEqual([
      expect.stringContaining('at $50.50 now. That looks like about a 4:1 split'),
    ]);
  });

  it('counts in new shares where its owner recorded the split before the source reported it', async () => {
    const world = await open({ ...CRASH, ratio: 4 });
    expect((await world.recordSplit()).content).toContain('Recorded');
    expect((await world.show()).portfolio).toContain(
      '| Apple (AAPL) | 40 | $50.00 | $2,020.00 | +1.00% | – |',
    );
  });

  it('counts in old shares while its split is known and nothing was traded in new ones', async () => {
    const adjusted = { ...NOTHING, bars: true };
    const world = await open({ ratio: 4, before: 200, hoursLate: -5, adjusted }, [-71, -1]);
    const before = await world.show();
    expect(before.portfolio).toContain('| Apple (AAPL) | 10 | $200.00 | $2,000.00 | 0.00% |');
    await world.goTo(0.1);
    expect((await world.show()).portfolio).toContain(
      '| Apple (AAPL) ⚠️ | 40 | $50.00 | $2,020.00 | +1.00% |',
    );
  });
});
