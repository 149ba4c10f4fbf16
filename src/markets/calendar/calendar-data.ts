import { z } from 'zod';
import data from '../data/trading-calendars.json' with { type: 'json' };

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time such as 09:30 or 09:00:30');
const date = z.iso.date('must be a real date such as 2026-11-19');
const hours = z.tuple([time, time]);
const localized = z.strictObject({ ko: z.string().min(1), en: z.string().min(1) });

const extendedSchema = z.strictObject({
  hours,
  /** The first day with this session. Absent: it has always been held. */
  from: date.optional(),
});

const specialSchema = z.strictObject({
  open: time,
  close: time,
  name: localized,
  /**
   * Hours of the extended session on this day. Null: it is not held. Absent: the usual hours if the adjoining
   * regular hour is the usual one, otherwise unknown.
   */
  pre: hours.nullable().optional(),
  after: hours.nullable().optional(),
});

const exchangeSchema = z.strictObject({
  /** The display name. The record key is the ISO 10383 code. */
  market: z.string().min(1),
  /** The first trading day of the exchange. Absent: it is older than the data. */
  since: date.optional(),
  timeZone: z.string().min(1),
  regular: hours,
  /** The break at noon, also of special days that do not end before it. */
  pause: hours.optional(),
  extended: z.strictObject({ pre: extendedSchema.optional(), after: extendedSchema.optional() }),
  /** Year → date → name. The holidays of a missing year are unknown, not empty. */
  holidays: z.record(z.string().regex(/^\d{4}$/, 'must be a year'), z.record(date, localized)).optional(),
  /** The code of the exchange whose holidays this one shares, in place of its own list. */
  holidaysOf: z.string().optional(),
  special: z.record(date, specialSchema),
  /** Days the exchange has not announced yet. `why` is for the maintainers of the file. */
  unconfirmed: z
    .array(z.strictObject({ from: date, to: date, note: localized, why: z.string().min(1) }))
    .default([]),
});
type Written = z.output<typeof exchangeSchema>;
export type ExchangeData = Omit<Written, 'holidays' | 'holidaysOf'> & {
  readonly holidays: NonNullable<Written['holidays']>;
};

const exchangesSchema = z
  .record(z.string().regex(/^[A-Z]{3,4}$/, 'must be an ISO 10383 code'), exchangeSchema)
  .transform((exchanges, context): Readonly<Record<string, ExchangeData>> => {
    const whole = Object.entries(exchanges).flatMap(([code, data]): [string, ExchangeData][] => {
      const { holidaysOf, ...own } = data;
      const other = holidaysOf === undefined ? undefined : exchanges[holidaysOf];
      const holidays = own.holidays ?? other?.holidays;
      const unconfirmed = [...own.unconfirmed, ...(other?.unconfirmed ?? [])];
      if (holidays) return [[code, { ...own, holidays, unconfirmed }]];
      const message = 'needs holidays, or holidaysOf with the code of an exchange that has them';
      context.addIssue({ code: 'custom', path: [code], message });
      return [];
    });
    return Object.fromEntries(whole);
  });

export const calendarFileSchema = z.strictObject({
  /** The date on which the file was last compared with its sources. */
  asOf: date,
  note: z.string(),
  sources: z.record(z.string(), z.string()),
  exchanges: exchangesSchema,
});
export type CalendarFile = z.output<typeof calendarFileSchema>;

let file: CalendarFile | undefined;

/** The bundled calendars, parsed on first use. Once only, so Zod need not compile its parsers. */
export const calendarFile = (): CalendarFile => (file ??= calendarFileSchema.parse(data, { jitless: true }));
