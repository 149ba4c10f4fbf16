import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { startAppOn } from '#test/support/app.ts';
import { TestChannel } from '#test/support/channel.ts';
import { answer, callsTool as quotes, type EngineApp, startEngineApp } from '#test/support/engine-app.ts';
import { type LiveMarket, startLiveMarket } from '#test/support/live-market.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const BREAKER_MS = 30_000;
const PROBE_MS = 3_000;
const SAMPLE = /SAMPLE|샘플/;
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const APPLE = 'Apple Inc. (AAPL, NASDAQ)';

/** Whatever asks for prices, in both languages. */
const ASKING = [
  '/price AAPL',
  '/시세 애플',
  '/chart AAPL',
  '/compare AAPL MSFT',
  '/news AAPL',
  '/market',
  '/시장',
  '/fx 100 usd krw',
  '/환율 100달러',
  '/crypto',
  '/earnings AAPL',
] as const;

/** The bot of somebody who set it up, with the markets behind it. */
const start = async (): Promise<LiveMarket & EngineApp> => {
  const clock = new WatchedClock();
  const market = await startLiveMarket(clock);
  return { ...market, ...(await startEngineApp({ clock, env: market.env })) };
};

/** A bot of which nothing is configured but what is given, on `auto`. */
const startAuto = async (market: LiveMarket, env: NodeJS.ProcessEnv = {}, clock = new WatchedClock()) => {
  const channel = new TestChannel();
  await startAppOn(channel, { clock, env: { ...market.env, FINCLAW_MARKET: 'auto', ...env } });
  const ask = async (body: string): Promise<readonly ReplyPayload[]> => {
    const message = inboundMessage({ channelId: asId<ChannelId>('test'), body });
    const receipt = await channel.receive(message);
    if (receipt.outcome === 'accepted') await receipt.settled;
    return channel.sent
      .filter(({ target }) => target.replyToMessageId === message.messageId)
      .map(({ payload }) => payload);
  };
  return { channel, clock, ask };
};

