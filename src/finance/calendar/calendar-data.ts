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
  /** The first day on which it is held; absent: always. */
  from: date.optional(),
});

const specialSchema = z.strictObject({
  open: time,
  close: time,
  name: localized,
  /** Of this day; null: not held. Absent: as always where the regular opening (close) is the usual one, else not known. */
  pre: hours.nullable().optional(),
  after: hours.nullable().optional(),
});

const exchangeSchema = z.strictObject({
  /** The name that people read; the key is the ISO 10383 code, where there is one. */
  market: z.string().min(1),
  /** Its first trading day; absent: before the data begins. */
  since: date.optional(),
  timeZone: z.string().min(1),
  regular: hours,
  extended: z.strictObject({ pre: extendedSchema.optional(), after: extendedSchema.optional() }),
  /** Year → date → name. A year that is not a key is not known at all. */
  holidays: z.record(z.string().regex(/^\d{4}$/, 'must be a year'), z.record(date, localized)).optional(),
  /** The code of the exchange whose holidays it keeps, in the place of a list of its own. */
  holidaysOf: z.string().optional(),
  special: z.record(date, specialSchema),
  /** Days of which the exchange has not said yet what the data says; `why` is for those who keep the file. */
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
  /** When the file was last compared with its sources. */
  asOf: date,
  note: z.string(),
  sources: z.record(z.string(), z.string()),
  exchanges: exchangesSchema,
});
export type CalendarFile = z.output<typeof calendarFileSchema>;

let file: CalendarFile | undefined;

/** The calendars that ship with the bot, read when somebody first asks. */
export const calendarFile = (): CalendarFile => (file ??= calendarFileSchema.parse(data));
