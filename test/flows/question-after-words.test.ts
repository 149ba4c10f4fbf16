import { expect, it } from 'vitest';
import { buys, codeIn, startBroker } from '#test/support/broker.ts';
import { answer, until } from '#test/support/engine-app.ts';
import { held, settled } from '#test/flows/gateway-support.ts';

it.each(['collect', 'queue', 'followup'])(
  'mode %s: a question is not gone past by what was written before it was put',
  async (mode) => {
    const { app, journal } = await startBroker({ env: { FINCLAW_QUEUE_MODE: mode } });
    const { reply, letGo } = held(buys('AAPL'));
    app.claude.reply(reply, answer('Hello.'), answer('Bought.'));
    const receipts = [await app.send('ann', 'Buy Apple')];
    await until(() => app.claude.history.length === 1);
    receipts.push(await app.send('ann', 'And hello, by the way'));
    // Time stands still here; in life the model has been thinking meanwhile.
    await app.clock.advance(1_000);
    letGo();
    await settled(...receipts);
    const question = app.channel.texts.find((text) => codeIn(text) !== '');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => journal().length === 1);
    expect(journal()).toEqual(['AAPL']);
  },
);
