import { z } from 'zod';
import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { defineTool, type Tool, type ToolResult, toolInput } from '#src/kernel/agent/tool.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { describeLocalTime, readDateTime, sayLocalTime } from './local-time.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

const MAX_NAME_LENGTH = 100;
const OWN_ZONE: Readonly<Record<Locale, string>> = { ko: '사용자 시간대', en: "the user's time zone" };

const failed = (content: string): ToolResult => ({ content, isError: true });

const describe = (at: Temporal.ZonedDateTime, label: string, locale: Locale): string =>
  `${label}: ${describeLocalTime(at, locale)}, ISO ${at.toString({ smallestUnit: 'second', timeZoneName: 'never' })}`;

/** The place of a zone: `New York`. */
const placeOf = ({ timeZoneId }: Temporal.ZonedDateTime): string =>
  timeZoneId.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZoneId;

/** For people: the time that was asked for, and their own beside another one. */
const briefOf = (
  own: Temporal.ZonedDateTime,
  other: Temporal.ZonedDateTime,
  isMoment: boolean,
  locale: Locale,
): string => {
  if (own.timeZoneId === other.timeZoneId) return TELLS[locale].own(sayLocalTime(own, locale), isMoment);
  return TELLS[locale].other(placeOf(other), sayLocalTime(other, locale), sayLocalTime(own, locale));
};

const TELLS: Readonly<
  Record<
    Locale,
    {
      readonly own: (time: string, isMoment: boolean) => string;
      readonly other: (place: string, time: string, own: string) => string;
    }
  >
> = {
  ko: {
    own: (time, isMoment) => (isMoment ? `${time}이에요.` : `지금은 ${time}이에요.`),
    other: (place, time, own) => `${place}: ${time} (내 시간 ${own})`,
  },
  en: {
    own: (time, isMoment) => (isMoment ? `${time}.` : `It's ${time}.`),
    other: (place, time, own) => `${place}: ${time} (your time: ${own})`,
  },
};

const input = toolInput(() =>
  z.object({
    timeZone: z
      .string()
      .min(1)
      .max(MAX_NAME_LENGTH)
      .optional()
      .describe('IANA name or city, e.g. "America/New_York", "Tokyo", "런던"'),
    at: z
      .string()
      .min(1)
      .max(MAX_NAME_LENGTH)
      .optional()
      .describe(
        'ISO date-time to convert; now unless given. With an offset ("2026-11-13T15:00+09:00"), with the place whose clock shows it ("2026-11-13T09:30[America/New_York]"), or without either for the user\'s own time',
      ),
  }),
);

export const getDatetime = ({ clock }: { readonly clock: Clock }): Tool =>
  defineTool({
    name: 'get_datetime',
    description: [
      "Get the current date, time and weekday in the user's time zone and in another one, or convert a time",
      'between them. Use it whenever the answer depends on what day or time it is somewhere (is a market open,',
      'what is "tomorrow", when is 9:30 in New York) and never work out time differences yourself: daylight',
      'saving changes them.',
    ].join(' '),
    group: 'finance',
    input,
    progress: (_input, locale) => liveTexts(locale).time(),
    run: async ({ timeZone, at }, context) => {
      const asked = timeZone === undefined ? context.timeZone : resolveTimeZone(timeZone);
      if (asked === undefined)
        return failed(
          `"${timeZone}" is no known time zone. Give an IANA name or a large city, e.g. "Asia/Seoul", "America/New_York", "London", "Tokyo", or an offset such as "+09:00".`,
        );
      const moment =
        at === undefined
          ? clock.now().toZonedDateTimeISO(context.timeZone)
          : readDateTime(at, context.timeZone);
      if (!moment)
        return failed(
          `"${at}" is no ISO date-time. Write it like "2026-11-13T15:00+09:00", "2026-11-13T09:30[America/New_York]" or "2026-11-13T15:00".`,
        );
      const { locale } = context;
      const own = moment.withTimeZone(context.timeZone);
      const other = moment.withTimeZone(asked);
      const lines = [describe(own, `${own.timeZoneId} (${OWN_ZONE[locale]})`, locale)];
      if (!own.equals(other)) lines.push(describe(other, other.timeZoneId, locale));
      return {
        content: lines.join('\n'),
        brief: briefOf(own, other, at !== undefined, locale),
        isError: false,
      };
    },
  });
