import type { FakeChannel, FakeClip, FakeFile, FakeUser, Json } from './api.ts';
import type { StoredMessage, World } from './world.ts';
import { APP_ID, BOT, TEAM } from './world.ts';

const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const;

/** `channel_type` of events. */
export const channelTypeOf = ({ kind }: FakeChannel): string => CHANNEL_TYPES[kind];

const clipWire = ({ durationMs, transcription }: FakeClip): Json => ({
  subtype: 'slack_audio',
  media_display_type: 'audio',
  duration_ms: durationMs,
  transcription: transcription
    ? {
        status: 'complete',
        locale: 'en-US',
        preview: { content: transcription.content, has_more: transcription.hasMore },
      }
    : { status: 'processing' },
});

export const wireFile = (file: FakeFile): Json => ({
  id: file.id,
  created: 1_763_000_000,
  name: file.name,
  title: file.title,
  mimetype: file.mimetype,
  filetype: file.name.split('.').at(-1) ?? 'txt',
  pretty_type: file.mimetype,
  user: file.user,
  user_team: TEAM.id,
  size: file.content.byteLength,
  mode: 'hosted',
  is_external: false,
  is_public: true,
  file_access: 'visible',
  url_private: file.urlPrivate,
  url_private_download: file.urlPrivate.replace('/files-pri/', '/files-pri/download/'),
  permalink: file.urlPrivate.replace('/files-pri/', '/files/'),
  ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
  ...(file.clip && clipWire(file.clip)),
});

const botProfile = { id: BOT.botId, app_id: APP_ID, name: BOT.name, team_id: TEAM.id, deleted: false };

const authorOf = (world: World, user: string): Json => {
  if (user === BOT.userId) {
    return { user, bot_id: BOT.botId, app_id: APP_ID, bot_profile: botProfile, team: TEAM.id };
  }
  const known = world.users.get(user);
  if (known?.isBot) {
    const botId = user.replace(/^U/, 'B');
    return {
      user,
      bot_id: botId,
      team: known.teamId,
      bot_profile: { ...botProfile, id: botId, app_id: 'A0OTHER001' },
    };
  }
  return { user, team: TEAM.id };
};

const threadOf = (world: World, message: StoredMessage): Json => {
  const { threadTs, channel } = message;
  if (threadTs !== undefined) {
    const parent = world.messageAt({ channel, ts: threadTs });
    return { thread_ts: threadTs, ...(parent ? { parent_user_id: parent.user } : {}) };
  }
  const replies = world.repliesTo(message);
  if (replies.length === 0) return {};
  return {
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users: [...new Set(replies.map(({ user }) => user))],
    latest_reply: replies.at(-1)?.ts,
  };
};

/** Slack gives each block that has no id one. */
export const withBlockIds = (blocks: readonly Json[], of: string): readonly Json[] =>
  blocks.map((block, at) => ({ ...block, block_id: block['block_id'] ?? `${of}/${at}` }));

export interface WireOptions {
  readonly metadata: boolean;
}

/** A message as the Web API gives it, and the core of what events tell about it. */
export const wireMessage = (world: World, message: StoredMessage, options: WireOptions): Json => ({
  type: 'message',
  ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
  ...authorOf(world, message.user),
  text: message.text,
  ts: message.ts,
  ...threadOf(world, message),
  ...(message.blocks.length === 0 ? {} : { blocks: withBlockIds(message.blocks, message.ts) }),
  ...(message.attachments.length === 0 ? {} : { attachments: message.attachments }),
  ...(message.files.length === 0 ? {} : { files: message.files.map(wireFile) }),
  ...(message.reactions.length === 0
    ? {}
    : { reactions: message.reactions.map(({ name, users }) => ({ name, users, count: users.length })) }),
  ...(message.isEdited ? { edited: { user: message.user, ts: message.ts } } : {}),
  ...(options.metadata && message.metadata ? { metadata: message.metadata } : {}),
});

export const wireChannel = ({ id, name, kind, isArchived, isShared, members }: FakeChannel): Json => ({
  id,
  ...(kind === 'im'
    ? { user: members.find((user) => user !== BOT.userId) }
    : { name, name_normalized: name }),
  is_channel: kind === 'public',
  is_group: kind === 'private',
  is_im: kind === 'im',
  is_mpim: kind === 'mpim',
  is_private: kind !== 'public',
  is_archived: isArchived,
  is_ext_shared: isShared,
  is_shared: isShared,
  is_member: members.includes(BOT.userId),
  context_team_id: TEAM.id,
});

export const wireUser = (user: FakeUser, isLocaleAsked: boolean): Json => ({
  id: user.id,
  team_id: user.teamId,
  name: user.name,
  real_name: user.realName,
  deleted: user.isDeleted,
  is_bot: user.isBot,
  is_app_user: false,
  ...(user.isStranger ? { is_stranger: true } : {}),
  // Slack says nothing of the roles and the time zone of those who are gone.
  ...(user.isDeleted
    ? {}
    : {
        tz: user.tz,
        is_admin: user.isAdmin,
        is_owner: false,
        is_restricted: user.isGuest,
        is_ultra_restricted: false,
      }),
  ...(isLocaleAsked ? { locale: user.locale } : {}),
  profile: { display_name: user.name, real_name: user.realName, team: user.teamId },
});
