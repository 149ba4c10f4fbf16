import { z } from 'zod';
import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/live-texts.ts';
import { defineTool, type Tool, type ToolResult, toolInput } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { describeLocalTime, readDateTime } from './local-time.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

const MAX_NAME_LENGTH = 100;
const OWN_ZONE: Readonly<Record<Locale, string>> = { ko: '사용자 시간대', en: "the user's time zone" };

const failed = (content: string): ToolResult => ({ content, isError: true });

const describe = (at: Temporal.ZonedDateTime, label: string, locale: Locale): string =>
  `${label}: ${describeLocalTime(at, locale)}, ISO ${at.toString({ smallestUnit: 'second', timeZoneName: 'never' })}`;

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
      return { content: lines.join('\n'), isError: false };
    },
  });
