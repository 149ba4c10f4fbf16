import { type Gate, PASS } from './gate.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { bodyTextOf } from '../context/message-context.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

/**
 * Drops a message without text and files: an empty line, a sticker, a bare mention. A mention is answered with help; in
 * a direct chat the sender is told that there is nothing to read.
 */
export const blank = (deps: ThrottledReplyDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'blank',
    check: (message) => {
      if (
        message.media?.length ||
        stripControlCharacters(deps.stripMentions(bodyTextOf(message))).trim() !== ''
      )
        return PASS;
      if (message.mentionsBot)
        return dropWithReply(message, 'blank', (locale) => gateTexts(locale).nothingAsked());
      if (message.chatType !== 'direct') return { verdict: 'drop', reason: 'blank' };
      return dropWithReply(message, 'blank', (locale) => channelTexts(locale).nothingToRead());
    },
  };
};
