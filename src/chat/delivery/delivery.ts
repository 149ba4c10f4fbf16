import { type Card, cardPages, type CardsOfAnswer } from '#src/kernel/chat/card.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import {
  type Choice,
  type MediaAttachment,
  type TurnContext,
  type OutboundMessage,
  type ReplyTarget,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import { askedToWaitMs, ChannelError, RunAbortedError } from '#src/kernel/errors.ts';
import type { RatedAnswer } from '#src/kernel/chat/feedback.ts';
import type { DeliveryId, InboxId, MessageId } from '#src/kernel/ids.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import { cut } from '#src/kernel/text.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import { newId } from '#src/platform/ids.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import type { Outbox, OutboxPart } from '#src/chat/store/outbox.ts';
import { withSampleMark } from '#src/chat/store/sample-mark.ts';
import type { Alongside } from '#src/platform/storage/descriptor.ts';
import type { SentFiles } from '#src/platform/storage/sent-files.ts';
import type { Uses } from '#src/platform/services.ts';
import { PipelineError } from './errors.ts';
import { receiptChoices, receiptText } from './receipts.ts';
import { formatResponse, formatSteps, limitLength } from './response-formatter.ts';

export interface Reply {
  readonly text: string;
  readonly ephemeral?: boolean;
  readonly isHarmless?: boolean;
  readonly facts?: readonly Fact[];
  /** Sent with the last part. */
  readonly media?: readonly MediaAttachment[];
  /** Shown instead of `text` on channels with cards. */
  readonly cards?: CardsOfAnswer;
  /** Paragraphs of the program below the text or the cards' text. They are never cut. */
  readonly below?: readonly string[];
  /** Shown below the last part. */
  readonly choices?: readonly Choice[];
  /** Below the last part, readers are asked what they think of the answer. */
  readonly rated?: RatedAnswer;
  /** Added on channels without buttons. */
  readonly typed?: string;
  /** Leaves out the privacy note of a person's first answer. */
  readonly omitsNote?: boolean;
}

export interface DeliveryReport {
  readonly parts: number;
  /** Parts that the platform refused. */
  readonly failed: number;
  /** The sender was told that something is missing. */
  readonly isClosed: boolean;
}

/** Undefined when every part arrived. */
export const deliveryFailure = ({ parts, failed }: DeliveryReport): PipelineError | undefined =>
  failed === 0
    ? undefined
    : new PipelineError(`${failed} of ${parts} parts could not be delivered`, 'DELIVERY_FAILED');

export type Delivery = ReturnType<typeof createDelivery>;

/** A note below the first answer in a direct chat. */
export interface PrivacyNote {
  /** True if this answer should contain it. Then no other answer does until it is released. */
  readonly claim: (ctx: TurnContext) => Promise<boolean>;
  /** The answer is stored or was given up. */
  readonly release: (ctx: TurnContext) => void;
  readonly text: (ctx: TurnContext) => string;
  readonly record: (ctx: TurnContext, at: Temporal.Instant) => Alongside;
}

/** A message that follows the first answer to a person in a direct chat. */
export interface Welcome {
  /** Stores the welcome with this answer. Undefined if none follows it. */
  readonly behindAnswer: (ctx: TurnContext, at: Temporal.Instant) => Promise<Alongside | undefined>;
  /** Call after the answer was stored. */
  readonly wake: () => void;
}

interface DeliveryDeps extends Uses<'clock' | 'events'> {
  readonly outbox: Outbox;
  readonly files: Pick<SentFiles, 'bring'>;
  readonly privacyNote?: PrivacyNote | undefined;
  readonly welcome?: Welcome | undefined;
  readonly maxResponseLength: number;
  /** Answers count too. Undefined: nothing is counted. */
  readonly storedToday?: Pick<DailyBytes, 'add'>;
  /** The live message of an answer, which the answer replaces. */
  readonly shownLive?: (ctx: TurnContext) => Promise<MessageId | undefined>;
}

