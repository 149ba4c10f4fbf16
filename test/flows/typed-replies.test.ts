import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { buys, startBroker } from '#test/support/broker.ts';
import { answer, until } from '#test/support/engine-app.ts';

const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1') };
const CALLED: Partial<MsgContext> = { ...GROUP, mentionsBot: true };

describe('a typed answer to a question about a call', () => {
  it('lets it be done, however a yes is written, and is no message for the model', async () => {
    const { app, journal } = await startBroker();
    const words = ['ㅇㅇ', 'ok', 'ㅇ', '그래', '네 부탁드려요', 'sure', '👍'];
    for (const [index, yes] of words.entries()) {
      app.claude.reply(buys('AAPL'), answer(`Bought ${index}.`));
      await app.ask('ann', 'Buy Apple');
      await app.ask('ann', yes);
      expect(app.channel.texts, yes).toContain(`Bought ${index}.`);
      expect(journal()).toHaveLength(index + 1);
      expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).not.toContain(`"${yes}"`);
    }
  });

  it('leaves it undone, however a no is written', async () => {
    const { app, journal } = await startBroker();
    for (const no of ['ㄴㄴ', '아뇨', 'nope', 'no thanks', '👎']) {
      app.claude.reply(buys('AAPL'), answer('As you wish.'));
      await app.ask('ann', 'Buy Apple');
      await app.ask('ann', no);
      expect(JSON.stringify(app.claude.history.at(-1)?.body.messages.at(-1)), no).toContain(
        'the person refused it',
      );
    }
    expect(journal()).toEqual([]);
  });

  it('that is unclear is asked again with the question, as often as it takes, and is no no', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Bought.'));
    await app.ask('ann', 'Buy Apple');
    for (const words of ['maybe', '왜?', '아니 좋아', '...'])
      expect(await app.ask('ann', words), words).toEqual([
        expect.stringMatching(/\*\*yes\*\* or a \*\*no\*\*.*: Buy AAPL/),
      ]);
    expect(app.claude.history).toHaveLength(1);
    await app.ask('ann', 'ok do it');
    await until(() => app.channel.texts.includes('Bought.'));
    expect(journal()).toEqual(['AAPL']);
  });

  it.each(['네, 근데 TSLA로', 'yes but TSLA instead'])(
    '%s wants something else: the call is given up, and the model reads the words',
    async (change) => {
      const { app, journal } = await startBroker();
      app.claude.reply(buys('AAPL'), answer('Tesla, then.'));
      await app.ask('ann', 'Buy Apple');
      await app.ask('ann', change);
      await until(() => app.channel.texts.includes('Tesla, then.'));
      expect(app.channel.texts.at(-2)).toMatch(/Skipped: Buy AAPL.*again/);
      expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).toContain(change);
      expect(journal()).toEqual([]);
    },
  );

  it('that was given up is asked once more after "again", and not done before that', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Fine weather.'), buys('AAPL'), answer('Bought.'));
    await app.ask('ann', 'Buy Apple');
    await app.ask('ann', 'How is the weather?');
    const [question] = await app.ask('ann', 'Again!');
    expect(question).toContain('Buy AAPL');
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages.at(-1))).toContain('Buy Apple');
    expect(journal()).toEqual([]);
    await app.ask('ann', '네');
    await until(() => app.channel.texts.includes('Bought.'));
    expect(journal()).toEqual(['AAPL']);
  });

  it('that comes after its time is told so once, and goes to no model', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Nobody decided.'), answer('Yes what?'));
    await app.ask('ann', 'Buy Apple');
    await app.clock.advance(600_001);
    await until(() => app.channel.texts.includes('Nobody decided.'));
    await app.clock.advance(3 * 3_600_000);
    expect(await app.ask('ann', 'yes')).toEqual([expect.stringMatching(/Time is up.*Buy AAPL.*again/)]);
    expect(app.claude.history).toHaveLength(2);
    expect(await app.ask('ann', 'yes'), 'of what came since, the model is asked').toEqual(['Yes what?']);
    expect(journal()).toEqual([]);
  });

  it('while two questions are open asks which one is meant, and a number answers that', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL', 'TSLA'), answer('Done.'));
    await app.ask('ann', 'Buy both');
    expect(await app.ask('ann', '네')).toEqual([expect.stringContaining('1. Buy AAPL\n2. Buy TSLA')]);
    expect(journal()).toEqual([]);
    await app.ask('ann', '두번째');
    await app.ask('ann', 'no');
    await until(() => app.channel.texts.includes('Done.'));
    expect(journal()).toEqual(['TSLA']);
  });

  it('to each of two questions is one answer, and nobody else gives it', async () => {
    const { app, journal } = await startBroker();
    for (const [index, [words, ...before]] of [
      ['yes to both'],
      ['둘 다', '네'],
      ['all', 'yes'],
      ['both'],
      ['no to both'],
      ['both', 'no'],
      ['둘 다 거절'],
    ].entries()) {
      // After a refusal nothing is done.
      const closing = `${index < 4 ? 'Done' : 'Left'} ${index}.`;
      app.claude.reply(buys('AAPL', 'TSLA'), answer(closing));
      await app.ask('ann', 'Buy two');
      for (const said of before) await app.ask('ann', said);
      await app.ask('ann', words ?? '');
      await until(() => app.channel.texts.includes(closing));
      expect(journal(), words).toHaveLength(2 * Math.min(index + 1, 4));
    }
    app.claude.reply(buys('AAPL', 'TSLA'), answer('Left.'));
    await app.ask('ann', 'Buy two', CALLED);
    expect((await app.send('ben', 'yes to both', GROUP)).outcome).toBe('dropped');
    expect((await app.send('ann', 'both', GROUP)).outcome, 'said to others').toBe('dropped');
    expect(journal()).toHaveLength(8);
    await app.ask('ann', 'no to both', GROUP);
    await until(() => app.channel.texts.includes('Left.'));
    expect(journal()).toHaveLength(8);
  });

  it('counts from its asker alone, who need not call the bot by name in a group', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Bought.'));
    await app.ask('ann', 'Buy Apple', CALLED);
    expect((await app.send('ben', 'yes', GROUP)).outcome).toBe('dropped');
    expect((await app.send('ann', 'hmm', GROUP)).outcome, 'said to others').toBe('dropped');
    expect(journal()).toEqual([]);
    await app.ask('ann', 'yes', GROUP);
    await until(() => app.channel.texts.includes('Bought.'));
    expect(journal()).toEqual(['AAPL']);
  });

  it('of somebody else who calls the bot decides nothing and gives nothing up', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Hello Ben.'), answer('Bought.'));
    await app.ask('ann', 'Buy Apple', CALLED);
    expect(await app.ask('ben', '네', CALLED)).toEqual(['Hello Ben.']);
    expect(journal()).toEqual([]);
    await app.ask('ann', 'ㅇㅇ', GROUP);
    await until(() => app.channel.texts.includes('Bought.'));
    expect(journal()).toEqual(['AAPL']);
  });

  it('of somebody else in a thread is not taken up when it is read again after the decision', async () => {
    const { app, journal } = await startBroker();
    const inThread = { ...GROUP, threadId: asId<ThreadId>('T1') };
    app.claude.reply(buys('AAPL'), answer('Bought.'));
    await app.ask('ann', 'Buy Apple', { ...inThread, mentionsBot: true, timestamp: app.clock.now() });
    await app.clock.advance(1_000);
    const aside = { ...inThread, timestamp: app.clock.now(), messageId: asId<MessageId>('aside') };
    expect(await app.send('bob', 'yes', aside)).toMatchObject({ outcome: 'dropped' });
    await app.clock.advance(1_000);
    await app.ask('ann', 'yes', { ...inThread, timestamp: app.clock.now() });
    await until(() => app.channel.texts.includes('Bought.'));
    expect(await app.send('bob', 'yes', aside)).toMatchObject({ outcome: 'dropped' });
    await app.clock.advance(1_000);
    // What is said after the decision is talk in the thread.
    const later = await app.send('bob', 'yes', { ...inThread, timestamp: app.clock.now() });
    expect([later.outcome, journal()]).toEqual(['accepted', ['AAPL']]);
  });

  it('is understood after a restart', async () => {
    const first = await startBroker();
    first.app.claude.reply(buys('AAPL'), answer('Bought.'));
    await first.app.ask('ann', 'Buy Apple');
    const { app, journal } = await first.restart();
    await app.ask('ann', 'ㅇㅇ');
    await until(() => app.channel.texts.includes('Bought.'));
    expect(journal()).toEqual(['AAPL']);
  });
});

