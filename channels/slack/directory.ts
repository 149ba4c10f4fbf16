import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ChatType, ReplyTarget } from '#src/kernel/chat/message.ts';
import { canonicalZone } from '#src/kernel/time.ts';
import { isRefusedWith, type SlackApi } from './api.ts';
import type { Membership } from '#src/kernel/channel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { fields } from './wire.ts';

const PATIENCE_MS = 800;
const KEEP_MS = 30 * 60_000;
const KEEP_FAILED_MS = 30_000;
const MAX_KEPT = 5_000;

interface Kept<T> {
  /** The newest look-up. */
  readonly found: Promise<T | undefined>;
  /** What the newest look-up found; until then, or if it fails, what was known before. */
  value?: T;
  /** The value is of the newest look-up. */
  isCurrent: boolean;
  untilMs: number;
}

/** `needsCurrent`: an old value must not be used while a new one can be had. */
const createLookUp = <T>(
  clock: Clock,
  ask: (id: string) => Promise<T | undefined>,
  needsCurrent: (value: T) => boolean = () => false,
) => {
  const kept = new LRUCache<string, Kept<T>>({ max: MAX_KEPT });

  const start = (id: string, before: T | undefined): Kept<T> => {
    const entry: Kept<T> = {
      found: ask(id)
        .catch(() => undefined)
        .then((found) => {
          if (found === undefined) entry.untilMs = clock.monotonicMs() + KEEP_FAILED_MS;
          else {
            entry.value = found;
            entry.isCurrent = true;
          }
          return found;
        }),
      ...(before === undefined ? {} : { value: before }),
      isCurrent: false,
      untilMs: clock.monotonicMs() + KEEP_MS,
    };
    return entry;
  };

  /** Whether the last look-up is recent, also if it found nothing. */
  const isFresh = (id: string): boolean => (kept.get(id)?.untilMs ?? 0) > clock.monotonicMs();

  const renew = (id: string): Kept<T> => {
    const last = kept.get(id);
    if (last && isFresh(id)) return last;
    const entry = start(id, last?.value);
    kept.set(id, entry);
    return entry;
  };

  return {
    isFresh,
    /** Starts a look-up unless the last one is recent. */
    renew,
    /** The last value, however old, without a request. */
    known: (id: string): T | undefined => kept.get(id)?.value,
    /**
     * A known value at once; an old one is renewed meanwhile. An unknown one is waited for briefly: a late response is
     * there the next time.
     */
    find: async (id: string): Promise<T | undefined> => {
      const { value, isCurrent, found } = renew(id);
      if (value !== undefined && (isCurrent || !needsCurrent(value))) return value;
      return waitAtMost(found, PATIENCE_MS, clock);
    },
    /** Slack told a new value. Those that nobody has asked for are not kept. */
    learn: (id: string, change: (known: T | undefined) => T | undefined): void => {
      const last = kept.get(id);
      const value = last && change(last.value);
      if (value === undefined) return;
      const untilMs = clock.monotonicMs() + KEEP_MS;
      kept.set(id, { found: Promise.resolve(value), value, isCurrent: true, untilMs });
    },
  };
};

export interface SlackPerson {
  readonly name: string;
  readonly locale: Locale | undefined;
  readonly timeZone: string | undefined;
  /** The person's own workspace. */
  readonly teamId: string | undefined;
  /** An admin or owner of this workspace. */
  readonly isAdmin: boolean;
  readonly isBot: boolean;
}

export interface SlackPlace {
  readonly chatType: ChatType;
  readonly name: string | undefined;
}

