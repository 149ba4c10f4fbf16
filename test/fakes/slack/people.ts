import { BOT_MENTION } from './acts.ts';
import type { FakeSlack, Json, MessageRef, Said, SayOptions } from './api.ts';
import type { Core } from './core.ts';
import { tell, tellChanged, tellDeleted, tellPosted, tellReaction } from './events.ts';
import { wireMessage } from './wire.ts';
import { BOT, type StoredMessage, TEAM } from './world.ts';

type People = Pick<
  FakeSlack,
  | 'say'
  | 'sayDirect'
  | 'edit'
  | 'remove'
  | 'unfurl'
  | 'react'
  | 'unreact'
  | 'event'
  | 'openAssistant'
  | 'openHome'
  | 'join'
>;

const WEBHOOK_BOT = 'B0WEBHOOK1';

const saidOf = (message: StoredMessage, ...eventIds: readonly (string | undefined)[]): Said => ({
  channel: message.channel,
  ts: message.ts,
  ...(message.threadTs === undefined ? {} : { threadTs: message.threadTs }),
  eventIds: eventIds.filter((id) => id !== undefined),
});

/** What people write and do where the bot can see it. Texts are as on the wire: `&lt;` for `<`. */
export const createPeople = (core: Core): People => {
  const { world, chronicle } = core;

  const messageOf = (ref: MessageRef): StoredMessage => {
    const message = world.messageAt(ref);
    if (!message) throw new Error(`No such message: ${ref.channel} ${ref.ts}`);
    return message;
  };

  const note = (type: 'said' | 'edited' | 'removed', message: StoredMessage): void => {
    const { channel, user, ts, threadTs, text } = message;
    chronicle.note({ type, channel, user, ts, ...(threadTs === undefined ? {} : { threadTs }), text });
  };

  /** What stands in events only, not in the history of the channel. */
  const extrasOf = ({ user, subtype }: StoredMessage): Json => {
    const teamId = world.users.get(user)?.teamId ?? TEAM.id;
    return {
      ...(subtype === undefined ? { client_msg_id: crypto.randomUUID() } : {}),
      ...(teamId === TEAM.id ? {} : { user_team: teamId, source_team: teamId }),
      ...(subtype === 'bot_message' ? { user: undefined, bot_id: WEBHOOK_BOT, username: 'webhook' } : {}),
    };
  };

  const tellMention = (message: StoredMessage, fields: Json): string | undefined => {
    const channel = world.channelOf(message.channel);
    if (channel.kind === 'im' || !channel.members.includes(BOT.userId)) return undefined;
    return tell(core, {
      ...wireMessage(world, message, { metadata: false }),
      type: 'app_mention',
      channel: channel.id,
      event_ts: message.ts,
      ...fields,
    });
  };

  const say = (channel: string, user: string, text: string, options: SayOptions = {}): Said => {
    const { threadTs, events = 'both' } = options;
    const files = (options.files ?? []).map((file) => world.addFile(file, user));
    const message = world.addMessage({
      channel: world.channelOf(channel).id,
      user,
      text: options.mention ? `${BOT_MENTION} ${text}`.trim() : text,
      threadTs,
      subtype: options.subtype ?? (files.length > 0 ? 'file_share' : undefined),
      files,
      blocks: options.blocks ?? [],
      attachments: options.attachments ?? [],
      isBroadcast: options.subtype === 'thread_broadcast',
    });
    note('said', message);
    const fields = { ...extrasOf(message), ...options.fields };
    const isMention = message.text.includes(BOT_MENTION);
    return saidOf(
      message,
      events === 'both' || events === 'message' ? tellPosted(core, message, fields) : undefined,
      isMention && (events === 'both' || events === 'mention') ? tellMention(message, fields) : undefined,
    );
  };

  const change = (ref: MessageRef, apply: (message: StoredMessage) => void): Said => {
    const message = messageOf(ref);
    const before = wireMessage(world, message, { metadata: false });
    apply(message);
    note('edited', message);
    return saidOf(message, tellChanged(core, message, before));
  };

  return {
    say,
    sayDirect: (user, text, options) => say(world.directOf(user).id, user, text, options),
    edit: (ref, text) =>
      change(ref, (message) => {
        message.text = text;
        message.isEdited = true;
      }),
    unfurl: (ref, attachments) =>
      change(ref, (message) => {
        message.attachments = attachments;
      }),
    remove: (ref) => {
      const message = messageOf(ref);
      world.removeMessage(message);
      note('removed', message);
      return saidOf(message, tellDeleted(core, message));
    },
    react: (user, ref, name) => {
      const message = messageOf(ref);
      const known = message.reactions.find((reaction) => reaction.name === name);
      if (known) known.users.push(user);
      else message.reactions.push({ name, users: [user] });
      return tellReaction(core, 'reaction_added', { user, name, message });
    },
    unreact: (user, ref, name) => {
      const message = messageOf(ref);
      const index = message.reactions.findIndex((reaction) => reaction.name === name);
      const users = message.reactions[index]?.users.filter((other) => other !== user) ?? [];
      message.reactions.splice(index, 1, ...(users.length > 0 ? [{ name, users }] : []));
      return tellReaction(core, 'reaction_removed', { user, name, message });
    },
    event: (event) => tell(core, event),
    openAssistant: (user) => {
      const channel = world.directOf(user).id;
      const { ts } = world.addMessage({
        channel,
        user: BOT.userId,
        text: 'New Assistant Thread',
        subtype: 'assistant_app_thread',
      });
      world.assistantThreads.set(`${channel} ${ts}`, {});
      tell(core, {
        type: 'assistant_thread_started',
        assistant_thread: { user_id: user, context: {}, channel_id: channel, thread_ts: ts },
        event_ts: world.newTs(),
      });
      return { channel, threadTs: ts };
    },
    openHome: (user, tab = 'home') =>
      tell(core, {
        type: 'app_home_opened',
        user,
        channel: world.directOf(user).id,
        tab,
        event_ts: world.newTs(),
      }),
    join: (channel, user, inviter) => {
      const { members } = world.channelOf(channel);
      world.changeChannel(channel, { members: [...new Set([...members, user])] });
      const { kind } = world.channelOf(channel);
      const channel_type = kind === 'public' ? 'C' : 'G';
      return tell(core, {
        type: 'member_joined_channel',
        user,
        channel,
        channel_type,
        team: TEAM.id,
        ...(inviter === undefined ? {} : { inviter }),
        event_ts: world.newTs(),
      });
    },
  };
};
