import { z } from 'zod';
import { portfolioMessages } from './messages/portfolio.ts';
import { requesterOfCall, type PortfolioService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

export interface GetPortfolioDeps {
  readonly portfolio: Pick<PortfolioService, 'summary' | 'actions'>;
}

/** Many prices may have to be asked for, and a picture drawn. */
const TIMEOUT_MS = 45_000;

export const getPortfolio = ({ portfolio: markets }: GetPortfolioDeps): Tool =>
  defineTool({
    name: 'get_portfolio',
    description: [
      "Get the user's own portfolio as they recorded it: each holding with quantity, average cost, price, value,",
      'unrealised gain and change of the day, and the totals (value, gains split into price and exchange rate,',
      'realised gains, dividends, cash, fees, taxes). Use it whenever the user asks what they hold, what it is worth',
      'or how much they gained or lost. Never guess holdings. Repeat the source and the as-of time, and say what the',
      'result says it left out. If it says that a split or dividend is not recorded, say so and how to record it. An empty portfolio is said so: tell the user how to record what they have then.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    isExternal: true,
    timeoutMs: TIMEOUT_MS,
    input: z.object({
      portfolio: nameInput()
        .optional()
        .describe('Name of one of their portfolios; leave it out for the default'),
      view: z
        .enum(['summary', 'actions'])
        .default('summary')
        .describe(
          '`actions`: which splits and dividends of the holdings the data source reports, and which are not recorded',
        ),
      draw: z
        .boolean()
        .default(false)
        .describe('Also draw what it is made of; only where a picture is asked for'),
    }),
    progress: (_input, locale) => portfolioMessages(locale).lookingUp(),
    run: async ({ portfolio, view, draw }, context, signal) => {
      const requester = requesterOfCall(context, 'get_portfolio');
      return toolResult(
        view === 'actions'
          ? await markets.actions({ portfolio }, requester, signal)
          : await markets.summary({ portfolio, isDrawn: draw }, requester, signal),
      );
    },
  });
