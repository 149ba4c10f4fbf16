import { type APIGuildMember, Routes } from 'discord.js';
import type { ActiveChat, ChannelHost } from '#src/kernel/channel.ts';
import type { AccountId, Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { type DiscordApi, isRefusal } from './api.ts';
import type { DiscordMessage } from './inbound.ts';
import type { Messages } from './posting.ts';
import type { ChannelFacts, Places } from './channel-info.ts';
import { DISCORD } from './settings.ts';
import { byAge, idAt, isNewer } from './snowflake.ts';

export interface CatchUpDeps {
  readonly api: DiscordApi;
  readonly messages: Messages;
  readonly places: Places;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  readonly progress: ChannelHost['progress'];
  readonly accountId: () => AccountId | undefined;
  /** Takes a message that was missed; never throws. */
  readonly take: (message: DiscordMessage, channel: ChannelFacts) => Promise<void>;
}

export interface CatchUp {
  /** A new session began: what happened before it is not told. Live events wait for a moment. */
  readonly begin: () => void;
  /** The servers are known: reads what was missed. Never throws. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * Resolves when what came before in that channel has been taken, or nobody should wait any longer. Nothing is read
   * of a direct chat that the inbox does not know (`directWith`), so a person's first message never waits for Discord:
   * no later start could read it again.
   */
  readonly waitFor: (channelId: string, directWith?: string) => Promise<void>;
}

const LONGEST_GAP_MS = 15 * 60_000;
/** Events that were under way when the newest one was noted; those that were stored are told apart by their ids. */
const MARGIN_MS = 5_000;
const ACTIVE_FOR_MS = 24 * 60 * 60_000;
/** Discord waits for no acknowledgement of a message: its order is worth more than a moment. */
const LONGEST_WAIT_MS = 30_000;
const MAX_CHATS = 50;
const MAX_MESSAGES = 100;
const MAX_MEMBERS = 100;
const AT_ONCE = 5;

/** What has to be read, as far as our database tells. */
interface Known {
  /** Undefined at the first start: nothing is read. */
  readonly seenUntil: Timestamp | undefined;
  readonly active: readonly ActiveChat[];
}

interface Session {
  readonly known: Promise<Known>;
  readonly planned: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
  readonly chats: Map<string, Promise<void>>;
  readonly cancel: () => void;
  /** Releases the hold: what is seen counts again. */
  readonly letGo: () => void;
}

const later = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) > 0 ? a : b);

