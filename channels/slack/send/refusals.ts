import { asId, type ThreadId } from '#src/kernel/ids.ts';
import type { OutboundMessage } from '#src/kernel/chat/message.ts';
import { SlackRefusedError } from '../api.ts';
import { isTs } from '../wire.ts';

/** Why an answer is not where it was asked for. A sentence in `slackTexts`. */
export type SlackRefusalReason = 'mayNotWrite' | 'threadLocked' | 'channelArchived' | 'placeRefuses';

/** The other places for an answer that Slack refuses: the channel or its thread, and otherwise the person. */
type Way =
  /** In the channel of the thread; without a reason nothing has to be said. */
  | { readonly to: 'channel'; readonly reason?: SlackRefusalReason }
  /** In the thread of the question. */
  | { readonly to: 'thread'; readonly reason: SlackRefusalReason }
  | { readonly to: 'person'; readonly reason: SlackRefusalReason }
  /** Slack refuses the message, not the place, so it would refuse it everywhere. */
  | { readonly to: 'nobody' };

const WAYS: Readonly<Record<string, Way>> = {
  cannot_reply_to_message: { to: 'channel' },
  restricted_action_non_threadable_channel: { to: 'channel' },
  thread_not_found: { to: 'channel' },
  restricted_action_thread_locked: { to: 'channel', reason: 'threadLocked' },
  restricted_action_thread_only_channel: { to: 'thread', reason: 'mayNotWrite' },
  restricted_action: { to: 'person', reason: 'mayNotWrite' },
  restricted_action_read_only_channel: { to: 'person', reason: 'mayNotWrite' },
  not_in_channel: { to: 'person', reason: 'mayNotWrite' },
  no_permission: { to: 'person', reason: 'mayNotWrite' },
  access_denied: { to: 'person', reason: 'mayNotWrite' },
  is_archived: { to: 'person', reason: 'channelArchived' },
};

const OF_THE_MESSAGE: ReadonlySet<string> = new Set([
  'as_user_not_supported',
  'attachment_payload_limit_exceeded',
  'block_mismatch',
  'invalid_attachments',
  'invalid_arguments',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'markdown_text_conflict',
  'metadata_must_be_sent_from_app',
  'metadata_too_large',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
  'too_many_contact_cards',
]);

/** Channels that are gone, other workspaces' rules and codes that Slack adds later all refuse the place. */
export const wayAfter = (error: unknown): Way => {
  // A wrong token is mended some day, and then the answer goes where it belongs.
  if (!(error instanceof SlackRefusedError) || error.failure !== 'refused') return { to: 'nobody' };
  if (OF_THE_MESSAGE.has(error.slackCode)) return { to: 'nobody' };
  return WAYS[error.slackCode] ?? { to: 'person', reason: 'placeRefuses' };
};

/** Where the message goes that Slack refused in its place, before the direct chat. */
export const nearby = (
  { replaces: _there, ...message }: OutboundMessage,
  way: Way,
): OutboundMessage | undefined => {
  const { threadId, ...inChannel } = message.target;
  const { replyToMessageId: asked } = inChannel;
  if (way.to === 'channel' && threadId !== undefined) return { ...message, target: inChannel };
  if (way.to === 'thread' && threadId === undefined && isTs(asked))
    return { ...message, target: { ...inChannel, threadId: asId<ThreadId>(asked) } };
  return undefined;
};
