import type { Json } from '../api.ts';
import { SlackRefusal } from '../errors.ts';
import { tellReaction } from '../events.ts';
import { type Call, knownChannel, type Methods, required } from '../method.ts';
import { BOT, type StoredMessage } from '../world.ts';

const EMOJI = /^[\p{L}\p{N}_+'-]+(::skin-tone-[2-6])?$/u;

interface Target {
  readonly message: StoredMessage;
  readonly name: string;
}

const targetOf = (call: Call): Target => {
  const name = required(call.args, 'name', 'invalid_name');
  if (!EMOJI.test(name)) throw new SlackRefusal('invalid_name');
  const channel = knownChannel(call);
  const ts = required(call.args, 'timestamp', 'no_item_specified');
  const message = call.core.world.messageAt({ channel: channel.id, ts });
  if (!message || message.ephemeralFor !== undefined) throw new SlackRefusal('message_not_found');
  if (channel.isArchived) throw new SlackRefusal('is_archived');
  if (!channel.members.includes(BOT.userId)) throw new SlackRefusal('not_in_channel');
  return { message, name };
};

const done = ({ core }: Call, type: 'reacted' | 'unreacted', { message, name }: Target): Json => {
  const { channel, ts } = message;
  const user = BOT.userId;
  core.chronicle.note({ type, channel, ts, user, name });
  tellReaction(core, type === 'reacted' ? 'reaction_added' : 'reaction_removed', { user, name, message });
  core.chronicle.moment({ name: type, channel, ts });
  return {};
};

const add = (call: Call): Json => {
  const { message, name } = targetOf(call);
  const known = message.reactions.find((reaction) => reaction.name === name);
  if (known?.users.includes(BOT.userId)) throw new SlackRefusal('already_reacted');
  if (known) known.users.push(BOT.userId);
  else message.reactions.push({ name, users: [BOT.userId] });
  return done(call, 'reacted', { message, name });
};

const remove = (call: Call): Json => {
  const { message, name } = targetOf(call);
  const index = message.reactions.findIndex((reaction) => reaction.name === name);
  const known = message.reactions[index];
  if (!known?.users.includes(BOT.userId)) throw new SlackRefusal('no_reaction');
  const users = known.users.filter((user) => user !== BOT.userId);
  message.reactions.splice(index, 1, ...(users.length > 0 ? [{ name, users }] : []));
  return done(call, 'unreacted', { message, name });
};

export const reactionMethods: Methods = {
  'reactions.add': { scopes: ['reactions:write'], run: add },
  'reactions.remove': { scopes: ['reactions:write'], run: remove },
};
