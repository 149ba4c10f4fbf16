import { asId, type MessageId, type Timestamp } from '#src/kernel/ids.ts';
import { isRefusedWith, type SlackApi } from '../api.ts';
import type { Block, Rendered } from './render.ts';
import { messagesOf, type SlackMessage, type SlackPage, tsOf } from '../wire.ts';

export interface PostTarget {
  readonly channel: string;
  readonly threadTs: string | undefined;
}

const EVENT_TYPE = 'finclaw_delivery';

export const metadataOf = (deliveryId: string) => ({
  event_type: EVENT_TYPE,
  event_payload: { delivery_id: deliveryId },
});

/** If Slack refuses the blocks, the text is sent without them. */
const BLOCKS_REFUSED = [
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
];

/** Slack parses no names, notifies nobody, and requests no address that the model wrote for a preview. */
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
  const { text, blocks, isWhole = false } = rendered;
  try {
    return await attempt({ text, ...(blocks.length > 0 ? { blocks: [...blocks] } : {}) });
  } catch (error) {
    if (blocks.length === 0 || !isRefusedWith(error, ...BLOCKS_REFUSED)) throw error;
    // The newest kind of block, which not every workspace has, must not cost the answer its form.
    const older = blocks.filter(({ type }) => type !== 'context_actions');
    if (older.length > 0 && older.length < blocks.length)
      return withPlainFallback({ ...rendered, blocks: older }, attempt);
    if (isWhole) throw error;
    return attempt({ text, mrkdwn: false, blocks: [] });
  }
};

export const post = async (
  api: SlackApi,
  { channel, threadTs }: PostTarget,
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
  { channel, threadTs }: PostTarget,
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

/** Allowed difference between Slack's clock and ours. */
const CLOCK_SLACK = { seconds: 60 };
const PAGE = 100;
const MAX_PAGES = 5;

/** The messages of a channel or thread since a moment, page by page. */
export async function* messagesSince(
  api: SlackApi,
  { channel, threadTs }: PostTarget,
  since: Timestamp,
): AsyncGenerator<SlackMessage> {
  const oldest = tsOf(since.subtract(CLOCK_SLACK));
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const range = { channel, oldest, limit: PAGE, include_all_metadata: true };
    const query = cursor ? { ...range, cursor } : range;
    const answer: SlackPage =
      threadTs === undefined
        ? await api.call('conversations.history', query)
        : await api.call('conversations.replies', { ...query, ts: threadTs });
    // Every page of a thread includes its root message, however old.
    yield* messagesOf(answer).filter(({ ts }) => ts !== undefined && ts >= oldest);
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) return;
  }
}

/** Searches for a message that may have arrived. Throws if Slack cannot be reached. */
export const findSent = async (
  api: SlackApi,
  spot: PostTarget,
  since: Timestamp,
  isIt: (message: SlackMessage) => boolean,
): Promise<MessageId | undefined> => {
  try {
    for await (const message of messagesSince(api, spot, since))
      if (message.ts && isIt(message)) return asId<MessageId>(message.ts);
  } catch (error) {
    // If the bot may not read the channel, sending twice is better than never.
    if (!isRefusedWith(error, 'missing_scope', 'not_in_channel', 'channel_not_found', 'thread_not_found'))
      throw error;
  }
  return undefined;
};

export const findPosted = (
  api: SlackApi,
  spot: PostTarget,
  deliveryId: string,
  since: Timestamp,
): Promise<MessageId | undefined> =>
  findSent(
    api,
    spot,
    since,
    ({ metadata }) =>
      metadata?.event_type === EVENT_TYPE && metadata.event_payload?.['delivery_id'] === deliveryId,
  );
