import { expect, it } from 'vitest';
import type { FakeSlack, Json } from './slack/api.ts';
import { post, setUpSlack, startSocket } from './slack/client.ts';
import type { FakeSlackOptions } from './slack/options.ts';

/** A fake whose events go straight into a list, in order. */
const setUp = async (options?: FakeSlackOptions) => {
  const { fake, client } = await setUpSlack(options);
  const bodies: Json[] = [];
  await startSocket(fake, ({ ack, body }) => {
    bodies.push(body);
    void ack();
  });
  /** The events that something set off, acknowledged. */
  const eventsOf = async (act: () => unknown): Promise<readonly Json[]> => {
    const before = bodies.length;
    await act();
    await fake.until(() => fake.pending.length === 0);
    return bodies.slice(before).map(({ event }) => event as Json);
  };
  return { fake, client, bodies, eventsOf };
};

const OTHER_TEAM = 'T0OTHER001';

type Act = (fake: FakeSlack) => unknown;
const said = (fake: FakeSlack) => fake.say(fake.general.id, fake.alice.id, 'first', { events: 'none' });

it.each<readonly [what: string, act: Act, event: Json | undefined]>([
  [
    'a reply',
    (fake) => fake.say(fake.general.id, fake.alice.id, 'x', { threadTs: said(fake).ts }),
    { thread_ts: expect.any(String), parent_user_id: expect.any(String) },
  ],
  [
    'a direct message',
    (fake) => fake.sayDirect(fake.alice.id, 'x', { mention: true }),
    { channel_type: 'im', text: '<@U0BOTUSER1> x' },
  ],
  [
    'an edit',
    (fake) => fake.edit(said(fake), 'second'),
    {
      subtype: 'message_changed',
      message: { text: 'second', edited: {} },
      previous_message: { text: 'first' },
    },
  ],
  [
    'a preview',
    (fake) => fake.unfurl(said(fake), [{ title: 't' }]),
    { subtype: 'message_changed', message: { text: 'first', attachments: [{ title: 't' }] } },
  ],
  [
    'a deletion',
    (fake) => fake.remove(said(fake)),
    { subtype: 'message_deleted', deleted_ts: expect.any(String), previous_message: { text: 'first' } },
  ],
  [
    'a webhook',
    (fake) => fake.say(fake.general.id, fake.alice.id, 'x', { subtype: 'bot_message' }),
    { subtype: 'bot_message', bot_id: 'B0WEBHOOK1' },
  ],
  [
    'another bot',
    (fake) => fake.say(fake.general.id, fake.addUser({ isBot: true }).id, 'x'),
    { bot_id: expect.any(String), user: expect.any(String) },
  ],
  [
    'a file',
    (fake) =>
      fake.say(fake.general.id, fake.alice.id, '', {
        files: [{ name: 'a.txt', mimetype: 'text/plain', content: 'a' }],
      }),
    { subtype: 'file_share', text: '', files: [{ name: 'a.txt', size: 1 }] },
  ],
  [
    'a stranger',
    (fake) => fake.say(fake.general.id, fake.addUser({ teamId: OTHER_TEAM }).id, 'x'),
    { team: 'T0FINCLAW1', user_team: OTHER_TEAM },
  ],
  [
    'a forward',
    (fake) =>
      fake.say(fake.general.id, fake.alice.id, '', {
        attachments: [{ is_share: true, is_msg_unfurl: true }],
      }),
    { attachments: [{ is_share: true }] },
  ],
  [
    'a reaction',
    (fake) => fake.react(fake.alice.id, said(fake), 'eyes'),
    { type: 'reaction_added', reaction: 'eyes', item: { type: 'message' } },
  ],
  [
    'a newcomer',
    (fake) => fake.join(fake.general.id, fake.addUser().id),
    { type: 'member_joined_channel', channel_type: 'C' },
  ],
  ['the home tab', (fake) => fake.openHome(fake.alice.id), { type: 'app_home_opened', tab: 'home' }],
  [
    'an assistant thread',
    (fake) => fake.openAssistant(fake.alice.id),
    { type: 'assistant_thread_started', assistant_thread: { thread_ts: expect.any(String) } },
  ],
  [
    'a place without the bot',
    (fake) => fake.say(fake.addChannel({ members: [] }).id, fake.alice.id, 'x', { mention: true }),
    undefined,
  ],
])('tells of %s', async (_what, act, event) => {
  const { fake, eventsOf } = await setUp();
  expect(await eventsOf(() => act(fake))).toMatchObject(event === undefined ? [] : [event]);
});

it('puts team, time and authorizations around an event, and a new envelope around a repeated one', async () => {
  const { fake, bodies, eventsOf } = await setUp();
  const events = await eventsOf(() => {
    const { eventIds } = fake.say(fake.general.id, fake.alice.id, 'x');
    fake.repeat(eventIds[0] ?? '');
  });
  expect(events).toHaveLength(2);
  expect(bodies[0]).toEqual(bodies[1]);
  expect(bodies[0]).toMatchObject({
    type: 'event_callback',
    team_id: fake.team.id,
    api_app_id: fake.appId,
    event_time: expect.any(Number),
    authorizations: [{ user_id: fake.bot.userId, is_bot: true }],
  });
});

it('lets the bot hear its own messages, edits and deletions', async () => {
  const { fake, client, eventsOf } = await setUp();
  const channel = fake.general.id;
  const events = await eventsOf(async () => {
    const { ts = '' } = await post(client, { channel, text: 'one' });
    await client.chat.update({ channel, ts, text: 'two' });
    await client.chat.delete({ channel, ts });
  });
  expect(events.map(({ subtype }) => subtype)).toEqual([undefined, 'message_changed', 'message_deleted']);
  expect(events[0]).toMatchObject({ bot_id: fake.bot.botId, app_id: fake.appId });
});

it('tells only what was subscribed to, and anything raw', async () => {
  const { fake, bodies, eventsOf } = await setUp({ events: ['app_mention'] });
  const events = await eventsOf(() => fake.say(fake.general.id, fake.alice.id, 'x', { mention: true }));
  expect(events.map(({ type }) => type)).toEqual(['app_mention']);

  fake.raw({ type: 'events_api', envelope_id: 'e', payload: { event: { type: 'odd' } } });
  await fake.until(() => bodies.length === 2);
  expect(bodies[1]).toEqual({ event: { type: 'odd' } });
});
