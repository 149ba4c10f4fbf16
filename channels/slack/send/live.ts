import type { LiveAnswer, LiveEnd, LiveOptions } from '#src/kernel/chat/live-answer.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { cut } from '#src/kernel/text.ts';
import { withoutAddressesSoFar, withVisibleLinksSoFar } from '#src/platform/text/visible-links.ts';
import { insist } from '#src/platform/concurrency/retry.ts';
import { isRefusedWith, type SlackApi, SlackRefusedError } from '../api.ts';
import type { SlackOutboundDeps } from './outbound.ts';
import { findPosted, messagesSince, metadataOf, post, type PostTarget, update } from './posting.ts';
import { MAX_MESSAGE_LENGTH, render, withoutMentions } from './render.ts';
import { errorMessage, ChannelError } from '#src/kernel/errors.ts';
import { isTs } from '../wire.ts';
import { afterInContext, type Clock } from '#src/platform/concurrency/clock.ts';

/** Slack accepts 12,000 characters at a time. A longer answer is posted in parts at the end. */
const MAX_STREAMED = 11_000;

/**
 * The message in which an answer grows. It is a native stream while the text only grows, which needs a thread; without
 * one, if Slack refuses, or if the answer starts over, it is a message that is edited. Calls throw `ChannelError`, and
 * the next call makes up for a failed one.
 */
const createLiveMessage = (
  { api, clock, ...deps }: SlackOutboundDeps,
  spot: PostTarget,
  target: ReplyTarget,
  options: LiveOptions,
) => {
  const { channel, threadTs } = spot;
  const self = deps.self();
  let ts: MessageId | undefined;
  /** The text of the stream; undefined if there is no stream. */
  let streamed: string | undefined;
  let isEdited = threadTs === undefined;
  let isLookedUp = false;
  /** Since when the message may exist although its id is unknown. */
  let lostSince = options.inDoubtSince;

  const stopStream = async (): Promise<void> => {
    if (ts === undefined || streamed === undefined) return;
    try {
      await api.call('chat.stopStream', { channel, ts, metadata: metadataOf(options.deliveryId) });
    } catch (error) {
      if (!(error instanceof SlackRefusedError)) throw error;
    }
    streamed = undefined;
  };

  /** Finds the message of an earlier process, which is then continued by edits. */
  const lookUp = async (): Promise<void> => {
    if (isLookedUp) return;
    const { messageId, deliveryId } = options;
    const found =
      messageId ??
      (lostSince &&
        ((await findPosted(api, spot, deliveryId, lostSince)) ??
          (await findStream(api, spot, self?.botId, lostSince))));
    isLookedUp = true;
    if (!found) return;
    ts = found;
    streamed = '';
    isEdited = true;
    if (!messageId) await options.onPosted(found);
  };

  const posted = async (messageId: MessageId): Promise<void> => {
    ts = messageId;
    await options.onPosted(messageId);
  };

  const startStream = async (text: string, thread: string): Promise<void> => {
    const { ts: started = '' } = await api.call('chat.startStream', {
      channel,
      thread_ts: thread,
      recipient_user_id: target.recipientId,
      ...(self ? { recipient_team_id: self.teamId } : {}),
      markdown_text: text,
    });
    streamed = text;
    await posted(asId<MessageId>(started));
  };

  const append = async (text: string, held: string, stream: MessageId): Promise<void> => {
    if (text.length === held.length) return;
    await api.call('chat.appendStream', { channel, ts: stream, markdown_text: text.slice(held.length) });
    streamed = text;
  };

  /** False if the text has to be shown by an edit. */
  const stream = async (text: string): Promise<boolean> => {
    if (threadTs === undefined) return false;
    // Previews cannot be suppressed in a stream, so it contains no addresses. The final answer has them.
    const whole = withoutAddressesSoFar(text)
      .slice(0, MAX_STREAMED)
      .replace(/[\uD800-\uDBFF]$/, '');
    if (whole === '' && ts === undefined) return true;
    try {
      if (ts === undefined) await startStream(whole, threadTs);
      else if (streamed !== undefined && whole.startsWith(streamed)) await append(whole, streamed, ts);
      else return false;
      return true;
    } catch (error) {
      if (!(error instanceof SlackRefusedError)) throw error;
      return false;
    }
  };

  const edit = async (text: string): Promise<void> => {
    await stopStream();
    const rendered = render({ text: cut(text, MAX_MESSAGE_LENGTH) });
    if (ts === undefined) await posted(await post(api, spot, rendered, options.deliveryId));
    else await update(api, channel, ts, rendered, options.deliveryId);
  };

  /** A failed post may have arrived, so it is searched for before the next attempt. */
  const watched = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (ts === undefined && !(error instanceof SlackRefusedError)) {
        lostSince ??= clock.now();
        isLookedUp = false;
      }
      throw error;
    }
  };

  return {
    messageId: () => ts,
    isEdited: () => isEdited,
    show: (text: string) =>
      watched(async () => {
        await lookUp();
        if (!isEdited && (await stream(text))) return;
        isEdited = true;
        await edit(text);
      }),
    /** Returns the message if one is left. */
    end: async (how: LiveEnd): Promise<MessageId | undefined> => {
      await lookUp();
      await stopStream();
      if (how !== 'dropped' || ts === undefined) return ts;
      try {
        await api.call('chat.delete', { channel, ts });
      } catch (error) {
        if (!isRefusedWith(error, 'message_not_found')) throw error;
      }
      return undefined;
    },
  };
};

/**
 * An unfinished stream has neither metadata nor files. A reply over a `response_url` in the same thread has none either
 * and could be mistaken for one.
 */
