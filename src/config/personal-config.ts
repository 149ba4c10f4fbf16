import { z } from 'zod';
import { DEFAULT_MAX_ENTRIES } from '#src/core/ledger.ts';

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
    maxPerChannel: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe('Alerts that are told in one channel, whoever set them. Direct chats are not counted.'),
    maxRepeatingPerChannel: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(10)
      .describe('Repeating alerts of one person in one channel.'),
    repeatMinutesInChannel: z
      .number()
      .int()
      .min(1)
      .max(1_440)
      .default(15)
      .describe('A repeating alert is told in a channel at most once in so many minutes.'),
    maxBriefingsPerChannel: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('Briefings that are told in one channel, whoever set them.'),
  })
  .prefault({});

/** `portfolio`: what figures are measured against, and how much a person may record. */
export const portfolioSchema = z
  .strictObject({
    riskFreePercent: z
      .number()
      .min(-5)
      .max(50)
      .default(0)
      .describe('A year; taken off the return in the Sharpe and Sortino ratios, and said beside them.'),
    maxEntries: z
      .number()
      .int()
      .min(100)
      .max(20_000)
      .default(DEFAULT_MAX_ENTRIES)
      .describe('Entries of one person in all their portfolios together; those that were undone count too.'),
  })
  .prefault({});