export const createCatchUp = (deps: CatchUpDeps): CatchUp => {
  const { api, messages, places, clock, logger, progress, accountId, take } = deps;
  let session: Session | undefined;

  const release = (ended: Session): void => {
    ended.cancel();
    ended.planned.resolve();
    ended.released.resolve();
    if (session === ended) session = undefined;
  };

  const placeOfActive = async (
    { chatType, chatId, threadId }: ActiveChat,
    signal: AbortSignal,
  ): Promise<ChannelFacts | undefined> => {
    try {
      return chatType === 'direct'
        ? await places.directChannel(chatId, signal)
        : await places.find(threadId ?? chatId, signal);
    } catch (error) {
      logger.debug('An active chat could not be found again', { chatId, error });
      return undefined;
    }
  };

  const readKnown = async (account: AccountId): Promise<Known> => {
    const seenUntil = await progress.seenUntil(DISCORD, account);
    if (!seenUntil) return { seenUntil, active: [] };
    const since = clock.now().subtract({ milliseconds: ACTIVE_FOR_MS });
    return { seenUntil, active: (await progress.activeChats(DISCORD, account, since)).slice(0, MAX_CHATS) };
  };

  /** Where something may have been missed, the likeliest first. */
  const plan = async (after: string, active: readonly ActiveChat[], signal: AbortSignal) => {
    const found = await Promise.all(active.map((chat) => placeOfActive(chat, signal)));
    const isStale = ({ lastMessageId }: ChannelFacts): boolean =>
      lastMessageId !== undefined && !isNewer(lastMessageId, after);
    const spokenIn = places
      .all()
      .filter(({ lastMessageId }) => lastMessageId !== undefined && isNewer(lastMessageId, after))
      .toSorted((a, b) => byAge({ id: b.lastMessageId ?? '' }, { id: a.lastMessageId ?? '' }));
    const all = [...found.flatMap((facts) => (facts && !isStale(facts) ? [facts] : [])), ...spokenIn];
    return [...new Map(all.map((facts) => [facts.id, facts])).values()].slice(0, MAX_CHATS);
  };

  /** REST leaves out what a person is in the server: it is asked for, as far as that is bounded. */
  const createMembers = (signal: AbortSignal) => {
    const members = new Map<string, Promise<APIGuildMember | undefined>>();
    return (guildId: string, userId: string): Promise<APIGuildMember | undefined> => {
      const key = `${guildId}:${userId}`;
      const known = members.get(key);
      if (known || members.size >= MAX_MEMBERS) return known ?? Promise.resolve(undefined);
      const asked = api
        .request<APIGuildMember>('GET', Routes.guildMember(guildId, userId), {}, signal)
        .catch(() => undefined);
      members.set(key, asked);
      return asked;
    };
  };

  const readChat = async (
    facts: ChannelFacts,
    after: string,
    memberOf: ReturnType<typeof createMembers>,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      const missed = await messages.list(facts.id, { after, limit: MAX_MESSAGES }, signal);
      for (const message of missed.toSorted(byAge)) {
        if (signal.aborted) return;
        const { guildId } = facts;
        const isPerson = !message.author.bot && message.webhook_id === undefined;
        const member = guildId && isPerson ? await memberOf(guildId, message.author.id) : undefined;
        await take(
          { ...message, ...(guildId ? { guild_id: guildId } : {}), ...(member ? { member } : {}) },
          facts,
        );
      }
    } catch (error) {
      if (signal.aborted) return;
      // Many channels are none of the bot's business: that is no news.
      const level = isRefusal(error) ? 'debug' : 'warn';
      logger[level]('What was missed in a chat could not be read', { chat: facts.id, error });
    }
  };

  const readAll = async (current: Session, account: AccountId, signal: AbortSignal): Promise<void> => {
    const { seenUntil, active } = await current.known;
    if (!seenUntil) {
      // The first start: from here on there is something to catch up from.
      progress.saw(DISCORD, account, clock.now());
      return;
    }
    const earliest = clock.now().subtract({ milliseconds: LONGEST_GAP_MS });
    const after = idAt(later(seenUntil.subtract({ milliseconds: MARGIN_MS }), earliest));
    const chats = await plan(after, active, signal);
    const memberOf = createMembers(signal);
    const waiting = chats.map((facts) => ({ facts, done: Promise.withResolvers<void>() }));
    for (const { facts, done } of waiting) current.chats.set(facts.id, done.promise);
    current.planned.resolve();
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await readChat(next.facts, after, memberOf, signal);
        next.done.resolve();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (chats.length > 0) logger.info('Caught up with what was said meanwhile', { chats: chats.length });
  };

  return {
    begin: () => {
      const account = accountId();
      if (account === undefined) return;
      const known = readKnown(account);
      known.catch(() => undefined);
      const letGo = progress.hold(DISCORD, account);
      if (session) {
        session.letGo();
        release(session);
      }
      const begun: Session = {
        known,
        letGo,
        planned: Promise.withResolvers(),
        released: Promise.withResolvers(),
        chats: new Map(),
        cancel: clock.after(LONGEST_WAIT_MS, () => begun.released.resolve()),
      };
      session = begun;
    },
    run: async (signal) => {
      const current = session;
      const account = accountId();
      if (!current || account === undefined) return;
      try {
        await readAll(current, account, signal);
      } catch (error) {
        if (!signal.aborted) logger.warn('What was missed could not be read', { error });
      }
      // What a stop leaves unread is read at the next start.
      if (!signal.aborted) current.letGo();
      release(current);
    },
    waitFor: async (channelId, directWith) => {
      const current = session;
      if (!current) return;
      const { active } = await current.known.catch(() => ({ active: [] }));
      const isRead = ({ chatType, chatId }: ActiveChat): boolean =>
        chatType === 'direct' && chatId === directWith;
      if (directWith !== undefined && !active.some(isRead)) return;
      const caughtUp = current.planned.promise.then(() => current.chats.get(channelId));
      await Promise.race([caughtUp, current.released.promise]);
    },
  };
};
