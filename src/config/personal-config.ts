import { z } from 'zod';

/** `alerts`: how often they are looked at, and how many a person may have. */
export const alertsSchema = z
  .strictObject({
    everySeconds: z
      .number()
      .int()
      .min(1)
      .max(3_600)
      .default(60)
      .describe('Prices are asked for once in so many seconds, in the hours of their market only.'),
    maxPerPerson: z.number().int().min(1).max(1_000).default(100),
  })
  .prefault({});

/** `portfolio`: what figures are measured against. */
export const portfolioSchema = z
  .strictObject({
    riskFreePercent: z
      .number()
      .min(-5)
      .max(50)
      .default(0)
      .describe('A year; taken off the return in the Sharpe and Sortino ratios, and said beside them.'),
  })
  .prefault({});
