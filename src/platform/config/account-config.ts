import { z } from 'zod';
import { DEFAULT_MAX_ENTRIES } from '#src/kernel/ledger.ts';

/** `alerts`: how often they are looked at, and how many a person may have. */
export const alertsSchema = z
  .strictObject({
    everySeconds: z
      .number()
      .int()
      .min(1)
      .max(3_600)
      .default(60)
      .describe('How often alerts are checked, in seconds, while their market is open.'),
    maxPerPerson: z.number().int().min(1).max(1_000).default(100).describe('Alerts of one person.'),
    maxPerChannel: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe('Alerts that notify in one channel, over all people. Direct chats are not counted.'),
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
      .describe('Shortest interval between two notifications of a repeating alert in a channel, in minutes.'),
    maxBriefingsPerChannel: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('Briefings that are posted in one channel, over all people.'),
  })
  .prefault({})
  .describe('Alerts and briefings.');

/** `portfolio`: what figures are measured against, and how much a person may record. */
export const portfolioSchema = z
  .strictObject({
    riskFreePercent: z
      .number()
      .min(-5)
      .max(50)
      .default(0)
      .describe('Annual risk-free rate for the Sharpe and Sortino ratios, which show it.'),
    maxEntries: z
      .number()
      .int()
      .min(100)
      .max(20_000)
      .default(DEFAULT_MAX_ENTRIES)
      .describe('Entries of one person over all portfolios. Undone entries count too.'),
  })
  .prefault({})
  .describe('Portfolios.');
