import {
  type APIChannel,
  type APIGuildMember,
  type Channel,
  ChannelType,
  type Client,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Locale } from '#src/kernel/locale.ts';
import { CODES, type DiscordApi, hasCode } from './api.ts';
import { localeFrom } from './settings.ts';
import type { Membership } from '#src/kernel/channel.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';

/** What is known about a channel, a thread or a direct chat. */
export interface ChannelFacts {
  readonly id: string;
  readonly type: ChannelType;
  readonly guildId?: string | undefined;
  readonly name?: string | undefined;
  /** Of a thread: the channel it belongs to. */
  readonly parentId?: string | undefined;
  readonly parentType?: ChannelType | undefined;
  readonly parentName?: string | undefined;
  /** Of a direct chat. */
  readonly recipientId?: string | undefined;
  readonly lastMessageId?: string | undefined;
}

/** What a person is in a server. */
export interface Standing {
  /** Ids of roles, and names with their server before them: people write either into the configuration. */
  readonly roles: readonly string[];
  readonly managesGuild: boolean;
}

/** The languages of a person who wrote a message: unlike an interaction, a message does not carry them. */
export interface Languages {
  /** From the person's last interaction. */
  readonly languageTag?: string;
  readonly guildLanguageTag?: string;
  /** The person's language, else the server's. A server counts only if it is Korean: English is just the default. */
  readonly locale?: Locale;
}

export interface Places {
  /** At once; undefined where the gateway has not told of it. */
  readonly known: (channelId: string) => ChannelFacts | undefined;
  /** Asks Discord where it has to. Undefined where the bot may not know either. */
  readonly find: (channelId: string, signal: AbortSignal) => Promise<ChannelFacts | undefined>;
  /** All channels and threads of all servers in which something may be written. */
  readonly all: () => readonly ChannelFacts[];
  /** The channel of the direct chat with a person; opened if need be. Throws `DiscordError`. */
  readonly directChannel: (userId: string, signal: AbortSignal) => Promise<ChannelFacts>;
  /** A direct message came from there. */
  readonly learnDirect: (channelId: string, userId: string) => void;
  readonly standing: (guildId: string, userId: string, roleIds: readonly string[]) => Standing;
  /** Whether somebody with these roles sees a channel; true where the gateway has not told of it. */
  readonly mayView: (
    guildId: string,
    channelId: string,
    userId: string,
    roleIds: readonly string[],
  ) => boolean;
  readonly isOwnRole: (guildId: string, roleId: string, botId: string) => boolean;
  readonly roleName: (guildId: string, roleId: string) => string | undefined;
  /** What an interaction said about a person: their messages do not. */
  readonly learnLanguage: (userId: string, tag: string) => void;
  readonly languagesOf: (userId: string, guildId: string | undefined) => Languages;
}

const MANAGES = (1n << 5n) | (1n << 3n);
/** How many direct chats, looked-up channels and languages are remembered. */
const MAX_KEPT = 1_000;

export const mayManage = (permissions: string | bigint): boolean => (BigInt(permissions) & MANAGES) !== 0n;

export const isThread = ({ type }: Pick<ChannelFacts, 'type'>): boolean =>
  type === ChannelType.PublicThread ||
  type === ChannelType.PrivateThread ||
  type === ChannelType.AnnouncementThread;

const factsOf = (channel: Channel): ChannelFacts => {
  const { id, type } = channel;
  const lastMessageId = 'lastMessageId' in channel ? (channel.lastMessageId ?? undefined) : undefined;
  if (channel.isDMBased()) return { id, type, lastMessageId };
  const { guildId, name } = channel;
  if (!channel.isThread()) return { id, type, guildId, name, lastMessageId };
  const { parentId, parent } = channel;
  return {
    id,
    type,
    guildId,
    name,
    parentId: parentId ?? undefined,
    parentType: parent?.type,
    parentName: parent?.name,
    lastMessageId,
  };
};

/** A channel as REST and interactions tell of it. */
export const factsFromApi = (
  channel: Partial<APIChannel> & Pick<APIChannel, 'id' | 'type'>,
  known: Places['known'],
): ChannelFacts => {
  const { id, type } = channel;
  const parentId =
    isThread({ type }) && 'parent_id' in channel ? (channel.parent_id ?? undefined) : undefined;
  const parent = parentId === undefined ? undefined : known(parentId);
  const recipient = 'recipients' in channel ? channel.recipients?.[0] : undefined;
  return {
    id,
    type,
    guildId: 'guild_id' in channel ? channel.guild_id : undefined,
    name: channel.name ?? undefined,
    parentId,
    parentType: parent?.type,
    parentName: parent?.name,
    recipientId: recipient?.id,
    lastMessageId: 'last_message_id' in channel ? (channel.last_message_id ?? undefined) : undefined,
  };
};

