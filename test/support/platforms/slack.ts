import { createSlackChannel } from '#channels/slack/adapter.ts';
import { EVENTS_PATH, type SlackSettings } from '#channels/slack/settings.ts';
import type { FakeChannel, FakeSlack, InteractionHandle, Json, SeenMessage } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import type { FakeSlackOptions } from '#test/fakes/slack/options.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { freePort } from '#test/support/database.ts';
import type { Call, ConnectOptions, Place, Platform, PlatformKit, Said, Seen } from './driver.ts';

/** With the fake itself, for what only Slack has. */
export interface SlackPlatform extends Platform {
  readonly fake: FakeSlack;
}

export interface SlackConnectOptions extends ConnectOptions {
  /** After so long without an answer the bot takes a socket for dead. Default: 5,000, as what is pressed while a busy machine makes a new one is lost. */
  readonly pingTimeoutMs?: number;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Text as it goes over the wire. */
const encoded = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const buttonsIn = ({
  blocks,
}: SeenMessage): readonly { readonly label: string; readonly actionId: string }[] =>
  blocks
    .flatMap((block) => list(block['elements']))
    .filter(({ type }) => type === 'button')
    .map((button) => ({ label: text(object(button['text'])['text']), actionId: text(button['action_id']) }));

/** Slack draws them as thumbs, beside the other buttons. */
const thumbsIn = ({ blocks }: SeenMessage) =>
  blocks
    .flatMap((block) => list(block['elements']))
    .filter(({ type }) => type === 'feedback_buttons')
    .flatMap((thumbs) =>
      [['👍', 'positive_button'] as const, ['👎', 'negative_button'] as const].map(([label, half]) => ({
        label,
        actionId: text(thumbs['action_id']),
        action: { value: text(object(thumbs[half])['value']) },
      })),
    );

/** Somebody else was faster, which is no harm; or the bot looks whether something is there. */
const HARMLESS: ReadonlySet<string | undefined> = new Set([
  'already_reacted',
  'no_reaction',
  'message_not_found',
  'thread_not_found',
]);

const offencesIn = ({ history }: FakeSlack): readonly string[] => [
  ...entriesOf(history, 'offence').map(({ rule, detail }) => `${rule}: ${detail}`),
  ...entriesOf(history, 'response')
    .filter(({ error, status }) => error !== undefined && status !== 429 && !HARMLESS.has(error))
    .map(({ method, error }) => `${method}: ${error}`),
  ...entriesOf(history, 'unacked')
    .filter(({ envelopeType }) => envelopeType !== 'events_api')
    .map(({ what }) => `never acknowledged: ${what}`),
];

const channelOf = ({ id, room }: Place): string => room ?? id;
const threadOf = ({ id, room }: Place) => (room === undefined ? {} : { threadTs: id });
const placeOf = ({ channel, threadTs }: SeenMessage): Place => {
  if (threadTs !== undefined) return { id: threadTs, kind: 'thread', room: channel };
  return { id: channel, kind: channel.startsWith('D') ? 'direct' : 'room' };
};

export const openSlack = async (
  options: FakeSlackOptions = {},
  { startWaitMs = 5_000, pingTimeoutMs = 5_000 }: SlackConnectOptions = {},
): Promise<SlackPlatform> => {
  const fake = await startFakeSlack(options);
  const channels = new Map<string, FakeChannel>();

  /** Who speaks in a room is in it. */
  const enter = (place: Place, user: string): string => {
    const id = channelOf(place);
    const { kind, members } = channels.get(id) ?? { kind: 'im', members: [] };
    if (kind !== 'im' && !members.includes(user))
      channels.set(id, fake.changeChannel(id, { members: [...members, user] }));
    return id;
  };

  const addPerson: Platform['addPerson'] = (name, { locale = 'en', runsServer = false, timeZone } = {}) => {
    const user = fake.addUser({
      name,
      realName: name,
      locale: locale === 'ko' ? 'ko-KR' : 'en-US',
      isAdmin: runsServer,
      ...(timeZone !== undefined && { tz: timeZone }),
    });
    return { id: user.id, name };
  };
  const seen = (message: SeenMessage): Seen => ({
    id: message.ts,
    place: placeOf(message),
    text: message.rendered,
    // The title of a card is a header, or a link.
    cards: message.blocks.filter(
      ({ type, text: title }) => type === 'header' || text(object(title)['text']).startsWith('*<https:'),
    ).length,
    isPrivate: message.ephemeralFor !== undefined,
    isUnderWay: message.streaming === 'streaming',
    // What cannot be pressed any more is gone.
    buttons: [...buttonsIn(message), ...thumbsIn(message)].map(({ label }) => ({ label, isEnabled: true })),
    pings: fake.pinged(message),
    rings: fake.rung(message),
    files: message.files.map(({ name }) => name),
  });
  const called = (user: string, handle: InteractionHandle): Call => ({
    acknowledgedAfterMs: () => handle.acknowledgedAfterMs,
    form: () => {
      const view = fake.viewOf(handle)?.view;
      return view && list(view['blocks']).map((block) => text(object(block['label'])['text']));
    },
    fillIn: (values) => {
      const view = fake.viewOf(handle);
      if (!view) throw new Error('There is no form to fill in');
      const inputs = list(view.view['blocks']).filter(({ type }) => type === 'input');
      const filled = inputs.map((block, index) => [
        text(block['block_id']),
        { [text(object(block['element'])['action_id'])]: values[index] ?? '' },
      ]);
      return called(user, fake.submitView(user, view, Object.fromEntries(filled)));
    },
  });
  const boss = addPerson('boss');

  return {
    fake,
    env: {
      SLACK_BOT_TOKEN: fake.botToken,
      SLACK_API_URL: fake.apiUrl,
      ...(options.requestUrl === undefined
        ? { SLACK_APP_TOKEN: fake.appToken }
        : { SLACK_SIGNING_SECRET: fake.signingSecret, SLACK_PORT: new URL(options.requestUrl).port }),
    },
    openChannel: async ({ config, clock, logger }) => {
      const slack = config.platforms['slack'] as SlackSettings | undefined;
      if (!slack) throw new Error('Slack is not configured');
      const settings = { ...slack, startWaitMs, pingTimeoutMs };
      return createSlackChannel({ settings, clock, logger, locale: config.locale });
    },
    isSetUp: () => true,
    boss,
    addPerson,
    addRoom: (name) => {
      const channel = fake.addChannel({ name });
      channels.set(channel.id, channel);
      return { id: channel.id, kind: 'room' };
    },
    direct: ({ id }) => ({ id: fake.directOf(id).id, kind: 'direct' }),
    leave: ({ id }, room) => {
      const { members } = channels.get(room.id) ?? { members: [] };
      channels.set(room.id, fake.changeChannel(room.id, { members: members.filter((user) => user !== id) }));
    },
    callIntoThread: ({ id }, room, words) => {
      const { ts, channel } = fake.say(enter(room, id), id, encoded(words), { mention: true });
      return { id: ts, place: { id: ts, kind: 'thread', room: channel } };
    },
    openThread: ({ id }, room, words) => {
      const root = fake.say(enter(room, id), id, 'Let us talk about it below.');
      const place: Place = { id: root.ts, kind: 'thread', room: root.channel };
      return { id: fake.say(root.channel, id, encoded(words), threadOf(place)).ts, place };
    },
    threadOn: (_person, { id, place }) =>
      place.kind === 'thread' ? place : { id, kind: 'thread', room: place.id },
    say: ({ id }, place, words, { mention = false, files = [] } = {}) => {
      const { ts } = fake.say(enter(place, id), id, encoded(words), {
        ...threadOf(place),
        mention,
        files: files.map(({ name, mimeType, bytes, spokenMs }) => ({
          name,
          mimetype: mimeType,
          content: bytes,
          ...(spokenMs !== undefined && { clip: { durationMs: spokenMs } }),
        })),
      });
      return { id: ts, place } satisfies Said;
    },
    replyTo: ({ id }, to, words) => {
      const place: Place =
        to.place.kind === 'thread' ? to.place : { id: to.id, kind: 'thread', room: to.place.id };
      return { id: fake.say(enter(place, id), id, encoded(words), threadOf(place)).ts, place };
    },
    edit: ({ id, place }, words) => void fake.edit({ channel: channelOf(place), ts: id }, encoded(words)),
    remove: ({ id, place }) => void fake.remove({ channel: channelOf(place), ts: id }),
    call: ({ id }, place, name, values = {}) => {
      const [command, ...words] = name.split(' ');
      const typed = [...words, ...Object.values(values)].join(' ');
      return called(id, fake.command(id, enter(place, id), `/${command}`, encoded(typed)));
    },
    press: ({ id }, shown, label) => {
      const ref = { channel: enter(shown.place, id), ts: shown.id };
      const message = fake.messageAt(ref);
      const thumb = message && thumbsIn(message).find((each) => each.label === label);
      if (thumb) return called(id, fake.press(id, ref, thumb.actionId, thumb.action));
      const button = message && buttonsIn(message).find((each) => each.label === label);
      return called(id, fake.press(id, ref, button?.actionId ?? label));
    },
    suggestions: () => {
      throw new Error('Slack completes nothing: the case needs an ability that is not there.');
    },
    seenBy: ({ id }, place) =>
      fake
        .botMessagesIn(channelOf(place))
        .filter(({ ephemeralFor }) => ephemeralFor === undefined || ephemeralFor === id)
        .filter(({ threadTs }) => place.kind !== 'thread' || threadTs === place.id)
        .map(seen),
    statusFor: ({ id, place }) => fake.statusOf(channelOf(place), place.kind === 'thread' ? place.id : id),
    statusesSeen: () => entriesOf(fake.history, 'status').map(({ status }) => status),
    offences: () => offencesIn(fake),
    close: fake.close,
  };
};

export const slackKit: PlatformKit = {
  name: 'slack',
  can: {
    rooms: true,
    calls: true,
    buttons: true,
    cards: true,
    replies: true,
    directThreads: true,
    threadTitles: false,
    edits: true,
    typedOptions: false,
    status: 'words',
    stream: true,
    files: true,
  },
  open: () => openSlack(),
};

/** Slack in HTTP mode: it sends requests to the bot. */
export const openSlackOverHttp = async (options: FakeSlackOptions = {}): Promise<SlackPlatform> =>
  openSlack({ requestUrl: `http://127.0.0.1:${await freePort()}${EVENTS_PATH}`, ...options });
