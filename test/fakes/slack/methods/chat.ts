import type { Json } from '../api.ts';
import { compose } from '../compose.ts';
import { show } from '../core.ts';
import { SlackRefusal } from '../errors.ts';
import { tellChanged, tellDeleted, tellPosted } from '../events.ts';
import {
  type Call,
  isSet,
  knownChannel,
  type Methods,
  optional,
  required,
  writableChannel,
} from '../method.ts';
import { wireMessage } from '../wire.ts';
import { BOT, type StoredMessage } from '../world.ts';

const TS = /^\d{9,11}\.\d{6}$/;

/** The thread that a call names. A reply has none of its own: its answers belong to its parent's. */
export const threadOf = ({ core, args }: Call, channel: string): string | undefined => {
  const threadTs = optional(args, 'thread_ts');
  if (threadTs === undefined) return undefined;
  if (!TS.test(threadTs)) throw new SlackRefusal('invalid_thread_ts');
  const parent = core.world.messageAt({ channel, ts: threadTs });
  if (parent?.threadTs !== undefined) core.chronicle.offend('reply-to-reply', `${channel} ${threadTs}`);
  return parent?.threadTs ?? threadTs;
};

/** A message that the bot itself wrote and that still stands. */
export const ownMessage = (call: Call, refusal: string): StoredMessage => {
  const { id } = knownChannel(call);
  const message = call.core.world.messageAt({
    channel: id,
    ts: required(call.args, 'ts', 'message_not_found'),
  });
  if (!message || message.ephemeralFor !== undefined) throw new SlackRefusal('message_not_found');
  if (message.user !== BOT.userId) throw new SlackRefusal(refusal);
  return message;
};

const postMessage = (call: Call): Json => {
  const { core, args } = call;
  const channel = writableChannel(call);
  const threadTs = threadOf(call, channel.id);
  const message = core.world.addMessage({
    ...compose(core, args, 'post'),
    channel: channel.id,
    user: BOT.userId,
    threadTs,
    isBroadcast: threadTs !== undefined && isSet(args, 'reply_broadcast'),
  });
  if (threadTs !== undefined) core.world.statuses.delete(`${channel.id} ${threadTs}`);
  tellPosted(core, message);
  show(core, 'posted', message);
  return {
    channel: channel.id,
    ts: message.ts,
    message: wireMessage(core.world, message, { metadata: true }),
  };
};

const update = (call: Call): Json => {
  const { core, args } = call;
  const message = ownMessage(call, 'cant_update_message');
  if (message.streaming === 'streaming') throw new SlackRefusal('streaming_state_conflict');
  const before = wireMessage(core.world, message, { metadata: false });
  const { text, blocks, attachments, metadata } = compose(core, args, 'update');
  message.text = text;
  // A new text alone takes the blocks away; metadata stays unless there is new one.
  message.blocks = blocks;
  message.attachments = attachments;
  message.metadata = metadata ?? message.metadata;
  message.isEdited = true;
  tellChanged(core, message, before);
  show(core, 'updated', message);
  return {
    channel: message.channel,
    ts: message.ts,
    text,
    message: wireMessage(core.world, message, { metadata: true }),
  };
};

const remove = (call: Call): Json => {
  const { core } = call;
  const message = ownMessage(call, 'cant_delete_message');
  core.world.removeMessage(message);
  tellDeleted(core, message);
  show(core, 'deleted', message);
  return { channel: message.channel, ts: message.ts };
};

const postEphemeral = (call: Call): Json => {
  const { core, args } = call;
  const user = required(args, 'user', 'user_not_in_channel');
  const channel = writableChannel(call);
  if (!channel.members.includes(user)) throw new SlackRefusal('user_not_in_channel');
  const message = core.world.addMessage({
    ...compose(core, args, 'post'),
    channel: channel.id,
    user: BOT.userId,
    threadTs: threadOf(call, channel.id),
    ephemeralFor: user,
  });
  show(core, 'ephemeral', message);
  return { message_ts: message.ts };
};

const WRITE = ['chat:write'];

export const chatMethods: Methods = {
  'chat.postMessage': { scopes: WRITE, run: postMessage },
  'chat.update': { scopes: WRITE, run: update },
  'chat.delete': { scopes: WRITE, run: remove },
  'chat.postEphemeral': { scopes: WRITE, run: postEphemeral },
};
