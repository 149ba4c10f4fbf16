import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { FakeUser, SeenMessage } from '#test/fakes/slack/api.ts';
import type { Moment } from '#test/fakes/slack/options.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { Pulse } from '../platforms/pulse.ts';
import { type AlertTrouble, PEOPLE, type Person } from './plan.ts';
import type { OnMoment, OpenAlertStage } from './stage.ts';

const LATE_MS = 600;
const POST = 'chat.postMessage';

const momentOf = ({ name, method }: Moment): Parameters<OnMoment>[0] | undefined => {
  if (name === 'connected') return 'connect';
  if (name === 'request') return method === POST ? 'post' : undefined;
  return name === 'posted' ? 'posted' : undefined;
};

const deliveryIdOf = ({ metadata }: SeenMessage): string => {
  const id = metadata?.event_payload['delivery_id'];
  return typeof id === 'string' ? id.replaceAll('-', '') : '';
};

export const openSlackAlertStage: OpenAlertStage = async (onMoment) => {
  const fake = await startFakeSlack({
    onMoment: (moment) => {
      const mapped = momentOf(moment);
      return mapped === undefined || onMoment(mapped) ? undefined : 'drop';
    },
  });
  const people = new Map<string, FakeUser>(
    PEOPLE.map((name) => [name, fake.addUser({ name, realName: name })]),
  );
  const room = fake.addChannel({
    name: 'stocks',
    members: [fake.bot.userId, ...[...people.values()].map(({ id }) => id)],
  });
  const userOf = ({ name }: Person): FakeUser => {
    const user = people.get(name);
    if (!user) throw new Error(`There is no ${name}`);
    return user;
  };
  const placeOf = (person: Person): string =>
    person.chat === 'room' ? room.id : fake.directOf(userOf(person).id).id;
  const places = new Set([room.id, ...[...people.values()].map(({ id }) => fake.directOf(id).id)]);
  const pulse = new Pulse(() => fake.history.length);

  const trouble = (kind: AlertTrouble): void => {
    switch (kind) {
      case 'lost-response':
        return fake.fail(POST, { kind: 'dropped-after' }, { times: 2 });
      case 'lost-request':
        return fake.fail(POST, { kind: 'dropped-before' }, { times: 2 });
      case 'unavailable':
        return fake.fail(POST, { kind: 'status', status: 503 }, { times: 2 });
      case 'late-answers':
        // A post that Slack carries out only after the next process has looked for it, nobody could find.
        return fake.fail(POST, { kind: 'late-answer', delayMs: LATE_MS }, { times: 4 });
      case 'none':
        return undefined;
    }
    return kind satisfies never;
  };

  return {
    env: {
      SLACK_BOT_TOKEN: fake.botToken,
      SLACK_APP_TOKEN: fake.appToken,
      SLACK_API_URL: fake.apiUrl,
      DISCORD_BOT_TOKEN: '',
    },
    pulse,
    targetOf: (person) => {
      const { id } = userOf(person);
      const isDirect = person.chat !== 'room';
      return {
        channelId: asId<ChannelId>('slack'),
        accountId: asId<AccountId>(fake.team.id),
        chatId: asId<ChatId>(isDirect ? id : room.id),
        recipientId: asId<UserId>(id),
        ...(isDirect && { isDirect }),
      };
    },
    placeOf,
    trouble,
    messages: () =>
      [...places].flatMap((place) =>
        fake.botMessagesIn(place).map((message) => ({
          chat: place,
          text: message.rendered,
          deliveryId: deliveryIdOf(message),
        })),
      ),
    close: async () => {
      pulse.stop();
      await fake.close();
    },
  };
};
