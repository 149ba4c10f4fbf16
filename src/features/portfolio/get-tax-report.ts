import { z } from 'zod';
import { taxMessages } from './messages/tax.ts';
import { requesterOfCall, type PortfolioService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

export interface GetTaxReportDeps {
  readonly portfolio: Pick<PortfolioService, 'tax'>;
}

/** The rate of every day on which something was settled may have to be asked for. */
const TIMEOUT_MS = 60_000;
const FIRST_YEAR = 1990;
const LAST_YEAR = 2100;

export const getTaxReport = ({ portfolio: markets }: GetTaxReportDeps): Tool =>
  defineTool({
    name: 'get_tax_report',
    description: [
      "Get the tax report of a year from the user's own recorded sales, dividends and interest: for residents of Korea",
      'the capital gains tax on foreign shares (해외주식 양도소득세: gains at settlement-day rates, deduction of ₩2,500,000,',
      '22%), transaction tax paid, dividends with tax withheld and the ₩20,000,000 line of financial income; otherwise',
      'realised gains by holding time. Use it when the user asks about their taxes, realised gains of a year or what to',
      'declare. Never work tax out yourself. Repeat what the result says is left out or provisional, and that it is no',
      'tax advice. The list of all sales goes out as a file by itself in a direct chat.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    isExternal: true,
    timeoutMs: TIMEOUT_MS,
    input: z.object({
      year: z
        .int()
        .min(FIRST_YEAR)
        .max(LAST_YEAR)
        .optional()
        .describe('Calendar year; leave it out where the user named none'),
      basis: z
        .enum(['kr', 'us'])
        .optional()
        .describe(
          '`kr`: tax of a resident of Korea; `us`: gains by holding time, without a tax. Only where the user said so',
        ),
      portfolio: nameInput()
        .optional()
        .describe('Name of one portfolio, only where the user named one; Korean tax is over all of them'),
    }),
    progress: (_input, locale) => taxMessages(locale).lookingUp,
    run: async ({ year, basis, portfolio }, context, signal) =>
      toolResult(
        await markets.tax(
          { year: year?.toString(), basis, portfolio },
          requesterOfCall(context, 'get_tax_report'),
          signal,
        ),
      ),
  });
