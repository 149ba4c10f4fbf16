import type { FakeChannel, FakeUser, SeenButton, SeenMessage } from './seen.ts';
import type { ChannelState, GuildState, MessageState, State, UserState } from './state.ts';
import { asNumber, asText, asWires, EVERYDAY_RIGHTS, FLAG, RIGHT, type Wire } from './wire.ts';

/** The state as people see it, and as it goes over the wire. */
export const seenUser = (user: UserState): FakeUser => ({
  id: user.id,
  username: user.username,
  displayName: user.displayName,
  isBot: user.isBot,
});

export const seenChannel = (channel: ChannelState): FakeChannel => ({
  id: channel.id,
  kind: channel.kind,
  name: channel.name,
  ...(channel.guildId === undefined ? {} : { guildId: channel.guildId }),
  ...(channel.parentId === undefined ? {} : { parentId: channel.parentId }),
});

const attachmentUrl = (state: State, channelId: string, id: string, name: string): string =>
  `${state.origin}/attachments/${channelId}/${id}/${encodeURIComponent(name)}?ex=6a000000&is=69000000&hm=00`;

const buttonsOf = (rows: readonly Wire[]): readonly SeenButton[] =>
  rows.flatMap((row) =>
    asWires(row['components']).map((part) => ({
      ...(typeof part['custom_id'] === 'string' ? { customId: part['custom_id'] } : {}),
      label: asText(part['label'] ?? part['placeholder'] ?? (part['emoji'] as Wire | undefined)?.['name']),
      style: asNumber(part['style']),
      isDisabled: part['disabled'] === true,
    })),
  );

export const seenMessage = (state: State, message: MessageState): SeenMessage => ({
  id: message.id,
  channelId: message.channelId,
  author: seenUser(message.author),
  content: message.saying.content,
  embeds: message.saying.embeds,
  components: message.saying.components,
  buttons: buttonsOf(message.saying.components),
  attachments: message.saying.attachments.map(({ id, name, description, contentType, bytes }) => ({
    id,
    name,
    ...(description === undefined ? {} : { description }),
    ...(contentType === undefined ? {} : { contentType }),
    sizeBytes: bytes.length,
    url: attachmentUrl(state, message.channelId, id, name),
  })),
  ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
  reactions: [...message.reactions].map(([emoji, userIds]) => ({ emoji, userIds: [...userIds] })),
  ...(message.ephemeralFor === undefined ? {} : { ephemeralFor: message.ephemeralFor }),
  isThinking: (message.saying.flags & FLAG.loading) !== 0,
  pinged: message.pinged,
  ...(message.allowedMentions === undefined ? {} : { allowedMentions: message.allowedMentions }),
  ...(message.nonce === undefined ? {} : { nonce: `${message.nonce}` }),
  ...(message.interactionId === undefined ? {} : { interactionId: message.interactionId }),
  type: message.type,
  flags: message.saying.flags,
  atMs: message.atMs,
  ...(message.editedAtMs === undefined ? {} : { editedAtMs: message.editedAtMs }),
});

export const wireUser = (user: UserState): Wire => ({
  id: user.id,
  username: user.username,
  global_name: user.isBot || user.isWebhook ? null : user.displayName,
  discriminator: user.isBot ? '0001' : user.isWebhook ? '0000' : '0',
  avatar: null,
  bot: user.isBot || user.isWebhook,
  public_flags: 0,
});

const iso = (ms: number): string => new Date(ms).toISOString();

export const wireMember = (guild: GuildState, userId: string): Wire => {
  const member = guild.members.get(userId);
  return {
    roles: member?.roleIds ?? [],
    nick: member?.nickname ?? null,
    avatar: null,
    joined_at: iso(member?.joinedAtMs ?? 0),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
  };
};

export const rightsOf = (guild: GuildState, userId: string): bigint =>
  (guild.members.get(userId)?.roleIds ?? []).reduce(
    (sum, id) => sum | (guild.roles.get(id)?.permissions ?? 0n),
    EVERYDAY_RIGHTS,
  );

export const CHANNEL_TYPES = {
  text: 0,
  direct: 1,
  announcement: 5,
  'announcement-thread': 10,
  thread: 11,
  'private-thread': 12,
  forum: 15,
} as const;

