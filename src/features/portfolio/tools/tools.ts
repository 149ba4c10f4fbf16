import { z } from 'zod';
import type { PortfolioService } from '#src/kernel/people/portfolio.ts';
import { requesterOfCall } from '#src/kernel/people/requester.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { MAX_NAME_LENGTH, nameInput } from '#src/markets/answers/name-input.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { performanceTexts } from '../texts/performance.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import { taxTexts } from '../texts/tax.ts';

/** A tool gets the queries of the portfolio service that it asks. */
export interface Asks<Name extends keyof PortfolioService> {
  readonly portfolio: Pick<PortfolioService, Name>;
}

export const ABOUT_PORTFOLIOS = { group: 'finance', accessesSensitiveData: true, isExternal: true } as const;

/** Models pass an empty name for the default portfolio. */
export const portfolioInput = (
  description = 'Name of one of their portfolios; leave it out for the default',
) => z.string().max(MAX_NAME_LENGTH).optional().describe(description);

const themeInput = () =>
  z.enum(['light', 'dark']).optional().describe('Of the picture, only where the user asks for one');

/** Covers requests for many prices and drawing a chart. */
const PRICES_TIMEOUT_MS = 45_000;

const getPortfolioInput = toolInput(() =>
  z.object({
    portfolio: portfolioInput(),
    view: z
      .enum(['summary', 'actions'])
      .default('summary')
      .describe(
        '`actions`: which splits and dividends of the holdings the data source reports, and which are not recorded',
      ),
    draw: z
      .boolean()
      .default(true)
      .describe('Also draw what it is made of; false where one figure is asked for'),
    theme: themeInput(),
  }),
);

export const getPortfolio = ({ portfolio: service }: Asks<'summary' | 'actions'>): Tool =>
  defineTool({
    name: 'get_portfolio',
    description: [
      "Get the user's own portfolio as they recorded it: each holding with quantity, average cost, price, value,",
      'unrealised gain and change of the day, and the totals (value, gains split into price and exchange rate,',
      'realised gains, dividends, cash, fees, taxes). Use it whenever the user asks what they hold, what it is worth',
      'or how much they gained or lost. Never guess holdings. Repeat the source and the as-of time, and say what the',
      'result says it left out. If it says that a split or dividend is not recorded, say so and how to record it. An empty portfolio is said so: tell the user how to record what they have then.',
    ].join(' '),
    ...ABOUT_PORTFOLIOS,
    timeoutMs: PRICES_TIMEOUT_MS,
    input: getPortfolioInput,
    progress: (_input, locale) => portfolioTexts(locale).lookingUp(),
    run: async ({ portfolio, view, draw, theme }, context, signal) => {
      const requester = requesterOfCall(context, 'get_portfolio');
      return toolResult(
        view === 'actions'
          ? await service.actions({ portfolio }, requester, signal)
          : await service.summary({ portfolio, isDrawn: draw, theme }, requester, signal),
      );
    },
  });

const RANGES = ['3mo', '6mo', 'ytd', '1y', '2y'] as const;
/** Covers requests for every holding, rate and company. */
const HISTORIES_TIMEOUT_MS = 60_000;

const analyzePortfolioInput = toolInput(() =>
  z.object({
    portfolio: portfolioInput(),
    range: z.enum(RANGES).default('1y').describe('How far back; `ytd` is since the end of last year'),
    benchmark: z
      .enum(['kospi', 'sp500'])
      .optional()
      .describe('Only where the user named one; otherwise by the currency of the portfolio'),
    chart: z.boolean().default(true).describe('Send a picture of the value over time along with the answer'),
    theme: themeInput(),
  }),
);

