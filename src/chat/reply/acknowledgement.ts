import type { Clock } from '#src/platform/clock.ts';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { NEVER_ABORTED, raceAbort, waitAtMost, withDeadline } from '#src/platform/abort.ts';
import { retry } from '#src/platform/retry.ts';

type TypingState = 'active' | 'processing' | 'sealed';

interface TypingController {
  readonly state: () => TypingState | 'idle';
  readonly start: () => void;
  /** The model is at work: the indicator stays. */
  readonly process: () => void;
  /** There was a sign of life: the time limit counts from now. Nothing begins or goes on again by it. */
  readonly extend: () => void;
  /** Ends it for good; a late `start` does nothing. */
  readonly seal: () => void;
}

export interface TypingOptions {
  readonly intervalMs: number;
  /** A run that hangs must not type for ever: it counts from the start, or from the last sign of life. */
  readonly ttlMs: number;
}

/** Platforms let the indicator fade after some seconds: it is shown again until sealed or too old. */
export const createTypingController = (
  show: () => void,
  clock: Clock,
  options: TypingOptions = { intervalMs: 5_000, ttlMs: 120_000 },
): TypingController => {
  let state: TypingState | 'idle' = 'idle';
  let cancel: (() => void) | undefined;
  let aliveAtMs = 0;

  const seal = (): void => {
    state = 'sealed';
    cancel?.();
  };
  const beat = (): void => {
    if (state === 'sealed') return;
    if (clock.monotonicMs() - aliveAtMs >= options.ttlMs) {
      seal();
      return;
    }
    show();
    cancel = clock.after(options.intervalMs, beat);
  };

  return {
    state: () => state,
    start: () => {
      if (state !== 'idle') return;
      state = 'active';
      aliveAtMs = clock.monotonicMs();
      beat();
    },
    process: () => {
      if (state === 'active') state = 'processing';
    },
    extend: () => {
      aliveAtMs = clock.monotonicMs();
    },
    seal,
  };
};

const WORKING = '👀';
const FAILED = '⚠️';
const SIGN_TIMEOUT_MS = 5_000;
/** The next message of the chat waits behind this one: it is not held up by a platform that is slow with signs. */
const END_WAIT_MS = 1_500;
const late = (): Error => new Error('no answer within 5 s');
/** Eyes that stay promise an answer for ever: a platform that is busy is asked again to take them back. */
const TAKE_BACK_ATTEMPTS = 3;
const isPassing = (error: unknown): boolean => error instanceof ChannelError && error.failure !== 'refused';
const askedToWaitMs = (error: unknown): number | undefined =>
  error instanceof ChannelError ? error.retryAfterMs : undefined;

/** The signs that a message was seen: a reaction and the typing indicator. A sign that fails is only logged. */
export interface Acknowledgement {
  /** Shows them, the typing sign only where it is wanted; a second call changes nothing. */
  readonly begin: (isTyping?: boolean) => void;
  readonly modelAtWork: () => void;
  /** The model said that it is still at it. */
  readonly heartbeat: () => void;
  /** Stops typing; the reaction stays for the run that takes the message up again. */
  readonly pause: () => void;
  /** Takes away what an earlier process left on the message. */
  readonly resume: () => Promise<void>;
  /**
   * Takes the signs back; a failure leaves a warning in their place. Resolves when that is done or a moment has
   * passed; what is left then goes on by itself.
   */
  readonly end: (success: boolean) => Promise<void>;
  /** The message is not worked on any more, and nothing is said about it: also the signs of an earlier process go. */
  readonly withdraw: () => Promise<void>;
}

interface AcknowledgementDeps {
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /**
   * Reactions are wanted: then a failure is marked also where this process has shown nothing yet, for an earlier
   * one may have, and its sign would promise an answer for ever.
   */
  readonly enableAck?: boolean;
}

export const createAcknowledgement = (
  channel: ChannelPlugin,
  target: ReplyTarget,
  deps: AcknowledgementDeps,
): Acknowledgement => {
  const { clock, logger, enableAck = false } = deps;

  const attempt = async (
    sign: string,
    action: () => Promise<void> | undefined,
    maxAttempts = 1,
  ): Promise<void> => {
    const once = async (): Promise<void> => {
      using limit = withDeadline(NEVER_ABORTED, SIGN_TIMEOUT_MS, clock, late);
      await raceAbort(Promise.resolve(action()), limit.signal, clock, 0);
    };
    const again = { clock, maxAttempts, jitter: false, shouldRetry: isPassing, retryAfterMs: askedToWaitMs };
    try {
      await retry(once, again, NEVER_ABORTED);
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
  let reaction: Promise<void> | undefined;
  let isTakenBack = false;

  const showEyes = (): Promise<void> =>
    attempt('reaction', async () => {
      await channel.addReaction?.(target, WORKING);
      // A call that was given up came through after all.
      if (isTakenBack) void takeBack(TAKE_BACK_ATTEMPTS);
    });

  const replaceReaction = async (success: boolean): Promise<void> => {
    // One after the other: a platform that is slow must not put the eyes back.
    await reaction;
    isTakenBack = true;
    await takeBack(TAKE_BACK_ATTEMPTS);
    if (!success) await react(FAILED);
  };

  return {
    begin: (isTyping = true) => {
      reaction ??= showEyes();
      if (isTyping) typing.start();
    },
    modelAtWork: typing.process,
    heartbeat: typing.extend,
    pause: typing.seal,
    resume: () => takeBack(),
    end: async (success) => {
      typing.seal();
      const mayBeLeft = enableAck && !success;
      if (!reaction && !mayBeLeft) return;
      await waitAtMost(replaceReaction(success), END_WAIT_MS, clock);
    },
    withdraw: async () => {
      typing.seal();
      if (reaction || enableAck) await replaceReaction(true);
    },
  };
};
