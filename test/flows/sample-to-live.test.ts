import { expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { startAppOn } from '#test/support/app.ts';
import { TestChannel } from '#test/support/channel.ts';
import { temporaryDir } from '#test/support/database.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

it('what was recorded with sample data gets its real rate after a restart with live data, and says so once', async () => {
  const clock = new WatchedClock();
  const market = await startLiveMarket(clock);
  const dataDir = temporaryDir();
  const start = async () => {
    const channel = new TestChannel();
    const env = { ...market.env, FINCLAW_MARKET: 'auto' };
    const { app } = await startAppOn(channel, { clock, dataDir, env });
    const ask = async (body: string): Promise<string> => {
      const message = inboundMessage({ channelId: asId<ChannelId>('test'), body });
      const receipt = await channel.receive(message);
      if (receipt.outcome === 'accepted') await receipt.settled;
      const sent = channel.sent.filter(({ target }) => target.replyToMessageId === message.messageId);
      return sent.map(({ payload }) => JSON.stringify(payload)).join('\n');
    };
    return { ask, stop: () => app.stop() };
  };

  market.goDown();
  const tried = await start();
  const day = clock.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 7 }).toString();
  const recorded = await tried.ask(`/포트폴리오 매수 AAPL 10 $200 ${day} --yes`);
  expect(recorded).toMatch(/SAMPLE/);
  expect(recorded).toContain('샘플(SAMPLE) 환율');
  const [, invented = ''] = /환율 1 USD = (₩[\d,.]+)/.exec(recorded) ?? [];
  for (const line of ['/포트폴리오', '/포트폴리오 내역', '/포트폴리오 분석 3개월'])
    expect(await tried.ask(line), line).toMatch(/SAMPLE/);
  // The rate of an exchange follows from what was given and received.
  await tried.ask('/portfolio new cash KRW');
  await tried.ask(`/portfolio deposit 5000000 KRW ${day} --in=cash`);
  const exchanged = await tried.ask(`/portfolio fx 1400000 KRW 1000 USD ${day} --in=cash --yes`);
  expect(exchanged).toContain('1 USD = ₩1,400');
  expect(exchanged).not.toMatch(/SAMPLE/);
  const abroad = await tried.ask(`/portfolio fx 110 USD 100 EUR ${day} --in=cash --yes`);
  expect(abroad).toMatch(/1 EUR = \$1\.10* · (?:SAMPLE rate to KRW|KRW 환산은 샘플)/u);
  await tried.stop();

  market.comeBack();
  const live = await start();
  const first = await live.ask('/포트폴리오');
  expect(first).toContain('빠져 있던 환율을 채웠어요: #1');
  const history = await live.ask('/포트폴리오 내역');
  expect(history).toContain('나중에 채움');
  for (const said of [first, history, await live.ask('/포트폴리오 분석 3개월')]) {
    expect(said).not.toMatch(/SAMPLE|샘플/);
    expect(said).not.toContain(invented);
  }
  expect(history).not.toContain('빠져 있던 환율');
});
