import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { buys, codeIn, startBroker } from '#test/support/broker.ts';
import { answer, type EngineApp, until } from '#test/support/engine-app.ts';

const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true };

const refusals = ({ claude }: EngineApp): readonly (string | undefined)[] =>
  claude.history.filter(({ outcome }) => outcome === 'refused').map(({ problem }) => problem);

describe('a conversation of several people in which one call waits for a word', () => {
  it('goes on for the others, and the call keeps its place for its asker', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Hello Ben.'), answer('Bought, Ann.'), answer('All told.'));
    const [question] = await app.ask('ann', 'Buy Apple', GROUP);
    expect(question).toContain('Buy AAPL');

    expect(await app.ask('ben', 'Hi there', GROUP)).toEqual(['Hello Ben.']);
    expect(
      JSON.stringify(app.claude.history[1]?.body.messages),
      'of what waits nothing is seen',
    ).not.toContain('Buy Apple');
    expect(journal()).toEqual([]);

    await app.ask('ann', `/approve ${codeIn(question)}`, GROUP);
    await until(() => app.channel.texts.includes('Bought, Ann.'));
    expect(journal()).toEqual(['AAPL']);

    expect(await app.ask('ben', 'What happened?', GROUP)).toEqual(['All told.']);
    expect(refusals(app)).toEqual([]);
    const last = JSON.stringify(app.claude.history.at(-1)?.body.messages);
    expect(last.indexOf('Hi there')).toBeLessThan(last.indexOf('Buy Apple'));
    expect(last).toContain('bought AAPL');
  });

  it('is ended by /reset together with what waits in it', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL'), answer('Fresh.'));
    const [question] = await app.ask('boss', 'Buy Apple', GROUP);
    await app.ask('boss', '/reset', GROUP);
    expect(await app.ask('boss', `/approve ${codeIn(question)}`, GROUP)).toEqual([
      expect.stringMatching(/no such|nothing/i),
    ]);
    expect(await app.ask('boss', 'Hello', GROUP)).toEqual(['Fresh.']);
    expect(journal()).toEqual([]);
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).not.toContain('Buy Apple');
  });

  it('two calls of one answer are both asked about, and run when both are decided', async () => {
    const { app, journal } = await startBroker();
    app.claude.reply(buys('AAPL', 'TSLA'), answer('One of two.'));
    const questions = await app.ask('ann', 'Buy both');
    expect(questions).toHaveLength(2);
    await app.ask('ann', `/approve ${codeIn(questions[1])}`);
    expect(journal()).toEqual([]);
    await app.ask('ann', `/deny ${codeIn(questions[0])}`);
    await until(() => app.channel.texts.includes('One of two.'));
    expect(journal()).toEqual(['TSLA']);
    expect(refusals(app)).toEqual([]);
  });
});

describe('a trade that had begun when the process ended', () => {
  it('is not repeated; the model is told that nobody knows', async () => {
    const first = await startBroker();
    const { app, journal } = first;
    app.claude.reply(buys('SLOW'), answer('Please check with your broker.'));
    const [question] = await app.ask('ann', 'Buy Slow Inc.');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => journal().length === 1);

    const { app: second } = await first.restart();
    await second.channel.waitForSent(1);
    expect(second.channel.texts).toEqual(['Please check with your broker.']);
    expect(journal()).toEqual(['SLOW']);
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).toContain(
      'not known whether it took effect',
    );
  });
});
