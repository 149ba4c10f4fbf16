import type { Json } from '../api.ts';
import { checkBlocks, LIMITS } from '../check-blocks.ts';
import { checkPreviews, metadataOf } from '../compose.ts';
import { show } from '../core.ts';
import { SlackRefusal } from '../errors.ts';
import { tellChanged, tellPosted } from '../events.ts';
import { type Call, listOf, type Methods, optional, required, writableChannel } from '../method.ts';
import { wireMessage } from '../wire.ts';
import { BOT, type StoredMessage } from '../world.ts';
import { ownMessage, threadOf } from './chat.ts';

const CHUNK_TYPES = new Set(['markdown_text', 'task_update', 'plan_update', 'blocks']);

/** The text that a call brings, as one argument or in chunks. Tasks are shown, but are no text. */
const textOf = ({ args }: Call): string | undefined => {
  const markdown = optional(args, 'markdown_text');
  const chunks = listOf(args, 'chunks', 'invalid_chunks');
  if (chunks.some(({ type }) => !CHUNK_TYPES.has(String(type)))) throw new SlackRefusal('invalid_chunks');
  const texts = chunks.flatMap(({ type, text }) => (type === 'markdown_text' ? String(text) : []));
  if ([markdown ?? '', ...texts].some((text) => text.length > LIMITS.markdownText)) {
    throw new SlackRefusal('msg_too_long');
  }
  // A stream has no flag against previews.
  checkPreviews([markdown, chunks], {});
  if (markdown === undefined && chunks.length === 0) return undefined;
  return [markdown ?? '', ...texts].join('');
};

/** What has streamed is shown as Markdown, however long it grew. */
const append = (message: StoredMessage, text: string, nowMs: number): void => {
  message.text += text;
  message.blocks = message.text === '' ? [] : [{ type: 'markdown', text: message.text }];
  message.lastAppendMs = nowMs;
};

const streamOf = (call: Call): StoredMessage => {
  const { clock, settings } = call.core;
  const message = ownMessage(call, 'message_not_owned_by_app');
  const idleMs = clock.monotonicMs() - message.lastAppendMs;
  if (message.streaming === 'streaming' && idleMs > settings.streamExpiresAfterMs)
    message.streaming = 'stopped';
  if (message.streaming !== 'streaming') throw new SlackRefusal('message_not_in_streaming_state');
  return message;
};

const startStream = (call: Call): Json => {
  const { core, args } = call;
  const channel = writableChannel(call);
  required(args, 'thread_ts', 'invalid_arguments');
  const threadTs = threadOf(call, channel.id);
  if (channel.kind !== 'im') {
    required(args, 'recipient_user_id', 'missing_recipient_user_id');
    required(args, 'recipient_team_id', 'missing_recipient_team_id');
  }
  const text = textOf(call) ?? '';
  const message = core.world.addMessage({ channel: channel.id, user: BOT.userId, text: '', threadTs });
  message.streaming = 'streaming';
  append(message, text, core.clock.monotonicMs());
  if (threadTs !== undefined) core.world.statuses.delete(`${channel.id} ${threadTs}`);
  tellPosted(core, message);
  show(core, 'stream-started', message);
  return { channel: channel.id, ts: message.ts };
};

const appendStream = (call: Call): Json => {
  const { core } = call;
  const message = streamOf(call);
  const text = textOf(call);
  if (text === undefined) throw new SlackRefusal('no_text');
  append(message, text, core.clock.monotonicMs());
  show(core, 'stream-appended', message);
  return { channel: message.channel, ts: message.ts };
};

const stopStream = (call: Call): Json => {
  const { core, args } = call;
  const message = streamOf(call);
  const blocks = listOf(args, 'blocks', 'invalid_blocks_format');
  checkBlocks(blocks);
  const metadata = metadataOf(args);
  const text = textOf(call) ?? '';
  const before = wireMessage(core.world, message, { metadata: false });
  append(message, text, core.clock.monotonicMs());
  message.blocks = [...message.blocks, ...blocks];
  message.metadata = metadata ?? message.metadata;
  message.streaming = 'stopped';
  tellChanged(core, message, before);
  show(core, 'stream-stopped', message);
  return {
    channel: message.channel,
    ts: message.ts,
    message: wireMessage(core.world, message, { metadata: true }),
  };
};

const WRITE = ['chat:write'];

export const chatStreamMethods: Methods = {
  'chat.startStream': { scopes: WRITE, run: startStream },
  'chat.appendStream': { scopes: WRITE, run: appendStream },
  'chat.stopStream': { scopes: WRITE, run: stopStream },
};
