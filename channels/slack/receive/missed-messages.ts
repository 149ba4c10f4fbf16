import type { ActiveChat } from '#src/kernel/channel/host.ts';
import type { SlackApi } from '../api.ts';
import { type PostedMessage, readMessageEvent } from './inbound.ts';
import { messagesSince, type PostTarget } from '../send/posting.ts';

/** What people said in a channel or thread since a moment, and a minute before it. Not in order. */
export async function* saidSince(
  api: SlackApi,
  spot: PostTarget,
  chatType: ActiveChat['chatType'] | undefined,
  since: Temporal.Instant,
): AsyncGenerator<PostedMessage> {
  for await (const message of messagesSince(api, spot, since)) {
    const event = readMessageEvent({ ...message, type: 'message', channel: spot.channel });
    if (event.kind === 'said' && message.bot_id === undefined) yield { ...event.said, chatType };
  }
}

/** The oldest that is read of what was missed. */
export const MAX_AGE = { minutes: 15 };

export const chronological = (said: readonly PostedMessage[]): readonly PostedMessage[] => [
  ...new Map(said.toSorted((a, b) => (a.ts < b.ts ? -1 : 1)).map((each) => [each.ts, each])).values(),
];
