import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mediaOf, readMessageEvent } from '#channels/slack/receive/inbound.ts';
import { readMessageFields } from '#channels/slack/wire.ts';
import { createRandom } from '#test/faults/random.ts';
import { freePort } from '#test/support/database.ts';
import { counted, mutated } from '#test/support/mutations.ts';
import { setUpChannel, type SlackSetUp } from './fixture.ts';
import { type Generated, slackEvents } from './generated.ts';

/** The events that an app can subscribe to, and what Slack sends beside them. */
const EVENTS =
  `app_context_changed app_deleted app_home_opened app_installed app_mention app_rate_limited app_requested
  app_uninstalled app_uninstalled_team assistant_thread_context_changed assistant_thread_started call_rejected
  channel_archive channel_created channel_deleted channel_history_changed channel_id_changed channel_left channel_rename
  channel_shared channel_unarchive channel_unshared dnd_updated dnd_updated_user email_domain_changed emoji_changed
  entity_details_requested file_change file_comment_added file_comment_deleted file_comment_edited file_created
  file_deleted file_public file_shared file_unshared function_executed grid_migration_finished grid_migration_started
  group_archive group_close group_deleted group_history_changed group_left group_open group_rename group_unarchive
  im_close im_created im_history_changed im_open invite_requested link_shared member_joined_channel
  member_left_channel message message.app_home message_metadata_deleted message_metadata_posted
  message_metadata_updated pin_added pin_removed reaction_added reaction_removed resources_added resources_removed
  scope_denied scope_granted shared_channel_invite_accepted shared_channel_invite_approved
  shared_channel_invite_declined shared_channel_invite_received shared_channel_invite_requested star_added
  star_removed subteam_created subteam_members_changed subteam_self_added subteam_self_removed subteam_updated
  team_access_granted team_access_revoked team_domain_change team_join team_rename tokens_revoked url_verification
  user_change user_connection user_huddle_changed user_profile_changed user_resource_denied user_resource_granted
  user_resource_removed user_status_changed workflow_deleted workflow_published workflow_step_deleted
  workflow_step_execute workflow_unpublished no_such_event`.split(/\s+/u);

const INTERACTIONS = `block_actions block_suggestion message_action shortcut view_submission view_closed
  dialog_submission interactive_message workflow_step_edit no_such_interaction`.split(/\s+/u);

const TS = '1355517523.000005';
const FILE = {
  id: 'F1',
  name: 'a.csv',
  mimetype: 'text/csv',
  size: 9,
  url_private: 'https://files.slack.com/a',
};
const MESSAGE = {
  user: 'U2147483697',
  text: 'Hello',
  ts: TS,
  thread_ts: TS,
  files: [FILE],
  attachments: [{ is_share: true, text: 'before', author_id: 'U1', files: [FILE] }],
  blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }],
  metadata: { event_type: 'x', event_payload: { delivery_id: 'd' } },
};
/** Every field that anything reads of an event or an interaction. */
const FIELDS: Readonly<Record<string, unknown>> = {
  ...MESSAGE,
  channel: 'C012AB3CD',
  channel_type: 'channel',
  subtype: 'message_changed',
  message: MESSAGE,
  previous_message: { ...MESSAGE, text: 'before' },
  deleted_ts: TS,
  inviter: 'U1',
  tab: 'home',
  assistant_thread: { user_id: 'U1', channel_id: 'D1', thread_ts: TS, context: {} },
  team: { id: 'T1' },
  container: { channel_id: 'C012AB3CD', thread_ts: TS, is_ephemeral: false },
  view: {
    id: 'V1',
    type: 'modal',
    callback_id: 'finclaw_form',
    private_metadata: '{}',
    state: { values: {} },
  },
  actions: [{ type: 'button', action_id: 'finclaw_choice_0', block_id: 'b', value: '/price AAPL' }],
  callback_id: 'finclaw_ask',
  trigger_id: 't',
  response_url: 'http://127.0.0.1:1/',
  command: '/price',
  user_id: 'U1',
  channel_id: 'C012AB3CD',
};
const each = (change: (value: unknown) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [name, change(value)]));

const SHAPES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'nothing in it': {},
  'all fields': FIELDS,
  'all fields null': each(() => null),
  'all fields of a wrong type': each((value) => (typeof value === 'string' ? { id: 7 } : 'words')),
  'lists in place of all fields': each((value) => [null, value, 7, [[]]]),
};

/** Envelopes whose payload is not what belongs there. */
const PAYLOADS: readonly unknown[] = [
  {},
  null,
  [],
  7,
  'words',
  { type: 'event_callback', event: null },
  { type: 'event_callback', event: [] },
  { type: 'event_callback', event: 'message' },
  { type: 'event_callback', event: {}, authorizations: [null, 7, {}] },
  { type: 'event_callback', event: { type: 7 }, authorizations: {} },
  { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1_518_467_820, api_app_id: 'A1' },
];

const SEED = 46;
const AT_ONCE = 50;
/** Each field may be looked at for several purposes. */
const STEPS_A_FIELD = 20;

