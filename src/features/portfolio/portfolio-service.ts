import type { PortfolioService } from '#src/kernel/account-services.ts';
import { type ActionsDeps, actionsAnswer } from './corporate-actions/actions-answer.ts';
import { type AnalyseDeps, analyseAnswer } from './analysis/analyse.ts';
import { type ConfigureDeps, configureAnswer } from './configure.ts';
import { type ConfirmImportDeps, confirmImportAnswer } from './import/confirm-import.ts';
import { type CreateDeps, createAnswer } from './create.ts';
import { type ExportDeps, exportAnswer } from './import/export.ts';
import { type HistoryDeps, historyAnswer } from './history.ts';
import { type ListDeps, listAnswer } from './list.ts';
import { type OpenDeps, openAnswer } from './open.ts';
import { type PreviewDeps, previewAnswer } from './import/preview.ts';
import { planAnswer, type RecordDeps, recordAnswer } from './record.ts';
import { type RemoveDeps, removeAnswer } from './remove.ts';
import { type RebalanceDeps, rebalanceAnswer } from './rebalance/rebalance.ts';
import { type TargetDeps, targetAnswer } from './rebalance/target.ts';
import { type SummaryDeps, summaryAnswer } from './summary.ts';
import { type TaxDeps, taxAnswer } from './tax/tax.ts';
import { type UndoDeps, undoAnswer, undoPlanAnswer } from './undo.ts';

export type PortfolioServiceDeps = ActionsDeps &
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

/** One question a file. */
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