const findStream = async (
  api: SlackApi,
  spot: PostTarget,
  botId: string | undefined,
  since: Temporal.Instant,
): Promise<MessageId | undefined> => {
  if (spot.threadTs === undefined || botId === undefined) return undefined;
  for await (const message of messagesSince(api, spot, since))
    if (message.bot_id === botId && !message.metadata?.event_type && !message.files?.length && message.ts)
      return asId<MessageId>(message.ts);
  return undefined;
};

const INTERVAL_MS = 1_000;
/** Slack accepts fifty edits a minute. */
const EDIT_INTERVAL_MS = 1_200;
const MAX_STATUS = 200;

const NOTHING: LiveAnswer = {
  showStatus: () => undefined,
  showText: () => undefined,
  end: async () => undefined,
};

/**
 * The status line below the thread, and in mode `stream` the growing answer. Each has at most one request at a time and
 * one a second, always with the newest state. Failures are logged and never affect the answer.
 */
export const createOpenLive =
  (deps: SlackOutboundDeps) =>
  (target: ReplyTarget, options: LiveOptions): LiveAnswer => {
    // Replies to commands and buttons are sent whole, because Slack accepts only five messages for each.
    if (target.interaction) return NOTHING;
    const { api, directory, clock, logger } = deps;
    const statusThread =
      target.threadId ?? (isTs(target.replyToMessageId) ? target.replyToMessageId : undefined);
    let shownStatus = '';
    let message: ReturnType<typeof createLiveMessage> | undefined;

    const spot = (): Promise<PostTarget> =>
      directory.channelOf(target).then((channel) => ({ channel, threadTs: target.threadId }));

    const showStatus = async (status: string): Promise<void> => {
      if (!statusThread || status === shownStatus) return;
      const { channel } = await spot();
      await api.call('assistant.threads.setStatus', { channel_id: channel, thread_ts: statusThread, status });
      shownStatus = status;
    };

    const openMessage = async () => (message ??= createLiveMessage(deps, await spot(), target, options));

    const showText = async (text: string): Promise<void> => {
      const { show } = await openMessage();
      await show(withoutMentions(withVisibleLinksSoFar(text)));
    };

    const onFailure = (error: unknown): void =>
      logger.debug('Slack: could not update the live answer', { reason: errorMessage(error) });
    const pacer = (show: (value: string) => Promise<void>, intervalMs: () => number) =>
      createPacer({ show, intervalMs, onFailure, clock });
    const status = pacer(showStatus, () => INTERVAL_MS);
    const text = pacer(showText, () => (message?.isEdited() ? EDIT_INTERVAL_MS : INTERVAL_MS));

    const endMessage = async (how: LiveEnd): Promise<MessageId | undefined> => {
      await text.end();
      // An earlier process may have left a message that this one has not shown yet.
      const isLeft = options.messageId !== undefined || options.inDoubtSince !== undefined;
      if (isLeft && options.mode === 'stream') await openMessage();
      const opened = message;
      return opened && insist(() => opened.end(how), clock);
    };

    const clearStatus = async (): Promise<void> => {
      if (shownStatus !== '') await showStatus('');
    };
    /**
     * Slack removes the status when the app posts in its thread. It stays if nothing is posted there, or if its request
     * was still under way and may be carried out after the post.
     */
    const endStatus = (how: LiveEnd): Promise<void> => {
      const isRemovedBySlack = how === 'replaced' && !message && target.threadId !== undefined;
      const isUnderWay = status.isUnderWay();
      const ended = status.end();
      if (isRemovedBySlack && !isUnderWay) return Promise.resolve();
      return ended.then(clearStatus).catch(onFailure);
    };

    return {
      showStatus: (line) => status.show(line.slice(0, MAX_STATUS)),
      showText: (whole) => {
        if (options.mode === 'stream' && whole.trim() !== '') text.show(whole);
      },
      end: async (how) => {
        const cleared = endStatus(how);
        if (how === 'replaced') deps.inBackground(cleared);
        try {
          return await endMessage(how);
        } catch (error) {
          logger.debug('Slack: could not end the live answer', { reason: errorMessage(error) });
          return message?.messageId();
        } finally {
          if (how !== 'replaced') await cleared;
        }
      },
    };
  };

interface PacerOptions {
  readonly show: (value: string) => Promise<void>;
  readonly intervalMs: () => number;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Clock;
}

/** Shows a value that changes often. Calls return at once and never throw. */
const createPacer = ({ show, intervalMs, onFailure, clock }: PacerOptions) => {
  let wanted: string | undefined;
  let request: Promise<void> | undefined;
  let cancelRest: (() => void) | undefined;
  let hasEnded = false;

  /** Returns the pause. What failed is tried again unless Slack refused it or something newer is there. */
  const attempt = async (value: string): Promise<number> => {
    try {
      await show(value);
      return intervalMs();
    } catch (error) {
      onFailure(error);
      if (!(error instanceof ChannelError)) return intervalMs();
      if (error.failure !== 'refused') wanted ??= value;
      return Math.max(intervalMs(), error.retryAfterMs ?? 0);
    }
  };

  const showNext = (): void => {
    const value = wanted;
    if (hasEnded || value === undefined || request || cancelRest) return;
    wanted = undefined;
    request = attempt(value).then((pauseMs) => {
      request = undefined;
      if (hasEnded) return;
      cancelRest = afterInContext(clock, pauseMs, () => {
        cancelRest = undefined;
        showNext();
      });
    });
  };

  return {
    /** Only the newest value is shown: one request at a time, with a pause after each. */
    show: (value: string) => {
      wanted = value;
      showNext();
    },
    isUnderWay: (): boolean => request !== undefined,
    /** Shows nothing more. Resolves when no request is under way. */
    end: async () => {
      hasEnded = true;
      cancelRest?.();
      await request;
    },
  };
};
