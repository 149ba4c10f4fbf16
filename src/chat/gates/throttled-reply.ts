import type { GateVerdict } from './gate.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import type { Uses } from '#src/platform/services.ts';
import { type LocaleSettings, localeOf } from '../context/message-context.ts';

export type ThrottledReplyDeps = LocaleSettings & Uses<'clock'>;

const AN_HOUR_MS = 60 * 60_000;
/** Enough text to detect the language. */
const LOCALE_CHARS = 1_000;

export const replyLocale = (message: MsgContext, settings: LocaleSettings): Locale =>
  localeOf({ ...message, body: message.body.slice(0, LOCALE_CHARS) }, settings);

export type ThrottledReply = (
  message: MsgContext,
  reason: string,
  sentence: (locale: Locale) => string,
) => GateVerdict;

/** Drops messages, and replies to each person at most once an hour per reason. */
export const createThrottledReply = (deps: ThrottledReplyDeps): ThrottledReply => {
  const told = new Dedupe(deps.clock, AN_HOUR_MS);
  return (message, reason, sentence) => {
    const key = [message.channelId, message.senderId, reason].join('\0');
    if (told.has(key)) return { verdict: 'drop', reason };
    told.add(key);
    return { verdict: 'drop', reason, reply: sentence(replyLocale(message, deps)) };
  };
};
