import { afterInContext, type Clock } from '#src/platform/concurrency/clock.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { ReplyTarget, TurnContext } from '#src/kernel/chat/message.ts';
import { NEVER_ABORTED, raceAbort, waitAtMost, withDeadline } from '#src/platform/concurrency/abort.ts';
import { insist } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';
import { SHOW_AFTER_MS } from './live-answers.ts';

export interface TypingOptions {
  /** An answer that comes sooner needs no indicator. */
  readonly delayMs: number;
  readonly intervalMs: number;
  /** The limit for a hanging run. */
  readonly ttlMs: number;
}

/** Platforms hide the indicator after some seconds, so it is shown again until it is sealed or the limit is reached. */
export const createTypingController = (
  show: () => void,
  clock: Clock,
  options: TypingOptions = { delayMs: SHOW_AFTER_MS, intervalMs: 5_000, ttlMs: 120_000 },
) => {
  let state: 'idle' | 'active' | 'sealed' = 'idle';
  let cancel: (() => void) | undefined;
  let startedAtMs = 0;

  const seal = (): void => {
    state = 'sealed';
    cancel?.();
  };
  const beat = (): void => {
    if (state === 'sealed') return;
    if (clock.monotonicMs() - startedAtMs >= options.ttlMs) {
      seal();
      return;
    }
    show();
    cancel = afterInContext(clock, options.intervalMs, beat);
  };

  return {
    start: () => {
      if (state !== 'idle') return;
      state = 'active';
      startedAtMs = clock.monotonicMs();
      cancel = afterInContext(clock, options.delayMs, beat);
    },
    /** Ends the indicator for good; a late `start` does nothing. */
    seal,
  };
};

const WORKING = '👀';
const FAILED = '⚠️';
const SIGN_TIMEOUT_MS = 5_000;
/** A slow platform must not delay the next message of the chat. */
const END_WAIT_MS = 1_500;
const late = (): Error => new Error('no answer within 5 s');
/** Retried, because a reaction that stays would promise an answer forever. */
const TAKE_BACK_ATTEMPTS = 3;

/**
 * Shows that a message was seen: a reaction and the typing indicator. Failures are only logged. Answers that come at once
 * get neither: signs would only flicker, and platforms allow few of these calls (Slack 20 removals a minute).
 */
export interface Acknowledgement {
  /** After a moment, shows the reaction and, with `isTyping`, the typing indicator. A second or late call does nothing. */
  readonly begin: (isTyping?: boolean) => void;
  /** Stops typing. A reaction that is shown stays, because the next start processes the message again. */
  readonly pause: () => void;
  /** Removes the reaction of an earlier process. */
  readonly resume: () => Promise<void>;
  /**
   * Removes the reaction, or replaces it with a warning after a failure. Resolves when done or after a moment; then it
   * continues in the background.
   */
  readonly end: (success: boolean) => Promise<void>;
  /** The message was superseded: removes the reaction, also that of an earlier process. */
  readonly withdraw: () => Promise<void>;
}

export interface AckDeps {
  readonly enableAck: boolean;
  /** Default: always. */
  readonly showsTyping?: (ctx: TurnContext) => boolean;
}

/** Shows that the message was seen, unless it is answered at once. */
export const acknowledge = (
  { ctx, acknowledgement }: { readonly ctx: TurnContext; readonly acknowledgement: Acknowledgement },
  { enableAck, showsTyping }: AckDeps,
): void => {
  if (enableAck) acknowledgement.begin(showsTyping?.(ctx));
};

interface AcknowledgementDeps extends Uses<'clock' | 'logger'> {
  /** Whether messages are acknowledged at all. If so, a failure is marked even before anything was shown. */
  readonly enableAck?: boolean;
  /** If false, the reaction of an earlier process may still be there, and would promise an answer forever. */
  readonly isFirstAttempt: boolean;
}

export const createAcknowledgement = (
  channel: ChannelPlugin,
  target: ReplyTarget,
  deps: AcknowledgementDeps,
): Acknowledgement => {
  const { clock, logger, enableAck = false, isFirstAttempt } = deps;
  const mayBeLeft = enableAck && !isFirstAttempt;

  const attempt = async (
    sign: string,
    action: () => Promise<void> | undefined,
    maxAttempts = 1,
  ): Promise<void> => {
    const once = async (): Promise<void> => {
      using limit = withDeadline(NEVER_ABORTED, SIGN_TIMEOUT_MS, clock, late);
      await raceAbort(Promise.resolve(action()), limit.signal, clock, 0);
    };
    try {
      await insist(once, clock, maxAttempts);
    } catch (error) {
      logger.warn('An acknowledgement could not be shown', { sign, channelId: channel.id, error });
    }
  };
  const react = (emoji: string): Promise<void> =>
    attempt('reaction', () => channel.addReaction?.(target, emoji));
  const takeBack = (maxAttempts?: number): Promise<void> =>
    attempt('reaction', () => channel.removeReaction?.(target, WORKING), maxAttempts);

  const typing = createTypingController(
    () => void attempt('typing', () => channel.sendTyping?.(target)),
    clock,
  );
  let cancelEyes: (() => void) | undefined;
  let reaction: Promise<void> | undefined;
  let isTakenBack = false;
  let isStopped = false;

  const showEyes = (): Promise<void> =>
    attempt('reaction', async () => {
      await channel.addReaction?.(target, WORKING);
      // A call that had timed out succeeded after all.
      if (isTakenBack) void takeBack(TAKE_BACK_ATTEMPTS);
    });

  const stop = (): void => {
    isStopped = true;
    typing.seal();
    cancelEyes?.();
  };

  const replaceReaction = async (success: boolean): Promise<void> => {
    // In order, so that a slow call cannot add the reaction again.
    await reaction;
    isTakenBack = true;
    if (reaction || mayBeLeft) await takeBack(TAKE_BACK_ATTEMPTS);
    if (!success) await react(FAILED);
  };

  return {
    begin: (isTyping = true) => {
      if (isStopped) return;
      // The reaction of an earlier process is shown again, so that there is one to remove at the end.
      if (mayBeLeft) reaction ??= showEyes();
      else
        cancelEyes ??= afterInContext(clock, SHOW_AFTER_MS, () => {
          reaction = showEyes();
        });
      if (isTyping) typing.start();
    },
    pause: stop,
    resume: () => takeBack(),
    end: async (success) => {
      stop();
      const isMarked = !success && (cancelEyes !== undefined || enableAck);
      if (!reaction && !isMarked) return;
      await waitAtMost(replaceReaction(success), END_WAIT_MS, clock);
    },
    withdraw: async () => {
      stop();
      if (reaction || mayBeLeft) await replaceReaction(true);
    },
  };
};
