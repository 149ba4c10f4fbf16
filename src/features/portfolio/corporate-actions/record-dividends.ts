import { corporateActionMessages } from '../messages/actions.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { Decimal, formatCount } from '#src/kernel/money.ts';
import type { Requester } from '#src/kernel/account-services.ts';
import { mapInSteps, type Steps } from '#src/platform/cooperative-tasks.ts';
import type { PortfolioStore } from '../store.ts';
import type { FillRatesDeps } from '../rates/day-rates.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { rateNotes } from '../rates/rate-text.ts';
import { entryText } from '../recording/entry-text.ts';
import { doneAnswer, refusedAnswer } from '../portfolios/pick-portfolio.ts';
import type { HeldDividend } from './held-actions.ts';
import { dividendAmount } from './offers.ts';

export interface RecordDividendsDeps extends FillRatesDeps {
  readonly store: Pick<PortfolioStore, 'record'>;
}

/** False for dividends in another currency than the share's, which are recorded by hand. */
export const canRecord = ({ status, currency, instrument }: HeldDividend): boolean =>
  status === 'missing' && currency === instrument.currency;

const keyOf = (entry: NewTransaction): string =>
  entry.kind === 'dividend' ? `${entry.instrument.symbol} ${entry.date.toString()}` : '';

/** Records one entry per dividend, gross, on its ex-dividend day, like the single offer. */
export const recordDividends = async (
  dividends: readonly HeldDividend[],
  { ownerId, portfolio }: { readonly ownerId: OwnerId; readonly portfolio: PortfolioRecord },
  requester: Requester,
  deps: RecordDividendsDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { locale, requestId } = requester;
  const t = corporateActionMessages(locale);
  const { id, name, baseCurrency } = portfolio;
  const entries = dividends.map((dividend): NewTransaction => ({
    kind: 'dividend',
    clientId: `${requestId}:${dividend.instrument.symbol}:${dividend.date.toString()}`,
    date: dividend.date,
    currency: dividend.currency,
    instrument: dividend.instrument,
    amount: dividendAmount(dividend),
    tax: new Decimal(0),
  }));
  const filled = await fillRates(entries, baseCurrency, deps, signal);
  const decide = function* (
    existing: readonly Transaction[],
  ): Steps<{ readonly append: readonly NewTransaction[] } | { readonly refused: 'recorded' }> {
    // Another click may have come first.
    const recorded = new Set(yield* mapInSteps(existing, keyOf));
    const left = filled.filter((entry) => !recorded.has(keyOf(entry)));
    return left.length === 0 ? { refused: 'recorded' } : { append: left };
  };
  const clientIds = filled.map(({ clientId }) => clientId);
  const outcome = await deps.store.record(ownerId, id, clientIds, decide, signal);
  switch (outcome.status) {
    case 'gone':
    case 'reversed':
      return refusedAnswer(portfolioMessages(locale).gone({ name }));
    case 'full':
      return refusedAnswer(portfolioMessages(locale).full({ limit: formatCount(outcome.limit, locale) }));
    case 'refused':
      return refusedAnswer(t.nothingToRecord());
    case 'recorded':
    case 'repeated':
      return doneAnswer(
        [
          t.dividendsRecorded({ name, count: outcome.transactions.length }),
          ...outcome.transactions.map(
            (entry) => `- **#${entry.number}** ${entryText(entry, baseCurrency, locale)}`,
          ),
          ...rateNotes(outcome.transactions, undefined, baseCurrency, locale),
          portfolioMessages(locale).historyHint(),
        ].join('\n'),
      );
  }
  return outcome satisfies never;
};
