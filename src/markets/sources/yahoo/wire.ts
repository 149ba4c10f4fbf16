import { z } from 'zod';
import { visibleLine } from '#src/kernel/text.ts';
import { marketError } from '../errors.ts';

/** Validates the fields in use and ignores the rest, because Yahoo adds fields at will. */
const number = z.number();
const optionalNumber = number.nullish().transform((value) => value ?? undefined);
const optionalText = z
  .string()
  .min(1)
  .nullish()
  .transform((value) => value ?? undefined);

const MAX_EPOCH_SECONDS = 8_640_000_000_000;
export const instantOf = (seconds: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000));
const instant = number.min(-MAX_EPOCH_SECONDS).max(MAX_EPOCH_SECONDS).transform(instantOf);
const optionalInstant = instant.nullish().transform((value) => value ?? undefined);

/** The limits of a response. They are looked at before the entries are. */
const LIMITS = {
  /** Eighty years of days. */
  bars: 20_000,
  /** Splits or dividends of one instrument. */
  events: 5_000,
  /** Quotes are asked for in batches of 50. */
  quotes: 200,
  headlines: 200,
  titleChars: 500,
  publisherChars: 100,
  linkChars: 2_000,
  tickers: 50,
  zoneChars: 64,
  /** Problems that are told of one response. */
  problems: 3,
} as const;

const listOf = <T extends z.ZodType>(entry: T, max: number) =>
  z
    .custom<unknown[]>((value) => Array.isArray(value) && value.length <= max, `Not a list of at most ${max}`)
    .pipe(z.array(entry));

/** The first ones: what is beyond the limit is no response to what was asked. */
const eventsWire = z
  .unknown()
  .transform((events) =>
    typeof events === 'object' && events !== null ? Object.values(events).slice(0, LIMITS.events) : [],
  )
  .optional();

/** Rejects zones that this runtime does not know. */
const timeZone = z.string().refine((name) => {
  if (name.length > LIMITS.zoneChars) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}, 'Unknown time zone');

/** One visible line of bounded length, because Yahoo's text is untrusted input. */
export const cleanLine = (text: string, max: number): string =>
  visibleLine(text.slice(0, max * 2))
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed()
    .trim();

/** Entries are parsed one by one, so that an invalid one is dropped alone. */
export const quoteListWire = z.object({
  quoteResponse: z.object({ result: listOf(z.unknown(), LIMITS.quotes) }),
});
export const namedWire = z.looseObject({ symbol: z.string() });

export const QUOTE_FIELDS = [
  'symbol',
  'quoteType',
  'currency',
  'regularMarketPrice',
  'regularMarketTime',
  'regularMarketPreviousClose',
  'regularMarketDayLow',
  'regularMarketDayHigh',
  'fiftyTwoWeekLow',
  'fiftyTwoWeekHigh',
  'regularMarketVolume',
  'preMarketPrice',
  'preMarketTime',
  'postMarketPrice',
  'postMarketTime',
  'exchangeDataDelayedBy',
] as const;

export const quoteWire = z.object({
  currency: optionalText,
  regularMarketPrice: optionalNumber,
  regularMarketTime: instant,
  regularMarketPreviousClose: optionalNumber,
  regularMarketDayLow: optionalNumber,
  regularMarketDayHigh: optionalNumber,
  fiftyTwoWeekLow: optionalNumber,
  fiftyTwoWeekHigh: optionalNumber,
  regularMarketVolume: optionalNumber,
  preMarketPrice: optionalNumber,
  preMarketTime: optionalInstant,
  postMarketPrice: optionalNumber,
  postMarketTime: optionalInstant,
  exchangeDataDelayedBy: optionalNumber,
});
export type QuoteWire = z.infer<typeof quoteWire>;

export const EARNINGS_FIELDS = [
  'symbol',
  'quoteType',
  'exchangeTimezoneName',
  'earningsTimestamp',
  'earningsTimestampStart',
  'earningsTimestampEnd',
  'isEarningsDateEstimate',
] as const;

export const earningsWire = z.object({
  exchangeTimezoneName: timeZone,
  earningsTimestamp: optionalInstant,
  earningsTimestampStart: optionalInstant,
  earningsTimestampEnd: optionalInstant,
  isEarningsDateEstimate: z.boolean().nullish(),
});

/** One or two dates; the estimate is per share for the reported quarter. */
export const calendarWire = z.object({
  quoteSummary: z.object({
    result: z
      .array(
        z.object({
          calendarEvents: z.object({
            earnings: z.object({ earningsDate: z.array(instant), earningsAverage: number }),
          }),
        }),
      )
      .min(1),
  }),
});

