import type { FakeDiscordPlaces } from './api.ts';
import type { FakeUser } from './seen.ts';
import { shardOf } from './session.ts';
import type { ChannelState, GuildState, State, UserState } from './state.ts';
import {
  isThread,
  seenChannel,
  seenUser,
  threadMember,
  wireChannel,
  wireGuild,
  wireMember,
  wireRole,
  wireUser,
} from './views.ts';
import { EVERYDAY_RIGHTS, RIGHT } from './wire.ts';

export const userOf = (state: State, { id }: Pick<FakeUser, 'id'>): UserState => {
  const user = state.users.get(id);
  if (!user) throw new Error(`There is no user ${id}.`);
  return user;
};

const guildOf = (state: State, id: string): GuildState => {
  const guild = state.guilds.get(id);
  if (!guild) throw new Error(`There is no guild ${id}.`);
  return guild;
};

export const channelOf = (state: State, id: string): ChannelState => {
  const channel = state.channels.get(id);
  if (!channel) throw new Error(`There is no channel ${id}.`);
  return channel;
};

const newChannel = (
  state: State,
  channel: Pick<ChannelState, 'kind' | 'name'> &
    Partial<
      Pick<ChannelState, 'id' | 'guildId' | 'parentId' | 'ownerId' | 'recipientId' | 'rights' | 'isJoined'>
    >,
): ChannelState => {
  const fresh: ChannelState = {
    id: state.nextId(),
    rights: {},
    isJoined: false,
    messages: new Map(),
    nonces: new Map(),
    ...channel,
  };
  state.channels.set(fresh.id, fresh);
  return fresh;
};

/** The chat of a person with the bot; there is one. */
export const directChannelOf = (state: State, user: UserState): ChannelState =>
  [...state.channels.values()].find(({ recipientId }) => recipientId === user.id) ??
  newChannel(state, { kind: 'direct', name: user.username, recipientId: user.id });

export const ensureMember = (state: State, guildId: string | undefined, user: UserState): void => {
  const guild = guildId === undefined ? undefined : state.guilds.get(guildId);
  if (!guild || user.isWebhook || guild.members.has(user.id)) return;
  guild.members.set(user.id, { roleIds: [], joinedAtMs: state.options.now() });
};

/** Makes a thread as Discord does: one that was made from a message has its id. */
export const openThread = (
  state: State,
  parent: ChannelState,
  thread: {
    readonly name: string;
    readonly ownerId: string;
    readonly starterId?: string | undefined;
    readonly isPrivate?: boolean;
    readonly isJoined: boolean;
  },
): ChannelState => {
  const kind =
    thread.isPrivate === true
      ? 'private-thread'
      : parent.kind === 'announcement'
        ? 'announcement-thread'
        : 'thread';
  const channel = newChannel(state, {
    ...(thread.starterId === undefined ? {} : { id: thread.starterId }),
    kind,
    name: thread.name,
    parentId: parent.id,
    ...(parent.guildId === undefined ? {} : { guildId: parent.guildId }),
    ownerId: thread.ownerId,
    isJoined: thread.isJoined,
  });
  state.onDispatch('THREAD_CREATE', { ...wireChannel(state, channel), newly_created: true }, channel.id);
  return channel;
};

/** The next id that belongs to this shard. */
const onShard = (id: string, shard: number | undefined, count: number): string => {
  if (shard === undefined) return id;
  const steps = (shard - shardOf(id, count) + count) % count;
  // No id that is given later is the same.
  return `${(BigInt(id) + (BigInt(steps) << 22n)) | 0x3f_ffffn}`;
};

