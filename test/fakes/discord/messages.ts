import { mentionedRoles, mentionedUsers } from './message-wire.ts';
import type { Pinged } from './seen.ts';
import type { ChannelState, MessageState, Saying, State, UserState } from './state.ts';
import { asTexts, FLAG, timeOfSnowflake, type Wire } from './wire.ts';

/** A message event whose words depend on who reads it: the gateway fills it in for each session. */
export class MessageEvent {
  readonly channel: ChannelState;
  readonly message: MessageState;

  constructor(channel: ChannelState, message: MessageState) {
    this.channel = channel;
    this.message = message;
  }
}

const EVERYONE = /@(?:everyone|here)\b/u;

/** Whom it notifies. Nothing said about it: everybody who is named. */
const pingedBy = (content: string, allowed: Wire | undefined, repliedTo: UserState | undefined): Pinged => {
  const parse = allowed === undefined ? ['everyone', 'users', 'roles'] : asTexts(allowed['parse']);
  const listed = (kind: 'users' | 'roles', named: readonly string[]): readonly string[] =>
    parse.includes(kind) ? named : named.filter((id) => asTexts(allowed?.[kind]).includes(id));
  const isReplyPing = repliedTo && (allowed === undefined || allowed['replied_user'] === true);
  const users = listed('users', mentionedUsers(content));
  return {
    everyone: parse.includes('everyone') && EVERYONE.test(content),
    users: isReplyPing && !users.includes(repliedTo.id) ? [...users, repliedTo.id] : users,
    roles: listed('roles', mentionedRoles(content)),
  };
};

export interface NewMessage {
  readonly author: UserState;
  readonly saying: Saying;
  readonly type?: number;
  readonly allowedMentions?: Wire | undefined;
  readonly nonce?: string | number | undefined;
  readonly replyTo?: string | undefined;
  readonly ephemeralFor?: string | undefined;
  readonly interactionId?: string | undefined;
  readonly webhookId?: string | undefined;
  readonly extra?: Wire | undefined;
}

/** Puts it into the channel and tells the bot about it. */
export const addMessage = (state: State, channel: ChannelState, fresh: NewMessage): MessageState => {
  const repliedTo = fresh.replyTo === undefined ? undefined : channel.messages.get(fresh.replyTo)?.author;
  const id = state.nextId();
  const message: MessageState = {
    id,
    channelId: channel.id,
    author: fresh.author,
    type: fresh.type ?? (fresh.replyTo === undefined ? 0 : 19),
    // The time in the id, as on the real one: a second look at the clock may be a millisecond later.
    atMs: timeOfSnowflake(id),
    saying: fresh.saying,
    pinged: pingedBy(fresh.saying.content, fresh.allowedMentions, repliedTo),
    ...(fresh.allowedMentions === undefined ? {} : { allowedMentions: fresh.allowedMentions }),
    ...(fresh.nonce === undefined ? {} : { nonce: fresh.nonce }),
    ...(fresh.replyTo === undefined ? {} : { replyTo: fresh.replyTo }),
    ...(fresh.ephemeralFor === undefined ? {} : { ephemeralFor: fresh.ephemeralFor }),
    ...(fresh.interactionId === undefined ? {} : { interactionId: fresh.interactionId }),
    ...(fresh.webhookId === undefined ? {} : { webhookId: fresh.webhookId }),
    reactions: new Map(),
    extra: fresh.extra ?? {},
  };
  channel.messages.set(message.id, message);
  dispatchMessage(state, 'MESSAGE_CREATE', channel, message);
  return message;
};

/** What an edit would ping counts too: the real one does not notify again, but a bot should not rely on it. */
export const editMessage = (
  state: State,
  channel: ChannelState,
  message: MessageState,
  saying: Saying,
  allowedMentions?: Wire,
): void => {
  const pinged = pingedBy(saying.content, allowedMentions ?? message.allowedMentions, undefined);
  // The flags that say for whom it is stay as they were.
  const kept = message.saying.flags & FLAG.ephemeral;
  message.saying = { ...saying, flags: (saying.flags & ~(FLAG.ephemeral | FLAG.loading)) | kept };
  message.editedAtMs = state.options.now();
  if (allowedMentions !== undefined) message.allowedMentions = allowedMentions;
  message.pinged = {
    everyone: message.pinged.everyone || pinged.everyone,
    users: [...new Set([...message.pinged.users, ...pinged.users])],
    roles: [...new Set([...message.pinged.roles, ...pinged.roles])],
  };
  dispatchMessage(state, 'MESSAGE_UPDATE', channel, message);
};

export const deleteMessage = (state: State, channel: ChannelState, message: MessageState): void => {
  channel.messages.delete(message.id);
  if (message.ephemeralFor !== undefined) return;
  state.onDispatch(
    'MESSAGE_DELETE',
    {
      id: message.id,
      channel_id: channel.id,
      ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
    },
    channel.id,
  );
};

/** An ephemeral message is no event: only the person it is for sees it. */
export const dispatchMessage = (
  state: State,
  event: string,
  channel: ChannelState,
  message: MessageState,
): void => {
  if (message.ephemeralFor === undefined)
    state.onDispatch(event, new MessageEvent(channel, message), channel.id);
};
