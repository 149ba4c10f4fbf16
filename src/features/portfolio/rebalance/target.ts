import type { SymbolSearch } from '#src/kernel/finance.ts';
import { rebalanceMessages } from '../messages/rebalance.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { instrumentOf } from '#src/kernel/ledger.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import type { PortfolioStore } from '#src/features/portfolio/store-types.ts';
import { notPickedAnswer, pickPortfolio, type PickDeps } from '../pick-portfolio.ts';
import { refusedAnswer } from '../refused-answer.ts';
import { readPlanArgs } from './read-plan-args.ts';
import { settleTargets, targetList } from './settle-targets.ts';

export interface TargetDeps extends PickDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'configure' | 'transactions'>;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
}

const CLEARS = /^(?:clear|none|off|remove|delete|삭제|지우기|없음|해제|초기화)$/iu;

/** Stores the weights that somebody wants; without any it shows what is stored. */
export const targetAnswer =
  (deps: TargetDeps): PortfolioService['target'] =>
  async ({ portfolio: named, text }, requester, signal) => {
    const { locale } = requester;
    const t = rebalanceMessages(locale);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, locale);
    const { portfolio, ownerId } = picked;
    const { id, name, targets = [] } = portfolio;
    const typed = text.trim();
    if (typed === '')
      return targets.length === 0
        ? refusedAnswer(t.noTargets({ name }))
        : { content: t.targetsShown({ name, list: targetList(targets, locale) }), facts: [], found: 1 };
    const save = async (wanted: typeof targets, done: string) => {
      const outcome = await deps.store.configure(ownerId, id, { targets: wanted });
      if (outcome.status === 'done') return { content: done, facts: [], found: 1 };
      return refusedAnswer(portfolioMessages(locale).gone({ name }));
    };
    if (CLEARS.test(typed)) return save([], t.targetsCleared({ name }));
    const read = readPlanArgs(typed);
    if (read.targets.length === 0 || read.leftOver !== undefined)
      return refusedAnswer(t.leftOver({ typed: shortened(read.leftOver ?? typed) }));
    const entries = await deps.store.transactions(ownerId, id, signal);
    const held = entries.flatMap((entry) => (entry.isReversed ? [] : (instrumentOf(entry) ?? [])));
    const context = { held, entries, baseCurrency: portfolio.baseCurrency, symbols: deps.symbols };
    const settled = await settleTargets(read.targets, context, 'target', locale, signal);
    if (settled.status === 'refused') return settled.answer;
    return save(settled.targets, t.targetsSet({ name, list: targetList(settled.targets, locale) }));
  };