export const createPlaces = (api: DiscordApi, client: () => Client | undefined): Places => {
  const looked = new LRUCache<string, ChannelFacts>({ max: MAX_KEPT });
  const directByUser = new LRUCache<string, ChannelFacts>({ max: MAX_KEPT });
  const languageByUser = new LRUCache<string, string>({ max: MAX_KEPT });

  const known = (id: string): ChannelFacts | undefined => {
    const cached = client()?.channels.cache.get(id);
    // Of direct chats the library may know the wrong person: the one who wrote last, and that may be the bot.
    return cached && !cached.isDMBased() ? factsOf(cached) : looked.get(id);
  };
  const guild = (id: string) => client()?.guilds.cache.get(id);

  const learn = (facts: ChannelFacts): ChannelFacts => {
    looked.set(facts.id, facts);
    if (facts.recipientId !== undefined) directByUser.set(facts.recipientId, facts);
    return facts;
  };

  return {
    known,
    find: async (id, signal) => {
      const found = known(id);
      if (found) return found;
      const channel = await api.request<APIChannel>('GET', Routes.channel(id), {}, signal);
      return learn(factsFromApi(channel, known));
    },
    all: () =>
      [...(client()?.channels.cache.values() ?? [])]
        .filter((one) => one.isTextBased() && !one.isDMBased())
        .map(factsOf),
    directChannel: async (userId, signal) => {
      const kept = directByUser.get(userId);
      if (kept) return kept;
      const body = { recipient_id: userId };
      const channel = await api.request<APIChannel>('POST', Routes.userChannels(), { body }, signal);
      const facts = { ...factsFromApi(channel, known), recipientId: userId };
      // What was written last is only true now: it is told, and not remembered.
      learn({ ...facts, lastMessageId: undefined });
      return facts;
    },
    learnDirect: (id, recipientId) => void learn({ id, type: ChannelType.DM, recipientId }),
    standing: (guildId, userId, roleIds) => {
      const roles = guild(guildId)?.roles.cache;
      // Everyone has the role that is named like the server.
      const held = [guildId, ...roleIds].flatMap((id) => roles?.get(id) ?? []);
      // A name alone would let whoever names a role in a server of their own pass for somebody here.
      const names = held.filter(({ id }) => id !== guildId).map(({ name }) => `${guildId}:${name}`);
      return {
        roles: [...new Set([...roleIds, ...names])],
        managesGuild:
          guild(guildId)?.ownerId === userId ||
          held.some(({ permissions }) => mayManage(permissions.bitfield)),
      };
    },
    mayView: (guildId, channelId, userId, roleIds) => {
      const server = guild(guildId);
      const channel = server?.channels.cache.get(channelId);
      if (!server || !channel || channel.isThread() || server.ownerId === userId) return true;
      const overwrites = channel.permissionOverwrites.cache;
      const held = [guildId, ...roleIds].flatMap((id) => server.roles.cache.get(id) ?? []);
      const base = held.reduce((sum, { permissions }) => sum | permissions.bitfield, 0n);
      if ((base & PermissionFlagsBits.Administrator) !== 0n) return true;
      // As Discord does it: everyone, then all roles together, then the person.
      const steps = [[guildId], roleIds, [userId]];
      const reckoned = steps.reduce((permissions, ids) => {
        const own = ids.flatMap((id) => overwrites.get(id) ?? []);
        const denied = own.reduce((sum, { deny }) => sum | deny.bitfield, 0n);
        const allowed = own.reduce((sum, { allow }) => sum | allow.bitfield, 0n);
        return (permissions & ~denied) | allowed;
      }, base);
      return (reckoned & PermissionFlagsBits.ViewChannel) !== 0n;
    },
    isOwnRole: (guildId, roleId, botId) => guild(guildId)?.roles.cache.get(roleId)?.tags?.botId === botId,
    roleName: (guildId, roleId) => guild(guildId)?.roles.cache.get(roleId)?.name,
    learnLanguage: (userId, tag) => void languageByUser.set(userId, tag),
    languagesOf: (userId, guildId) => {
      const own = languageByUser.get(userId);
      const ofGuild = guildId === undefined ? undefined : guild(guildId)?.preferredLocale;
      const locale = localeFrom(own) ?? (localeFrom(ofGuild) === 'ko' ? 'ko' : undefined);
      return {
        ...(own === undefined ? {} : { languageTag: own }),
        ...(ofGuild === undefined ? {} : { guildLanguageTag: ofGuild }),
        ...(locale && { locale }),
      };
    },
  };
};

/**
 * Asked over REST: the gateway tells who leaves only with the privileged members intent. What a person may see is
 * reckoned from what the gateway told of roles and channels.
 */
export const createMembership =
  (api: DiscordApi, places: Pick<Places, 'find' | 'mayView'>) =>
  async ({ chatId, recipientId }: ReplyTarget, signal: AbortSignal): Promise<Membership> => {
    try {
      const channel = await places.find(chatId, signal);
      const guildId = channel?.guildId;
      // A group of people without a server: nobody but its members can have asked.
      if (guildId === undefined) return 'member';
      const member = await api.request<APIGuildMember>(
        'GET',
        Routes.guildMember(guildId, recipientId),
        {},
        signal,
      );
      return places.mayView(guildId, chatId, recipientId, member.roles) ? 'member' : 'left';
    } catch (error) {
      if (hasCode(error, CODES.unknownMember)) return 'left';
      if (hasCode(error, CODES.unknownChannel, CODES.unknownGuild, CODES.missingAccess)) return 'bot-removed';
      throw error;
    }
  };
