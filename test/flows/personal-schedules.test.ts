import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { calls } from '#test/support/broker.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { type LiveMarket, startLiveMarket } from '#test/support/live-market.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';
import { IN_GROUP, query } from './gateway-support.ts';

const MINUTE_MS = 60_000;
/** Monday, 10:00 in New York. */
const IN_SESSION = '2026-11-16T15:00:00Z';

interface World extends EngineApp, LiveMarket {
  /** One look at all alerts: a coin that costs more than a dollar tells when it is over. */
  readonly look: () => Promise<void>;
  /** What was told of this, by itself and not as an answer. */
  readonly told: (what: string) => readonly EngineApp['channel']['sent'][number][];
  /** Another process on the same data, at this time or at the same. */
  readonly restart: (at?: string) => Promise<World>;
}

const start = async (at: string, before?: World): Promise<World> => {
  const clock = new WatchedClock(at);
  const market = await startLiveMarket(clock);
  const app = await startEngineApp({
    clock,
    env: market.env,
    ...(before && { dataDir: before.dataDir, servers: { claude: before.claude, gpt: before.gpt } }),
  });
  const told: World['told'] = (what) =>
    app.channel.sent.filter(
      ({ target, payload }) => target.replyToMessageId === undefined && payload.text.includes(what),
    );
  const world: World = {
    ...market,
    ...app,
    told,
    look: async () => {
      await app.ask('eve', '/alert BTC > 1 usd --yes');
      const before = told('Bitcoin').length;
      await clock.advance(MINUTE_MS);
      await until(() => told('Bitcoin').length > before);
    },
    restart: async (later = clock.now().toString()) => {
      await app.stop();
      return start(later, world);
    },
  };
  return world;
};

const firingsIn = (dataDir: string): readonly unknown[] =>
  query(
    dataDir,
    `select alerts.symbol, count(*) as times from alert_firings
       join alerts on alerts.id = alert_id group by alerts.symbol order by alerts.symbol`,
  ).filter(({ symbol }) => symbol !== 'BTC-USD');

const idIn = (text: string | undefined): string => /\/alert delete (\w{6})/.exec(text ?? '')?.[1] ?? '';

describe('an alert', () => {
  it('set by chat rings once for its owner, where they chose, with a quote and buttons; not again after a restart', async () => {
    const app = await start(IN_SESSION);
    await app.ask('ann', '/alert AAPL > 300 here', IN_GROUP);
    app.claude.reply(
      calls({ name: 'set_alert', input: { symbol: '애플', condition: 'above', value: '300', repeat: true } }),
      answer('알려 드리겠습니다.'),
    );
    await app.ask('ben', '애플 300달러 넘을 때마다 알려줘');
    await app.look();
    expect(app.told('AAPL')).toEqual([]);

    app.yahoo.setQuote('AAPL', { regularMarketPrice: 301.25 });
    await app.look();
    await until(() => app.told('$301.25').length === 2);
    const [inGroup, inDirect] = ['group', 'ben'].map((chatId) =>
      app.told('$301.25').find(({ target }) => target.chatId === asId<ChatId>(chatId)),
    );
    expect(inGroup?.payload.text).toContain('**Apple (AAPL)**: at $300.00 or above');
    expect(inGroup?.payload).toMatchObject({ mentions: 'ann', locale: 'en' });
    expect(inDirect?.payload.text).toMatch(/\*\*애플 \(AAPL\)\*\*[^]* · Yahoo Finance/);
    expect(inDirect?.payload).toMatchObject({ mentions: 'ben', locale: 'ko' });
    const id = idIn(inGroup?.payload.text);
    expect(inGroup?.payload.choices?.map(({ command }) => command)).toEqual([
      '/chart AAPL 1d',
      `/alert snooze ${id} 1h`,
      `/alert snooze ${id} 1d`,
      `/alert delete ${id}`,
    ]);

    await app.look();
    // Its rest between two times is over, but it was true all the while.
    const next = await app.restart('2026-11-16T17:30:00Z');
    next.yahoo.setQuote('AAPL', { regularMarketPrice: 302 });
    await next.look();
    await next.look();
    expect(next.told('AAPL')).toEqual([]);
    await next.stop();
    expect(firingsIn(next.dataDir)).toEqual([{ symbol: 'AAPL', times: 2 }]);
    expect(query(next.dataDir, `select distinct status from notifications`)).toEqual([{ status: 'sent' }]);
  });

  it('that was put off is told again after that, and one that was deleted is not', async () => {
    const app = await start(IN_SESSION);
    app.yahoo.setQuote('AAPL', { regularMarketPrice: 301.25 });
    await app.ask('ann', '/alert AAPL > 300');
    await app.ask('ben', '/alert AAPL > 300');
    await app.look();
    await until(() => app.told('$301.25').length === 2);
    const idOf = (who: string): string =>
      idIn(app.told('AAPL').find(({ target }) => target.chatId === asId<ChatId>(who))?.payload.text);
    await app.ask('ann', `/alert snooze ${idOf('ann')} 1h`);
    await app.ask('ben', `/alert delete ${idOf('ben')}`);
    await app.look();
    expect(app.told('AAPL')).toHaveLength(2);
    // A day later it still holds, in the same session hours.
    const next = await app.restart('2026-11-17T15:00:00Z');
    next.yahoo.setQuote('AAPL', { regularMarketPrice: 305 });
    await next.look();
    await until(() => next.told('$305.00').length > 0);
    await next.look();
    expect(next.told('AAPL').map(({ target }) => target.chatId)).toEqual(['ann']);
  });

  it('on a stock waits for its session, and its price is not even asked for before', async () => {
    const app = await start('2026-11-16T23:30:00Z');
    await app.ask('ann', '/alert AAPL > 200');
    const asked = (): number =>
      app.yahoo.requests.filter(({ endpoint, symbols }) => endpoint === 'quote' && symbols.includes('AAPL'))
        .length;
    const before = asked();
    await app.look();
    await app.look();
    expect(asked()).toBe(before);
    expect(app.told('AAPL')).toEqual([]);
    const next = await app.restart('2026-11-17T14:31:00Z');
    await next.look();
    await until(() => next.told('AAPL').length === 1);
  });

  it('goes on at its new level after a split, which is told once over restarts, and rings for a low that nobody saw', async () => {
    const app = await start(IN_SESSION);
    for (const condition of ['AAPL < 200', 'AAPL -10% from now', 'AAPL 52w low'])
      await app.ask('ann', `/alert ${condition}`);
    await app.ask('ben', '/알림 애플 200달러 이하');
    await app.look();
    const tuesday = await app.restart('2026-11-17T15:00:00Z');
    tuesday.yahoo.split('AAPL', { date: '2026-11-17', numerator: 4, denominator: 1 });
    await tuesday.look();
    await until(() => tuesday.told('4:1').length === 2);
    const textFor = (who: string): string =>
      tuesday.told('4:1').find(({ target }) => target.chatId === asId<ChatId>(who))?.payload.text ?? '';
    expect(textFor('ann')).toMatch(
      /^✂️ \*\*Apple \(AAPL\)\*\*: 4:1 split on 2026-11-17\.[^]*"at \$200\.00 or below" is now "at \$50\.00 or below"[^]*10%[^]*52-week low/u,
    );
    expect(textFor('ben')).toMatch(/2026-11-17 4:1 주식 분할이 있었습니다\.[^]*지금 "\$50\.00 이하"/u);

    const later = await tuesday.restart();
    later.yahoo.split('AAPL', { date: '2026-11-17', numerator: 4, denominator: 1 });
    await later.look();
    await later.look();
    expect(later.told('AAPL')).toEqual([]);
    expect((await later.ask('ann', '/alerts')).join('')).toContain(
      'adjusted for the 4:1 split on 2026-11-17, before that $200.00',
    );
    later.yahoo.setQuote('AAPL', { regularMarketDayLow: 49.5 });
    await later.look();
    // Both levels of hers and the one of his; the 52 weeks had a lower low.
    await until(() => later.told('AAPL').length === 3);
    for (const { payload } of later.told('exact time unknown'))
      expect(payload.text).toContain("the day's low is $49.50");
    await later.stop();
    expect(firingsIn(later.dataDir)).toEqual([{ symbol: 'AAPL', times: 3 }]);
    expect(query(later.dataDir, `select distinct status from notifications`)).toEqual([{ status: 'sent' }]);
  });
});

