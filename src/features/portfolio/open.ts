import { portfolioMessages } from './messages/portfolio.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import { type HistoryDeps, historyAnswer } from './history.ts';
import { pickPortfolio } from './pick-portfolio.ts';
import { refusedAnswer } from './refused-answer.ts';
import { type SummaryDeps, summaryAnswer } from './summary.ts';

export type OpenDeps = HistoryDeps & SummaryDeps;

/** The portfolio of that name, else what was recorded of the company or coin of that name. */
export const openAnswer = (deps: OpenDeps): PortfolioService['open'] => {
  const summary = summaryAnswer(deps);
  const history = historyAnswer(deps);
  return async ({ typed, portfolio }, requester, signal) => {
    const picked = portfolio === undefined ? await pickPortfolio(deps, requester, typed) : undefined;
    if (picked?.status === 'ok') return summary({ portfolio: typed, isDrawn: true }, requester, signal);
    if (deps.symbols.resolve(typed).status !== 'unknown')
      return history({ portfolio, page: 1, name: typed }, requester, signal);
    return refusedAnswer(portfolioMessages(requester.locale).unknownAction({ typed: shortened(typed) }));
  };
};