/** Sixty years of days are a hundred thousand numbers, which are looked at in one piece. */
const numbersOf = <T extends number | null>(isOne: (value: unknown) => value is T) =>
  z.custom<readonly T[]>(
    (value) => Array.isArray(value) && value.length <= LIMITS.bars && value.every(isOne),
    `Not a list of at most ${LIMITS.bars} numbers`,
  );
const series = numbersOf((value): value is number | null => value === null || typeof value === 'number');
const epochSeconds = numbersOf(
  (value): value is number => typeof value === 'number' && Math.abs(value) <= MAX_EPOCH_SECONDS,
);
export const chartWire = z.object({
  chart: z.object({
    result: z
      .array(
        z.object({
          meta: z.object({
            currency: optionalText,
            exchangeTimezoneName: timeZone,
            regularMarketTime: optionalInstant,
            currentTradingPeriod: z
              .object({ regular: z.object({ start: instant, end: instant }) })
              .optional(),
            // Only look-ups and quotes need these, so an invalid one must not spoil the bars.
            symbol: optionalText.catch(undefined),
            instrumentType: optionalText.catch(undefined),
            longName: optionalText.catch(undefined),
            shortName: optionalText.catch(undefined),
            exchangeName: optionalText.catch(undefined),
            fullExchangeName: optionalText.catch(undefined),
            priceHint: optionalNumber.catch(undefined),
            regularMarketPrice: optionalNumber.catch(undefined),
            regularMarketDayLow: optionalNumber.catch(undefined),
            regularMarketDayHigh: optionalNumber.catch(undefined),
            fiftyTwoWeekLow: optionalNumber.catch(undefined),
            fiftyTwoWeekHigh: optionalNumber.catch(undefined),
            regularMarketVolume: optionalNumber.catch(undefined),
          }),
          /** Keyed by epoch second. Entries are parsed one by one. */
          events: z
            .object({
              splits: eventsWire,
              dividends: eventsWire,
            })
            .nullish()
            .catch(null),
          /** Absent if nothing was traded. */
          timestamp: epochSeconds.optional(),
          indicators: z.object({
            quote: z
              .array(
                z.object({
                  open: series.optional(),
                  high: series.optional(),
                  low: series.optional(),
                  close: series.optional(),
                  volume: series.optional(),
                }),
              )
              .min(1),
          }),
        }),
      )
      .min(1),
  }),
});
export type ChartWire = z.infer<typeof chartWire>['chart']['result'][number];

/** Requires positive numbers. */
export const splitWire = z.object({
  date: instant,
  numerator: z.number().positive(),
  denominator: z.number().positive(),
});
export const dividendWire = z.object({
  date: instant,
  amount: z.number().positive(),
  currency: optionalText.catch(undefined),
});

export const newsListWire = z.object({ news: listOf(z.unknown(), LIMITS.headlines) });
export const newsWire = z.object({
  title: z
    .string()
    .transform((text) => cleanLine(text, LIMITS.titleChars))
    .pipe(z.string().min(1)),
  link: z
    .string()
    .max(LIMITS.linkChars)
    .pipe(z.url({ protocol: /^https?$/u })),
  publisher: z.string().transform((text) => cleanLine(text, LIMITS.publisherChars)),
  providerPublishTime: instant,
  relatedTickers: z
    .array(z.string().max(LIMITS.publisherChars))
    .nullish()
    .transform((symbols) => (symbols ?? []).slice(0, LIMITS.tickers)),
});

const part = z
  .looseObject({})
  .nullish()
  .transform((value) => value ?? {});
export const summaryWire = z.object({
  quoteSummary: z.object({
    result: z
      .array(
        z.object({
          price: part,
          summaryDetail: part,
          defaultKeyStatistics: part,
          financialData: part,
          assetProfile: part,
        }),
      )
      .min(1),
  }),
});
export type SummaryWire = z.infer<typeof summaryWire>['quoteSummary']['result'][number];
export type SummaryPart = keyof SummaryWire;

/** The path of each problem, without the response itself. */
export const problemOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, LIMITS.problems)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ');

export const readAs = <T>(schema: z.ZodType<T>, json: unknown, what: string): T => {
  const { data, error } = schema.safeParse(json);
  if (error)
    throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an invalid ${what}: ${problemOf(error)}`);
  return data;
};
