import { portfolioMessages } from './messages/portfolio.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { PortfolioStore } from './store-types.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { entryProblemText } from './entries/entry-problems.ts';
import { FIRST_PORTFOLIO } from './first-portfolio.ts';
import type { PickDeps } from './pick-portfolio.ts';
import { refusedAnswer } from './refused-answer.ts';

export interface CreateDeps extends PickDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'create'>;
}

/** One word, so that it can stand behind `--in=`; short, so that buttons can hold it. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,23}$/u;
const MAX_PORTFOLIOS = 20;

/** A new, empty portfolio. */
export const createAnswer =
  ({ owners, store }: CreateDeps): PortfolioService['create'] =>
  async ({ name: typed, currency }, requester): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioMessages(locale);
    const name = typed.normalize('NFKC').trim();
    if (!NAME.test(name)) return refusedAnswer(t.badName());
    const money = currencyNamed(currency ?? FIRST_PORTFOLIO[locale].baseCurrency);
    if (!money)
      return refusedAnswer(entryProblemText({ kind: 'unknown-currency', typed: currency ?? '' }, locale));
    if (money.isCoin) return refusedAnswer(t.coinBase());
    const ownerId = await owners.ownerOf(requester);
    if ((await store.list(ownerId)).length >= MAX_PORTFOLIOS)
      return refusedAnswer(t.tooMany({ limit: MAX_PORTFOLIOS }));
    const made = await store.create(requester, { name, baseCurrency: money.code });
    if (!made) return refusedAnswer(t.nameTaken({ name }));
    const told = made.isDefault ? t.createdFirst : t.created;
    return { content: told({ name: made.name, currency: made.baseCurrency }), facts: [], found: 1 };
  };
