import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { Moment } from '#test/fakes/discord/api.ts';
import type { FakeUser } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { Pulse } from '../platforms/pulse.ts';
import { type AlertTrouble, PEOPLE, type Person } from './plan.ts';
import type { OnMoment, OpenAlertStage } from './stage.ts';

const HEARTBEAT_MS = 300;
/** A bot that is starved of CPU must not lose its session: that would be a second fault. */
const HEARTBEAT_GRACE_MS = 3_000;
const LATE_MS = 600;
const POSTS = { method: 'POST', route: '/channels/:channel/messages' };
const QUIET = new Set(['heartbeat', 'typed']);

const momentOf = ({ kind, what }: Moment): Parameters<OnMoment>[0] | undefined => {
  if (kind === 'identified') return 'connect';
  if (kind === 'request') return /^POST .*messages$/.test(what) ? 'post' : undefined;
  return kind === 'posted' ? 'posted' : undefined;
};

export const openDiscordAlertStage: OpenAlertStage = async (onMoment) => {
  const fake = await startFakeDiscord({
    heartbeatIntervalMs: HEARTBEAT_MS,
    heartbeatGraceMs: HEARTBEAT_GRACE_MS,
    onMoment: (moment) => {
      const mapped = momentOf(moment);
      return mapped === undefined || onMoment(mapped) ? undefined : 'drop';
    },
  });
  const guild = fake.addGuild({ name: 'Investors' });
  const room = fake.addChannel(guild, { name: 'stocks' });
  const people = new Map<string, FakeUser>(PEOPLE.map((name) => [name, fake.addUser({ name })]));
  for (const user of people.values()) fake.addMember(guild, user);
  const userOf = ({ name }: Person): FakeUser => {
    const user = people.get(name);
    if (!user) throw new Error(`There is no ${name}`);
    return user;
  };
  const pulse = new Pulse(() => fake.history.filter(({ type }) => !QUIET.has(type)).length);

  const trouble = (kind: AlertTrouble): void => {
    switch (kind) {
      case 'lost-response':
        return fake.faults.loseResponses(2, POSTS);
      case 'lost-request':
        return fake.faults.loseRequests(2, POSTS);
      case 'unavailable':
        return fake.faults.failNext(2, 503, POSTS);
      case 'late-answers':
        return fake.faults.slowDown(4, LATE_MS, POSTS);
      case 'none':
        return undefined;
    }
    return kind satisfies never;
  };

  return {
    env: {
      DISCORD_BOT_TOKEN: fake.token,
      DISCORD_API_URL: fake.apiUrl,
      SLACK_BOT_TOKEN: '',
      SLACK_APP_TOKEN: '',
    },
    pulse,
    targetOf: (person) => {
      const { id } = userOf(person);
      const isDirect = person.chat !== 'room';
      return {
        channelId: asId<ChannelId>('discord'),
        accountId: asId<AccountId>(fake.applicationId),
        chatId: asId<ChatId>(isDirect ? id : room.id),
        recipientId: asId<UserId>(id),
        ...(isDirect && { isDirect }),
      };
    },
    placeOf: (person) => (person.chat === 'room' ? room : fake.directChannel(userOf(person))).id,
    trouble,
    messages: () =>
      fake.posted().map(({ channelId, content, nonce = '' }) => ({
        chat: channelId,
        text: content,
        deliveryId: Buffer.from(nonce, 'base64url').toString('hex'),
      })),
    close: async () => {
      pulse.stop();
      await fake.close();
    },
  };
};
