import { describe, expect, it } from 'vitest';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { buys, calls, codeIn, startBroker } from '#test/support/broker.ts';
import {
  answer,
  startEngineApp,
  status,
  until,
  untilRead,
  withoutErrorId,
} from '#test/support/engine-app.ts';
import {
  conversationIn,
  endsIn,
  held,
  IN_GROUP,
  lastTurnOf,
  lastTurns,
  problemsOf,
  query,
  settled,
} from './gateway-support.ts';

const LOOKS = calls({ name: 'slow_look', input: {} });
const env = (mode: QueueMode): NodeJS.ProcessEnv => ({ FINCLAW_QUEUE_MODE: mode, FINCLAW_FALLBACKS: 'none' });
/** What is said of a call that is not made any more. */
const GIVEN_UP = approvalTexts('en').givenUp({ what: 'Buy AAPL' });
const PASSED_OVER = approvalTexts('en').passedOver({ what: 'Buy AAPL' });

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a picture', () => {
  it('that waits behind a turn which a restart cut reaches the model', async () => {
    const url = 'https://files/chart.png';
    const channel = { files: { [url]: Uint8Array.from(PNG) } };
    const app = await startEngineApp({ env: env('collect'), channel });
    const never = held();
    app.claude.reply(never.reply);
    await app.send('ann', 'one');
    await until(() => app.claude.history.length === 1);
    const media = [{ kind: 'image', mimeType: 'image/png', name: 'chart.png', url }] as const;
    await app.send('ann', 'What is this?', { media });
    await app.stop();
    never.letGo();
    const next = await startEngineApp({ env: env('collect'), channel, servers: app, dataDir: app.dataDir });
    await next.channel.waitForSent(2);
    expect(lastTurns(app.claude).slice(1)).toEqual([['one'], ['What is this?']]);
    expect(JSON.stringify(app.claude.history[2]?.body.messages.at(-1))).toContain('image/png');
    expect(problemsOf(app.claude)).toEqual([]);
  });
});

describe('a call that was allowed', () => {
  it('is given up in words when its person writes something else in mode interrupt before it is made', async () => {
    const { app, journal, open } = await startBroker({ env: env('interrupt') });
    app.claude.reply(buys('AAPL'), LOOKS, answer('Ben looked.'), answer('Half past three.'));
    const [question] = await app.ask('ann', 'Buy Apple', IN_GROUP);
    const ben = await app.send('ben', 'Look around', IN_GROUP);
    await until(() => journal().length === 1);
    await app.ask('ann', `/approve ${codeIn(question)}`, IN_GROUP);
    // The call waits for its turn behind Ben by then.
    await untilRead();
    const ann = await app.send('ann', 'What is the time?', IN_GROUP);
    await until(() => app.channel.texts.includes(PASSED_OVER));
    open();
    await settled(ben, ann);
    expect(app.channel.texts.slice(-2)).toEqual(['Ben looked.', 'Half past three.']);
    expect(journal()).toEqual(['slow']);
    await app.stop();
    expect(query(app.dataDir, `select status from turns where status in ('open', 'suspended')`)).toEqual([]);
    expect(query(app.dataDir, 'select status from approvals')).toEqual([{ status: 'denied' }]);
  });

  it.each(['collect', 'steer', 'steer-backlog', 'queue'] as const)(
    'is made in mode %s although a restart came between, and something else waited',
    async (mode) => {
      const first = await startBroker({ env: env(mode) });
      first.app.claude.reply(buys('AAPL'));
      await first.app.ask('ann', 'Buy Apple');
      await first.app.stop();
      // As a crash leaves it that comes between the yes and the work, while something else was just accepted.
      query(first.app.dataDir, `update approvals set status = 'approved', decided_by = 'test:ann'`);
      query(first.app.dataDir, `update inbox set status = 'pending', attempts = 0`);
      query(
        first.app.dataDir,
        `insert into inbox (id, event_id, message_id, message, channel_id, account_id, chat_id, session_key,
           agent_id, matched_by, sender_id, status, attempts, accepted_at)
         select 'zz', 'e-thanks', 'm-thanks', json_set(message, '$.body', 'Thanks!', '$.messageId', 'm-thanks'),
           channel_id, account_id, chat_id, session_key, agent_id, matched_by, sender_id, 'pending', 0, accepted_at
         from inbox`,
      );
      first.app.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
      const { app, journal } = await first.restart();
      await until(() => app.claude.history.some(({ body }) => lastTurnOf(body).includes('Thanks!')));
      await until(() => app.channel.texts.at(-1)?.includes('Thanks!') === true);
      expect(journal()).toEqual(['AAPL']);
      expect(problemsOf(app.claude)).toEqual([]);
      await app.stop();
      expect(Object.keys(endsIn(app.dataDir))).toEqual(['Buy Apple', 'Thanks!']);
      expect(endsIn(app.dataDir)['Buy Apple']).toBe('done');
    },
  );
});