describe('a briefing', () => {
  it('comes once at its time, after a restart too, and in a group without anything of its owner', async () => {
    const app = await start('2026-11-13T06:30:00Z');
    await app.ask('ann', '/watch TSLA');
    await app.ask('ann', '/portfolio add NVDA 7 100 2026-11-02 --yes');
    await app.ask('ann', '/briefing 16:00 weekdays');
    await app.ask('ann', '/briefing 16:00 weekdays AAPL here', IN_GROUP);
    await app.clock.advance(29 * MINUTE_MS);
    expect(app.told('Briefing')).toEqual([]);
    await app.clock.advance(MINUTE_MS);
    await until(() => app.told('Briefing').length === 2);
    const textIn = (chatId: string): string =>
      app.told('Briefing').find(({ target }) => target.chatId === asId<ChatId>(chatId))?.payload.text ?? '';
    expect(textIn('ann')).toMatch(/S&P 500[^]*Tesla[^]*NVIDIA/);
    expect(textIn('group')).toMatch(/S&P 500[^]*Apple/);
    expect(textIn('group')).not.toMatch(/Tesla|TSLA|NVIDIA|NVDA/);

    const next = await app.restart();
    expect((await next.ask('ann', '/briefing')).join('').match(/Mon 2026-11-16 16:00 KST/g)).toHaveLength(2);
    const monday = await next.restart('2026-11-16T06:59:00Z');
    await monday.clock.advance(MINUTE_MS);
    await until(() => monday.told('Briefing').length === 2);
    await monday.stop();
    expect(next.told('Briefing')).toEqual([]);
    expect(query(app.dataDir, `select status, count(*) as count from notifications group by status`)).toEqual(
      [{ status: 'sent', count: 4 }],
    );
  });

  it('is left out on a weekday on which no market trades', async () => {
    const app = await start('2026-12-24T07:30:00Z');
    expect((await app.ask('ann', '/briefing 16:00 weekdays')).join('')).toContain('Mon 2026-12-28 16:00 KST');
    const holiday = await app.restart('2026-12-25T07:00:00Z');
    const monday = await holiday.restart('2026-12-28T07:00:00Z');
    await until(() => monday.told('Briefing').length === 1);
    expect(holiday.told('Briefing')).toEqual([]);
  });
});
