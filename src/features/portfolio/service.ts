import type { PortfolioService } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import { actionsAnswer, type ActionsDeps } from './corporate-actions/actions-answer.ts';
import { analyseAnswer, type AnalyseDeps } from './analysis/analyse.ts';
import {
  configureAnswer,
  type ConfigureDeps,
  createAnswer,
  type CreateDeps,
  listAnswer,
  type ListDeps,
  removeAnswer,
  type RemoveDeps,
} from './portfolios/manage-portfolios.ts';
import { confirmImportAnswer, type ConfirmImportDeps } from './import/confirm.ts';
import { exportAnswer, type ExportDeps } from './import/export.ts';
import { historyAnswer, type HistoryDeps } from './recording/history.ts';
import { previewAnswer, type PreviewDeps } from './import/preview.ts';
import { planAnswer, recordAnswer, type RecordDeps } from './recording/record.ts';
import { rebalanceAnswer, type RebalanceDeps, targetAnswer, type TargetDeps } from './rebalance/rebalance.ts';
import { summaryAnswer, type SummaryDeps } from './summary/summary.ts';
import { taxAnswer, type TaxDeps } from './tax/tax.ts';
import { undoAnswer, type UndoDeps, undoPlanAnswer } from './recording/undo.ts';
import { portfolioMessages } from './messages/portfolio.ts';
import { pickPortfolio, refusedAnswer } from './portfolios/pick-portfolio.ts';

type PortfolioServiceDeps = ActionsDeps &
  AnalyseDeps &
  ConfigureDeps &
  ConfirmImportDeps &
  CreateDeps &
  ExportDeps &
  HistoryDeps &
  ListDeps &
  OpenDeps &
  PreviewDeps &
  RecordDeps &
  RemoveDeps &
  SummaryDeps &
  RebalanceDeps &
  TargetDeps &
  TaxDeps &
  UndoDeps;

export const createPortfolioService = (deps: PortfolioServiceDeps): PortfolioService => ({
  summary: summaryAnswer(deps),
  open: openAnswer(deps),
  analyse: analyseAnswer(deps),
  record: recordAnswer(deps),
  plan: planAnswer(deps),
  history: historyAnswer(deps),
  undo: undoAnswer(deps),
  planUndo: undoPlanAnswer(deps),
  preview: previewAnswer(deps),
  confirmImport: confirmImportAnswer(deps),
  export: exportAnswer(deps),
  actions: actionsAnswer(deps),
  tax: taxAnswer(deps),
  rebalance: rebalanceAnswer(deps),
  target: targetAnswer(deps),
  list: listAnswer(deps),
  create: createAnswer(deps),
  configure: configureAnswer(deps),
  remove: removeAnswer(deps),
});

type OpenDeps = HistoryDeps & SummaryDeps;

/** Opens the portfolio of that name, else the history of the instrument of that name. */
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