describe('prices of a bot that is set up', () => {
  it('of a ticker that is in no list are told once its name has been confirmed', async () => {
    const market = await startLiveMarket(new WatchedClock());
    market.yahoo.list('ZZQX', { name: 'Quantum Lattice Dynamics ETF', quoteType: 'ETF', market: 'PCX' });
    const { ask } = await startAuto(market);
    const [offer] = await ask('/price ZZQX');
    expect(offer?.text).toContain('Quantum Lattice Dynamics ETF (ZZQX, ');
    expect(offer?.choices?.map(({ command }) => command)).toEqual(['/price $ZZQX']);
    const [confirmed] = await ask('/price $ZZQX');
    expect(JSON.stringify(confirmed)).toContain('Yahoo Finance');
    const [again] = await ask('/watch add zzqx');
    expect(again?.text).toContain('Quantum Lattice Dynamics ETF');
  });

  it('that cannot be had are one clear sentence in the language of the asker, and come back by themselves', async () => {
    const app = await start();
    app.goDown();
    for (const line of ASKING) {
      const [said = '', ...more] = await app.ask('ann', line);
      expect(more, line).toEqual([]);
      expect(said, line).toMatch(
        /[가-힣]/.test(line) ? /몇 분 뒤에 다시 물어봐 주세요\.$/ : /Please try again in a few minutes\.$/,
      );
      // No price, no date, no made-up number: the digits of names are all there is.
      expect(
        said.replaceAll('S&P 500', '').replaceAll('10-year', '').replaceAll('10년', ''),
        line,
      ).not.toMatch(/\d/);
      expect(said, line).not.toMatch(SAMPLE);
    }
    expect(app.channel.sent.filter(({ payload }) => payload.media)).toEqual([]);
    // Neither does the model get any, nor an answer that wants quotes under it.
    app.claude.reply(quotes('AAPL'), answer('I cannot tell.'), answer('Apple leads.<<ATTACH_QUOTE>>'));
    expect(await app.ask('ann', 'How is Apple?')).toEqual(['I cannot tell.']);
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages.at(-1))).toContain('cannot be reached');
    expect(await app.ask('ann', 'Who leads?')).toEqual(['Apple leads.']);
    expect((await app.ask('boss', '/status')).join('')).toContain('Yahoo Finance');
    // It was not asked again and again all the while: each kind of question has its own breaker.
    const kinds = [...new Set(app.yahoo.requests.map(({ endpoint }) => endpoint))];
    const others = kinds.filter((endpoint) => endpoint !== 'chart');
    expect(Math.max(...others.map((endpoint) => app.yahoo.countOf(endpoint)))).toBeLessThanOrEqual(4);
    // Charts serve two kinds: histories, and quotes that cannot be had otherwise.
    expect(app.yahoo.countOf('chart')).toBeLessThanOrEqual(8);

    app.comeBack();
    const [still = ''] = await app.ask('ann', '/price AAPL');
    expect(still).toBe(quoteTexts('en').unavailable.down({ name: APPLE }));
    await app.clock.advance(BREAKER_MS);
    const [said = ''] = await app.ask('ann', '/price AAPL');
    expect(said).toContain('$272.41');
    expect(said).toContain(' · Yahoo Finance');
    expect((await app.ask('min', '/코인')).join('')).toContain('₩141,262,000');
  });

  it('that fifty people ask for at once are asked for once', async () => {
    const app = await start();
    const people = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const answers = await Promise.all(people.map((person) => app.ask(person, '/price AAPL')));
    expect(answers.map((said) => said.length)).toEqual(people.map(() => 1));
    expect(new Set(answers.flat())).toEqual(new Set([expect.stringContaining('$272.41')]));
    expect(app.yahoo.requests.map(({ endpoint }) => endpoint)).toEqual(['cookie', 'crumb', 'quote']);
  });

  it('are told as before where the crumb has run out in the middle of a conversation', async () => {
    const app = await start();
    app.claude.reply(quotes('AAPL'), answer('Apple: $272.41'));
    expect(await app.ask('ann', 'How is Apple?')).toEqual(['Apple: $272.41']);
    app.yahoo.expireCrumbs();
    app.claude.reply(quotes('MSFT'), answer('Microsoft: $510.18'));
    expect(await app.ask('ann', 'And Microsoft?')).toEqual(['Microsoft: $510.18']);
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages.at(-1))).toContain('$510.18');
    const crumbs = app.yahoo.requests.flatMap(({ crumb }) => (crumb === 'free' ? [] : [crumb]));
    expect(crumbs).toEqual(['ok', 'wrong', 'ok']);
    for (const crumb of app.yahoo.crumbs) expect(app.log.join('\n')).not.toContain(crumb);
  });

  it('that are old are called so, wherever they stand', async () => {
    const app = await start();
    const old = app.clock.now().subtract({ hours: 24 * 9 }).epochMilliseconds / 1_000;
    for (const symbol of ['AAPL', '^GSPC', 'USDKRW=X'])
      app.yahoo.setQuote(symbol, { regularMarketTime: old });
    expect((await app.ask('ann', '/price AAPL, MSFT')).join('').split('⚠️ stale')).toHaveLength(2);
    expect((await app.ask('ann', '/시세 애플')).join('')).toContain('⚠️ 오래된 시세 · 2026-11-04');
    expect((await app.ask('ann', '/market')).join('')).toMatch(/S&P 500\*\* .*⚠️ stale/);
    expect((await app.ask('ann', '/fx 100 usd krw')).join('')).toContain('⚠️ stale · 2026-11-04');
  });
});

