import type { LiveAnswer, LiveOptions } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import { withoutAddressesSoFar, withVisibleLinksSoFar } from '#src/kernel/visible-links.ts';
import { isRefusedWith, type SlackApi, SlackRefusedError } from './api.ts';
import { findPosted, messagesSince, metadataOf, post, type Spot, update } from './posting.ts';
import { cut, withoutMentions } from './message-text.ts';
import { MAX_MESSAGE_LENGTH, render } from './render.ts';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { Directory } from './directory.ts';

interface LiveMessageDeps {
  readonly api: SlackApi;
  readonly spot: Spot;
  readonly target: ReplyTarget;
  readonly options: LiveOptions;
  readonly clock: Pick<Clock, 'now'>;
  readonly self: { readonly teamId: string; readonly botId: string | undefined } | undefined;
}

/** The message in which an answer grows. Throws `ChannelError`; the next call makes good for what failed. */
interface LiveMessage {
  readonly show: (text: string) => Promise<void>;
  /** Gives the message where one is left. */
  readonly end: (how: 'replaced' | 'dropped') => Promise<MessageId | undefined>;
  readonly messageId: () => MessageId | undefined;
  /** It is shown by edits, and not as a stream. */
  readonly isEdited: () => boolean;
}

/** Slack takes 12,000 characters at a time; an answer that long is read in its parts later. */
const MAX_STREAMED = 11_000;

/**
 * A native stream, as long as the text only grows; it needs a thread. Where there is none, where Slack refuses
 * it, or where the answer begins anew, one message that is edited.
 */
