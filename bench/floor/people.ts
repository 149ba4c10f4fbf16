import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { countHeartbeats } from './heartbeats.ts';
import type { Census, PlatformSettings } from './load.ts';

/** Who asks what, and where. */
interface Words {
  readonly place: number;
  readonly person: number;
  readonly text: string;
  readonly isNew: boolean;
}

export interface People {
  readonly env: Readonly<Record<string, string>>;
  readonly ask: (words: Words) => void;
  /** Every message of the bot, as it is now. */
  readonly said: () => readonly string[];
  readonly heartbeats: () => Pick<Census, 'heartbeats' | 'missedHeartbeats'>;
}

export interface Watcher {
  readonly onCall: (method: string) => void;
  /** People in this place see that the bot is there. */
  readonly onSign: (place: number) => void;
  /** This is what a message of the bot now says there. */
  readonly onShown: (place: number, text: string) => void;
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

const SLACK_SIGNS: ReadonlySet<string> = new Set([
  'reactions.add',
  'assistant.threads.setStatus',
  'chat.startStream',
]);
const SLACK_SHOWN: ReadonlySet<string> = new Set([
  'posted',
  'updated',
  'stream-started',
  'stream-appended',
  'stream-stopped',
]);

export const openSlack = async (
  settings: PlatformSettings,
  { onCall, onSign, onShown }: Watcher,
): Promise<People> => {
  const fake = await startFakeSlack({ callDelayMs: settings.callDelayMs });
  const places = new Map<string, number>();
  fake.onMoment(({ name, method = '', channel = '', ts = '' }) => {
    const place = places.get(channel) ?? -1;
    if (name === 'request') onCall(method);
    if (name === 'responding' && SLACK_SIGNS.has(method)) onSign(place);
    if (!SLACK_SHOWN.has(name)) return;
    onSign(place);
    onShown(place, fake.messageAt({ channel, ts })?.rendered ?? '');
  });
  const { people = 1 } = settings;
  const isDirect = settings.kind === 'direct';
  const threads = range(settings.places).map((index) => {
    const users = range(people).map((person) => {
      const number = index * people + person;
      return fake.addUser({ name: `user${number}`, realName: `User ${number}` }).id;
    });
    if (isDirect) {
      const direct = fake.directOf(users[0] ?? '').id;
      places.set(direct, index);
      return { users, channel: direct, threadTs: undefined };
    }
    const channel = fake.addChannel({ name: `room-${index}`, members: [...users, fake.bot.userId] }).id;
    places.set(channel, index);
    const { ts } = fake.say(channel, users[0] ?? '', 'Let us talk about it below.', { events: 'none' });
    return { users, channel, threadTs: ts };
  });
  return {
    env: { SLACK_BOT_TOKEN: fake.botToken, SLACK_APP_TOKEN: fake.appToken, SLACK_API_URL: fake.apiUrl },
    ask: ({ place, person, text, isNew }) => {
      const thread = threads[place];
      if (!thread) return;
      const where = isNew || thread.threadTs === undefined ? {} : { threadTs: thread.threadTs };
      fake.say(thread.channel, thread.users[person % people] ?? '', text, { ...where, mention: !isDirect });
    },
    said: () => threads.flatMap(({ channel }) => fake.botMessagesIn(channel).map(({ rendered }) => rendered)),
    heartbeats: () => ({ heartbeats: 0, missedHeartbeats: 0 }),
  };
};

/** An answer is among the last messages of its thread. */
const LAST = 5;

export const openDiscord = async (
  settings: PlatformSettings,
  { onCall, onSign, onShown }: Watcher,
): Promise<People> => {
  const { people = 1, callDelayMs, heartbeatIntervalMs = 41_250 } = settings;
  const fake = await startFakeDiscord({ callDelayMs, heartbeatIntervalMs });
  const startedMs = performance.now();
  const places = new Map<string, number>();
  fake.onMoment(({ kind, what, channelId = '' }) => {
    const place = places.get(channelId) ?? -1;
    if (kind === 'request') onCall(what);
    if (kind === 'typed' || kind === 'reacted') onSign(place);
    if (kind !== 'posted' && kind !== 'edited') return;
    onSign(place);
    for (const { author, content } of fake.messagesIn(channelId).slice(-LAST))
      if (author.isBot) onShown(place, content);
  });
  const isDirect = settings.kind === 'direct';
  const guild = fake.addGuild({ name: 'Finance Club' });
  const room = fake.addChannel(guild, { name: 'general' });
  const threads = range(settings.places).flatMap((index) => {
    const users = range(people).map((person) => {
      const user = fake.addUser({ name: `user${index * people + person}` });
      fake.addMember(guild, user);
      return user;
    });
    const [owner] = users;
    if (!owner) return [];
    const thread = isDirect
      ? fake.directChannel(owner)
      : fake.addThread(room, { name: `thread ${index}`, owner, isJoined: true });
    places.set(thread.id, index);
    return [{ users, thread }];
  });
  return {
    env: { DISCORD_BOT_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl },
    ask: ({ place, person, text, isNew }) => {
      if (isNew) throw new Error('New conversations are begun on Slack only');
      const { users, thread } = threads[place] ?? {};
      const user = users?.[person % people];
      if (user && thread) fake.say(user, thread, isDirect ? text : `${fake.mention()} ${text}`);
    },
    said: () => fake.posted().map(({ content }) => content),
    heartbeats: () => countHeartbeats(fake.history, heartbeatIntervalMs, performance.now() - startedMs),
  };
};