export const createPlaces = (state: State): FakeDiscordPlaces => ({
  addUser: ({ id = state.nextId(), name, displayName = name, isBot = false, locale = 'en-US' }) => {
    const user: UserState = {
      id,
      username: name,
      displayName,
      isBot,
      isWebhook: false,
      locale,
      refusesDirect: false,
    };
    state.users.set(user.id, user);
    return seenUser(user);
  },
  deleteUser: (user) => {
    const gone = userOf(state, user);
    gone.username = `deleted_user_${gone.id.slice(-12)}`;
    gone.displayName = gone.username;
    for (const guild of state.guilds.values()) guild.members.delete(gone.id);
  },
  refuseDirect: (user, isRefusing = true) => {
    userOf(state, user).refusesDirect = isRefusing;
  },
  addGuild: ({
    name,
    locale = 'en-US',
    shard,
    hasBot: isJoined = true,
    joinedAtMs = state.options.now(),
    channels = [],
  }) => {
    const id = onShard(state.nextId(), shard, state.options.shards);
    const managerRoleId = state.nextId();
    const made = channels.map(({ name: called, kind = 'text', rights = {}, isSystem = false }) => ({
      ...newChannel(state, { kind, name: called, guildId: id, rights }),
      isSystem,
    }));
    const system = made.find(({ isSystem }) => isSystem);
    const guild: GuildState = {
      id,
      name,
      locale,
      managerRoleId,
      ...(system && { systemChannelId: system.id }),
      roles: new Map([
        [id, { id, name: '@everyone', permissions: EVERYDAY_RIGHTS }],
        [managerRoleId, { id: managerRoleId, name: 'Managers', permissions: RIGHT.manageGuild }],
      ]),
      members: new Map(isJoined ? [[state.bot.id, { roleIds: [], joinedAtMs }]] : []),
    };
    state.guilds.set(id, guild);
    if (isJoined) state.onDispatch('GUILD_CREATE', wireGuild(state, guild, false), undefined);
    return { id, name, channels: made.map(seenChannel) };
  },
  removeGuild: ({ id }) => {
    state.guilds.delete(id);
    for (const channel of state.channels.values())
      if (channel.guildId === id) state.channels.delete(channel.id);
    state.onDispatch('GUILD_DELETE', { id }, undefined);
  },
  addRole: ({ id }, { name }) => {
    const role = { id: state.nextId(), name, permissions: 0n };
    guildOf(state, id).roles.set(role.id, role);
    state.onDispatch('GUILD_ROLE_CREATE', { guild_id: id, role: wireRole(role) }, undefined);
    return { id: role.id, name };
  },
  addMember: ({ id }, user, { roles = [], nickname, managesGuild = false } = {}) => {
    const guild = guildOf(state, id);
    const isNew = !guild.members.has(user.id);
    guild.members.set(user.id, {
      roleIds: [...roles.map((role) => role.id), ...(managesGuild ? [guild.managerRoleId] : [])],
      ...(nickname === undefined ? {} : { nickname }),
      joinedAtMs: state.options.now(),
    });
    const data = { ...wireMember(guild, user.id), guild_id: id, user: wireUser(userOf(state, user)) };
    state.onDispatch(isNew ? 'GUILD_MEMBER_ADD' : 'GUILD_MEMBER_UPDATE', data, undefined);
  },
  removeMember: ({ id }, user) => void guildOf(state, id).members.delete(user.id),
  addChannel: ({ id }, { name, kind = 'text', rights = {} }) => {
    const channel = newChannel(state, { kind, name, guildId: guildOf(state, id).id, rights });
    state.onDispatch('CHANNEL_CREATE', wireChannel(state, channel), channel.id);
    return seenChannel(channel);
  },
  addThread: (parent, { name, owner, starter, isPrivate = false, isJoined = false }) =>
    seenChannel(
      openThread(state, channelOf(state, parent.id), {
        name,
        ownerId: owner?.id ?? state.bot.id,
        starterId: starter?.id,
        isPrivate,
        isJoined,
      }),
    ),
  removeChannel: ({ id }) => {
    const channel = channelOf(state, id);
    state.channels.delete(id);
    const event = isThread(channel) ? 'THREAD_DELETE' : 'CHANNEL_DELETE';
    state.onDispatch(event, wireChannel(state, channel), undefined);
  },
  closeThread: ({ id }, how) => {
    const channel = channelOf(state, id);
    channel.closed = how;
    state.onDispatch('THREAD_UPDATE', wireChannel(state, channel), undefined);
  },
  directChannel: (user) => seenChannel(directChannelOf(state, userOf(state, user))),
  permit: ({ id }, rights) => {
    const channel = channelOf(state, id);
    channel.rights = { ...channel.rights, ...rights };
    const event = isThread(channel) ? 'THREAD_UPDATE' : 'CHANNEL_UPDATE';
    if (channel.kind !== 'direct') state.onDispatch(event, wireChannel(state, channel), undefined);
  },
});

/** The bot is a member of the thread from now on. */
export const joinThread = (state: State, channel: ChannelState): void => {
  channel.isJoined = true;
  state.onDispatch(
    'THREAD_MEMBERS_UPDATE',
    {
      id: channel.id,
      guild_id: channel.guildId,
      member_count: 2,
      added_members: [threadMember(state, channel)],
    },
    undefined,
  );
};