const RETRY = { minDelayMs: 500, maxDelayMs: 15_000 };
const MAX_ATTEMPTS = 3;
const SEND_LIMIT_MS = 30_000;
/** For a send that ignores its signal. */
const ABORT_GRACE_MS = 1_000;
/** How long sending is retried while the platform is connected. While it is disconnected there is no limit. */
const PATIENCE_MS = 30 * 60_000;

/** Replies to the newest message of the turn. */
export const targetOf = (ctx: TurnContext): ReplyTarget =>
  replyTargetOf({
    ...ctx,
    messageId: ctx.merged.at(-1)?.messageId ?? ctx.messageId,
    threadId: ctx.messageThreadId,
  });

/** With all that the program adds to an answer. */
const wholeText = (
  shown: string,
  { facts, typed, below = [] }: Reply,
  { locale }: TurnContext,
  { capabilities }: ChannelPlugin,
  note: string,
): string => {
  const hint = typed === undefined || capabilities.supportsChoices ? '' : typed;
  return paragraphs(withSampleMark(paragraphs(shown, ...below, hint), facts, locale), note);
};

const omitsNotes = ({ omitsNote }: Reply, { capabilities }: ChannelPlugin): boolean =>
  omitsNote === true || capabilities.isOwnersTerminal === true;

const paragraphs = (...all: readonly string[]): string =>
  all.filter((paragraph) => paragraph !== '').join('\n\n');

/** Characters that are reserved for the line of the cards above the text. */
const LINE_ROOM = 300;

interface Content {
  readonly text: string;
  readonly cards?: readonly Card[];
}

/** The cards come with the last part of the text, and in messages of their own if they are too many. */
export const withCards = (parts: readonly string[], cards: readonly Card[] = []): readonly Content[] => {
  // An answer may consist of cards only.
  const texts = parts.length > 0 ? parts : [''];
  const [first, ...others] = cardPages(cards);
  return [
    ...texts.map((text, index) => (first && index === texts.length - 1 ? { text, cards: first } : { text })),
    ...others.map((page) => ({ text: '', cards: page })),
  ];
};

const together = (...writes: readonly (Alongside | undefined)[]): Alongside | undefined => {
  const wanted = writes.filter((each) => each !== undefined);
  if (wanted.length === 0) return undefined;
  return async (tx) => {
    for (const each of wanted) await each(tx);
  };
};

