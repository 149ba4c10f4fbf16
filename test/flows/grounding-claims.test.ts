import { describe, expect, it } from 'vitest';
import { buys, calls, startBroker } from '#test/support/broker.ts';
import { answer, callsTool, startEngineApp, until } from '#test/support/engine-app.ts';

const RECORDED = '기록했습니다. 삼성전자 10주입니다.';
const NOTHING_RECORDED = '⚠️ 방금 저장된 것은 없습니다.';
const buy = { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-11-12' };

describe('an answer that claims a change', () => {
  it('is sent back once where no tool made it, and one sentence follows where the model insists', async () => {
    const app = await startEngineApp();
    app.claude.reply(answer(RECORDED), answer('어떤 종목을 기록할까요?'));
    const [corrected = ''] = await app.ask('ann', '샀어');
    expect(corrected).toContain('어떤 종목을 기록할까요?');
    expect(corrected).not.toContain(NOTHING_RECORDED);
    app.claude.reply(answer(RECORDED), answer(RECORDED));
    const [insisted = ''] = await app.ask('ann', '샀다니까');
    expect(insisted).toBe(`${RECORDED}\n\n${NOTHING_RECORDED}`);
    expect(app.claude.history).toHaveLength(4);
  });

  it('is denied after a tool that refused', async () => {
    const app = await startEngineApp();
    const tooMany = calls({ name: 'record_transaction', input: { ...buy, kind: 'sell', quantity: '11' } });
    app.claude.reply(tooMany, answer(RECORDED), answer(RECORDED));
    const said = await app.ask('ann', '애플 11주 팔았어');
    expect(said.join('\n')).toContain(NOTHING_RECORDED);
  });

  it('stands after a tool of a plugin did it, which gives no receipt, and not after a person refused', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Done.'));
    await app.ask('ann', 'Buy it');
    await app.ask('ann', 'yes');
    await until(() => app.channel.texts.includes('Done.'));
    expect(journal()).toHaveLength(1);
    app.claude.reply(buys('TSLA'), answer('Done.'), answer('Done.'));
    await app.ask('ann', 'Buy the other');
    await app.ask('ann', 'no');
    await until(() => app.channel.texts.some((text) => text.includes('⚠️ Nothing was changed just now.')));
    expect(journal()).toHaveLength(1);
  });
});

describe("a stranger's price", () => {
  it('is asked about and, where the model stays with it, shown beside that of the market', async () => {
    const app = await startEngineApp();
    const claim = 'Apple trades at $999.99 now.';
    app.claude.reply(callsTool('AAPL'), answer(claim), answer(claim));
    const forwarded = [{ text: 'Apple trades at $999.99 now.', isFromOthers: true as const }];
    const said = (await app.ask('ann', 'Is it so?', { forwarded })).join('\n');
    expect(said).toContain(claim);
    expect(said).toMatch(/⚠️ Apple.* price according to market data: \$\d+\.\d\d/);
    expect(app.claude.history).toHaveLength(3);
  });
});
