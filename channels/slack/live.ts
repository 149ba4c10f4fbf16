import type { LiveAnswer, LiveOptions } from '#src/kernel/channel.ts';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import type { MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { SlackApi } from './api.ts';
import type { Directory } from './directory.ts';
import { withVisibleLinksSoFar } from '#src/kernel/visible-links.ts';
import { createLiveMessage, type LiveMessage } from './live-message.ts';
import { withoutMentions } from './mass-mentions.ts';
import type { Spot } from './posting.ts';

export interface LiveDeps {
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
