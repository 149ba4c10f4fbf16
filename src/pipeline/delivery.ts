import type { ChannelPlugin } from '#src/core/channel.ts';
import { RunAbortedError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import { texts } from '#src/core/i18n.ts';
import type { DeliveryId, InboxId } from '#src/core/ids.ts';
import {
  type MediaAttachment,
  type MsgContext,
  type OutboundMessage,
  type ReplyTarget,
  replyTargetOf,
} from '#src/core/message.ts';
import type { Fact } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import { retry } from '#src/infra/retry.ts';
import type { Alongside, Outbox } from '#src/storage/outbox.ts';
import { PipelineError } from './errors.ts';
import { formatResponse, limitLength } from './response-formatter.ts';

export interface Reply {
  readonly text: string;
  readonly ephemeral?: boolean;
  readonly facts?: readonly Fact[];
  /** Goes with the last part. */
  readonly media?: readonly MediaAttachment[];
  /** Without what a person is told under their first answer. */
  readonly omitsNote?: boolean;
}

export interface DeliveryReport {
  readonly parts: number;
  /** Parts that the platform would not take. */
  readonly failed: number;
  /** The sender has been told that something is missing. */
  readonly isClosed: boolean;
}

/** Undefined when every part arrived. */
export const deliveryFailure = ({ parts, failed }: DeliveryReport): PipelineError | undefined =>
  failed === 0
    ? undefined
    : new PipelineError(`${failed} of ${parts} parts could not be delivered`, 'DELIVERY_FAILED');

export interface Delivery {
  /**
   * Writes all parts to the outbox, then sends them in order. A message is answered once: if an answer was
   * planned before, that one is sent. Throws only on abort or if the outbox cannot be written.
   */
  readonly deliver: (
    ctx: MsgContext,
    reply: Reply,
    channel: ChannelPlugin,
    signal: AbortSignal,
  ) => Promise<DeliveryReport>;
  /** Sends what is left of an answer that was planned before a restart; no parts: none was planned. */
  readonly resume: (inboxId: InboxId, channel: ChannelPlugin, signal: AbortSignal) => Promise<DeliveryReport>;
  /** Ends the answer with a sentence of ours: what has not been sent is taken back, what failed stays failed. */
  readonly closeWith: (
    ctx: MsgContext,
    text: string,
    channel: ChannelPlugin,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** What a person is told once, under the first answer they get in a direct chat. */
export interface PrivacyNote {
  readonly isDue: (ctx: MsgContext) => Promise<boolean>;
  readonly text: (ctx: MsgContext) => string;
  readonly record: (ctx: MsgContext, at: Temporal.Instant) => Alongside;
}

export interface DeliveryDeps {
  readonly outbox: Outbox;
  readonly privacyNote?: PrivacyNote | undefined;
  readonly maxResponseLength: number;
  readonly clock: Clock;
  readonly events: Events;
}

const RETRY = { maxAttempts: 3, minDelayMs: 500, maxDelayMs: 5_000 };

/** Where the person looks for the answer: at the newest message of the turn. */
export const targetOf = (ctx: MsgContext): ReplyTarget =>
  replyTargetOf({
    ...ctx,
    messageId: ctx.merged.at(-1)?.messageId ?? ctx.messageId,
    threadId: ctx.messageThreadId,
  });

export const createDelivery = (deps: DeliveryDeps): Delivery => {
  const { outbox, privacyNote, maxResponseLength, clock, events } = deps;
  /** Made-up numbers are marked here, from the facts themselves: no model and no command can leave it out. */
  const withMarks = (reply: Reply, ctx: MsgContext): string => {
    const text = limitLength(reply.text, maxResponseLength);
    return reply.facts?.some((fact) => fact.isSample) ? `${text}\n\n${texts(ctx.locale).sampleMark()}` : text;
  };

  const sendPart = async (
    part: OutboundMessage,
    channel: ChannelPlugin,
    signal: AbortSignal,
  ): Promise<boolean> => {
    let attempts = 0;
    try {
      const { messageId } = await retry(
        async () => {
          attempts += 1;
          await outbox.countAttempt(part.deliveryId);
          return channel.send(part, signal);
        },
        {
          ...RETRY,
          clock,
          onRetry: (error, attempt) =>
            events.emit('delivery:retry', {
              deliveryId: part.deliveryId,
              channelId: channel.id,
              attempt,
              error,
            }),
        },
        signal,
      );
      await outbox.markSent(part.deliveryId, messageId, clock.now());
      events.emit('delivery:sent', { deliveryId: part.deliveryId, channelId: channel.id, attempts });
      return true;
    } catch (error) {
      // An abort is no verdict on the part: it stays pending and goes out at the next start.
      signal.throwIfAborted();
      await outbox.markFailed(part.deliveryId);
      events.emit('delivery:failed', { deliveryId: part.deliveryId, channelId: channel.id, error });
      return false;
    }
  };

  /** In order; a part that fails does not keep back the ones behind it. */
  const sendPlanned = async (
    inboxId: InboxId,
    channel: ChannelPlugin,
    signal: AbortSignal,
  ): Promise<DeliveryReport> => {
    const parts = await outbox.partsOf(inboxId);
    let failed = 0;
    for (const part of parts) {
      const isDelivered =
        part.status === 'sent' || (part.status === 'pending' && (await sendPart(part, channel, signal)));
      if (!isDelivered) failed += 1;
    }
    return { parts: parts.length, failed, isClosed: parts.some(({ payload }) => payload.isClosing) };
  };

  return {
    deliver: async (ctx, reply, channel, signal) => {
      const target = targetOf(ctx);
      const note = !reply.omitsNote && (await privacyNote?.isDue(ctx)) ? privacyNote : undefined;
      const marked = withMarks(reply, ctx);
      const text = note ? `${marked}\n\n${note.text(ctx)}` : marked;
      const { maxMessageLength, supportsMarkdown, supportsTables } = channel.capabilities;
      const { parts } = formatResponse(text, {
        maxLength: maxMessageLength,
        supportedFormats: supportsMarkdown ? ['markdown', 'plain-text'] : ['plain-text'],
        supportsTables,
        codeBlockStyle: 'fenced',
        numberLocale: ctx.locale,
      });
      const planned = parts.map(({ content, isLast }) => ({
        deliveryId: newId<DeliveryId>(),
        target,
        payload: {
          text: content,
          ...(reply.ephemeral ? { ephemeral: true } : {}),
          ...(reply.media && isLast ? { media: reply.media } : {}),
        },
      }));
      const at = clock.now();
      if ((await outbox.plan(ctx.inboxId, planned, at, note?.record(ctx, at))) === 'superseded')
        throw new RunAbortedError('superseded');
      return sendPlanned(ctx.inboxId, channel, signal);
    },
    resume: sendPlanned,
    closeWith: async (ctx, text, channel, signal) => {
      const part = {
        deliveryId: newId<DeliveryId>(),
        target: targetOf(ctx),
        payload: { text, isClosing: true },
      };
      await outbox.closeWith(ctx.inboxId, part, clock.now());
      await sendPlanned(ctx.inboxId, channel, signal);
    },
  };
};