export const analyzePortfolio = ({ portfolio: service }: Asks<'analyse'>): Tool =>
  defineTool({
    name: 'analyze_portfolio',
    description: [
      "Analyse the user's own recorded portfolio over a time: time-weighted return (TWR) and money-weighted return",
      '(XIRR), volatility, Sharpe and Sortino ratio, maximum drawdown with its dates, beta and correlation to KOSPI or',
      'the S&P 500, historical value at risk, concentration, exposure by currency and sector, and which holdings move',
      'together. Use it when the user asks how their portfolio did, how risky or how diversified it is, or whether it',
      'beat the market; for what is held and what it is worth now use get_portfolio instead. Never work these figures',
      'out yourself. Repeat the period, the as-of time and the source, what was left out, and where it says that there',
      'is not enough data say exactly that. It describes the past and does not advise. A picture of the value over time',
      'goes out with your answer by itself.',
    ].join(' '),
    ...ABOUT_PORTFOLIOS,
    timeoutMs: HISTORIES_TIMEOUT_MS,
    input: analyzePortfolioInput,
    progress: (_input, locale) => performanceTexts(locale).analysing,
    run: async ({ portfolio, range, benchmark, chart, theme }, context, signal) =>
      toolResult(
        await service.analyse(
          { portfolio, range, benchmark, isDrawn: chart, theme },
          requesterOfCall(context, `analyze:${range}`),
          signal,
        ),
      ),
  });

const MAX_TARGETS = 50;
const MAX_MONEY_CHARACTERS = 40;

const planRebalanceInput = toolInput(() =>
  z.object({
    targets: z
      .array(z.object({ name: nameInput(), percent: z.number().min(0).max(100) }))
      .max(MAX_TARGETS)
      .optional()
      .describe('Weights in per cent that make 100, `cash` among them; leave it out for the stored ones'),
    new_money: z
      .string()
      .max(MAX_MONEY_CHARACTERS)
      .optional()
      .describe('Money to be added, with its currency, e.g. `1000000 KRW`'),
    allow_sales: z.boolean().default(false).describe('With new money: whether something may be sold, too'),
    band: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'What is no more than so many percentage points off is left alone; only where the user said so',
      ),
    portfolio: portfolioInput(),
  }),
);

export const planRebalance = ({ portfolio: service }: Asks<'rebalance'>): Tool =>
  defineTool({
    name: 'plan_rebalance',
    description: [
      "Work out the trades that bring the user's own portfolio to target weights: for each holding the weight now, the",
      'target, how many whole shares to buy or sell, amounts, Korean transaction tax, and the cash that is left. With',
      'new_money only purchases for that money are proposed. Without targets the ones that the user stored are taken.',
      'Use it when the user asks to rebalance, how to reach certain weights, or what to buy with new money by their own',
      'targets. Only pass on weights that the user gave; never choose them yourself, and never work the trades out',
      'yourself. It records nothing: say so, and repeat prices with source and time. It is arithmetic, not advice.',
    ].join(' '),
    ...ABOUT_PORTFOLIOS,
    timeoutMs: PRICES_TIMEOUT_MS,
    input: planRebalanceInput,
    progress: (_input, locale) => rebalanceTexts(locale).lookingUp,
    run: async ({ targets = [], new_money, allow_sales, band, portfolio }, context, signal) => {
      const text = [
        ...targets.map(({ name, percent }) => `${name} ${percent}%`),
        ...(new_money === undefined ? [] : [`+${new_money.replace(/^\+/u, '')}`]),
        ...(band === undefined ? [] : [`±${band}%`]),
      ].join(' ');
      return toolResult(
        await service.rebalance(
          { text, canSell: allow_sales, portfolio },
          requesterOfCall(context, 'plan_rebalance'),
          signal,
        ),
      );
    },
  });

const FIRST_YEAR = 1990;
const LAST_YEAR = 2100;

const getTaxReportInput = toolInput(() =>
  z.object({
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
    portfolio: portfolioInput(
      'Name of one portfolio, only where the user named one; Korean tax is over all of them',
    ),
  }),
);

export const getTaxReport = ({ portfolio: service }: Asks<'tax'>): Tool =>
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
    ...ABOUT_PORTFOLIOS,
    timeoutMs: HISTORIES_TIMEOUT_MS,
    input: getTaxReportInput,
    progress: (_input, locale) => taxTexts(locale).lookingUp,
    run: async ({ year, basis, portfolio }, context, signal) =>
      toolResult(
        await service.tax(
          { year: year?.toString(), basis, portfolio },
          requesterOfCall(context, 'get_tax_report'),
          signal,
        ),
      ),
  });