describe('what is typed in the place of a button', () => {
  it('picks from the companies that were just listed', async () => {
    const { app } = await startBroker();
    const [list = ''] = await app.ask('ann', '/price 현대');
    const choices = app.channel.sent.at(-1)?.payload.choices ?? [];
    expect(choices.length, list).toBeGreaterThan(1);
    const [picked] = await app.ask('ann', '두번째');
    const code = /\d{6}/.exec(choices[1]?.command ?? '')?.[0] ?? 'none';
    expect(picked, 'in the language of the question').toMatch(new RegExp(`현대.*${code}`));
    expect(app.claude.history).toEqual([]);
  });

  it('says yes or no to what a command asked, and is a message once something else was said', async () => {
    const { app } = await startBroker();
    app.claude.reply(answer('Hello.'));
    await app.ask('ann', '/watch 삼성전자');
    await app.ask('ann', '/watch clear');
    await app.ask('ann', 'ㄴㄴ');
    expect((await app.ask('ann', '/watch')).join()).toContain('005930');
    expect(await app.ask('ann', '네'), 'the question is gone').toEqual(['Hello.']);
    await app.ask('ann', '/watch clear');
    await app.ask('ann', '네');
    expect((await app.ask('ann', '/watch')).join()).not.toContain('005930');
  });

  it('sets an alert far from the price after a yes', async () => {
    const { app } = await startBroker();
    await app.ask('ann', '/alert AAPL > 20000');
    await app.ask('ann', 'ㅇㅇ');
    expect((await app.ask('ann', '/alerts')).join()).toContain('$20,000.00');
    expect(app.claude.history).toEqual([]);
  });

  it('in a group confirms what a command asked only when the bot is called by name', async () => {
    const { app } = await startBroker();
    await app.ask('ann', '/watch 삼성전자');
    await app.ask('ann', '/watch clear', CALLED);
    for (const words of ['네', 'no']) expect((await app.send('ann', words, GROUP)).outcome).toBe('dropped');
    expect((await app.ask('ann', '/watch')).join()).toContain('005930');
    await app.ask('ann', '/watch clear', CALLED);
    await app.ask('ann', '네', CALLED);
    expect((await app.ask('ann', '/watch')).join()).not.toContain('005930');
  });
});