export const createDelivery = (deps: DeliveryDeps) => {
  const { outbox, privacyNote, maxResponseLength, clock } = deps;

  const { sendParts, sendPlanned } = createSending(deps);

  /** Formats an answer and stores its parts. Undefined if the message has an answer already. */
  const planReply = async (
    ctx: TurnContext,
    reply: Reply,
    channel: ChannelPlugin,
    note: PrivacyNote | undefined,
    signal: AbortSignal,
  ): Promise<readonly OutboundMessage[] | undefined> => {
    const target = targetOf(ctx);
    const { capabilities } = channel;
    const drawn = capabilities.supportsCards && reply.cards?.items.length ? reply.cards : undefined;
    const shown = await byTime(limitLength(drawn?.text ?? reply.text, maxResponseLength), signal);
    const whole = wholeText(shown, reply, ctx, channel, note?.text(ctx) ?? '');
    const text = channel.phrase?.(whole, ctx.locale) ?? whole;
    const isLedByCards = drawn !== undefined && (drawn.isAnswer || drawn.text === '');
    const maxLength = capabilities.maxMessageLength - (isLedByCards ? LINE_ROOM : 0);
    const parts = await byTime(formatSteps(text, { ...capabilities, maxLength }), signal);
    const replaces = reply.ephemeral ? undefined : await deps.shownLive?.(ctx);
    const contents = withCards(parts, drawn?.items);
    const planned = contents.map(({ text: content, cards }, index) => ({
      deliveryId: newId<DeliveryId>(),
      target,
      payload: {
        text: content,
        locale: ctx.locale,
        ...(isLedByCards && index === 0 ? { isLedByCards } : {}),
        ...(cards ? { cards } : {}),
        ...(reply.ephemeral ? { ephemeral: true } : {}),
        ...(reply.ephemeral && reply.isHarmless ? { isHarmless: true } : {}),
        ...(index === contents.length - 1
          ? {
              ...(reply.media ? { media: reply.media } : {}),
              ...(reply.choices ? { choices: reply.choices } : {}),
              ...(reply.rated ? { rated: reply.rated } : {}),
            }
          : {}),
      },
      ...(replaces && index === 0 ? { replaces } : {}),
    }));
    const at = clock.now();
    const welcome = omitsNotes(reply, channel) ? undefined : await deps.welcome?.behindAnswer(ctx, at);
    const person = { channelId: ctx.channelId, userId: ctx.senderId };
    const fileBytes = (reply.media ?? []).reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
    deps.storedToday?.add(person, Buffer.byteLength(JSON.stringify(planned)) + fileBytes);
    const outcome = await outbox.plan(ctx.inboxId, planned, at, together(note?.record(ctx, at), welcome));
    if (outcome === 'superseded') throw new RunAbortedError('superseded');
    if (welcome) deps.welcome?.wake();
    return outcome === 'planned' ? planned : undefined;
  };

  return {
    /**
     * Stores all parts in the outbox, then sends them in order. A message is answered once: if an answer is stored already,
     * that one is sent. Throws only on abort or if the outbox cannot be written.
     */
    deliver: async (
      ctx: TurnContext,
      reply: Reply,
      channel: ChannelPlugin,
      signal: AbortSignal,
    ): Promise<DeliveryReport> => {
      const isNoted = !omitsNotes(reply, channel) && (await privacyNote?.claim(ctx));
      const note = isNoted ? privacyNote : undefined;
      let planned: readonly OutboundMessage[] | undefined;
      try {
        planned = await planReply(ctx, reply, channel, note, signal);
      } finally {
        note?.release(ctx);
      }
      if (!planned) return sendPlanned(ctx.inboxId, channel, signal);
      const parts = planned.map((part, index) => ({
        ...part,
        status: 'pending' as const,
        isCounted: index === 0,
      }));
      return sendParts(ctx.inboxId, parts, channel, signal);
    },
    /**
     * Sends the rest of an answer that was stored before a restart. If there is one, `onPlanned` is called first; otherwise
     * the report has no parts.
     */
    resume: sendPlanned,
    /**
     * Ends the answer with a message of the program: unsent parts are withdrawn, failed parts stay failed. The receipts of
     * the turn are in it, unless the last part, which has them, was sent.
     */
    closeWith: async (
      ctx: TurnContext,
      why: string,
      channel: ChannelPlugin,
      signal: AbortSignal,
      receipts: readonly ChangeReceipt[] = [],
    ) => {
      const parts = await outbox.partsOf(ctx.inboxId);
      // If a part was sent, it has replaced the live message already.
      const isEmpty = parts.every(({ status }) => status !== 'sent');
      const replaces = isEmpty ? await deps.shownLive?.(ctx) : undefined;
      const untold = parts.at(-1)?.status === 'sent' ? [] : receipts;
      const { capabilities } = channel;
      const room = Math.max(1, capabilities.maxMessageLength - why.length - 2);
      const said = paragraphs(why, cut(receiptText(untold), room));
      const [text = said] = formatResponse(channel.phrase?.(said, ctx.locale) ?? said, {
        ...capabilities,
        maxLength: Infinity,
      });
      const choices = receiptChoices(untold);
      const part = {
        deliveryId: newId<DeliveryId>(),
        target: targetOf(ctx),
        payload: {
          text,
          isClosing: true,
          locale: ctx.locale,
          ...(choices.length > 0 && { choices }),
        },
        ...(replaces ? { replaces } : {}),
      };
      await outbox.closeWith(ctx.inboxId, part, clock.now());
      await sendPlanned(ctx.inboxId, channel, signal);
    },
  };
};

