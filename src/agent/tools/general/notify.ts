import { z } from 'zod';
import { askAfterOthers } from '#src/kernel/agent/after-others.ts';
import { addressesIn } from '#src/kernel/agent/links.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { writeDayMoment } from '#src/kernel/time.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Notifier } from '#src/kernel/chat/notification.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import {
  defineTool,
  type Tool,
  type ToolExecutionContext,
  type ToolResult,
  toolInput,
} from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import { zoneDoubt } from '#src/reading/zone-question.ts';
import { describeLocalTime, readDateTime } from './local-time.ts';
import { reminderTexts } from './texts.ts';

export interface NotifyDeps extends Uses<'clock'> {
  readonly notifier: Notifier;
  /** The requester's direct chat; undefined if the channel has none. */
  readonly directTarget: (context: ToolExecutionContext) => Promise<ReplyTarget | undefined>;
}

const MAX_TEXT_LENGTH = 1_000;
const MAX_TIME_LENGTH = 100;
const MAX_MINUTES = 525_600;

/** Marks a reminder, so that it does not look like an answer. */
const MARK: Readonly<Record<Locale, string>> = { ko: '⏰ 알림: ', en: '⏰ Reminder: ' };

const OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)?(?:\[[^[\]]*\])?$/iu;

/**
 * Whether the time is on the person's own clock: without a zone, or with the offset that the model derived from
 * the person's zone.
 */
const isOnOwnClock = (at: string, moment: Temporal.ZonedDateTime): boolean =>
  readDateTime(at.trim().replace(OFFSET, ''), moment.timeZoneId)?.equals(moment) === true;

const failed = (content: string): ToolResult => ({ content, isError: true });

const input = toolInput(() =>
  z
    .object({
      text: z
        .string()
        .trim()
        .min(1)
        .max(MAX_TEXT_LENGTH)
        .describe("What to tell the user, in the user's language and clear without this conversation"),
      at: z
        .string()
        .min(1)
        .max(MAX_TIME_LENGTH)
        .optional()
        .describe(
          'When: ISO date-time with an offset ("2026-11-13T15:00+09:00"), with a place ("2026-11-13T09:30[America/New_York]"), or without either in the user\'s own time ("2026-11-13T15:00")',
        ),
      inMinutes: z.int().min(1).max(MAX_MINUTES).optional().describe('Or: in so many minutes from now'),
    })
    .refine(({ at, inMinutes }) => at === undefined || inMinutes === undefined, {
      error: 'Give either at or inMinutes, not both; neither to send it now.',
    }),
);

type When =
  | { readonly at: Temporal.ZonedDateTime | undefined; readonly problem?: never }
  | { readonly problem: string };

/** The time in the person's zone; now if none is given. */
const whenOf = (
  { at, inMinutes }: z.output<typeof input>,
  now: Temporal.ZonedDateTime,
  locale: Locale,
): When => {
  if (inMinutes !== undefined) return { at: now.add({ minutes: inMinutes }) };
  if (at === undefined) return { at: undefined };
  const moment = readDateTime(at, now.timeZoneId)?.withTimeZone(now.timeZoneId);
  if (!moment)
    return {
      problem: `"${at}" is no ISO date-time. Write it like "2026-11-13T15:00" or "2026-11-13T15:00+09:00".`,
    };
  const current = `it is now ${describeLocalTime(now, locale)}, ${now.timeZoneId}`;
  if (Temporal.ZonedDateTime.compare(moment, now) <= 0)
    return { problem: `${describeLocalTime(moment, locale)} is past: ${current}.` };
  if (Temporal.ZonedDateTime.compare(moment, now.add({ years: 1 })) > 0)
    return { problem: `That is more than a year ahead, which is too far: ${current}.` };
  return { at: moment };
};

export const notify = ({ clock, notifier, directTarget }: NotifyDeps): Tool =>
  defineTool({
    name: 'notify',
    description: [
      'Send the user who asks a private message, now or at a later time: a reminder. Use it when the user asks',
      'to be reminded or to be told something later; it goes to nobody else. Tell the user exactly when it',
      'comes, as the result says. It cannot watch prices.',
    ].join(' '),
    group: 'communication',
    input,
    // Without the text, because others may read along.
    progress: ({ at, inMinutes }, locale) => {
      const t = liveTexts(locale);
      return at === undefined && inMinutes === undefined ? t.privateMessage() : t.reminder();
    },
    approvalFor: (_input, context) => askAfterOthers(context),
    run: async (asked, context) => {
      if (addressesIn(asked.text).some((url) => context.addresses?.originOf(url) !== 'chosen'))
        return failed('A reminder holds no address that the user has not written. Leave it out.');
      const { locale, timeZone } = context;
      const now = clock.now().toZonedDateTimeISO(timeZone);
      const when = whenOf(asked, now, locale);
      if (when.problem !== undefined) return failed(when.problem);
      const target = await directTarget(context);
      if (!target)
        return failed('There is no private chat with the user on this platform, so nothing was stored.');
      const sendAt: Timestamp | undefined = when.at?.toInstant();
      const text = MARK[locale] + asked.text;
      const facts = context.samplesIn?.(asked.text) ?? [];
      const doubt =
        asked.at !== undefined && when.at && isOnOwnClock(asked.at, when.at) ? zoneDoubt(context) : undefined;
      const guess = doubt && {
        timeZone,
        payload: { text: `${text}\n\n${doubt.text}`, choices: doubt.choices, facts, locale },
      };
      const stored = await notifier.notify(target, { text, facts, locale }, sendAt, guess);
      if (stored === 'full')
        return failed('Too many messages to this user are waiting already, so this one was not stored.');
      const t = reminderTexts(locale);
      // Without the words of the reminder: in a shared chat others read the receipt.
      const receipt: ChangeReceipt = sendAt
        ? { effect: 'set', text: t.set({ at: writeDayMoment(sendAt, timeZone, locale) }) }
        : { effect: 'sent', text: t.sent() };
      return {
        content: when.at
          ? `Stored. It will be sent privately at ${describeLocalTime(when.at, locale)}, ${timeZone}.`
          : 'Stored. It is being sent privately now.',
        isError: false,
        receipt,
        ...(guess && { dependsOnZone: true }),
      };
    },
  });
