import type { ChannelPlugin } from '#src/core/channel.ts';
import type { ReplyTarget } from '#src/core/message.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { raceAbort, withDeadline } from '#src/infra/abort.ts';
import { createTypingController } from './typing-controller.ts';

const WORKING = '👀';
const FAILED = '⚠️';
const SIGN_TIMEOUT_MS = 5_000;

/** The signs that a message was seen: a reaction and the typing indicator. A sign that fails is only logged. */
export interface Acknowledgement {
  readonly begin: () => void;
  readonly modelAtWork: () => void;
  /** Stops typing; the reaction stays for the run that takes the message up again. */
  readonly pause: () => void;
  readonly resume: () => Promise<void>;
  readonly end: (success: boolean) => Promise<void>;
}

export const createAcknowledgement = (
  channel: ChannelPlugin,
  target: ReplyTarget,
  deps: { readonly clock: Clock; readonly logger: FinClawLogger },
): Acknowledgement => {
  const attempt = async (sign: string, action: () => Promise<void> | undefined): Promise<void> => {
    const limit = withDeadline(
      new AbortController().signal,
      SIGN_TIMEOUT_MS,
      deps.clock,
      () => new Error('no answer within 5 s'),
    );
    try {
      await raceAbort(Promise.resolve(action()), limit.signal, deps.clock, 0);
    } catch (error) {
      deps.logger.warn('An acknowledgement could not be shown', { sign, channelId: channel.id, error });
    } finally {
      limit.clear();
    }
  };
  const typing = createTypingController(
    () => void attempt('typing', () => channel.sendTyping?.(target)),
    deps.clock,
  );
  let reaction: Promise<void> | undefined;
  return {
    begin: () => {
      reaction = attempt('reaction', () => channel.addReaction?.(target, WORKING));
      typing.start();
    },
    modelAtWork: typing.process,
    pause: typing.seal,
    resume: () => attempt('reaction', () => channel.removeReaction?.(target, WORKING)),
    end: async (success) => {
      typing.seal();
      if (!reaction) return;
      await reaction;
      await attempt('reaction', () => channel.removeReaction?.(target, WORKING));
      if (!success) await attempt('reaction', () => channel.addReaction?.(target, FAILED));
    },
  };
};