/** Those of an application in fewer than 100 guilds, which has not been reviewed. */
const INTENT_FLAGS = { GuildPresences: 1 << 13, GuildMembers: 1 << 15, MessageContent: 1 << 19 } as const;

export const applicationFlags = ({ options }: State): number =>
  options.grantedIntents.reduce((sum, name) => sum | INTENT_FLAGS[name], 0);

export const isThread = ({ kind }: Pick<ChannelState, 'kind'>): boolean => kind.endsWith('thread');

const deniedBits = (channel: ChannelState): bigint => {
  const {
    canRead = true,
    canSend = true,
    canReact = true,
    canEmbed = true,
    canAttach = true,
  } = channel.rights;
  return (
    (canRead ? 0n : RIGHT.viewChannel | RIGHT.readHistory) |
    (canSend ? 0n : RIGHT.sendMessages | RIGHT.sendInThreads) |
    (canReact ? 0n : RIGHT.addReactions) |
    (canEmbed ? 0n : RIGHT.embedLinks) |
    (canAttach ? 0n : RIGHT.attachFiles)
  );
};

export const wireChannel = (state: State, channel: ChannelState): Wire => {
  const last = [...channel.messages.values()].findLast((message) => message.ephemeralFor === undefined);
  const common: Wire = {
    id: channel.id,
    type: CHANNEL_TYPES[channel.kind],
    last_message_id: last?.id ?? null,
    flags: 0,
  };
  if (channel.kind === 'direct') {
    const recipient = state.users.get(channel.recipientId ?? '');
    return { ...common, recipients: recipient ? [wireUser(recipient)] : [] };
  }
  const placed: Wire = {
    ...common,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId ?? null,
    rate_limit_per_user: 0,
  };
  if (!isThread(channel)) {
    const deny = deniedBits(channel);
    return {
      ...placed,
      position: 0,
      topic: null,
      nsfw: false,
      permission_overwrites: deny === 0n ? [] : [{ id: state.bot.id, type: 1, allow: '0', deny: `${deny}` }],
      ...(channel.kind === 'forum' ? { available_tags: [], default_reaction_emoji: null } : {}),
    };
  }
  return {
    ...placed,
    owner_id: channel.ownerId ?? state.bot.id,
    message_count: channel.messages.size,
    member_count: 1,
    thread_metadata: {
      archived: channel.closed !== undefined,
      auto_archive_duration: 1_440,
      archive_timestamp: iso(state.options.now()),
      locked: channel.closed === 'locked',
    },
    ...(channel.isJoined ? { member: threadMember(state, channel) } : {}),
  };
};

export const threadMember = (state: State, channel: ChannelState): Wire => ({
  id: channel.id,
  user_id: state.bot.id,
  join_timestamp: iso(state.options.now()),
  flags: 1,
});

const wireRole = ({ id, name, permissions }: { id: string; name: string; permissions: bigint }): Wire => ({
  id,
  name,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  position: 0,
  permissions: `${permissions}`,
  managed: false,
  mentionable: true,
  flags: 0,
});

/** `hasMembers`: the reader may know all of them, and not only the bot. */
export const wireGuild = (state: State, guild: GuildState, hasMembers: boolean): Wire => {
  const channels = [...state.channels.values()].filter(({ guildId }) => guildId === guild.id);
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    owner_id: '1',
    preferred_locale: guild.locale,
    features: [],
    roles: [...guild.roles.values()].map(wireRole),
    emojis: [],
    stickers: [],
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    system_channel_flags: 0,
    afk_timeout: 300,
    joined_at: iso(guild.members.get(state.bot.id)?.joinedAtMs ?? 0),
    system_channel_id: guild.systemChannelId ?? null,
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [...guild.members.keys()]
      .filter((id) => hasMembers || id === state.bot.id)
      .map((id) => ({
        ...wireMember(guild, id),
        user: wireUser(state.users.get(id) ?? state.bot),
      })),
    channels: channels.filter((channel) => !isThread(channel)).map((channel) => wireChannel(state, channel)),
    threads: channels.filter(isThread).map((channel) => wireChannel(state, channel)),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
};

export { attachmentUrl, iso, wireRole };
