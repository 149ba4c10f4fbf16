import { portfolioMessages } from './messages/portfolio.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { PortfolioStore } from './store-types.ts';
import { notPickedAnswer, pickPortfolio, type PickDeps } from './pick-portfolio.ts';
import { refusedAnswer } from './refused-answer.ts';

export interface RemoveDeps extends PickDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'remove'>;
}

/** Deletes a portfolio for good; before that says what would go. Only one that is named. */
export const removeAnswer =
  (deps: RemoveDeps): PortfolioService['remove'] =>
  async ({ portfolio: wanted, isSure }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioMessages(locale);
    if (wanted.trim() === '') return refusedAnswer(t.deleteUsage());
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const { name } = portfolio;
    const count = (await deps.store.transactions(ownerId, portfolio.id, signal)).length;
    if (!isSure)
      return {
        content: t.confirmDelete({ name, count }),
        facts: [],
        found: 1,
        typed: commandMessages(locale).goOn({ command: `/portfolio delete ${name} --yes` }),
        choices: [
          {
            label: t.deleteButton({ name }),
            command: `/portfolio delete ${name} --yes`,
            answers: 'yes',
          },
        ],
      };
    const isDone = await deps.store.remove(ownerId, portfolio.id);
    return isDone
      ? { content: t.deleted({ name, count }), facts: [], found: 1 }
      : refusedAnswer(t.gone({ name }));
  };