/** Sends the stored parts of an answer. */
const createSending = ({ outbox, files, clock, events }: DeliveryDeps) => {
  /** A refusal is final; an unreachable platform is worth many retries. */
  const isWorthRetrying =
    ({ isConnected }: ChannelPlugin, startedAtMs: number) =>
    (error: unknown, attempt: number): boolean => {
      if (!(error instanceof ChannelError)) return attempt < MAX_ATTEMPTS;
      if (error.failure === 'refused') return false;
      return !isConnected() || clock.monotonicMs() - startedAtMs < PATIENCE_MS;
    };

  /** The time limit keeps a silent platform from blocking the conversation forever. */
  const sendOnce = async (
    part: OutboundMessage,
    channel: ChannelPlugin,
    parent: AbortSignal,
  ): Promise<{ readonly messageId: MessageId }> => {
    const late = (): Error =>
      new ChannelError('unreachable', `No answer from ${channel.id} within ${SEND_LIMIT_MS / 1_000} s`);
    using limit = withDeadline(parent, SEND_LIMIT_MS, clock, late);
    const sent = files.bring(part).then((ready) => channel.send(ready, limit.signal));
    return await raceAbort(sent, limit.signal, clock, ABORT_GRACE_MS);
  };

  const sendPart = async (
    inboxId: InboxId,
    part: OutboundMessage,
    channel: ChannelPlugin,
    signal: AbortSignal,
    isCounted: boolean,
  ): Promise<boolean> => {
    const startedAtMs = clock.monotonicMs();
    const about = { inboxId, deliveryId: part.deliveryId, channelId: channel.id };
    let attempts = 0;
    /** No attempt of this process can have arrived, because the platform rejected all of them. */
    let isUntouched = true;
    let inDoubtSince: Temporal.Instant | undefined;
    try {
      const { messageId } = await retry(
        async () => {
          attempts += 1;
          const triedBefore =
            isCounted && attempts === 1 ? undefined : await outbox.countAttempt(part.deliveryId, clock.now());
          inDoubtSince = attempts === 1 || !isUntouched ? triedBefore : inDoubtSince;
          return sendOnce(inDoubtSince ? { ...part, inDoubtSince } : part, channel, signal);
        },
        {
          ...RETRY,
          clock,
          maxAttempts: Infinity,
          shouldRetry: isWorthRetrying(channel, clock.monotonicMs()),
          retryAfterMs: askedToWaitMs,
          onRetry: (error, attempt) => {
            isUntouched &&= error instanceof ChannelError && error.failure === 'rate-limited';
            events.emit('delivery:retry', {
              deliveryId: part.deliveryId,
              channelId: channel.id,
              attempt,
              error,
            });
          },
        },
        signal,
      );
      await outbox.markSent(part.deliveryId, messageId, clock.now());
      events.emit('delivery:sent', { ...about, attempts, durationMs: clock.monotonicMs() - startedAtMs });
      return true;
    } catch (error) {
      // After an abort the part stays pending and is sent at the next start.
      signal.throwIfAborted();
      await outbox.markFailed(part.deliveryId);
      events.emit('delivery:failed', { ...about, error, durationMs: clock.monotonicMs() - startedAtMs });
      return false;
    }
  };

  /** Sends the parts in order. A failed part does not stop the next ones. */
  const sendParts = async (
    inboxId: InboxId,
    parts: readonly (OutboxPart & { readonly isCounted?: boolean })[],
    channel: ChannelPlugin,
    signal: AbortSignal,
  ): Promise<DeliveryReport> => {
    let failed = 0;
    let isContinued = parts.some(({ status }) => status === 'sent');
    for (const { isCounted = false, ...planned } of parts) {
      const part = isContinued ? { ...planned, isContinued } : planned;
      const isDelivered =
        part.status === 'sent' ||
        (part.status === 'pending' && (await sendPart(inboxId, part, channel, signal, isCounted)));
      if (isDelivered) isContinued = true;
      else failed += 1;
    }
    return { parts: parts.length, failed, isClosed: parts.some(({ payload }) => payload.isClosing) };
  };

  const sendPlanned = async (
    inboxId: InboxId,
    channel: ChannelPlugin,
    signal: AbortSignal,
    onPlanned?: () => void,
  ): Promise<DeliveryReport> => {
    const parts = await outbox.partsOf(inboxId);
    if (parts.length > 0) onPlanned?.();
    return sendParts(inboxId, parts, channel, signal);
  };

  return { sendParts, sendPlanned };
};
