import { expect, it } from 'vitest';
import { setUpSlack, startBolt } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

it('brings a mention to Bolt as two events about one message, and shows its answer in the thread', async () => {
  const { fake } = await setUpSlack();
  const heard: unknown[] = [];
  await startBolt(fake, (app) => {
    app.event('app_mention', async ({ event, body, say }) => {
      heard.push([event.type, event.ts, body.event_id]);
      await say({ text: `Hello <@${event.user ?? ''}> &amp; all`, thread_ts: event.ts });
    });
    app.message(async ({ message, body }) => {
      if (!('bot_id' in message)) heard.push([message.type, message.ts, body.event_id]);
    });
  });

  const said = fake.say(fake.general.id, fake.alice.id, 'price of AAPL?', { mention: true });
  await fake.until(() => fake.botMessagesIn(fake.general.id).length > 0 && fake.pending.length === 0);

  expect(heard).toEqual([
    ['message', said.ts, said.eventIds[0]],
    ['app_mention', said.ts, said.eventIds[1]],
  ]);
  expect(fake.messagesIn(fake.general.id, said.ts).map(({ rendered }) => rendered)).toEqual([
    '@finclaw price of AAPL?',
    'Hello @alice & all',
  ]);
  expect(fake.messagesIn(fake.general.id)).toHaveLength(1);
  expect(entriesOf(fake.history, 'offence')).toEqual([]);
});

it('carries a command to Bolt and keeps who saw each of its answers', async () => {
  const { fake } = await setUpSlack();
  await startBolt(fake, (app) => {
    app.command('/price', async ({ ack, respond, command }) => {
      await ack({ text: 'one moment' });
      await respond({ text: `${command.text}: 1`, response_type: 'in_channel' });
    });
  });

  const handle = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
  await fake.until(() => handle.answers.length === 2);

  expect(handle.answers).toMatchObject([
    { via: 'ack', forWhom: { user: fake.alice.id }, rendered: 'one moment' },
    { via: 'response_url', forWhom: 'everyone', rendered: 'AAPL: 1' },
  ]);
  expect(handle.acknowledgedAfterMs).toBeLessThan(1_000);
});