/** The parts of Slack's user object that are read. */
const USER = fields({
  id: z.string(),
  name: z.string(),
  real_name: z.string(),
  profile: fields({ display_name: z.string(), real_name: z.string() }),
  locale: z.string(),
  tz: z.string(),
  team_id: z.string(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_bot: z.boolean(),
});
type UserFields = z.infer<typeof USER>;

export const USER_CHANGE = fields({ user: USER });
export const CHANNEL_RENAME = fields({ channel: fields({ id: z.string(), name: z.string() }) });

/**
 * People and channels. Names are looked up again after half an hour, and used until then and meanwhile: only one that
 * was never known is waited for, and only briefly.
 */
export type SlackDirectory = ReturnType<typeof createDirectory>;

const MAX_DIRECT = 5_000;

/** How many names may be requested at once, and how often one more: Slack allows some 100 requests a minute. */
const NAMES_AT_ONCE = 20;
const NAME_EVERY_MS = 2_000;

const localeOf = (tag: string | undefined): Locale | undefined => {
  const language = tag?.slice(0, 2).toLowerCase();
  return language === 'ko' || language === 'en' ? language : undefined;
};

export const createDirectory = (
  api: SlackApi,
  clock: Clock,
  /** Tells members from people of other workspaces in shared channels. */
  isOfTeam: (teamId: string | undefined) => boolean,
) => {
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
    // A person's id also addresses the direct chat, but only for posting.
    if (!channel?.id) return userId;
    learnDirect(channel.id, userId);
    return channel.id;
  };

  const personOf = (user: UserFields, userId: string, known?: SlackPerson): SlackPerson => {
    const { profile, name, real_name: realName } = user;
    return {
      name: profile?.display_name || profile?.real_name || realName || name || userId,
      locale: user.locale === undefined ? known?.locale : localeOf(user.locale),
      timeZone: user.tz === undefined ? undefined : canonicalZone(user.tz),
      teamId: user.team_id,
      isAdmin: isOfTeam(user.team_id) && (user.is_admin === true || user.is_owner === true),
      isBot: user.is_bot === true,
    };
  };
  const people = createLookUp<SlackPerson>(
    clock,
    async (userId) => {
      const { user } = await api.call('users.info', { user: userId, include_locale: true });
      return user && personOf(user, userId);
    },
    ({ isAdmin }) => isAdmin,
  );
  const person = async (userId: string): Promise<SlackPerson | undefined> => {
    const found = await people.find(userId);
    const known = found ?? people.known(userId);
    return found ?? (known && { ...known, isAdmin: false });
  };
  const places = createLookUp<SlackPlace>(clock, async (channelId) => {
    const { channel } = await api.call('conversations.info', { channel: channelId });
    if (!channel) return undefined;
    const others = channel.is_mpim ? 'group' : 'channel';
    return { chatType: channel.is_im ? 'direct' : others, name: channel.name };
  });

  /** When the full number of names may be requested at once again. */
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
      // A look-up that is under way is free.
      const mayLookUp = people.isFresh(userId) || mayAskName();
      if (known && mayLookUp) people.renew(userId);
      else if (mayLookUp)
        asked.push(people.find(userId).then((found) => void (found && named.set(userId, found.name))));
    }
    await Promise.all(asked);
    return named;
  };

  return {
    /** The cached person, without a request. */
    personNow: people.known,
    /** The rights of an admin are an exception: old ones are not believed, so an admin may be waited for again. */
    person,
    /**
     * The names of these people, the most important first. Cached names are free; only a few others are requested, so
     * that no text can cause thousands of requests. The rest is missing from the result.
     */
    names,
    place: places.find,
    /** Slack reports that a person's profile or rights have changed. */
    personChanged: ({ user }: z.infer<typeof USER_CHANGE>) => {
      const id = user?.id;
      if (id !== undefined) people.learn(id, (known) => personOf(user ?? {}, id, known));
    },
    placeRenamed: ({ channel: { id, name } = {} }: z.infer<typeof CHANNEL_RENAME>) => {
      if (id !== undefined && name !== undefined) places.learn(id, (known) => known && { ...known, name });
    },
    /** The direct chat with a person; opens one if there is none. Throws `ChannelError`. */
    directChannel,
    /** Records the channel of a direct chat. */
    learnDirect,
    /** The person whose direct chat with the bot this is, if known without a request. */
    directOwner: (channelId: string): string | undefined => usersByChannel.get(channelId),
    /** The channel that a target names. Throws `ChannelError`. */
    channelOf: async ({ chatId, isDirect }: Pick<ReplyTarget, 'chatId' | 'isDirect'>): Promise<string> =>
      isDirect ? directChannel(chatId) : chatId,
  };
};

/** Slack's limit. */
const PAGE = 999;
/** In a channel with more members the membership stays unknown. */
const MAX_PAGES = 20;

const isActive = async (api: SlackApi, user: string): Promise<boolean> => {
  try {
    const { user: found } = await api.call('users.info', { user });
    return found?.deleted !== true;
  } catch (error) {
    if (isRefusedWith(error, 'user_not_found')) return false;
    throw error;
  }
};

const isBotThere = async (api: SlackApi, channel: string): Promise<boolean> => {
  const { channel: found } = await api.call('conversations.info', { channel });
  return found?.is_member !== false && found?.is_archived !== true;
};

const isIn = async (api: SlackApi, channel: string, user: string, signal: AbortSignal): Promise<boolean> => {
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    signal.throwIfAborted();
    const answer = await api.call('conversations.members', {
      channel,
      limit: PAGE,
      ...(cursor === '' ? {} : { cursor }),
    });
    if (answer.members?.includes(user)) return true;
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (cursor === '') return false;
  }
  throw new ChannelError('unreachable', 'Slack: the channel has too many members to search');
};

/** The bot is checked first, because it can look up members only where it is a member itself. */
export const createMembership =
  (api: SlackApi) =>
  async ({ chatId, recipientId }: ReplyTarget, signal: AbortSignal): Promise<Membership> => {
    try {
      if (!(await isBotThere(api, chatId))) return 'bot-removed';
      if (!(await isActive(api, recipientId))) return 'left';
      return (await isIn(api, chatId, recipientId, signal)) ? 'member' : 'left';
    } catch (error) {
      if (isRefusedWith(error, 'channel_not_found', 'not_in_channel')) return 'bot-removed';
      throw error;
    }
  };
