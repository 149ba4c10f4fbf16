import type { FakeDiscordPeople, Words } from './api.ts';
import { wireEmoji, wireMessage } from './message-wire.ts';
import { addMessage, deleteMessage, dispatchMessage, editMessage, type NewMessage } from './messages.ts';
import { channelOf, directChannelOf, ensureMember, userOf } from './places.ts';
import type { SeenMessage } from './seen.ts';
import type { AttachmentState, ChannelState, MessageState, Saying, State, UserState } from './state.ts';
import { iso, seenMessage, wireMember, wireUser } from './views.ts';
import { FLAG, type Wire } from './wire.ts';

export const bytesOf = (bytes: Uint8Array | string): Uint8Array =>
  typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;

const sayingOf = (
  state: State,
  { content = '', attachments = [], embeds = [], isVoice = false }: Words,
): Saying => {
  if (isVoice && (content !== '' || attachments.length !== 1 || embeds.length > 0))
    throw new Error('A voice message is one recording, without text');
  return {
    content,
    embeds,
    components: [],
    attachments: attachments.map(
      ({ name, bytes, contentType, description, durationSecs }): AttachmentState => ({
        id: state.nextId(),
        name,
        bytes: bytesOf(bytes),
        ...(contentType === undefined ? {} : { contentType }),
        ...(description === undefined ? {} : { description }),
        isVoice,
        ...(durationSecs === undefined ? {} : { durationSecs }),
      }),
    ),
    flags: isVoice ? FLAG.voice : 0,
  };
};

const extraOf = (state: State, { stickers = [], raw = {} }: Words): Wire => ({
  ...(stickers.length === 0
    ? {}
    : { sticker_items: stickers.map((name) => ({ id: state.nextId(), name, format_type: 1 })) }),
  ...raw,
});

/** Somebody writes something. */
export const speak = (
  state: State,
  author: UserState,
  channel: ChannelState,
  words: string | Words,
  more: Partial<NewMessage> = {},
): SeenMessage => {
  const said = typeof words === 'string' ? { content: words } : words;
  ensureMember(state, channel.guildId, author);
  const message = addMessage(state, channel, {
    author,
    saying: sayingOf(state, said),
    ...more,
    extra: { ...extraOf(state, said), ...more.extra },
  });
  return seenMessage(state, message);
};

export const messageOf = (
  state: State,
  { id, channelId }: { readonly id: string; readonly channelId: string },
): { readonly channel: ChannelState; readonly message: MessageState } => {
  const channel = channelOf(state, channelId);
  const message = channel.messages.get(id);
  if (!message) throw new Error(`There is no message ${id} in channel ${channelId}.`);
  return { channel, message };
};

type Talking = Omit<FakeDiscordPeople, 'command' | 'autocomplete' | 'menu' | 'press' | 'submitModal'>;

export const createPeople = (state: State): Talking => ({
  say: (user, channel, words) => speak(state, userOf(state, user), channelOf(state, channel.id), words),
  sayDirect: (user, words) => {
    const author = userOf(state, user);
    return speak(state, author, directChannelOf(state, author), words);
  },
  reply: (user, to, words) => {
    const { channel, message } = messageOf(state, to);
    return speak(state, userOf(state, user), channel, words, { replyTo: message.id });
  },
  edit: (target, content) => {
    const { channel, message } = messageOf(state, target);
    editMessage(state, channel, message, { ...message.saying, content });
    return seenMessage(state, message);
  },
  remove: (target) => {
    const { channel, message } = messageOf(state, target);
    deleteMessage(state, channel, message);
  },
  unfurl: (target, embed) => {
    const { channel, message } = messageOf(state, target);
    message.saying = { ...message.saying, embeds: [...message.saying.embeds, embed] };
    dispatchMessage(state, 'MESSAGE_UPDATE', channel, message);
  },
  react: (user, target, emoji) => {
    const { channel, message } = messageOf(state, target);
    message.reactions.set(emoji, new Set([...(message.reactions.get(emoji) ?? []), user.id]));
    state.onDispatch(
      'MESSAGE_REACTION_ADD',
      {
        user_id: user.id,
        channel_id: channel.id,
        message_id: message.id,
        message_author_id: message.author.id,
        ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
        emoji: wireEmoji(emoji),
        burst: false,
        type: 0,
      },
      channel.id,
    );
  },
  startTyping: (user, { id }) => {
    const channel = channelOf(state, id);
    const guild = state.guilds.get(channel.guildId ?? '');
    state.onDispatch(
      'TYPING_START',
      {
        channel_id: id,
        user_id: user.id,
        timestamp: Math.floor(state.options.now() / 1_000),
        ...(guild
          ? {
              guild_id: guild.id,
              member: { ...wireMember(guild, user.id), user: wireUser(userOf(state, user)) },
            }
          : {}),
      },
      id,
    );
  },
  mention: (user) => `<@${user?.id ?? state.bot.id}>`,
  webhookSays: ({ id }, words, name = 'News feed') => {
    const webhookId = state.nextId();
    const author: UserState = {
      id: webhookId,
      username: name,
      displayName: name,
      isBot: false,
      isWebhook: true,
      locale: 'en-US',
      refusesDirect: true,
    };
    return speak(state, author, channelOf(state, id), words, { webhookId });
  },
  systemMessage: (channel, type, user) =>
    speak(state, userOf(state, user), channelOf(state, channel.id), '', { type }),
  forward: (user, target, to) => {
    const { channel, message } = messageOf(state, target);
    const wire = wireMessage(state, channel, message, true);
    const { content, embeds, attachments, components, sticker_items, type, timestamp } = wire;
    return speak(state, userOf(state, user), channelOf(state, to.id), '', {
      extra: {
        flags: FLAG.forwarded,
        message_reference: {
          type: 1,
          message_id: message.id,
          channel_id: channel.id,
          ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
        },
        message_snapshots: [
          {
            message: {
              content,
              embeds,
              attachments,
              type,
              timestamp: timestamp ?? iso(message.atMs),
              edited_timestamp: null,
              flags: 0,
              mentions: [],
              mention_roles: [],
              components,
              ...(sticker_items === undefined ? {} : { sticker_items }),
            },
          },
        ],
      },
    });
  },
});
