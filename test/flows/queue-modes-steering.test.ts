import { describe, expect, it } from 'vitest';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { calls, startBroker } from '#test/support/broker.ts';
import { answer, startEngineApp, until, untilRead } from '#test/support/engine-app.ts';
import {
  answersIn,
  conversationIn,
  endsIn,
  held,
  IN_GROUP,
  inMode,
  lastTurnOf,
  lastTurns,
  problemsOf,
  say,
  settled,
  startBusy,
} from './gateway-support.ts';

const LOOKS = calls({ name: 'slow_look', input: {} });
const SKIPPED = 'result Not run: skipped, for the user wrote something new.';

const busy = (mode: QueueMode, first = answer('first'), more = {}) =>
  startBusy({ env: inMode(mode) }, { first, more });

describe('mode steer', () => {
  it('takes what is written while a tool runs into the same turn, before the next model call', async () => {
    const { app, journal, open } = await startBroker({ env: inMode('steer') });
    app.claude.reply(LOOKS, answer('Tesla, as you wish.'));
    const first = await app.send('ann', 'How is Apple?', { messageId: asId<MessageId>('m-first') });
    await until(() => journal().length === 1);
    const second = await app.send('ann', 'No, Tesla!');
    const third = await app.send('ann', 'In won, please.');
    open();
    await settled(first, second, third);
    expect(lastTurns(app.claude)).toEqual([
      ['How is Apple?'],
      ['result looked', 'No, Tesla!', 'In won, please.'],
    ]);
    expect(answersIn(app)).toEqual([['m-first', 'Tesla, as you wish.']]);
    expect(app.channel.visibleReactions).toEqual([]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({
      'How is Apple?': 'done',
      'No, Tesla!': 'merged: How is Apple?',
      'In won, please.': 'merged: How is Apple?',
    });
    expect(problemsOf(app.claude)).toEqual([]);
  });

  it('skips calls that have not begun, and the model reads why', async () => {
    const { app, journal } = await startBroker({ env: inMode('steer') });
    const two = held(
      calls({ name: 'slow_look', input: {} }, { name: 'get_quote', input: { symbols: ['AAPL'] } }),
    );
    app.claude.reply(two.reply, answer('Never mind, then.'));
    const first = await app.send('ann', 'Look at Apple.');
    await until(() => app.claude.history.length === 1);
    const second = await app.send('ann', 'Never mind.');
    two.letGo();
    await settled(first, second);
    expect(journal()).toEqual([]);
    expect(lastTurns(app.claude)[1]).toEqual([SKIPPED, SKIPPED, 'Never mind.']);
    expect(app.channel.texts).toEqual(['Never mind, then.']);
    expect(problemsOf(app.claude)).toEqual([]);
  });

  it('answers what came after the last model call together, in one turn of its own', async () => {
    const { app, letGo, receipt } = await busy('steer');
    const later = [await say(app, 'two'), await say(app, 'three')];
    letGo();
    await settled(receipt, ...later);
    expect(answersIn(app)).toEqual([
      ['m-one', 'first'],
      ['m-three', 'to: two\n\nthree'],
    ]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({ one: 'done', two: 'done', three: 'merged: two' });
  });

  it('leaves the words of somebody else in the group alone', async () => {
    const { app, journal, open } = await startBroker({ env: inMode('steer') });
    app.claude.reply(LOOKS, answer('for ann'), answer('for bob'));
    const first = await say(app, 'How is Apple?', 'ann', IN_GROUP);
    await until(() => journal().length === 1);
    const second = await say(app, 'And Tesla?', 'bob', IN_GROUP);
    open();
    await settled(first, second);
    expect(lastTurns(app.claude)).toEqual([['How is Apple?'], ['result looked'], ['And Tesla?']]);
    expect(answersIn(app)).toEqual([
      ['m-How is Apple?', 'for ann'],
      ['m-And Tesla?', 'for bob'],
    ]);
  });
});

describe('mode steer-backlog', () => {
  it('steers as long as it can; what came too late gets an answer of its own', async () => {
    const { app, journal, open } = await startBroker({ env: inMode('steer-backlog') });
    const last = held(answer('Apple in won.'));
    app.claude.reply(LOOKS, last.reply);
    app.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
    const receipts = [await say(app, 'How is Apple?')];
    await until(() => journal().length === 1);
    receipts.push(await say(app, 'In won.'));
    open();
    await until(() => app.claude.history.length === 2);
    receipts.push(await say(app, 'And Tesla?'));
    last.letGo();
    await settled(...receipts);
    expect(lastTurns(app.claude).slice(1)).toEqual([['result looked', 'In won.'], ['And Tesla?']]);
    expect(answersIn(app)).toEqual([
      ['m-How is Apple?', 'Apple in won.'],
      ['m-And Tesla?', 'to: And Tesla?'],
    ]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({
      'How is Apple?': 'done',
      'In won.': 'merged: How is Apple?',
      'And Tesla?': 'done',
    });
  });

  it('answers each of several that came too late by itself', async () => {
    const { app, letGo, receipt } = await busy('steer-backlog');
    const later = [await say(app, 'two'), await say(app, 'three')];
    letGo();
    await settled(receipt, ...later);
    expect(answersIn(app)).toEqual([
      ['m-one', 'first'],
      ['m-two', 'to: two'],
      ['m-three', 'to: three'],
    ]);
  });
});

describe('mode interrupt', () => {
  it('ends the request to the model, delivers nothing of it, and answers the newest', async () => {
    const { app, receipt } = await busy('interrupt');
    const later = [await say(app, 'two'), await say(app, 'three')];
    await settled(receipt, ...later);
    await until(() => app.claude.history[0]?.wasAborted() === true);
    expect(answersIn(app)).toEqual([['m-three', 'to: three']]);
    expect(app.channel.visibleReactions).toEqual([]);
    await settled(await say(app, 'four'));
    expect(app.channel.texts.at(-1)).toBe('to: four');
    expect(problemsOf(app.claude)).toEqual([]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({
      one: expect.stringMatching(/^superseded: t/),
      two: 'superseded: three',
      three: 'done',
      four: 'done',
    });
  });

  it('lets an answer through that is on its way already', async () => {
    const app = await startEngineApp({ env: inMode('interrupt') });
    app.claude.reply(answer('first'), answer('second'));
    const release = app.channel.hangSends();
    const receipts = [await say(app, 'one')];
    await until(() => app.channel.attempts.length === 1);
    receipts.push(await say(app, 'two'));
    release();
    await settled(...receipts);
    expect(answersIn(app)).toEqual([
      ['m-one', 'first'],
      ['m-two', 'second'],
    ]);
  });

  it('in the middle of an answer and of a tool leaves a conversation that the model accepts', async () => {
    const { app, journal } = await startBroker({ env: inMode('interrupt') });
    app.claude.reply(LOOKS, { kind: 'stall', answer: { text: 'Tesla stands' } }, answer('Kia, then.'));
    const first = await say(app, 'How is Apple?');
    await until(() => journal().length === 1);
    const second = await say(app, 'How is Tesla?');
    await until(() => app.claude.history.length === 2);
    await untilRead();
    const third = await say(app, 'How is Kia?');
    await settled(first, second, third);
    expect(answersIn(app)).toEqual([['m-How is Kia?', 'Kia, then.']]);
    expect(problemsOf(app.claude)).toEqual([]);
    const said = conversationIn(app.claude.history[2]?.body);
    expect(said).toEqual([
      'How is Apple?',
      'call slow_look',
      // It may have come to its end before it heard of it.
      expect.stringMatching(/^result (?:looked$|The run ended while this was under way)/),
      expect.stringContaining('[No answer:'),
      'How is Tesla?',
      expect.stringMatching(/^Tesla stands\n\n\[Ended here:/),
      'How is Kia?',
    ]);
  });

  it('ends only what the same person asked in a group', async () => {
    const app = await startEngineApp({ env: inMode('interrupt') });
    const first = held(answer('for ann'));
    app.claude.reply(first.reply, answer('for bob'));
    const receipts = [await say(app, 'one', 'ann', IN_GROUP)];
    await until(() => app.claude.history.length === 1);
    receipts.push(await say(app, 'two', 'bob', IN_GROUP), await say(app, 'three', 'bob', IN_GROUP));
    await untilRead();
    expect(app.claude.history[0]?.wasAborted()).toBe(false);
    first.letGo();
    await settled(...receipts);
    expect(answersIn(app)).toEqual([
      ['m-one', 'for ann'],
      ['m-three', 'for bob'],
    ]);
    expect(lastTurns(app.claude)).toEqual([['one'], ['three']]);
  });
});
