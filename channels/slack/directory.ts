import type { Locale } from '#src/kernel/locale.ts';
import type { ChatType, ReplyTarget } from '#src/kernel/message.ts';
import { canonicalZone } from '#src/kernel/time-zone.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { SlackApi } from './api.ts';
import { createLookUp } from './look-up.ts';

export interface Person {
  readonly name: string;
  readonly locale: Locale | undefined;
  readonly timeZone: string | undefined;
  /** The workspace they belong to. */
  readonly teamId: string | undefined;
  /** Runs this workspace; nobody of another one does. */
  readonly isAdmin: boolean;
  readonly isBot: boolean;
}

export interface Place {
  readonly chatType: ChatType;
  readonly name: string | undefined;
}

/** Who and where, as far as Slack tells in a moment: an unknown name never holds up a message. */
export interface Directory {
  readonly person: (userId: string) => Promise<Person | undefined>;
  /** The same without asking: what is known already. */
  readonly personNow: (userId: string) => Person | undefined;
  /**
   * The names of these people, the most important first. Those that are known cost nothing; of the others a few are
   * asked for, so that no text can make the bot ask for thousands. Who is missing in it stays without a name.
   */
  readonly names: (userIds: Iterable<string>) => Promise<ReadonlyMap<string, string>>;
  readonly place: (channelId: string) => Promise<Place | undefined>;
  /** The bot's private chat with a person; opened where there is none. Throws `ChannelError`. */
  readonly directChannel: (userId: string) => Promise<string>;
  /** An event said so. */
  readonly learnDirect: (channelId: string, userId: string) => void;
  /** Whose private chat with the bot this is, as far as it is known without asking. */
  readonly directOwner: (channelId: string) => string | undefined;
  /** The channel that a target names. Throws `ChannelError`. */
  readonly channelOf: (target: Pick<ReplyTarget, 'chatId' | 'isDirect'>) => Promise<string>;
}

const MAX_DIRECT = 5_000;

/** Names that are asked for at once, and after that one in so long a time: Slack lets us ask some 100 a minute. */
const NAMES_AT_ONCE = 20;
const NAME_EVERY_MS = 2_000;

const localeOf = (tag: string | undefined): Locale | undefined => {
  const language = tag?.slice(0, 2).toLowerCase();
  return language === 'ko' || language === 'en' ? language : undefined;
};

export const createDirectory = (
  api: SlackApi,
  clock: Clock,
  /** In a shared channel people of other workspaces are heard too; only the team tells. */
  isOfTeam: (teamId: string | undefined) => boolean,
): Directory => {
  const channelsByUser = new Map<string, string>();
  const usersByChannel = new Map<string, string>();

  const learnDirect = (channelId: string, userId: string): void => {
    if (channelsByUser.get(userId) === channelId) return;
    const oldest = channelsByUser.size >= MAX_DIRECT ? channelsByUser.entries().next().value : undefined;
    if (oldest) {
      channelsByUser.delete(oldest[0]);
      usersByChannel.delete(oldest[1]);
    }
    channelsByUser.set(userId, channelId);
    usersByChannel.set(channelId, userId);
  };

  const directChannel = async (userId: string): Promise<string> => {
    const known = channelsByUser.get(userId);
    if (known) return known;
    const { channel } = await api.call('conversations.open', { users: userId });
    // A person's id opens the chat as well; it only cannot be read or edited by it.
    if (!channel?.id) return userId;
    learnDirect(channel.id, userId);
    return channel.id;
  };

  const people = createLookUp<Person>(clock, async (userId) => {
    const { user } = await api.call('users.info', { user: userId, include_locale: true });
    if (!user) return undefined;
    const { profile, name, real_name: realName } = user;
    return {
      name: profile?.display_name || profile?.real_name || realName || name || userId,
      locale: localeOf(user.locale),
      timeZone: user.tz === undefined ? undefined : canonicalZone(user.tz),
      teamId: user.team_id,
      isAdmin: isOfTeam(user.team_id) && (user.is_admin === true || user.is_owner === true),
      isBot: user.is_bot === true,
    };
  });
  const places = createLookUp<Place>(clock, async (channelId) => {
    const { channel } = await api.call('conversations.info', { channel: channelId });
    if (!channel) return undefined;
    const others = channel.is_mpim ? 'group' : 'channel';
    return { chatType: channel.is_im ? 'direct' : others, name: channel.name };
  });

  /** When all names that may be asked for at once could be asked for again. */
  let namesFullAtMs = 0;
  const mayAskName = (): boolean => {
    const nowMs = clock.monotonicMs();
    const nextMs = Math.max(namesFullAtMs, nowMs) + NAME_EVERY_MS;
    if (nextMs - nowMs > NAMES_AT_ONCE * NAME_EVERY_MS) return false;
    namesFullAtMs = nextMs;
    return true;
  };

  const names = async (userIds: Iterable<string>): Promise<ReadonlyMap<string, string>> => {
    const named = new Map<string, string>();
    const asked: Promise<void>[] = [];
    for (const userId of new Set(userIds)) {
      const known = people.known(userId);
      if (known) named.set(userId, known.name);
      // Who is being asked for just now costs nothing either.
      const isFree = people.isFresh(userId) && known === undefined;
      if (isFree || (!people.isFresh(userId) && mayAskName()))
        asked.push(people.find(userId).then((person) => void (person && named.set(userId, person.name))));
    }
    await Promise.all(asked);
    return named;
  };

  return {
    personNow: people.known,
    person: people.find,
    names,
    place: places.find,
    directChannel,
    learnDirect,
    directOwner: (channelId) => usersByChannel.get(channelId),
    channelOf: async ({ chatId, isDirect }) => (isDirect ? directChannel(chatId) : chatId),
  };
};