describe('FINCLAW_MARKET=auto', () => {
  it('shows somebody who just tries the bot real prices where Yahoo can be reached, without a mark', async () => {
    const clock = new WatchedClock();
    const { ask } = await startAuto(await startLiveMarket(clock), {}, clock);
    for (const line of ['/price AAPL', '/market', '/fx 100 usd krw', 'How is Apple?']) {
      const [said] = await ask(line);
      expect(said?.text, line).toContain('Yahoo Finance');
      expect(said?.text, line).not.toMatch(SAMPLE);
    }
  });

  it('marks every answer where it cannot, pictures too, and stays with it', async () => {
    const clock = new WatchedClock();
    const market = await startLiveMarket(clock);
    // Not refused, but silent: nobody waits for it more than once, and not for long.
    market.yahoo.failAlways('cookie', { kind: 'hang' });
    const { ask } = await startAuto(market, {}, clock);
    const first = ask('/price AAPL');
    await clock.untilWaiting(PROBE_MS);
    await clock.advance(PROBE_MS);
    expect((await first).map(({ text }) => text).join('')).toContain(marketNoteTexts('en').sampleMark());
    market.comeBack();
    for (const line of [
      '/시세 삼성전자',
      '/market',
      '/시장',
      '/fx 100 usd krw',
      '/crypto',
      'How is Apple?',
      '/news',
      '/뉴스 삼성전자',
      '/earnings',
      '/earnings AAPL',
      '삼성전자 PER',
      '삼성전자 뉴스',
    ]) {
      const mark = marketNoteTexts(/[가-힣]/.test(line) ? 'ko' : 'en').sampleMark();
      const said = await ask(line);
      expect(said.map(({ text }) => text).join('\n'), line).toContain(mark);
    }
    for (const line of ['/chart AAPL', '/compare AAPL MSFT']) {
      const [said, ...more] = await ask(line);
      expect(more, line).toEqual([]);
      expect(said?.text, line).toContain(marketNoteTexts('en').sampleMark());
      const [picture] = said?.media ?? [];
      expect(picture?.altText, line).toContain('Sample data, not real prices.');
      expect(
        readFileSync(fileURLToPath(picture?.url ?? ''))
          .subarray(1, 4)
          .toString(),
        line,
      ).toBe('PNG');
    }
    expect((await ask('/news'))[0]?.text).toMatch(/\*\*\[SAMPLE\] [^]*Sample headlines, not real news\./);
    expect(market.yahoo.countOf('quote') + market.yahoo.countOf('chart')).toBe(0);
  });

  it('answers on the sample what a coin costs at this moment, and calls a range what it covers', async () => {
    const clock = new WatchedClock();
    const { ask } = await startAuto(await startLiveMarket(clock), { FINCLAW_MARKET: 'sample' }, clock);
    // A Saturday, when every exchange is closed.
    await clock.advance(24 * 3_600_000);
    const said = async (line: string): Promise<string> =>
      (await ask(line)).map(({ text }) => text).join('\n');
    const coin = await said('/price BTC');
    expect(coin).toContain('\n2026-11-14 06:30 UTC · sample');
    expect(coin).not.toMatch(/close/);
    expect(await said('/hours crypto')).toContain('open');
    expect(await said('/price AAPL')).toContain('Nov 13 close · sample');
    expect(await said('/chart AAPL 5y')).toContain('** 5 years ');
    expect(await said('/chart AAPL max')).toMatch(/\*\* 2021-11-\d\d – 2026-11-13 /);
    for (const line of [
      '/price AMD',
      '/price gold',
      '/시세 금값',
      '/시세 삼성전자우',
      '/price 10 year treasury',
    ])
      expect(await said(line), line).toMatch(/ · (?:sample|샘플)$/mu);
    // What it names as the next thing to ask works.
    const advice = await said('삼성전자 사도 될까?');
    const [next = '', after = ''] = [...advice.matchAll(/"([^"]+)"/g)].map(([, words]) => words);
    expect(await said(next)).toContain('샘플 헤드라인');
    expect(await said(after)).toContain('PER');
  });

  it('calls no price of the sample a close while its market is open, in any answer', async () => {
    const clock = new WatchedClock('2026-11-16T02:00:00Z');
    const { ask } = await startAuto(await startLiveMarket(clock), { FINCLAW_MARKET: 'sample' }, clock);
    for (const line of ['/price 005930', '/chart 005930', '/chart 005930 1d', '/compare 005930 000660']) {
      const [said] = await ask(line);
      expect(said?.text, line).toMatch(/2026-11-16 02:00 UTC · sample$/mu);
      expect(said?.text, line).not.toContain('Nov 16 close');
    }
    expect((await ask('/chart AAPL'))[0]?.text).toContain('Nov 13 close · sample');
  });

  it.each([
    ['a key of Anthropic', { ANTHROPIC_API_KEY: 'one-1111', ANTHROPIC_BASE_URL: NOWHERE }],
    ['a key of OpenAI', { OPENAI_API_KEY: 'two-2222', OPENAI_BASE_URL: NOWHERE }],
    ['a token of Discord', { DISCORD_BOT_TOKEN: `${'M'.repeat(24)}.Gabcde.${'x'.repeat(38)}` }],
    ['a token of Slack', { SLACK_BOT_TOKEN: 'xoxb-1-2-abc', SLACK_APP_TOKEN: 'xapp-1-A-2-abc' }],
  ])('never shows made-up prices where %s is set', async (_, env) => {
    const market = await startLiveMarket();
    market.goDown();
    const { ask } = await startAuto(market, env);
    const [said] = await ask('/price AAPL');
    expect(said?.text).toContain(quoteTexts('en').unavailable.down({ name: APPLE }));
    expect(said?.text).not.toMatch(SAMPLE);
  });
});