describe('a turn that goes on after a yes', () => {
  it('takes up what is written while it runs, in mode steer', async () => {
    const { app, journal, open } = await startBroker({ env: env('steer') });
    app.claude.reply(buys('AAPL'), LOOKS, answer('Both then.'));
    const [question] = await app.ask('ann', 'Buy Apple');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => journal().length === 2);
    const more = await app.send('ann', 'And Tesla?');
    open();
    await settled(more);
    expect(lastTurns(app.claude)[2]).toEqual(['result looked', 'And Tesla?']);
    expect(app.channel.texts.at(-1)).toBe('Both then.');
    expect(app.claude.history).toHaveLength(3);
    expect(problemsOf(app.claude)).toEqual([]);
  });
});

describe('a question that is open', () => {
  it('is gone past by the next message in mode interrupt, and said to be', async () => {
    const { app, journal } = await startBroker({ env: env('interrupt') });
    app.claude.reply(buys('AAPL'), answer('As you like.'));
    const [question] = await app.ask('ann', 'Buy Apple');
    expect(await app.ask('ann', 'What is the time?')).toEqual(['As you like.']);
    expect(app.channel.texts).toEqual([question, PASSED_OVER, 'As you like.']);
    expect(journal()).toEqual([]);
  });
});

describe('/privacy delete', () => {
  it('while a tool runs leaves nothing of it in the next conversation', async () => {
    const { app, journal, open } = await startBroker({ env: env('collect') });
    app.claude.reply(LOOKS);
    const asked = await app.send('ann', 'My secret is heron.');
    await until(() => journal().length === 1);
    await app.ask('ann', '/privacy delete --yes');
    open();
    await settled(asked);
    expect(app.channel.texts).toContain(failureTexts('en').stopped());
    await app.ask('ann', 'Hello again');
    expect(conversationIn(app.claude.history.at(-1)?.body)).toEqual(['Hello again']);
    expect(problemsOf(app.claude)).toEqual([]);
  });

  it('closes the question that is open: a late yes finds nothing, and nothing is done', async () => {
    const { app, journal } = await startBroker({ env: env('collect') });
    app.claude.reply(buys('AAPL'));
    const [question] = await app.ask('ann', 'Buy Apple');
    await app.ask('ann', '/privacy delete --yes');
    expect(app.channel.texts).toContain(GIVEN_UP);
    expect(await app.ask('ann', `/approve ${codeIn(question)}`)).toEqual([
      expect.stringMatching(/no such|nothing/i),
    ]);
    await app.ask('ann', 'Hello again');
    expect(conversationIn(app.claude.history.at(-1)?.body)).toEqual(['Hello again']);
    expect(journal()).toEqual([]);
  });
});

describe('a turn that took messages up and fails', () => {
  it('is one sentence for all of them', async () => {
    const { app, journal, open } = await startBroker({ env: env('steer') });
    app.claude.reply(LOOKS);
    app.claude.otherwise(status(400));
    const one = await app.send('ann', 'one');
    await until(() => journal().length === 1);
    const two = await app.send('ann', 'two');
    open();
    await settled(one, two);
    expect(app.channel.texts.map(withoutErrorId)).toEqual([expect.stringContaining('(error …)')]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({ one: 'failed', two: 'merged: one' });
  });
});

describe('storage that refuses a write', () => {
  it('of the answer does not keep its sender from hearing of it', async () => {
    const first = await startEngineApp();
    await first.stop();
    query(
      first.dataDir,
      `create trigger full before insert on outbox begin select raise(abort, 'disk is full'); end`,
    );
    const app = await startEngineApp({ servers: first, dataDir: first.dataDir });
    await settled(await app.send('ann', 'one'));
    expect(app.channel.texts.map(withoutErrorId)).toEqual([expect.stringContaining('(error …)')]);
    await app.stop();
    expect(endsIn(app.dataDir)).toEqual({ one: 'failed' });
  });

  it('of what would be taken into a turn leaves both their answers', async () => {
    const first = await startBroker({ env: env('steer') });
    await first.app.stop();
    query(
      first.app.dataDir,
      `create trigger full before update of status on inbox when new.status = 'merged'
       begin select raise(abort, 'disk is full'); end`,
    );
    const { app, journal, open } = await first.restart();
    app.claude.reply(LOOKS, answer('to one'), answer('to two'));
    const one = await app.send('ann', 'one');
    await until(() => journal().length === 1);
    const two = await app.send('ann', 'two');
    open();
    await settled(one, two);
    expect(app.channel.texts).toEqual(['to one', 'to two']);
  });
});
