import { type APIGuildMember, Routes } from 'discord.js';
import type { ActiveChat, ChannelHost } from '#src/kernel/channel/host.ts';
import { type AccountId, asId, type Timestamp } from '#src/kernel/ids.ts';
import { type DiscordApi, isRefusal } from '../api.ts';
import type { DiscordMessage } from '../wire.ts';
import type { ChannelFacts } from '../directory.ts';
import type { DiscordOutboundDeps } from '../send/outbound.ts';
import { DISCORD } from '../settings.ts';
import { byAge, idAt, isNewer } from '../snowflake.ts';

interface CatchUpDeps extends DiscordOutboundDeps {
  readonly api: DiscordApi;
  readonly host: Pick<ChannelHost, 'progress'>;
  /** The channels of the servers whose events the session brings. */
  readonly channels: () => readonly ChannelFacts[];
  /** Whether the session brings the events of a chat. */
  readonly isOwn: (chat: ActiveChat) => boolean;
  /** Stores a missed message. Never throws. */
  readonly receive: (message: DiscordMessage, channel: ChannelFacts) => Promise<void>;
  /** Resolves when all that has arrived by now is stored. */
  readonly stored: () => Promise<void>;
}

/** Reads the messages that people wrote while the bot was not connected. */
export type CatchUp = ReturnType<typeof createCatchUp>;

interface LiveEvent {
  readonly directWith?: string | undefined;
  /** For a new message: its id. No newer missed message is stored before it. */
  readonly messageId?: string;
}

const LONGEST_GAP_MS = 15 * 60_000;
/** Covers events that overtook each other; the inbox recognizes stored messages by their ids. */
const MARGIN_MS = 5_000;
const ACTIVE_FOR_MS = 24 * 60 * 60_000;
/** Live messages may wait this long for their order: Discord expects no acknowledgement. */
const LONGEST_WAIT_MS = 30_000;
const MAX_CHATS = 50;
const MAX_MESSAGES = 100;
const MAX_MEMBERS = 100;
const AT_ONCE = 5;

/** The state of the database when the session began. */
interface Known {
  /** Undefined at the first start. Nothing is read then. */
  readonly seenUntil: Timestamp | undefined;
  readonly active: readonly ActiveChat[];
}

interface Session {
  readonly known: Promise<Known>;
  /** What arrived in the session before comes first: what was deleted meanwhile is not read again. */
  readonly earlier: Promise<void>;
  readonly planned: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
  readonly chats: Map<string, Promise<void>>;
  /** The first message of each channel that arrived by itself in this session. */
  readonly firstLive: Map<string, string>;
  readonly cancel: () => void;
  /** Lets progress be recorded again. */
  readonly letGo: () => void;
}

const later = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) > 0 ? a : b);

export const createCatchUp = (deps: CatchUpDeps) => {
  const { clock, logger, self } = deps;
  const { progress } = deps.host;
  let session: Session | undefined;

  const accountId = (): AccountId | undefined => {
    const me = self();
    return me && asId<AccountId>(me.applicationId);
  };

  const release = (ended: Session): void => {
    ended.cancel();
    ended.planned.resolve();
    ended.released.resolve();
    if (session === ended) session = undefined;
  };

  const { plan, createMembers, storeMissed, listMissed } = createReading(deps);

  const readKnown = async (account: AccountId): Promise<Known> => {
    const seenUntil = await progress.seenUntil(DISCORD, account);
    if (!seenUntil) return { seenUntil, active: [] };
    const since = clock.now().subtract({ milliseconds: ACTIVE_FOR_MS });
    return { seenUntil, active: (await progress.activeChats(DISCORD, account, since)).slice(0, MAX_CHATS) };
  };

  const readAll = async (current: Session, account: AccountId, signal: AbortSignal): Promise<void> => {
    const { seenUntil, active } = await current.known;
    await Promise.race([current.earlier, current.released.promise]);
    if (!seenUntil) {
      // At the first start nothing was missed; later starts catch up from now.
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
    const left: { readonly facts: ChannelFacts; readonly rest: readonly DiscordMessage[] }[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { facts } = next;
        const missed = await listMissed(facts, after, signal);
        const firstLive = (): string | undefined => current.firstLive.get(facts.id);
        const rest = await storeMissed(facts, missed, firstLive, memberOf, signal);
        if (rest.length > 0) left.push({ facts, rest });
        next.done.resolve();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Most of it has arrived by itself; the rest was said while the connection was lost again.
    if (left.length > 0) await deps.stored();
    for (const { facts, rest } of left) await storeMissed(facts, rest, () => undefined, memberOf, signal);
    if (chats.length > 0) logger.info('Discord: read missed messages', { chats: chats.length });
  };

  return {
    /** Called when a new session begins: Discord does not send what happened before. Live events wait from here on. */
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
        earlier: deps.stored(),
        letGo,
        planned: Promise.withResolvers(),
        released: Promise.withResolvers(),
        chats: new Map(),
        firstLive: new Map(),
        cancel: clock.after(LONGEST_WAIT_MS, () => begun.released.resolve()),
      };
      session = begun;
    },
    /** Reads what was missed, once the servers are known. Never throws. */
    run: async (signal: AbortSignal) => {
      const current = session;
      const account = accountId();
      if (!current || account === undefined) return;
      try {
        await readAll(current, account, signal);
      } catch (error) {
        if (!signal.aborted) logger.warn('Discord: could not read missed messages', { error });
      }
      // After a stop the hold stays, so that the next start reads the rest.
      if (!signal.aborted) current.letGo();
      release(current);
    },
    /**
     * Resolves when earlier messages of that channel are stored, or the wait has become too long. A direct chat
     * (`directWith`) that the inbox does not know is not read, so a person's first message does not wait for Discord.
     */
    waitFor: async (channelId: string, { directWith, messageId }: LiveEvent) => {
      const current = session;
      if (!current) return;
      if (messageId !== undefined) current.firstLive.getOrInsert(channelId, messageId);
      const { active } = await current.known.catch(() => ({ active: [] }));
      const isRead = ({ chatType, chatId }: ActiveChat): boolean =>
        chatType === 'direct' && chatId === directWith;
      if (directWith !== undefined && !active.some(isRead)) return;
      const caughtUp = current.planned.promise.then(() => current.chats.get(channelId));
      await Promise.race([caughtUp, current.released.promise]);
    },
  };
};

