import type { MarketQueryDeps } from '#src/features/feature.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import type { ReadPicture } from '#src/kernel/agent/picture-task.ts';
import { shortened } from '#src/kernel/text.ts';
import { readTheme } from '#src/kernel/market/chart-style.ts';
import type { PortfolioCharts } from '#src/markets/charts/portfolio-picture.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import { actionsAnswer } from './corporate-actions/actions-answer.ts';
import type { CorporateActionFacts } from './corporate-actions/corporate-actions.ts';
import { analyseAnswer } from './analysis/analyse.ts';
import { configureAnswer, createAnswer, listAnswer, removeAnswer } from './portfolios/manage-portfolios.ts';
import { confirmImportAnswer } from './import/confirm.ts';
import { exportAnswer } from './import/export.ts';
import type { ReadSourceDeps } from './import/files/read-source.ts';
import { historyAnswer } from './record/history.ts';
import { previewAnswer } from './import/preview.ts';
import { planOrTransfer, recordOrTransfer } from './record/transfer.ts';
import { rebalanceAnswer, targetAnswer } from './rebalance/rebalance.ts';
import { summaryAnswer } from './summary/summary.ts';
import { taxAnswer } from './tax/tax.ts';
import { undoAnswer, undoPlanAnswer } from './record/undo.ts';
import { portfolioTexts } from './texts/portfolio.ts';
import { pickPortfolio, refusedAnswer } from './portfolios/pick-portfolio.ts';
import type { RatedPortfolios } from './rates/rated-portfolios.ts';
import type { OpenRequest } from './requests.ts';
import type { DailyRateStore } from './store/daily-rates.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface PortfolioServiceDeps extends Omit<MarketQueryDeps, 'charts'>, FeatureUses<'owners'> {
  readonly store: RatedPortfolios;
  readonly dailyRates: DailyRateStore;
  readonly corporateActions: CorporateActionFacts;
  readonly charts: PortfolioCharts;
  readonly writeExport: WriteExport;
  readonly readMedia: ReadSourceDeps['readMedia'];
  readonly readPicture: ReadPicture;
  readonly riskFreePercent: number;
}

/** A person's portfolios. Queries throw only on abort or for a bug. A refused request stores nothing. */
export const createPortfolioService = (deps: PortfolioServiceDeps) => ({
  summary: summaryAnswer(deps),
  open: openAnswer(deps),
  analyse: analyseAnswer(deps),
  record: recordOrTransfer(deps),
  plan: planOrTransfer(deps),
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

export type PortfolioService = ReturnType<typeof createPortfolioService>;

type OpenDeps = Parameters<typeof historyAnswer>[0] & Parameters<typeof summaryAnswer>[0];

/** Opens the portfolio of that name, else the history of the instrument of that name. */
export const openAnswer = (deps: OpenDeps): AccountQuery<OpenRequest> => {
  const summary = summaryAnswer(deps);
  const history = historyAnswer(deps);
  return async ({ typed, portfolio, theme }, requester, signal) => {
    const picked = portfolio === undefined ? await pickPortfolio(deps, requester, typed) : undefined;
    if (picked?.status === 'ok')
      return summary({ portfolio: typed, isDrawn: true, theme }, requester, signal);
    // A portfolio may be called Dark, so that name comes first.
    const background = readTheme(typed);
    if (background) return summary({ portfolio, isDrawn: true, theme: background }, requester, signal);
    if (deps.symbols.resolve(typed).status !== 'unknown')
      return history({ portfolio, page: 1, name: typed }, requester, signal);
    return refusedAnswer(portfolioTexts(requester.locale).unknownAction({ typed: shortened(typed) }));
  };
};