const goesOn = async ({ fake, host }: SlackSetUp): Promise<void> => {
  const asked = fake.sayDirect(fake.alice.id, 'still there?');
  await fake.until(() => fake.pending.length === 0, {
    what: 'everything acknowledged',
    timeoutMs: 60_000,
  });
  // A request that a slow machine acknowledges too late is read all the same.
  await fake.until(() => host.received.some(({ id }) => id === asked.ts), { what: 'the next message' });
  // Bolt itself cannot read every command and interaction; those are acknowledged all the same.
  expect(host.failedEvents).not.toContain('events_api');
};

describe.each(['a socket', 'HTTP'])('whatever comes over %s', (transport) => {
  const setUp = async (): Promise<SlackSetUp> =>
    setUpChannel({
      fake: { redeliverAfterMs: [] },
      ...(transport === 'HTTP' ? { httpPort: await freePort() } : {}),
    });

  it.each(Object.keys(SHAPES))('is acknowledged, and the next message is read: %s', async (shape) => {
    const bot = await setUp();
    for (const type of EVENTS) bot.fake.event({ ...SHAPES[shape], type });
    for (const type of INTERACTIONS) bot.fake.deliver('interactive', { ...SHAPES[shape], type });
    if (transport === 'a socket' || shape === 'nothing in it')
      bot.fake.deliver('slash_commands', { ...SHAPES[shape] });
    await goesOn(bot);
  });

  it('is acknowledged although it is no payload, and the next message is read', async () => {
    const bot = await setUp();
    const kinds = ['events_api', 'interactive', 'slash_commands'] as const;
    // Over HTTP, a payload that is no object is malformed: nobody can say what it should have been.
    if (transport === 'a socket')
      for (const payload of PAYLOADS) for (const kind of kinds) bot.fake.deliver(kind, payload);
    else for (const payload of PAYLOADS.slice(5)) bot.fake.deliver('events_api', payload);
    await goesOn(bot);
    expect(bot.records().map(({ message }) => message)).toContain(
      'Slack holds events back: the app gets more than it may in an hour',
    );
  });

  it(
    'is read as documented, and with fields changed: 1,000 generated ones',
    { timeout: 300_000 },
    async () => {
      const bot = await setUpChannel({
        // On a busy machine a socket may be lost, and what it carried comes again.
        fake: { redeliverAfterMs: [5_000, 5_000, 5_000], ackTimeoutMs: 60_000 },
        ...(transport === 'HTTP' ? { httpPort: await freePort() } : {}),
      });
      const { fake, host } = bot;
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      onTestFinished(() => void process.off('unhandledRejection', note));
      const sendAll = async (some: readonly Generated[]): Promise<void> => {
        for (let at = 0; at < some.length; at += AT_ONCE) {
          for (const { kind, payload } of some.slice(at, at + AT_ONCE))
            if (kind === 'events_api') fake.event(payload);
            else fake.deliver(kind, payload);
          await fake.until(() => fake.pending.length === 0, { what: 'all acknowledged', timeoutMs: 60_000 });
        }
      };

      // Half of them over each transport.
      const all = fc.sample(slackEvents(fake), { numRuns: 1_000, seed: SEED });
      const events = transport === 'HTTP' ? all.slice(500) : all.slice(0, 500);
      await sendAll(events);
      await goesOn(bot);
      expect(host.failedEvents).toEqual([]);
      const said = events.flatMap(({ kind, payload }) => {
        const { type } = payload;
        const read = kind === 'events_api' ? readMessageEvent(readMessageFields(payload)) : undefined;
        const isMessage = type === 'message' || type === 'app_mention';
        return isMessage && read?.kind === 'said' ? [read.said.ts] : [];
      });
      const received = new Set(host.received.map(({ id }): string => id));
      expect(said.filter((ts) => !received.has(ts))).toEqual([]);
      expect(said.length).toBeGreaterThan(150);

      const random = createRandom(SEED);
      await sendAll(events.map(({ kind, payload }) => ({ kind, payload: mutated(payload, random) })));
      await goesOn(bot);
      expect(unhandled).toEqual([]);
    },
  );
});

it('no generated message is read in more steps than it has fields', async () => {
  const { fake } = await setUpChannel({ isStarted: false });
  const random = createRandom(SEED);
  for (const { payload } of fc.sample(slackEvents(fake), { numRuns: 500, seed: SEED })) {
    const { value, reads, size } = counted(mutated(payload, random));
    const read = readMessageEvent(readMessageFields(value));
    if (read.kind === 'said') mediaOf(read.said.message);
    expect(reads()).toBeLessThan(STEPS_A_FIELD * (size + 100));
  }
});

it('frames that are no envelopes are counted, and the next message is read', async () => {
  const bot = await setUpChannel();
  const unreadable = [null, { type: 'events_api', payload: null }, { type: 'events_api' }];
  for (const frame of [...unreadable, 7, 'words', [], {}, { type: null }, { type: 'hello' }])
    bot.fake.raw(frame);
  const asked = bot.fake.sayDirect(bot.fake.alice.id, 'still there?');
  await bot.fake.until(() => bot.host.received.some(({ id }) => id === asked.ts));
  expect(bot.host.failedEvents).toEqual(unreadable.map(() => 'a frame'));
});
