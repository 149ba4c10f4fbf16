import { asId, type MessageId, type Timestamp } from '#src/kernel/ids.ts';
import { isRefusedWith, type SlackApi } from './api.ts';
import type { Block, Rendered } from './render.ts';
import { type SlackMessage, type SlackPage, tsOf } from './wire.ts';

/** Where a message stands, in Slack's terms. */
export interface Spot {
  readonly channel: string;
  readonly threadTs: string | undefined;
}

const EVENT_TYPE = 'finclaw_delivery';

export const metadataOf = (deliveryId: string) => ({
  event_type: EVENT_TYPE,
  event_payload: { delivery_id: deliveryId },
});

/** The blocks are wrong in Slack's eyes: the words go all the same. */
const BLOCKS_REFUSED = [
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
];

/**
 * No parsing of names, no previews: what was written is what is shown, nobody is called, and Slack asks no stranger's
 * server for an address that the model wrote.
 */
export const QUIET = {
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

interface Content {
  readonly text: string;
  readonly blocks?: Block[];
  readonly mrkdwn?: boolean;
}

const withPlainFallback = async <T>(
  rendered: Rendered,
  attempt: (content: Content) => Promise<T>,
): Promise<T> => {
  const { text, blocks } = rendered;
  try {
    return await attempt({ text, ...(blocks.length > 0 ? { blocks: [...blocks] } : {}) });
  } catch (error) {
    if (blocks.length === 0 || !isRefusedWith(error, ...BLOCKS_REFUSED)) throw error;
    return attempt({ text, mrkdwn: false, blocks: [] });
  }
};

export const post = async (
  api: SlackApi,
  { channel, threadTs }: Spot,
  rendered: Rendered,
  deliveryId: string | undefined,
): Promise<MessageId> => {
  const { ts = '' } = await withPlainFallback(rendered, (content) =>
    api.call('chat.postMessage', {
      ...QUIET,
      channel,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...content,
      ...(deliveryId === undefined ? {} : { metadata: metadataOf(deliveryId) }),
    }),
  );
  return asId<MessageId>(ts);
};

export const postEphemeral = async (
  api: SlackApi,
  { channel, threadTs }: Spot,
  user: string,
  rendered: Rendered,
): Promise<MessageId> => {
  const { message_ts: ts = '' } = await withPlainFallback(rendered, (content) =>
    api.call('chat.postEphemeral', {
      ...QUIET,
      channel,
      user,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...content,
    }),
  );
  return asId<MessageId>(ts);
};

export const update = async (
  api: SlackApi,
  channel: string,
  ts: string,
  rendered: Rendered,
  deliveryId?: string,
): Promise<void> => {
  await withPlainFallback(rendered, (content) =>
    api.call('chat.update', {
      ...QUIET,
      channel,
      ts,
      ...content,
      ...(deliveryId === undefined ? {} : { metadata: metadataOf(deliveryId) }),
    }),
  );
};

/** Slack's clock and ours need not agree. */
const CLOCK_SLACK = { seconds: 60 };
const PAGE = 100;
const MAX_PAGES = 5;

/** What stands in a channel or thread since then, the pages one after the other. */
export async function* messagesSince(
  api: SlackApi,
  { channel, threadTs }: Spot,
  since: Timestamp,
  args: { readonly include_all_metadata?: boolean } = {},
): AsyncGenerator<SlackMessage> {
  const oldest = tsOf(since.subtract(CLOCK_SLACK));
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { channel, oldest, limit: PAGE, ...args, ...(cursor ? { cursor } : {}) };
    const answer: SlackPage =
      threadTs === undefined
        ? await api.call('conversations.history', query)
        : await api.call('conversations.replies', { ...query, ts: threadTs });
    // The first message of a thread comes with every page of it, however old it is.
    yield* (answer.messages ?? []).filter(({ ts }) => ts !== undefined && ts >= oldest);
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) return;
  }
}

/** Whether a message that was in doubt has arrived. Throws where Slack cannot be asked just now. */
export const findPosted = async (
  api: SlackApi,
  spot: Spot,
  deliveryId: string,
  since: Timestamp,
): Promise<MessageId | undefined> => {
  try {
    for await (const { metadata, ts } of messagesSince(api, spot, since, { include_all_metadata: true }))
      if (metadata?.event_type === EVENT_TYPE && metadata.event_payload?.['delivery_id'] === deliveryId && ts)
        return asId<MessageId>(ts);
  } catch (error) {
    // Where we may not read, nobody can say: once too often is better than never.
    if (!isRefusedWith(error, 'missing_scope', 'not_in_channel', 'channel_not_found', 'thread_not_found'))
      throw error;
  }
  return undefined;
};

/** The same where there is no metadata: an own message with these words. */
export const findSaid = async (
  api: SlackApi,
  spot: Spot,
  text: string,
  botId: string | undefined,
  since: Timestamp,
): Promise<MessageId | undefined> => {
  try {
    for await (const message of messagesSince(api, spot, since))
      if (message.ts && message.text === text && message.bot_id !== undefined && message.bot_id === botId)
        return asId<MessageId>(message.ts);
  } catch (error) {
    if (!isRefusedWith(error, 'missing_scope', 'not_in_channel', 'channel_not_found')) throw error;
  }
  return undefined;
};
