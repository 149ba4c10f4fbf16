import type { FakeChannel, Json } from '../api.ts';
import { SlackRefusal } from '../errors.ts';
import {
  allKinds,
  type Call,
  isSet,
  knownChannel,
  type Methods,
  optional,
  required,
  scopeOf,
} from '../method.ts';
import { wireChannel, wireMessage } from '../wire.ts';
import { BOT, type StoredMessage } from '../world.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 999;

interface Page {
  readonly items: readonly StoredMessage[];
  readonly rest: Json;
}

const limitOf = (args: Json): number => {
  const limit = Number(optional(args, 'limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new SlackRefusal('invalid_limit');
  return limit;
};

const offsetOf = (args: Json): number => {
  const cursor = optional(args, 'cursor');
  if (cursor === undefined) return 0;
  const offset = /^next_ts:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1];
  if (offset === undefined) throw new SlackRefusal('invalid_cursor');
  return Number(offset);
};

/** A page of a list, with the cursor of the next one. */
const pageOf = (args: Json, all: readonly StoredMessage[]): Page => {
  const [offset, limit] = [offsetOf(args), limitOf(args)];
  const end = offset + limit;
  const hasMore = end < all.length;
  const cursor = hasMore ? Buffer.from(`next_ts:${end}`).toString('base64') : '';
  return {
    items: all.slice(offset, end),
    rest: { has_more: hasMore, ...(hasMore ? { response_metadata: { next_cursor: cursor } } : {}) },
  };
};

/** Between `oldest` and `latest`, which belong to it only with `inclusive`. Of one length, times compare as text. */
const within = (args: Json): ((message: StoredMessage) => boolean) => {
  const [oldest, latest] = [
    Number(optional(args, 'oldest') ?? 0),
    Number(optional(args, 'latest') ?? Infinity),
  ];
  const isInclusive = isSet(args, 'inclusive');
  return ({ ts }) => {
    const at = Number(ts);
    return (at > oldest && at < latest) || (isInclusive && (at === oldest || at === latest));
  };
};

const readable = (call: Call): FakeChannel => {
  const channel = knownChannel(call);
  call.need(scopeOf(channel, 'history'));
  if (!channel.members.includes(BOT.userId)) throw new SlackRefusal('not_in_channel');
  return channel;
};

const wired = ({ core, args }: Call, messages: readonly StoredMessage[]): readonly Json[] =>
  messages.map((message) =>
    wireMessage(core.world, message, { metadata: isSet(args, 'include_all_metadata') }),
  );

const history = (call: Call): Json => {
  const { id } = readable(call);
  const all = call.core.world
    .messagesIn(id)
    .filter(
      ({ threadTs, isBroadcast, ephemeralFor }) =>
        ephemeralFor === undefined && (threadTs === undefined || isBroadcast),
    )
    .filter(within(call.args))
    .toReversed();
  const { items, rest } = pageOf(call.args, all);
  return { messages: wired(call, items), ...rest, pin_count: 0 };
};

/** The parent comes first on every page, whatever the bounds are. */
const replies = (call: Call): Json => {
  const { id } = readable(call);
  const ref = { channel: id, ts: required(call.args, 'ts', 'thread_not_found') };
  const parent = call.core.world.messageAt(ref);
  const answers = call.core.world.repliesTo(ref);
  if (!parent && answers.length === 0) throw new SlackRefusal('thread_not_found');
  const { items, rest } = pageOf(call.args, answers.filter(within(call.args)));
  return { messages: wired(call, [...(parent ? [parent] : []), ...items]), ...rest };
};

const info = (call: Call): Json => {
  const channel = knownChannel(call);
  call.need(scopeOf(channel, 'read'));
  const count = isSet(call.args, 'include_num_members') ? { num_members: channel.members.length } : {};
  return { channel: { ...wireChannel(channel), ...count } };
};

const open = ({ core, args }: Call): Json => {
  const users = required(args, 'users', 'users_list_not_supplied').split(',');
  const [first = ''] = users;
  if (users.some((id) => !core.world.users.has(id))) throw new SlackRefusal('user_not_found');
  if (core.world.users.get(first)?.isDeleted) throw new SlackRefusal('user_disabled');
  const channel =
    users.length === 1
      ? core.world.directOf(first)
      : core.world.addChannel({ kind: 'mpim', members: [...users, BOT.userId] });
  return { channel: isSet(args, 'return_im') ? wireChannel(channel) : { id: channel.id } };
};

const members = (call: Call): Json => {
  const channel = knownChannel(call);
  call.need(scopeOf(channel, 'read'));
  const [offset, limit] = [offsetOf(call.args), limitOf(call.args)];
  const hasMore = offset + limit < channel.members.length;
  const next_cursor = hasMore ? Buffer.from(`next_ts:${offset + limit}`).toString('base64') : '';
  return { members: channel.members.slice(offset, offset + limit), response_metadata: { next_cursor } };
};

export const conversationMethods: Methods = {
  'conversations.history': { scopes: allKinds('history'), run: history },
  'conversations.replies': { scopes: allKinds('history'), run: replies },
  'conversations.info': { scopes: allKinds('read'), run: info },
  'conversations.members': { scopes: allKinds('read'), run: members },
  'conversations.open': { scopes: ['im:write', 'mpim:write'], run: open },
};
