import { z } from 'zod';
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
const instant = number
  .min(-MAX_EPOCH_SECONDS)
  .max(MAX_EPOCH_SECONDS)
  .transform((seconds) => Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000)));
const optionalInstant = instant.nullish().transform((value) => value ?? undefined);

/** Rejects zones that this runtime does not know. */
const timeZone = z.string().refine((name) => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}, 'Unknown time zone');

/** Entries are parsed one by one, so that an invalid one is dropped alone. */
export const quoteListWire = z.object({ quoteResponse: z.object({ result: z.array(z.unknown()) }) });
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

const series = z.array(number.nullable());
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
              splits: z.record(z.string(), z.unknown()).nullish().catch(null),
              dividends: z.record(z.string(), z.unknown()).nullish().catch(null),
            })
            .nullish()
            .catch(null),
          /** Absent if nothing was traded. */
          timestamp: z.array(instant).optional(),
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

export const newsListWire = z.object({ news: z.array(z.unknown()) });
export const newsWire = z.object({
  title: z.string().trim().min(1),
  link: z.url({ protocol: /^https?$/u }),
  publisher: z.string().trim(),
  providerPublishTime: instant,
  relatedTickers: z
    .array(z.string())
    .nullish()
    .transform((symbols) => symbols ?? []),
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
  error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

export const readAs = <T>(schema: z.ZodType<T>, json: unknown, what: string): T => {
  const { data, error } = schema.safeParse(json);
  if (error)
    throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an invalid ${what}: ${problemOf(error)}`);
  return data;
};
