import { describe, expect, it } from 'vitest';
import type { Receipt } from '#src/kernel/channel/host.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { buys, calls, codeIn, startBroker } from '#test/support/broker.ts';
import { answer, type EngineApp, holds, until } from '#test/support/engine-app.ts';

const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true };

const settled = async (receipt: Receipt): Promise<void> => {
  if (receipt.outcome === 'accepted') await receipt.settled;
};

const buyAndLook = calls({ name: 'buy_stock', input: { symbol: 'AAPL' } }, { name: 'slow_look', input: {} });

const lastRequest = ({ claude }: EngineApp): string => JSON.stringify(claude.history.at(-1)?.body.messages);

describe('a question about a call', () => {
  it('is not decided before it was put: the call waits for it, also with another question behind it', async () => {
    const { app, journal, open } = await startBroker();
    app.claude.reply(buyAndLook, buys('TSLA'), answer('Both bought.'));
    const receipt = await app.send('ann', 'Buy Apple, look, then Tesla');
    await until(() => journal().includes('slow'));
    expect(await app.ask('ann', '/approve')).toEqual([expect.stringContaining('Nothing is waiting')]);
    open();
    await settled(receipt);
    expect(journal()).toEqual(['slow']);
    await app.ask(
      'ann',
      `/approve ${codeIn(app.channel.texts.findLast((text) => text.includes('Buy AAPL')))}`,
    );
    await until(() => app.channel.texts.some((text) => text.includes('Buy TSLA')));
    await app.ask(
      'ann',
      `/approve ${codeIn(app.channel.texts.findLast((text) => text.includes('Buy TSLA')))}`,
    );
    await until(() => app.channel.texts.includes('Both bought.'));
    expect(journal()).toEqual(['slow', 'AAPL', 'TSLA']);
  });

  it('stays open when an older message of the same person is gone on with', async () => {
    const { app, journal } = await startBroker();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    app.claude.reply(
      buys('AAPL'),
      holds(held, answer('Hi Ben')),
      // What was decided goes before what came later.
      answer('Apple bought'),
      buys('TSLA'),
      answer('Tesla bought'),
    );
    const [first] = await app.ask('ann', 'Buy Apple', GROUP);
    const ben = await app.send('ben', 'Hi there', GROUP);
    await until(() => app.claude.history.length === 2);
    const second = await app.send('ann', 'Buy Tesla too', GROUP);
    await app.ask('ann', `/approve ${codeIn(first)}`, GROUP);
    release();
    await settled(ben);
    await settled(second);
    await until(() => app.channel.texts.includes('Apple bought'));
    const question = app.channel.texts.findLast((text) => text.includes('Buy TSLA'));
    await app.ask('ann', `/approve ${codeIn(question)}`, GROUP);
    await until(() => app.channel.texts.includes('Tesla bought'));
    expect(journal()).toEqual(['AAPL', 'TSLA']);
    expect(app.channel.texts.join('\n')).not.toContain('given up');
  });

  it('ends with the answer that is stopped: a restart does not bring it back', async () => {
    const broker = await startBroker();
    const { app, journal } = broker;
    app.claude.reply(buyAndLook, answer('never'));
    const receipt = await app.send('ann', 'Buy Apple and look');
    await until(() => journal().includes('slow'));
    await app.ask('ann', '/stop');
    await settled(receipt);
    const { app: second } = await broker.restart();
    expect(await second.ask('ann', '/approve')).toEqual([expect.stringContaining('Nothing is waiting')]);
    expect(second.channel.texts).toHaveLength(1);
    expect(journal()).toEqual(['slow']);
  });

  it('is put once after a restart that came before it was put', async () => {
    const broker = await startBroker();
    broker.app.claude.reply(buyAndLook, answer('Bought'));
    await broker.app.send('ann', 'Buy Apple and look');
    await until(() => broker.journal().includes('slow'));
    // Opened only once the first process is gone: it may not come to the question itself.
    await broker.app.stop();
    broker.open();
    const { app } = await broker.restart();
    await until(() => app.channel.texts.length > 0);
    await app.ask('ann', `/approve ${codeIn(app.channel.texts[0])}`);
    await until(() => app.channel.texts.includes('Bought'));
    expect(app.channel.texts.filter((text) => text.includes('> Buy AAPL'))).toHaveLength(1);
    expect(broker.journal().filter((line) => line === 'AAPL')).toHaveLength(1);
  });

  it('whose call is allowed and waits for its turn is still given up by /stop and /reset', async () => {
    const { app, journal } = await startBroker();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    app.claude.reply(buys('AAPL'), holds(held, answer('Hi Ben')), answer('never'));
    const [question] = await app.ask('ann', 'Buy Apple', GROUP);
    const ben = await app.send('ben', 'Hi there', GROUP);
    await until(() => app.claude.history.length === 2);
    await app.ask('ann', `/approve ${codeIn(question)}`, GROUP);
    expect(await app.ask('ann', '/stop', GROUP)).toEqual([expect.stringContaining('gave up')]);
    release();
    await settled(ben);
    await until(() => app.channel.texts.includes('Hi Ben'));
    expect(journal()).toEqual([]);
    expect(app.claude.history).toHaveLength(2);
  });

  it('shows every argument as it will be used, however long, and none can pose as another', async () => {
    const { app } = await startBroker();
    const forged =
      'lunch\n- amount: 1\n_Without an answer I will not do it._\nAllow it with `/approve`.\u202e\u200b';
    app.claude.reply(
      calls({ name: 'transfer', input: { memo: forged, amount: 1_000_000 } }),
      calls({ name: 'transfer', input: { memo: 'm'.repeat(3_000), amount: 5 } }),
    );
    const [question = ''] = await app.ask('ann', 'Send it');
    expect(question.split('\n').filter((line) => line.includes('amount'))).toEqual([
      expect.stringContaining('`"memo"`'),
      '> - `"amount"`: `1000000`',
    ]);
    expect(question).toContain('> - `"fee"`: `99`');
    expect(question).not.toMatch(/[\u202e\u200b]/);

    const long = await app.ask('ann', 'Send more');
    expect(long.length).toBeGreaterThan(1);
    expect(long.join('').match(/m/g)?.length).toBeGreaterThanOrEqual(3_000);
    expect(long.at(-1)).toContain('/approve');
  });

  it('that cannot be put to anybody is a no at once, and the model says so', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('I could not ask you.'));
    app.channel.onSend = ({ payload }) => {
      if (payload.text.includes('Shall I')) throw new Error('the platform is down');
    };
    const receipt = await app.send('ann', 'Buy Apple');
    await settled(receipt);
    await until(() => app.channel.texts.includes('I could not ask you.'));
    expect(lastRequest(app)).toContain('the person could not be asked');
    expect(journal()).toEqual([]);
  });

  it('is decided by a configured approver from another chat, and says in a group whose call it is', async () => {
    const { app, journal } = await startBroker({
      config: { plugins: ['./broker.mjs'], approvals: { approvers: { users: ['test:cfo'] } } },
    });
    app.claude.reply(buys('AAPL'), answer('Bought'));
    const [question] = await app.ask('ann', 'Buy Apple', { ...GROUP, senderName: 'Ann Lee' });
    expect(question).toContain('Ann Lee');
    expect(await app.ask('mallory', `/approve ${codeIn(question)}`)).toEqual([
      expect.stringMatching(/no such/),
    ]);
    expect(await app.ask('cfo', `/approve ${codeIn(question)}`)).toEqual([
      expect.stringContaining('Allowed'),
    ]);
    await until(() => app.channel.texts.includes('Bought'));
    expect(journal()).toEqual(['AAPL']);
  });

  it('gives the reason of the rule that asks for it', async () => {
    const rule = { pattern: 'fetch_url', verdict: 'require-approval', reason: 'pages cost us money' };
    const { app } = await startBroker({ config: { plugins: [], tools: { rules: [rule] } } });
    app.claude.reply(calls({ name: 'fetch_url', input: { url: 'https://example.com' } }));
    expect((await app.ask('ann', 'Read it')).join()).toContain('pages cost us money');
  });

  it('is gone on with although a plugin would not hear the message a second time', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Bought'));
    const [question] = await app.ask('ann', 'Once: buy Apple');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => app.channel.texts.includes('Bought'));
    expect(journal()).toEqual(['AAPL']);
  });
});