const createLiveMessage = (deps: LiveMessageDeps): LiveMessage => {
  const { api, spot, target, options, self, clock } = deps;
  const { channel, threadTs } = spot;
  let ts: MessageId | undefined;
  /** What the stream holds; undefined: there is none. */
  let streamed: string | undefined;
  let isEdited = threadTs === undefined;
  let isLookedUp = false;
  /** Since when it may stand somewhere without our knowing where. */
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

  /** A stream carries no metadata before its end: it is the message of ours that has none. */
  const findStream = async (since: Temporal.Instant): Promise<MessageId | undefined> => {
    if (threadTs === undefined || self?.botId === undefined) return undefined;
    for await (const message of messagesSince(api, spot, since, { include_all_metadata: true }))
      if (
        message.bot_id === self.botId &&
        !message.metadata?.event_type &&
        !message.files?.length &&
        message.ts
      )
        return asId<MessageId>(message.ts);
    return undefined;
  };

  /** What an earlier process left is gone on with, by edits. */
  const lookUp = async (): Promise<void> => {
    if (isLookedUp) return;
    const { messageId, deliveryId } = options;
    const found =
      messageId ??
      (lostSince && ((await findPosted(api, spot, deliveryId, lostSince)) ?? (await findStream(lostSince))));
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

  /** False when it has to be shown by an edit. */
  const stream = async (text: string): Promise<boolean> => {
    if (threadTs === undefined) return false;
    // A stream cannot say that it wants no previews: it holds no addresses. The answer that takes its place has them.
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

  /** What failed may have been posted all the same: before another try it is looked for. */
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
    show: (text) =>
      watched(async () => {
        await lookUp();
        if (!isEdited && (await stream(text))) return;
        isEdited = true;
        await edit(text);
      }),
    end: async (how) => {
      await lookUp();
      await stopStream();
      if (how === 'replaced' || ts === undefined) return ts;
      try {
        await api.call('chat.delete', { channel, ts });
      } catch (error) {
        if (!isRefusedWith(error, 'message_not_found')) throw error;
      }
      return undefined;
    },
  };
};

interface LiveDeps {
  readonly api: SlackApi;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  readonly self: () => { readonly teamId: string; readonly botId: string | undefined } | undefined;
}

const INTERVAL_MS = 1_000;
/** Slack takes fifty edits a minute. */
const EDIT_INTERVAL_MS = 1_200;
const MAX_STATUS = 200;

const NOTHING: LiveAnswer = {
  showStatus: () => undefined,
  showText: () => undefined,
  end: async () => undefined,
};

/**
 * The status line below the thread, and in mode `stream` the answer as it grows. One thing at a time is told to
 * Slack, at most one a second, and always the newest. Nothing here ever fails the answer.
 */
export const createOpenLive =
  ({ api, directory, clock, logger, self }: LiveDeps) =>
  (target: ReplyTarget, options: LiveOptions): LiveAnswer => {
    // What a command or a press gets is not shown piece by piece.
    if (target.interaction) return NOTHING;
    const statusThread = target.threadId ?? target.replyToMessageId;
    let wanted: { status?: string; text?: string } = {};
    let shownStatus = '';
    let message: LiveMessage | undefined;
    let running: Promise<void> | undefined;
    let hasEnded = false;
    let wakeUp: (() => void) | undefined;

    const spot = (): Promise<Spot> =>
      directory.channelOf(target).then((channel) => ({ channel, threadTs: target.threadId }));

    const showStatus = async (status: string): Promise<void> => {
      if (!statusThread || status === shownStatus) return;
      const { channel } = await spot();
      await api.call('assistant.threads.setStatus', { channel_id: channel, thread_ts: statusThread, status });
      shownStatus = status;
    };

    const showText = async (text: string): Promise<void> => {
      message ??= createLiveMessage({ api, spot: await spot(), target, options, self: self(), clock });
      await message.show(withoutMentions(withVisibleLinksSoFar(text)));
    };

    const rest = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve);
        wakeUp = () => {
          cancel();
          resolve();
        };
      });

    const step = async (): Promise<number> => {
      const { status, text } = wanted;
      wanted = {};
      try {
        if (status !== undefined) await showStatus(status);
        if (text !== undefined) await showText(text);
        return message?.isEdited() ? EDIT_INTERVAL_MS : INTERVAL_MS;
      } catch (error) {
        logger.debug('Slack: the live answer could not be shown', { reason: errorMessage(error) });
        // What is newer meanwhile goes before it.
        wanted = {
          ...(status === undefined ? {} : { status }),
          ...(text === undefined ? {} : { text }),
          ...wanted,
        };
        const isWorthIt = error instanceof ChannelError && error.failure !== 'refused';
        if (!isWorthIt) wanted = {};
        return Math.max(INTERVAL_MS, error instanceof ChannelError ? (error.retryAfterMs ?? 0) : 0);
      }
    };

    const isWanted = (): boolean => !hasEnded && (wanted.status !== undefined || wanted.text !== undefined);

    const run = async (): Promise<void> => {
      while (isWanted()) {
        const waitMs = await step();
        if (!hasEnded) await rest(waitMs);
      }
      running = undefined;
    };

    const want = (more: { readonly status?: string; readonly text?: string }): void => {
      if (hasEnded) return;
      wanted = { ...wanted, ...more };
      running ??= run();
    };

    const finish = async (how: 'replaced' | 'dropped'): Promise<MessageId | undefined> => {
      // A message of an earlier process, of which this one has shown nothing.
      const isLeft = options.messageId !== undefined || options.inDoubtSince !== undefined;
      if (!message && isLeft && options.mode === 'stream')
        message = createLiveMessage({ api, spot: await spot(), target, options, self: self(), clock });
      const left = await message?.end(how);
      if (shownStatus !== '') await showStatus('');
      return left;
    };

    return {
      showStatus: (status) => want({ status: status.slice(0, MAX_STATUS) }),
      showText: (text) => {
        if (options.mode === 'stream' && text.trim() !== '') want({ text });
      },
      end: async (how) => {
        hasEnded = true;
        wakeUp?.();
        await running;
        try {
          return await finish(how);
        } catch (error) {
          logger.debug('Slack: the live answer could not be ended', { reason: errorMessage(error) });
          return message?.messageId();
        }
      },
    };
  };
