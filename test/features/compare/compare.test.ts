import { kindOf } from '#test/support/fact-kind.ts';
import { Marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { cardLine } from '#src/kernel/chat/card.ts';
import { compareAnswer, type CompareRequest } from '#src/features/compare/compare.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import { alignHistories } from '#src/markets/charts/comparison-picture.ts';
import { formatPercent } from '#src/kernel/money.ts';
import type { History } from '#src/markets/sources/source.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { recordingLogger } from '#test/support/context.ts';
import { APPLE, BITCOIN, HYNIX, KOSPI, SAMSUNG, TEN_YEARS } from '#test/support/instruments.ts';
import { EN, historyOf, KO, marketOf, never, symbols, weekdays, weekend } from '../analysis-support.ts';
import { inFull } from '#test/support/in-full.ts';

/** Up and down by turns of different length, so that no two days are alike. */
const wave = (count: number, scale: number, step: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => scale * (1 + 0.1 * Math.sin(index * step)));

const picture: MediaAttachment = {
  kind: 'image',
  mimeType: 'image/png',
  name: 'compare.png',
  url: 'file:///x.png',
};

const setUp = (histories: readonly History[], comparison: Charts['comparison'] = async () => picture) => {
  const { logger, records } = recordingLogger();
  const market = marketOf(histories);
  const answer = compareAnswer({
    market,
    symbols,
    clock: weekend,
    logger,
    charts: { comparison },
  });
  return {
    asked: market.asked,
    records,
    ask: (
      queries: readonly string[],
      more: Partial<CompareRequest> = {},
      audience: Audience = KO,
      signal = never(),
    ) => inFull(answer({ queries, range: '1y', isDrawn: true, ...more }, audience, signal)),
  };
};

const cellsOf = (content: string, name: string): readonly string[] =>
  content
    .split('\n')
    .find((line) => line.startsWith(`| ${name}`))
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()) ?? [];

