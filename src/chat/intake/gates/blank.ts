import { type Gate, PASS } from '#src/kernel/gate.ts';
import { gateMessages } from '#src/kernel/messages/gates.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { bodyTextOf } from '../../turns/message-context.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

/** Drops a message without text and files: an empty line, a sticker, a bare mention. A mention is answered with help. */
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
      if (!message.mentionsBot) return { verdict: 'drop', reason: 'blank' };
      return dropWithReply(message, 'blank', (locale) => gateMessages(locale).nothingAsked());
    },
  };
};
