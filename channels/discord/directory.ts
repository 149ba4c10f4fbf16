import {
  type APIApplication,
  type APIChannel,
  type APIGuildMember,
  type APITeamMember,
  type Channel,
  ChannelType,
  type Client,
  PermissionFlagsBits,
  Routes,
  TeamMemberMembershipState,
  TeamMemberRole,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Locale } from '#src/kernel/locale.ts';
import { CODES, type DiscordApi, hasCode } from './api.ts';
import { localeFrom } from './settings.ts';
import type { Membership } from '#src/kernel/channel/channel.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';

/** A channel, a thread or a direct chat. */
export interface ChannelFacts {
  readonly id: string;
  readonly type: ChannelType;
  readonly guildId?: string | undefined;
  readonly name?: string | undefined;
  /** The channel of a thread. */
  readonly parentId?: string | undefined;
  readonly parentType?: ChannelType | undefined;
  readonly parentName?: string | undefined;
  /** The other person of a direct chat. */
  readonly recipientId?: string | undefined;
  readonly lastMessageId?: string | undefined;
}

/** The roles and rights of a person in a server. */
export interface Standing {
  /** Role ids, and role names behind the server's id: the configuration may contain either. */
  readonly roles: readonly string[];
  readonly managesGuild: boolean;
}

/** The languages of a message's author. Interactions carry them; messages do not. */
export interface Languages {
  /** From the person's last interaction. */
  readonly languageTag?: string;
  readonly guildLanguageTag?: string;
  /** The person's language, else the server's if that is Korean; English is only the default of servers. */
  readonly locale?: Locale;
}

type MayIn = (guildId: string, channelId: string, userId: string, roleIds: readonly string[]) => boolean;

/** Channels, members and languages: from the gateway's cache, or over REST where that is missing. */
export type DiscordDirectory = ReturnType<typeof createDirectory>;

/** What Discord says about the application of the bot's token. */
export type ApplicationFacts = Pick<
  APIApplication,
  'id' | 'bot' | 'owner' | 'team' | 'integration_types_config'
>;

const mayChangeApplication = ({ membership_state: state, role }: APITeamMember): boolean =>
  state === TeamMemberMembershipState.Accepted && role !== TeamMemberRole.ReadOnly;

/** The owner of the application, or the members of its team who may change it. */
const ownersOf = ({ owner, team }: ApplicationFacts): readonly string[] => {
  if (!team) return owner ? [owner.id] : [];
  return [team.owner_user_id, ...team.members.filter(mayChangeApplication).map(({ user }) => user.id)];
};

const MANAGES = (1n << 5n) | (1n << 3n);
/** The size of each cache: direct chats, looked-up channels, languages. */
const MAX_KEPT = 1_000;

export const mayManage = (permissions: string | bigint): boolean => (BigInt(permissions) & MANAGES) !== 0n;

export const isThread = ({ type }: Pick<ChannelFacts, 'type'>): boolean =>
  type === ChannelType.PublicThread ||
  type === ChannelType.PrivateThread ||
  type === ChannelType.AnnouncementThread;

/** A channel in which every message belongs to a thread. */
export const isForum = (type: ChannelType | undefined): boolean =>
  type === ChannelType.GuildForum || type === ChannelType.GuildMedia;

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

/** All text channels and threads that the gateway has sent. */
export const channelsIn = (client: Client): readonly ChannelFacts[] =>
  [...client.channels.cache.values()].filter((one) => one.isTextBased() && !one.isDMBased()).map(factsOf);

