import type { ChannelPlugin, LiveAnswer, LiveMode } from '#src/kernel/channel.ts';
import type { MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { LiveMessage, LiveMessages } from '#src/platform/storage/live-messages.ts';
import { targetOf } from './delivery.ts';

/** How what is shown comes to its end. `kept`: the process goes down, and the next one goes on with it. */
export type LiveEnd = 'replaced' | 'dropped' | 'kept';

/** Where an answer is shown. */
export interface LivePlace {
  readonly ctx: MsgContext;
  readonly channel: ChannelPlugin;
}

export interface LivePostDeps {
  readonly store: Pick<LiveMessages, 'record' | 'remove'>;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** What a channel shows of one answer, with the row that outlives the process. */
export interface LivePost {
  readonly live: LiveAnswer;
  readonly end: (how: LiveEnd) => Promise<void>;
  /** Nobody waits any longer for its end: the answer goes its own way. */
  readonly giveUp: () => void;
}

/** `row`: the message it is shown in, written before it is posted. Undefined where the channel can show nothing. */
export const openLivePost = (
  { ctx, channel }: LivePlace,
  mode: Exclude<LiveMode, 'off'>,
  row: LiveMessage & { readonly isNew: boolean },
  { store, clock, logger }: LivePostDeps,
): LivePost | undefined => {
  const { inboxId, locale } = ctx;
  const { deliveryId, openedAt } = row;
  /** Also while it is being written: who delivers may have read it already. */
  let isRecorded = row.messageId !== undefined;
  let isGivenUp = false;

  const record = async (messageId: MessageId): Promise<void> => {
    isRecorded = true;
    try {
      await store.record(inboxId, deliveryId, messageId, clock.now());
    } catch (error) {
      logger.warn('Where an answer is shown could not be recorded', { inboxId, error });
    }
  };
  const openAt = (at: { readonly messageId?: MessageId; readonly inDoubtSince?: Temporal.Instant }) =>
    channel.openLive?.(targetOf(ctx), {
      mode,
      locale,
      deliveryId,
      ...at,
      onPosted: async (messageId) => {
        if (!isGivenUp) await record(messageId);
      },
    });

  const isInDoubt = row.messageId === undefined && !row.isNew;
  const live = openAt({
    ...(row.messageId === undefined ? {} : { messageId: row.messageId }),
    ...(isInDoubt ? { inDoubtSince: openedAt } : {}),
  });
  if (!live) return undefined;

  return {
    live,
    giveUp: () => {
      isGivenUp = true;
    },
    end: async (how) => {
      const left = await live.end(how === 'dropped' ? 'dropped' : 'replaced');
      if (isGivenUp) {
        // The answer stands beside it by now: what came too late would be half an answer for ever.
        if (how === 'replaced' && left !== undefined && !isRecorded)
          await openAt({ messageId: left })?.end('dropped');
        return;
      }
      if (left !== undefined && !isRecorded) await record(left);
      // Of a mere status there is no row, but there may be one of an earlier run.
      if (left === undefined && how !== 'kept' && mode === 'stream') await store.remove(inboxId);
    },
  };
};
