import { type Gate, PASS } from '#src/kernel/gate.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import type { AwaitedInputs } from '#src/platform/storage/messages/awaited-inputs.ts';
import type { ConversationTraces } from '#src/platform/storage/messages/conversation-traces.ts';
import { isListed } from './listed.ts';

export interface MentionDeps {
  readonly mention: {
    readonly required: boolean;
    /** Chats in which everything is meant for the bot, as `channel:chatId` or ids alone. */
    readonly freeChats: readonly string[];
  };
  readonly traces: Pick<ConversationTraces, 'isOurs' | 'hasTakenPart'>;
  readonly awaitedInputs: Pick<AwaitedInputs, 'isOpen'>;
  readonly sessionKeyOf: (message: InboundMessage) => SessionKey;
  /** A command about what runs or waits for a word in this conversation: it says itself whom it is for. */
  readonly isExpected: (message: InboundMessage) => Promise<boolean>;
  /** A yes or a no in a chat where the bot asked only others: it is not for the bot. */
  readonly isAside: (message: InboundMessage) => Promise<boolean>;
}

/** Where people talk to each other, the bot listens only to what is meant for it, and says nothing otherwise. */
export const mention = (deps: MentionDeps): Gate => {
  const { mention: rule, traces, awaitedInputs, sessionKeyOf, isExpected, isAside } = deps;
  const isPlainlyMeant = ({ chatType, mentionsBot, channelId, chatId }: InboundMessage): boolean =>
    chatType === 'direct' ||
    !rule.required ||
    mentionsBot === true ||
    isListed(rule.freeChats, channelId, chatId);

  /** A reply to the bot, a thread that it takes part in, an answer to what it asked. */
  const continuesTalk = async (message: InboundMessage): Promise<boolean> => {
    const { replyToMessageId, threadId, senderId } = message;
    if (replyToMessageId && (await traces.isOurs(message, replyToMessageId))) return true;
    // What was said before the bot was called is read again after a gap, and still not meant for it.
    if (threadId && (await traces.hasTakenPart(sessionKeyOf(message), message.timestamp)))
      return !(await isAside(message));
    return (await awaitedInputs.isOpen(message, senderId)) || isExpected(message);
  };

  return {
    name: 'mention',
    // The database is asked last: most of what is said in a busy channel costs one look-up at the most.
    check: async (message) =>
      isPlainlyMeant(message) || (await continuesTalk(message))
        ? PASS
        : { verdict: 'drop', reason: 'not-addressed' },
  };
};