/** A channel of a REST response or an interaction. */
export const factsFromApi = (
  channel: Partial<APIChannel> & Pick<APIChannel, 'id' | 'type'>,
  known: DiscordDirectory['known'],
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

/** The clients of this process, one for each shard. */
export interface Clients {
  readonly all: () => readonly Client[];
  /** Of the shard that the server is on. Undefined if another process has it. */
  readonly ofGuild: (guildId: string) => Client | undefined;
}

export const createDirectory = (api: DiscordApi, clients: Clients) => {
  const lookedUp = new LRUCache<string, ChannelFacts>({ max: MAX_KEPT });
  const directByUser = new LRUCache<string, ChannelFacts>({ max: MAX_KEPT });
  const languageByUser = new LRUCache<string, string>({ max: MAX_KEPT });
  let owners: ReadonlySet<string> = new Set();

  const known = (id: string): ChannelFacts | undefined => {
    const cached = clients.all().flatMap(({ channels }) => channels.cache.get(id) ?? [])[0];
    // For a direct chat the library names whoever wrote last as the recipient, which may be the bot.
    return cached && !cached.isDMBased() ? factsOf(cached) : lookedUp.get(id);
  };
  const guild = (id: string) => clients.ofGuild(id)?.guilds.cache.get(id);

  const learn = (facts: ChannelFacts): ChannelFacts => {
    lookedUp.set(facts.id, facts);
    if (facts.recipientId !== undefined) directByUser.set(facts.recipientId, facts);
    return facts;
  };

  const may =
    (wanted: bigint): MayIn =>
    (guildId, channelId, userId, roleIds) => {
      const server = guild(guildId);
      const channel = server?.channels.cache.get(channelId);
      if (!server || !channel || channel.isThread() || server.ownerId === userId) return true;
      const overwrites = channel.permissionOverwrites.cache;
      const held = [guildId, ...roleIds].flatMap((id) => server.roles.cache.get(id) ?? []);
      const base = held.reduce((sum, { permissions }) => sum | permissions.bitfield, 0n);
      if ((base & PermissionFlagsBits.Administrator) !== 0n) return true;
      // Discord applies overwrites in this order: everyone, then all roles together, then the person.
      const steps = [[guildId], roleIds, [userId]];
      const effective = steps.reduce((permissions, ids) => {
        const own = ids.flatMap((id) => overwrites.get(id) ?? []);
        const denied = own.reduce((sum, { deny }) => sum | deny.bitfield, 0n);
        const allowed = own.reduce((sum, { allow }) => sum | allow.bitfield, 0n);
        return (permissions & ~denied) | allowed;
      }, base);
      return (effective & wanted) === wanted;
    };

  return {
    /** Answers from the cache; undefined if the gateway has not sent the channel. */
    known,
    /** Asks Discord if the channel is not cached. */
    find: async (id: string, signal: AbortSignal): Promise<ChannelFacts> => {
      const found = known(id);
      if (found) return found;
      const channel = await api.request<APIChannel>('GET', Routes.channel(id), {}, signal);
      return learn(factsFromApi(channel, known));
    },
    /** The direct chat with a person; opens one if there is none. Throws `DiscordError`. */
    directChannel: async (userId: string, signal: AbortSignal): Promise<ChannelFacts> => {
      const kept = directByUser.get(userId);
      if (kept) return kept;
      const body = { recipient_id: userId };
      const channel = await api.request<APIChannel>('POST', Routes.userChannels(), { body }, signal);
      const facts = { ...factsFromApi(channel, known), recipientId: userId };
      // The last message changes all the time, so it is returned but not cached.
      learn({ ...facts, lastMessageId: undefined });
      return facts;
    },
    /** Records the channel of a direct chat. */
    learnDirect: (id: string, recipientId: string) => void learn({ id, type: ChannelType.DM, recipientId }),
    /** Remembers who registered the application. */
    learnOwners: (application: ApplicationFacts) => {
      owners = new Set(ownersOf(application));
    },
    ownsBot: (userId: string): boolean => owners.has(userId),
    standing: (guildId: string, userId: string, roleIds: readonly string[]): Standing => {
      const roles = guild(guildId)?.roles.cache;
      // Every member has the role whose id is that of the server.
      const held = [guildId, ...roleIds].flatMap((id) => roles?.get(id) ?? []);
      // A name comes with its server: otherwise a role of the same name in another server would give the same rights.
      const names = held.filter(({ id }) => id !== guildId).map(({ name }) => `${guildId}:${name}`);
      return {
        roles: [...new Set([...roleIds, ...names])],
        managesGuild:
          guild(guildId)?.ownerId === userId ||
          held.some(({ permissions }) => mayManage(permissions.bitfield)),
      };
    },
    /** Whether somebody with these roles sees a channel. True if the channel is not cached. */
    mayView: may(PermissionFlagsBits.ViewChannel),
    /** Whether somebody with these roles sees a channel and may write there. True if the channel is not cached. */
    mayWrite: may(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages),
    isOwnRole: (guildId: string, roleId: string, botId: string): boolean =>
      guild(guildId)?.roles.cache.get(roleId)?.tags?.botId === botId,
    roleName: (guildId: string, roleId: string): string | undefined =>
      guild(guildId)?.roles.cache.get(roleId)?.name,
    /** Records the language of an interaction's sender. */
    learnLanguage: (userId: string, tag: string) => void languageByUser.set(userId, tag),
    languagesOf: (userId: string, guildId: string | undefined): Languages => {
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
 * Asks over REST, because the gateway reports leaving members only with the privileged members intent. Whether a
 * member may see the channel is computed from cached roles and channels.
 */
export const createMembership =
  (api: DiscordApi, directory: DiscordDirectory) =>
  async ({ chatId, recipientId }: ReplyTarget, signal: AbortSignal): Promise<Membership> => {
    try {
      const { guildId } = await directory.find(chatId, signal);
      // Only members can have asked in a group chat without a server.
      if (guildId === undefined) return 'member';
      const route = Routes.guildMember(guildId, recipientId);
      const member = await api.request<APIGuildMember>('GET', route, {}, signal);
      return directory.mayView(guildId, chatId, recipientId, member.roles) ? 'member' : 'left';
    } catch (error) {
      if (hasCode(error, CODES.unknownMember)) return 'left';
      if (hasCode(error, CODES.unknownChannel, CODES.unknownGuild, CODES.missingAccess)) return 'bot-removed';
      throw error;
    }
  };
