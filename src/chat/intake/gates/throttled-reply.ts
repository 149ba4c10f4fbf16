import type { GateVerdict } from '#src/kernel/gate.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Dedupe } from '#src/platform/dedupe.ts';
import { type LocaleSettings, localeOf } from '../../turns/message-context.ts';

export interface ThrottledReplyDeps extends LocaleSettings {
  readonly clock: Clock;
}

const AN_HOUR_MS = 60 * 60_000;
/** Enough to tell the language. */
const LOOKED_AT_CHARS = 1_000;

export const replyLocale = (message: InboundMessage, settings: LocaleSettings): Locale =>
  localeOf({ ...message, body: message.body.slice(0, LOOKED_AT_CHARS) }, settings);

export type ThrottledReply = (
  message: InboundMessage,
  reason: string,
  sentence: (locale: Locale) => string,
) => GateVerdict;

/** Drops with a sentence, which the same person gets once an hour for the same reason, and silence otherwise. */
export const createThrottledReply = (deps: ThrottledReplyDeps): ThrottledReply => {
  const told = new Dedupe(deps.clock, AN_HOUR_MS);
  return (message, reason, sentence) => {
    const key = [message.channelId, message.senderId, reason].join('\0');
    if (told.has(key)) return { verdict: 'drop', reason };
    told.add(key);
    return { verdict: 'drop', reason, reply: sentence(replyLocale(message, deps)) };
  };
};
