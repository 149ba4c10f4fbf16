import type { Feature } from '#src/features/feature.ts';
import { recordTransaction, undoTransaction } from './tools/recording-tools.ts';
import { analyzePortfolio, getPortfolio, getTaxReport, planRebalance } from './tools/tools.ts';

export const portfolio = {
  tools: {
    analyze_portfolio: analyzePortfolio,
    get_portfolio: getPortfolio,
    get_tax_report: getTaxReport,
    plan_rebalance: planRebalance,
    record_transaction: recordTransaction,
    undo_transaction: undoTransaction,
  },
} satisfies Feature;

export { portfolioTexts } from './texts/portfolio.ts';
export { taxTexts } from './texts/tax.ts';
export type { PortfolioMover, PortfolioMovers, PortfolioMoversOf } from './summary/movers.ts';
