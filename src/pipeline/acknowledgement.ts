import type { ChannelPlugin } from '#src/core/channel.ts';
import type { ReplyTarget } from '#src/core/message.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { createTypingController } from './typing-controller.ts';

const WORKING = '👀';
const FAILED = '⚠️';

/** The signs that a message was seen: a reaction and the typing indicator. A sign that fails is only logged. */
export interface Acknowledgement {
  readonly begin: () => void;
  readonly modelAtWork: () => void;
  readonly end: (success: boolean) => Promise<void>;
}

export const createAcknowledgement = (
  channel: ChannelPlugin,
  target: ReplyTarget,
  deps: { readonly clock: Clock; readonly logger: FinClawLogger },
): Acknowledgement => {
  const attempt = async (sign: string, action: () => Promise<void> | undefined): Promise<void> => {
    try {
      await action();
    } catch (error) {
      deps.logger.warn('An acknowledgement could not be shown', { sign, channelId: channel.id, error });
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
    end: async (success) => {
      typing.seal();
      if (!reaction) return;
      await reaction;
      await attempt('reaction', () => channel.removeReaction?.(target, WORKING));
      if (!success) await attempt('reaction', () => channel.addReaction?.(target, FAILED));
    },
  };
};
