import { channelFor, demand, isReader, messageFor } from './access.ts';
import { draftOf } from './draft.ts';
import { checkLength, invalid, refusal } from './errors.ts';
import { type Answer, type Call, type Handler, NO_CONTENT, ok, type Route } from './http.ts';
import { wireMessage } from './message-wire.ts';
import { addMessage, deleteMessage, editMessage } from './messages.ts';
import type { ChannelState, MessageState } from './state.ts';
import { rightsIn } from './session.ts';
import { seenMessage } from './views.ts';
import { asText, asWire } from './wire.ts';

const answerWith = ({ state }: Call, channel: ChannelState, message: MessageState): Answer =>
  ok(wireMessage(state, channel, message, isReader(state)));

const list: Handler = (call) => {
  const { state, params, query } = call;
  const channel = channelFor(state, params['channel']);
  if (rightsIn(state, channel).canReadHistory === false) return ok([]);
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalid('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
  const newestFirst = [...channel.messages.values()]
    .filter(({ ephemeralFor }) => ephemeralFor === undefined)
    .toReversed();
  const idOf = (key: string): bigint | undefined => {
    const value = query.get(key);
    if (value !== null && !/^\d+$/u.test(value))
      throw invalid(key, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
    return value === null ? undefined : BigInt(value);
  };
  const [before, after, around] = [idOf('before'), idOf('after'), idOf('around')];
  const older = (id: bigint, count: number): MessageState[] =>
    newestFirst.filter((message) => BigInt(message.id) < id).slice(0, count);
  /** The oldest of those that are newer, as the real one gives them. */
  const newer = (id: bigint, count: number): MessageState[] =>
    newestFirst.filter((message) => BigInt(message.id) > id).slice(-count);
  const half = Math.floor(limit / 2);
  const page =
    around !== undefined
      ? [
          ...(half > 0 ? newer(around, half) : []),
          ...newestFirst.filter(({ id }) => BigInt(id) === around),
          ...older(around, half),
        ]
      : after !== undefined
        ? newer(after, limit)
        : older(before ?? 1n << 64n, limit);
  return ok(page.map((message) => wireMessage(state, channel, message, isReader(state))));
};

/** The message that it answers, if it is there. */
const replyOf = ({ body }: Call, channel: ChannelState): string | undefined => {
  if (!body['message_reference']) return undefined;
  const reference = asWire(body['message_reference']);
  const target = channel.messages.get(asText(reference['message_id']));
  if (target && target.ephemeralFor === undefined) {
    if (target.type !== 0 && target.type !== 19 && target.type !== 20)
      throw invalid(
        'message_reference',
        'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE',
        'Cannot reply to a system message',
      );
    return target.id;
  }
  if (reference['fail_if_not_exists'] === false) return undefined;
  throw invalid('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
};

const create: Handler = (call) => {
  const { state, params, body, files } = call;
  const channel = channelFor(state, params['channel']);
  if (channel.kind === 'forum') throw refusal('notText');
  if (state.users.get(channel.recipientId ?? '')?.refusesDirect === true) throw refusal('refusesDirect');
  demand(state, channel, 'canSend');
  const nonce = body['nonce'] as string | number | null | undefined;
  if (nonce !== undefined && nonce !== null) checkLength(`${nonce}`, 'nonce', 25);
  const { saying, allowedMentions } = draftOf(state, body, files);
  if (saying.embeds.length > 0) demand(state, channel, 'canEmbed');
  if (saying.attachments.length > 0) demand(state, channel, 'canAttach');
  if (body['message_reference'] && rightsIn(state, channel).canReadHistory === false)
    throw refusal('cannotReply');
  if (channel.closed === 'locked') throw refusal('lockedThread');
  const replyTo = replyOf(call, channel);
  const key =
    nonce !== undefined && nonce !== null && body['enforce_nonce'] === true ? `${nonce}` : undefined;
  const known = key === undefined ? undefined : channel.nonces.get(key);
  const knownMessage = known && channel.messages.get(known.messageId);
  if (key !== undefined && knownMessage && state.options.now() - known.atMs < state.options.nonceMemoryMs) {
    state.record({ type: 'deduplicated', messageId: knownMessage.id, nonce: key });
    return answerWith(call, channel, knownMessage);
  }
  delete channel.closed;
  const message = addMessage(state, channel, {
    author: state.bot,
    // Only interactions can be answered for one person alone.
    saying: { ...saying, flags: saying.flags & ~64 },
    allowedMentions,
    nonce: nonce ?? undefined,
    replyTo,
  });
  if (key !== undefined) channel.nonces.set(key, { messageId: message.id, atMs: message.atMs });
  state.record({ type: 'posted', message: seenMessage(state, message) });
  call.done('posted', channel.id);
  return answerWith(call, channel, message);
};

const edit: Handler = (call) => {
  const { state, params, body, files } = call;
  const channel = channelFor(state, params['channel']);
  if (channel.closed) throw refusal('archivedThread');
  const message = messageFor(channel, params['message']);
  if (message.author !== state.bot) throw refusal('othersMessage');
  const { saying, allowedMentions } = draftOf(state, body, files, message.saying);
  if (saying.embeds.length > 0) demand(state, channel, 'canEmbed');
  if (files.length > 0) demand(state, channel, 'canAttach');
  editMessage(state, channel, message, saying, allowedMentions);
  state.record({ type: 'edited', message: seenMessage(state, message) });
  call.done('edited', channel.id);
  return answerWith(call, channel, message);
};

const remove: Handler = (call) => {
  const { state, params } = call;
  const channel = channelFor(state, params['channel']);
  const message = messageFor(channel, params['message']);
  if (message.author !== state.bot) throw refusal('missingPermissions');
  deleteMessage(state, channel, message);
  state.record({ type: 'deleted', channelId: channel.id, messageId: message.id });
  call.done('deleted', channel.id);
  return NO_CONTENT;
};

export const messageRoutes: readonly Route[] = [
  { method: 'GET', route: '/channels/:channel/messages', handle: list },
  { method: 'POST', route: '/channels/:channel/messages', handle: create },
  {
    method: 'GET',
    route: '/channels/:channel/messages/:message',
    handle: (call) => {
      const channel = channelFor(call.state, call.params['channel']);
      return answerWith(call, channel, messageFor(channel, call.params['message']));
    },
  },
  { method: 'PATCH', route: '/channels/:channel/messages/:message', handle: edit },
  { method: 'DELETE', route: '/channels/:channel/messages/:message', handle: remove },
];