/** Reads what was missed, channel by channel. */
const createReading = (deps: CatchUpDeps) => {
  const { api, messages, directory, logger, receive } = deps;
  const findActive = async (
    { chatType, chatId, threadId }: ActiveChat,
    signal: AbortSignal,
  ): Promise<ChannelFacts | undefined> => {
    try {
      return chatType === 'direct'
        ? await directory.directChannel(chatId, signal)
        : await directory.find(threadId ?? chatId, signal);
    } catch (error) {
      logger.debug('Discord: could not look up an active chat', { chatId, error });
      return undefined;
    }
  };

  /** The channels to read: first those where the bot was active, then those with new messages. */
  const plan = async (after: string, active: readonly ActiveChat[], signal: AbortSignal) => {
    const found = await Promise.all(active.filter(deps.isOwn).map((chat) => findActive(chat, signal)));
    const isStale = ({ lastMessageId }: ChannelFacts): boolean =>
      lastMessageId !== undefined && !isNewer(lastMessageId, after);
    const spokenIn = deps
      .channels()
      .filter(({ lastMessageId }) => lastMessageId !== undefined && isNewer(lastMessageId, after))
      .toSorted((a, b) => byAge({ id: b.lastMessageId ?? '' }, { id: a.lastMessageId ?? '' }));
    const all = [...found.flatMap((facts) => (facts && !isStale(facts) ? [facts] : [])), ...spokenIn];
    return [...new Map(all.map((facts) => [facts.id, facts])).values()].slice(0, MAX_CHATS);
  };

  /** Looks up the roles of authors, which REST leaves out of messages. At most `MAX_MEMBERS` look-ups. */
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

  /**
   * Stores missed messages, the oldest first. Stops at the first message that arrived by itself: it waits for those before
   * it, and those after it wait for it. Returns what is left.
   */
  const storeMissed = async (
    facts: ChannelFacts,
    missed: readonly DiscordMessage[],
    firstLive: () => string | undefined,
    memberOf: ReturnType<typeof createMembers>,
    signal: AbortSignal,
  ): Promise<readonly DiscordMessage[]> => {
    for (const [index, message] of missed.entries()) {
      const live = firstLive();
      if (live !== undefined && !isNewer(live, message.id)) return missed.slice(index);
      if (signal.aborted) return [];
      const { guildId } = facts;
      const isPerson = !message.author.bot && message.webhook_id === undefined;
      const member = guildId && isPerson ? await memberOf(guildId, message.author.id) : undefined;
      await receive(
        { ...message, ...(guildId ? { guild_id: guildId } : {}), ...(member ? { member } : {}) },
        facts,
      );
    }
    return [];
  };

  const listMissed = async (
    facts: ChannelFacts,
    after: string,
    signal: AbortSignal,
  ): Promise<readonly DiscordMessage[]> => {
    try {
      return (await messages.list(facts.id, { after, limit: MAX_MESSAGES }, signal)).toSorted(byAge);
    } catch (error) {
      // The bot may not read every channel; a refusal is normal.
      const level = isRefusal(error) ? 'debug' : 'warn';
      if (!signal.aborted)
        logger[level]('Discord: could not read missed messages of a channel', { chat: facts.id, error });
      return [];
    }
  };

  return { plan, createMembers, storeMissed, listMissed };
};
