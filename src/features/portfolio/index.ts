export { portfolioMessages } from './messages/portfolio.ts';
export { taxMessages } from './messages/tax.ts';
export type { PortfolioMover, PortfolioMovers, PortfolioMoversOf } from './summary/movers.ts';
export { readPlanArgs } from './rebalance/read-plan-args.ts';
