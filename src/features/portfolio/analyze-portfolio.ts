import { z } from 'zod';
import { performanceMessages } from './messages/performance.ts';
import { requesterOfCall, type PortfolioService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';

export interface AnalyzePortfolioDeps {
  readonly portfolio: Pick<PortfolioService, 'analyse'>;
}

const RANGES = ['3mo', '6mo', 'ytd', '1y', '2y'] as const;
const MAX_NAME_CHARACTERS = 100;
/** Every holding, rate and company is asked about. */
const TIMEOUT_MS = 60_000;

export const analyzePortfolio = ({ portfolio: markets }: AnalyzePortfolioDeps): Tool =>
  defineTool({
    name: 'analyze_portfolio',
    description: [
      "Analyse the user's own recorded portfolio over a time: time-weighted return (TWR) and money-weighted return",
      '(XIRR), volatility, Sharpe and Sortino ratio, maximum drawdown with its dates, beta and correlation to KOSPI or',
      'the S&P 500, historical value at risk, concentration, exposure by currency and sector, and which holdings move',
      'together. Use it when the user asks how their portfolio did, how risky or how diversified it is, or whether it',
      'beat the market; for what is held and what it is worth now use get_portfolio instead. Never work these figures',
      'out yourself. Repeat the period, the as-of time and the source, what was left out, and where it says that there',
      'is not enough data say exactly that. It describes the past and does not advise. Set chart to true when the user',
      'would like to see the value over time: the picture then goes out with your answer by itself.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    accessesSensitiveData: true,
    timeoutMs: TIMEOUT_MS,
    input: z.object({
      portfolio: z
        .string()
        .max(MAX_NAME_CHARACTERS)
        .optional()
        .describe('Name of the portfolio, only where the user named one; leave out for the default one'),
      range: z.enum(RANGES).default('1y').describe('How far back; `ytd` is since the end of last year'),
      benchmark: z
        .enum(['kospi', 'sp500'])
        .optional()
        .describe('Only where the user named one; otherwise by the currency of the portfolio'),
      chart: z
        .boolean()
        .default(false)
        .describe('Send a picture of the value over time along with the answer'),
    }),
    progress: (_input, locale) => performanceMessages(locale).analysing,
    run: async ({ portfolio, range, benchmark, chart }, context, signal) =>
      toolResult(
        await markets.analyse(
          { portfolio, range, benchmark, isDrawn: chart },
          requesterOfCall(context, `analyze:${range}`),
          signal,
        ),
      ),
  });
