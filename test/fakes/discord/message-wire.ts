import type { ChannelState, MessageState, State } from './state.ts';
import { attachmentUrl, CHANNEL_TYPES, iso, wireMember, wireUser } from './views.ts';
import { asText, FLAG, type Wire } from './wire.ts';

const MENTION = /<@!?(\d+)>/gu;
const ROLE_MENTION = /<@&(\d+)>/gu;

const wireAttachments = (state: State, message: MessageState): readonly Wire[] =>
  message.saying.attachments.map(
    ({ id, name, description, contentType, bytes, isVoice, durationSecs = 1.5 }) => {
      const url = attachmentUrl(state, message.channelId, id, name);
      return {
        id,
        filename: name,
        size: bytes.length,
        url,
        proxy_url: url,
        ...(description === undefined ? {} : { description }),
        ...(contentType === undefined ? {} : { content_type: contentType }),
        ...(contentType?.startsWith('image/') === true ? { width: 64, height: 64 } : {}),
        ...(isVoice ? { duration_secs: durationSecs, waveform: 'AAAA' } : {}),
      };
    },
  );

const wireReactions = (state: State, message: MessageState): readonly Wire[] =>
  [...message.reactions].map(([emoji, userIds]) => ({
    emoji: wireEmoji(emoji),
    count: userIds.size,
    count_details: { burst: 0, normal: userIds.size },
    burst_colors: [],
    burst_me: false,
    me_burst: false,
    me: userIds.has(state.bot.id),
  }));

export const wireEmoji = (emoji: string): Wire => {
  const [name = emoji, id = null] = emoji.split(':');
  return { id, name };
};

export const mentionedUsers = (content: string): readonly string[] => [
  ...new Set([...content.matchAll(MENTION)].map(([, id = '']) => id)),
];

export const mentionedRoles = (content: string): readonly string[] => [
  ...new Set([...content.matchAll(ROLE_MENTION)].map(([, id = '']) => id)),
];

/** A message of others in a guild that does not mention the bot shows its content only to those who may read it. */
const hidesContent = (state: State, channel: ChannelState, message: MessageState): boolean =>
  channel.kind !== 'direct' &&
  message.author !== state.bot &&
  !mentionedUsers(message.saying.content).includes(state.bot.id) &&
  !(message.replyTo !== undefined && message.pinged.users.includes(state.bot.id));

const EMPTIED: Wire = { content: '', embeds: [], attachments: [], components: [] };

/** `isReader`: the application may read what is not said to it. */
export const wireMessage = (
  state: State,
  channel: ChannelState,
  message: MessageState,
  isReader: boolean,
  isNested = false,
): Wire => {
  const { saying, author } = message;
  const mentioned = mentionedUsers(saying.content).flatMap((id) => state.users.get(id) ?? []);
  const replied = message.replyTo === undefined ? undefined : channel.messages.get(message.replyTo);
  const pingedByReply =
    replied && message.pinged.users.includes(replied.author.id) && !mentioned.includes(replied.author)
      ? [replied.author]
      : [];
  const isHidden = !isReader && hidesContent(state, channel, message);
  const reactions = wireReactions(state, message);
  return {
    id: message.id,
    channel_id: channel.id,
    type: message.type,
    author: wireUser(author),
    content: saying.content,
    embeds: saying.embeds,
    attachments: wireAttachments(state, message),
    components: saying.components,
    mentions: [...mentioned, ...pingedByReply].map(wireUser),
    mention_roles: mentionedRoles(saying.content),
    mention_everyone: message.pinged.everyone,
    timestamp: iso(message.atMs),
    edited_timestamp: message.editedAtMs === undefined ? null : iso(message.editedAtMs),
    tts: false,
    pinned: false,
    flags: saying.flags,
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(message.webhookId === undefined ? {} : { webhook_id: message.webhookId }),
    ...(author === state.bot ? { application_id: state.applicationId } : {}),
    ...interactionPart(state, message),
    ...(message.replyTo === undefined
      ? {}
      : {
          message_reference: {
            type: 0,
            message_id: message.replyTo,
            channel_id: channel.id,
            ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
          },
          ...(isNested
            ? {}
            : { referenced_message: replied ? wireMessage(state, channel, replied, isReader, true) : null }),
        }),
    ...message.extra,
    ...(isHidden ? EMPTIED : {}),
  };
};

/** A button was pressed. */
const COMPONENT = 3;

const interactionPart = (state: State, { id, interactionId }: MessageState): Wire => {
  const interaction = interactionId === undefined ? undefined : state.interactions.get(interactionId);
  if (!interaction) return {};
  const { originalId, sourceId, type, user, channelId } = interaction;
  const guildId = state.channels.get(channelId)?.guildId;
  const isFollowUp = originalId !== undefined && originalId !== id;
  return {
    webhook_id: state.applicationId,
    interaction_metadata: {
      id: interaction.id,
      type,
      user: wireUser(user),
      authorizing_integration_owners: { '0': guildId ?? '0' },
      ...(isFollowUp ? { original_response_message_id: originalId } : {}),
      ...(type === COMPONENT && sourceId !== undefined ? { interacted_message_id: sourceId } : {}),
    },
  };
};

/** With what only the gateway adds. */
export const wireMessageEvent = (
  state: State,
  channel: ChannelState,
  message: MessageState,
  isReader: boolean,
): Wire => {
  const guild = state.guilds.get(asText(channel.guildId));
  const isPerson = guild?.members.has(message.author.id) === true;
  return {
    ...wireMessage(state, channel, message, isReader),
    ...(guild ? { guild_id: guild.id } : {}),
    ...(guild && isPerson ? { member: wireMember(guild, message.author.id) } : {}),
    channel_type: CHANNEL_TYPES[channel.kind],
  };
};

export const isEphemeral = (message: MessageState): boolean => (message.saying.flags & FLAG.ephemeral) !== 0;
