import { expect, it } from 'vitest';
import { startEngineApp, until } from '#test/support/engine-app.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const MINUTE_MS = 60_000;

it('while Yahoo refuses sessions, prices come from its charts and say so; charts, news and alerts go on', async () => {
  // Monday, 10:00 in New York.
  const clock = new WatchedClock('2026-11-16T15:00:00Z');
  const { yahoo, env } = await startLiveMarket(clock);
  const app = await startEngineApp({ clock, env });
  yahoo.failFamily('crumbed', { kind: 'status', status: 401 });

  const [english] = await app.ask('ann', '/price AAPL');
  expect(english).toContain('$272.41');
  expect(english).toContain(' · Yahoo Finance chart\n');
  expect(english).toContain('The usual source is not answering, so this is from Yahoo Finance chart');
  const [korean] = await app.ask('ben', '/시세 삼성전자');
  expect(korean).toContain('₩102,300');
  expect(korean).toContain(' · Yahoo Finance chart\n');
  expect(korean).toContain('평소 쓰는 시세 서비스가 응답하지 않아 Yahoo Finance chart 가격을');
  expect((await app.ask('ann', '/news AAPL')).join('\n')).toContain('Shares rise on strong demand');
  expect((await app.ask('ann', '/compare AAPL MSFT 1mo')).join('\n')).toContain('Microsoft');

  await app.ask('ann', '/alert AAPL > 300');
  yahoo.setQuote('AAPL', { regularMarketPrice: 301.5 });
  await clock.advance(2 * MINUTE_MS);
  const rung = () =>
    app.channel.sent.filter(
      ({ target, payload }) => target.replyToMessageId === undefined && payload.text.includes('$301.50'),
    );
  await until(() => rung().length > 0);
  expect(rung()[0]?.payload.text).toContain('Yahoo Finance chart');

  yahoo.failFamily('crumbed', null);
  await clock.advance(5 * MINUTE_MS);
  expect((await app.ask('ann', '/price AAPL')).join('\n')).toMatch(/ · Yahoo Finance$/mu);
});
