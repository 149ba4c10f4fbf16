import { describe, expect, it } from 'vitest';
import { ownerOf } from '../watchlist/support.ts';
import { composerOf, headline, instrument, mina, moversOf, orderOf, signal } from './support.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

/** Names in the first column of the table below a title. */
const rowsBelow = (text: string, title: string): readonly string[] => {
  const [, below = ''] = text.split(title);
  const [lines = ''] = below.trim().split('\n\n');
  return lines
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => /^- (.+?) [₩$]?[\d.,]+%? [■▲▼]/u.exec(line)?.[1] ?? '');
};

describe('a briefing for a person alone', () => {
  it('has sessions, markets, the watchlist by size of move, what moved the portfolio, and headlines', async () => {
    const { compose, watchlist, asked } = composerOf({
      moves: { AAPL: 1, TSLA: -7, '005930.KS': 3 },
      movers: async () => moversOf({ AAPL: 12_000, TSLA: -90_000, '005930.KS': 30_000, NVDA: -1_000 }),
      news: async () => ({
        status: 'ok',
        value: ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((title) => headline(title)),
      }),
    });
    await watchlist.add(ownerOf(mina), ['AAPL', 'TSLA', '005930'].map(instrument), 50);
    const { text, cards, facts, isEmpty } = await compose(orderOf(), signal);

    // The quotes of the tables are cards where there are cards, and the rest is text.
    expect(
      cards?.items.map(({ title, fields }) => ({ title, names: fields.map(({ name }) => name) })),
    ).toEqual([
      { title: 'Markets', names: rowsBelow(text, '**Markets**') },
      { title: 'Watchlist', names: rowsBelow(text, '**Watchlist**') },
      { title: 'News', names: ['One', 'Two', 'Three'] },
    ]);
    expect(cards?.items.at(-1)?.footer).toMatch(/Yahoo Finance/);
    const tesla = cards?.items[1]?.fields[0];
    expect(tesla?.tone).toBe('down');
    expect(text).toContain(`- Tesla (TSLA) ${tesla?.value}\n`);
    expect(cards?.text).toMatch(/^\*\*Briefing · Fri 2026-11-13\*\* · Korea closed · US closed[^]*Day:/);
    expect(cards?.text).not.toMatch(/\*\*Markets|One/);

    expect(text).toMatch(/^\*\*Briefing · Fri 2026-11-13\*\* · Korea closed · US closed\n\n\*\*Markets/);
    expect(rowsBelow(text, '**Markets**')).toEqual([
      'KOSPI',
      'KOSDAQ',
      'S&P 500',
      'NASDAQ',
      'Dow Jones',
      'VIX',
      'USD/KRW',
      'Bitcoin',
      'US 10Y',
    ]);
    expect(rowsBelow(text, '**Watchlist**')).toEqual([
      'Tesla (TSLA)',
      'Samsung Electron… (005930)',
      'Apple (AAPL)',
    ]);
    expect(text).toMatch(
      /- Tesla \(TSLA\): -9\.00% → -₩90,000\n- Samsung.*→ \+₩30,000\n- Apple.*→ \+₩12,000\nDay: -₩49,000 \(as of/,
    );
    expect(text).not.toContain('→ -₩1,000');
    expect(text).toMatch(/· Yahoo Finance$/u);
    expect(text.match(/<https:\/\/news\.example/g)?.length).toBeGreaterThanOrEqual(3);
    expect(text.length).toBeLessThan(2_000);
    expect(asked).toHaveLength(1);
    expect(facts).toContainEqual(
      expect.objectContaining({ entity: 'TSLA', metric: 'changePercent', value: '-7.00' }),
    );
    expect(isEmpty).toBe(false);
  });

  it('names each part that is missing, and has the others', async () => {
    const clock = new ManualClock();
    const { compose, watchlist } = composerOf({
      clock,
      movers: async () => {
        throw new Error('ledger broken');
      },
      news: () => new Promise(() => undefined),
    });
    await watchlist.add(ownerOf(mina), [instrument('AAPL')], 50);
    const composing = compose(orderOf({ locale: 'ko' }), signal);
    await clock.advance(20_000);
    const { text, isEmpty } = await composing;
    expect(text).toContain('포트폴리오를 계산하지 못했어요');
    expect(text).toContain('뉴스를 가져오지 못했어요');
    expect(text).toContain('애플 (AAPL)');
    expect(isEmpty).toBe(false);
  });

  it('says beside the cards how many of the watchlist are left out, because cards name no commands', async () => {
    const { compose, watchlist } = composerOf();
    const codes = 'AAPL TSLA NVDA MSFT GOOGL AMZN META AMD INTC 005930 000660 035420'.split(' ');
    await watchlist.add(ownerOf(mina), codes.map(instrument), 50);
    const { text, cards } = await compose(orderOf(), signal);
    expect(text).toContain('7 more: `/watch`');
    expect(cards?.text).toContain('7 more: `/watch`');
    expect(JSON.stringify(cards?.items)).not.toMatch(/more|`/);
  });

  it('says what is closed, why, and which hours are special', async () => {
    // Thanksgiving in New York; the day of the exam in Seoul.
    const thanks = composerOf({ clock: new ManualClock('2026-11-26T00:00:00Z') });
    expect((await thanks.compose(orderOf(), signal)).text).toMatch(/US closed \(Thanksgiving/);
    const exam = composerOf({ clock: new ManualClock('2026-11-18T23:30:00Z') });
    expect((await exam.compose(orderOf(), signal)).text).toMatch(/Korea .*10:00–16:30 KST, /);
  });

  it('is empty where no source has anything', async () => {
    const { compose } = composerOf({ isDown: true });
    expect(await compose(orderOf(), signal)).toMatchObject({ isEmpty: true, facts: [] });
  });
});

describe('a briefing for a place that others read', () => {
  it('has what was named, with its news, and does not even look up what is somebody’s own', async () => {
    const { compose, watchlist, read, asked } = composerOf({
      movers: async () => moversOf({ TSLA: -90_000 }),
      news: async ({ instrument: of }) => ({
        status: 'ok',
        value: of
          ? [headline(`About ${of.symbol}`)]
          : [headline('Markets today'), headline('<@everyone> [x](https://evil.example)')],
      }),
    });
    await watchlist.add(ownerOf(mina), [instrument('TSLA')], 50);
    const order = orderOf({ isPrivate: false, instruments: [instrument('NVDA')] });
    const { text, cards } = await compose(order, signal);
    expect(cards?.items.map(({ title }) => title)).toEqual(['Markets', 'What you asked for', 'News']);
    expect(JSON.stringify(cards)).not.toMatch(/TSLA|watchlist|portfolio/i);
    expect(rowsBelow(text, '**What you asked for**')).toEqual(['NVIDIA (NVDA)']);
    expect(text).toMatch(/- About NVDA .*\n.*\n- Markets today/);
    expect(text).not.toContain('<@');
    expect(text).not.toMatch(/TSLA|watchlist|portfolio/i);
    expect(read).toEqual([]);
    expect(asked.flat()).not.toContain('TSLA');
  });
});