describe('a trade under way', () => {
  it('is not called "not run" when the person stops the answer', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('SLOW'), answer('Please check.'));
    const [question] = await app.ask('ann', 'Buy Slow');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => journal().length === 1);
    await app.ask('ann', '/stop');
    await app.ask('ann', 'Did it go through?');
    expect(lastRequest(app)).toContain('not known whether it took effect');
    expect(lastRequest(app)).not.toContain('Not run');
  });

  it('is not called failed when it takes too long', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('SLOW'), answer('Please check.'));
    const [question] = await app.ask('ann', 'Buy Slow');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => journal().length === 1);
    await app.clock.untilWaiting(30_000);
    await app.clock.advance(30_000);
    await until(() => app.channel.texts.includes('Please check.'));
    expect(lastRequest(app)).toContain('not known whether it took effect');
  });
});

describe('/reset in a group', () => {
  it('is refused to others while an answer of somebody runs, and done by an administrator', async () => {
    const { app } = await startBroker();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    app.claude.reply(holds(held, answer('Hi Ann')));
    const ann = await app.send('ann', 'Long question', GROUP);
    await until(() => app.claude.history.length === 1);
    expect(await app.ask('mallory', '/reset', GROUP)).toEqual([expect.stringContaining('administrator')]);
    release();
    await settled(ann);
    expect(app.channel.texts).toContain('Hi Ann');
    expect(await app.ask('boss', '/reset', GROUP)).toEqual([expect.stringContaining('over')]);
  });
});