describe('compareAnswer', () => {
  it('puts two of different markets side by side, each in its own currency', async () => {
    const closes = [...wave(59, 100, 1), 120];
    const { ask } = setUp([
      historyOf(
        SAMSUNG,
        [...closes.slice(0, -1), 125].map((close) => close * 1_000),
      ),
      historyOf(APPLE, closes),
    ]);
    const { content, facts, found } = await ask(['삼성전자', 'AAPL'], { isDrawn: false });
    expect(found).toBe(2);
    expect(cellsOf(content, '삼성전자 (005930)').slice(0, 3)).toEqual([
      '삼성전자 (005930)',
      '₩125,000',
      '+25.00%',
    ]);
    expect(cellsOf(content, '애플 (AAPL)').slice(0, 3)).toEqual(['애플 (AAPL)', '$120.00', '+20.00%']);
    expect(content).toContain('통화가 서로 다릅니다(KRW, USD).');
    expect(content).toContain(
      '- 애플 (AAPL, NASDAQ): 2026-08-24 – 2026-11-13 · 기준 2026-11-14 05:30 KST · 출처: Yahoo Finance',
    );
    const percent = (entity: string, kind: string): string | undefined =>
      facts.find((fact) => fact.entity === entity && kindOf(fact) === kind)?.value;
    expect(percent('005930.KS', 'changePercent 2026-08-24')).toBe('25.00');
    expect(percent('AAPL', 'changePercent 2026-08-24')).toBe('20.00');
    expect(facts.filter(({ entity, unit }) => entity === 'AAPL' && unit === 'KRW')).toEqual([]);
  });

  it('reckons volatility, the deepest fall and the place in the year', async () => {
    // By turns +10 % and back: returns of 1/10 and -1/11, half of 24 each, as of a portfolio.
    const { ask } = setUp([
      historyOf(
        APPLE,
        Array.from({ length: 25 }, (_, index) => (index % 2 === 0 ? 100 : 110)),
      ),
      historyOf(SAMSUNG, [200, ...wave(23, 100, 1), 150]),
    ]);
    const { content, facts } = await ask(['AAPL', '005930'], {}, EN);
    const volatility = ((1 / 10 + 1 / 11) / 2) * Math.sqrt((24 / 23) * 252) * 100;
    expect(cellsOf(content, 'Apple (AAPL)').slice(3)).toEqual([`${volatility.toFixed(1)}%`, '-9.1%', '8%']);
    expect(facts).toContainEqual(
      expect.objectContaining({
        entity: 'AAPL',
        metric: 'volatility',
        period: '2026-10-12',
        value: volatility.toFixed(2),
        unit: '%',
      }),
    );
    expect(facts).toContainEqual(
      expect.objectContaining({
        entity: 'AAPL',
        metric: 'maxDrawdown',
        period: '2026-10-12',
        value: '-9.09',
      }),
    );
  });

  it('takes correlation from the days that both were traded on', async () => {
    // The second is closed every fourth day: put beside each other by place, they would have nothing in common.
    const days = weekdays(80);
    const closes = wave(80, 100, 1.7);
    const open = days.map((_, index) => index % 4 !== 3);
    const { ask } = setUp([
      historyOf(SAMSUNG, closes, { days }),
      historyOf(
        APPLE,
        closes.filter((_, index) => open[index]),
        { days: days.filter((_, index) => open[index]) },
      ),
    ]);
    const { content, facts } = await ask(['삼성전자', '애플']);
    expect(content).toContain('일간 수익률 상관계수: 1.00 (함께 거래된 60일 기준)');
    expect(facts).toContainEqual(
      expect.objectContaining({
        entity: '005930.KS/AAPL',
        metric: 'correlation',
        period: days[0]?.toString(),
        value: '1.00',
        unit: 'ratio',
      }),
    );
  });

  it('shows a matrix for three, whose table stays one on every platform', async () => {
    const { ask } = setUp([
      historyOf(
        { ...SAMSUNG, name: { ko: '긴', en: `${SAMSUNG.name.en} of a very long name` } },
        wave(60, 1e8, 1),
      ),
      historyOf(
        APPLE,
        wave(60, 300, 1).map((close) => 600 - close),
      ),
      historyOf(KOSPI, wave(60, 4_000, 2.3)),
    ]);
    const { content } = await ask(['005930', 'AAPL', 'KOSPI'], {}, EN);
    expect(cellsOf(content, '005930')[1]).toBe('1');
    expect(Number(cellsOf(content, '005930')[2])).toBeLessThan(-0.95);
    expect(cellsOf(content, 'AAPL')[1]).toBe(cellsOf(content, '005930')[2]);
    const tables = new Marked()
      .lexer(content)
      .filter((token): token is Tokens.Table => token.type === 'table');
    expect(tables).toHaveLength(2);
    for (const { header, rows } of tables) {
      const widths = header.map(({ text }, column) =>
        Math.max(...[text, ...rows.map((row) => row[column]?.text ?? '')].map(displayWidth)),
      );
      expect(widths.reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(100);
    }
    expect(content).toContain('- Samsung Electronics Co., Ltd. of a very long name (005930, KOSPI): ');
    // Points have no exchange rate.
    expect(content).toContain('The currencies differ (KRW, USD):');
  });

  it('takes days of a year where the range has none', async () => {
    const { ask, asked } = setUp([
      historyOf(APPLE, [1, 1, 1, 1, 2], { range: '5d', interval: '30m' }),
      historyOf(SAMSUNG, [1, 1, 1, 1, 2], { range: '5d', interval: '30m' }),
      historyOf(APPLE, wave(262, 100, 1)),
      historyOf(SAMSUNG, wave(262, 100, 1)),
    ]);
    const { content, facts } = await ask(['AAPL', '삼성전자'], { range: '5d' });
    expect(asked.toSorted()).toEqual(['005930.KS 1y', '005930.KS 5d', 'AAPL 1y', 'AAPL 5d']);
    expect(content).toContain('등락률과 최대 낙폭은 5일');
    expect(content).toContain('상관계수는 1년 일별 종가 기준');
    const metrics = facts.filter(({ entity }) => entity === 'AAPL').map(kindOf);
    expect(metrics).toEqual(expect.arrayContaining(['changePercent 5d', 'volatility 1y', 'maxDrawdown 5d']));
  });

  it('measures a day from the close before where all have one, else none', async () => {
    const day = { range: '1d', baseClose: 80 } as const;
    const both = setUp([historyOf(APPLE, [90, 100], day), historyOf(SAMSUNG, [90, 100], day)]);
    const measured = await both.ask(['AAPL', '삼성전자'], { range: '1d' });
    expect(cellsOf(measured.content, '애플 (AAPL)')[2]).toBe('+25.00%');
    expect(measured.content).toContain('등락률은 전일 종가 대비입니다.');
    const one = setUp([historyOf(APPLE, [90, 100], day), historyOf(SAMSUNG, [90, 99], { range: '1d' })]);
    const { content, facts } = await one.ask(['AAPL', '삼성전자'], { range: '1d' });
    expect(cellsOf(content, '애플 (AAPL)')[2]).toBe('+11.11%');
    expect(cellsOf(content, '삼성전자 (005930)')[2]).toBe('+10.00%');
    expect(content).not.toContain('전일 종가');
    expect(facts.filter(({ metric }) => metric === 'previousClose')).toEqual([]);
  });

  it('tells the change of a rate in points, and no volatility or fall of it', async () => {
    const yields = wave(60, 4, 1).with(0, 4).with(59, 4.25);
    const { ask } = setUp([historyOf(TEN_YEARS, yields), historyOf(APPLE, wave(60, 100, 2))]);
    const { content, facts } = await ask(['TNX', 'AAPL']);
    expect(cellsOf(content, '미국 국채 10년').slice(1, 5)).toEqual(['4.250%', '+0.250%p', '–', '–']);
    expect(content).toContain('금리의 변화는 %p이며');
    const metrics = facts.filter(({ entity }) => entity === '^TNX').map(kindOf);
    expect(metrics).toContain('change 2026-08-24');
    expect(metrics.filter((metric) => /changePercent|volatility|Drawdown/u.test(metric))).toEqual([]);
  });

  it('states nothing of too few days', async () => {
    const { ask } = setUp([historyOf(APPLE, [1, 2, 3]), historyOf(SAMSUNG, wave(60, 100, 1))]);
    const { content, facts } = await ask(['AAPL', '삼성전자']);
    expect(cellsOf(content, '애플 (AAPL)')[3]).toBe('–');
    expect(content).toContain('함께 거래된 날이 부족합니다');
    expect(content).toContain('비교 · 2026-11-11 – 2026-11-13');
    const metrics = facts.map((fact) => `${fact.entity} ${kindOf(fact)}`);
    expect(metrics).not.toContainEqual(expect.stringContaining('AAPL volatility'));
    expect(metrics).toContain('005930.KS volatility 2026-08-24');
    expect(metrics.some((metric) => metric.includes('correlation'))).toBe(false);
  });

  it('has the first day and the changes of its picture, also beside a coin that is traded at weekends', async () => {
    const weekends = Array.from({ length: 90 }, (_, index) => weekdays(1)[0]?.subtract({ days: 89 - index }));
    let drawn: readonly History[] = [];
    const { ask } = setUp(
      [
        historyOf(BITCOIN, wave(90, 100_000, 1), { days: weekends.filter((day) => day !== undefined) }),
        historyOf(SAMSUNG, wave(60, 100_000, 2)),
      ],
      async (histories) => {
        drawn = histories;
        return picture;
      },
    );
    const { content, facts } = await ask(['BTC', '삼성전자']);
    const { changes, baseDate = '' } = alignHistories(drawn);
    expect(content).toContain(`비교 · ${baseDate} – 2026-11-13`);
    for (const [row, name] of ['비트코인 (BTC)', '삼성전자 (005930)'].entries()) {
      const change = changes[row]?.fraction;
      expect(cellsOf(content, name)[2]).toBe(change && formatPercent(change, 'ko'));
    }
    const periods = facts.filter(({ metric }) => metric === 'changePercent').map(({ period }) => period);
    expect(new Set(periods)).toEqual(new Set([baseDate]));
  });

  it('states no correlation of a few days in common', async () => {
    const days = weekdays(50);
    const { ask } = setUp([
      historyOf(APPLE, wave(30, 100, 1), { days: days.slice(0, 30) }),
      historyOf(SAMSUNG, wave(30, 100, 1), { days: days.slice(20) }),
    ]);
    const { content, facts } = await ask(['AAPL', '삼성전자']);
    expect(content).toContain('함께 거래된 날이 부족합니다');
    expect(facts.filter(({ metric }) => metric.startsWith('correlation'))).toEqual([]);
    expect(facts.filter(({ metric }) => metric.startsWith('volatility'))).toHaveLength(2);
  });

  it('answers for those found and asks about the first other, each choice being the whole comparison', async () => {
    const { ask } = setUp([historyOf(APPLE, wave(60, 100, 1)), historyOf(KOSPI, wave(60, 100, 2))]);
    const { content, choices, found } = await ask(['AAPL', '삼성', 'KOSPI', 'qwertz', 'SK하이닉스']);
    expect(found).toBe(2);
    expect(content).toContain('"삼성", 여러 개가 있어요');
    expect(content).toContain('"qwertz" 종목을 찾지 못했어요');
    expect(content).toContain('SK하이닉스 (000660, KOSPI)');
    expect(choices?.map(({ command }) => command)).toEqual([
      '/compare AAPL, 005930.KS, ^KS11, qwertz, 000660.KS 1y',
      '/compare AAPL, 000660.KS, ^KS11, qwertz, 000660.KS 1y',
      // The comparison that is shown, in other ranges and in full.
      ...['1mo', '3mo', '6mo', 'ytd', '1y', '5y', '1y dark', '1y --all'].map(
        (words) => `/compare AAPL, ^KS11 ${words}`,
      ),
    ]);
  });

  it.each([
    [KO, 'SK하이닉스 우세'],
    [EN, 'SK hynix is ahead'],
  ])('has a line for notifications with one colon', async (audience, ahead) => {
    const { ask } = setUp([historyOf(SAMSUNG, wave(60, 100, 1)), historyOf(HYNIX, [...wave(59, 50, 2), 90])]);
    const { cards } = await ask(['005930', '000660'], {}, audience);
    const [line = ''] = (cards?.items ?? []).map(cardLine);
    expect(line.split(': ')).toEqual([expect.any(String), ahead]);
  });

  it('offers no choice that is too long to be pressed', async () => {
    const { ask } = setUp([]);
    const { choices, found } = await ask(['삼성', 'x'.repeat(70)]);
    expect({ choices, found }).toEqual({ choices: undefined, found: 0 });
  });

  it('has no number where nothing was found', async () => {
    const { ask } = setUp([]);
    expect(await ask(['AAPL', HYNIX.symbol])).toMatchObject({ found: 0, facts: [] });
    const same = await ask(['AAPL', '애플']);
    expect(same).toEqual({
      content: '모두 같은 종목이에요. 서로 다른 종목을 2개 이상 적어 주세요.',
      facts: [],
      found: 0,
    });
  });

  describe('with a picture', () => {
    const histories = [historyOf(APPLE, wave(60, 100, 1)), historyOf(SAMSUNG, wave(60, 100, 2))];

    it('draws what it compares, where it is asked to', async () => {
      const drawn: (readonly string[])[] = [];
      const { ask } = setUp(histories, async (given) => {
        drawn.push(given.map(({ instrument }) => instrument.symbol));
        return picture;
      });
      expect((await ask(['AAPL', '삼성전자'])).media).toEqual([picture]);
      expect((await ask(['AAPL', '삼성전자'], { isDrawn: false })).media).toBeUndefined();
      // One line is no comparison.
      expect((await ask(['AAPL', 'qwertz'])).media).toBeUndefined();
      expect(drawn).toEqual([['AAPL', '005930.KS']]);
    });

    it('leaves the words where drawing fails, and says so', async () => {
      const { ask, records } = setUp(histories, () => Promise.reject(new Error('no canvas')));
      const { content, media, found } = await ask(['AAPL', '삼성전자']);
      expect({ media, found }).toEqual({ media: undefined, found: 2 });
      expect(cellsOf(content, '애플 (AAPL)')).not.toEqual([]);
      expect(content).toContain('이번에는 그림을 그리지 못했어요.');
      expect(records()).toContainEqual(
        expect.objectContaining({ message: 'A comparison could not be drawn' }),
      );
    });

    it('stops where the run is stopped', async () => {
      const stop = new AbortController();
      const { ask } = setUp(histories, () => {
        stop.abort(new Error('stopped'));
        return Promise.reject(new Error('no canvas'));
      });
      await expect(ask(['AAPL', '삼성전자'], {}, KO, stop.signal)).rejects.toThrow('stopped');
    });
  });

  it('has ranges and the other background below its picture, and its details below words too', async () => {
    const { ask } = setUp([historyOf(SAMSUNG, wave(60, 100, 1)), historyOf(HYNIX, wave(60, 50, 2))]);
    const codes = ['005930.KS', '000660.KS'];
    const { choices } = await ask(codes, { theme: 'dark' });
    const command = (words: string) => `/compare ${codes.join(', ')} ${words}`;
    const details = { label: '자세히', command: command('1y --all') };
    expect(choices).toEqual([
      { label: '1개월', command: command('1mo dark'), effect: 'replaces' },
      { label: '3개월', command: command('3mo dark'), effect: 'replaces' },
      { label: '6개월', command: command('6mo dark'), effect: 'replaces' },
      { label: '올해', command: command('ytd dark'), effect: 'replaces' },
      { label: '1년', command: command('1y dark'), effect: 'replaces', isCurrent: true },
      { label: '5년', command: command('5y dark'), effect: 'replaces' },
      { label: '밝게', command: command('1y'), effect: 'replaces' },
      details,
    ]);
    expect((await ask(codes, { isDrawn: false })).choices).toEqual([details]);
  });
});
