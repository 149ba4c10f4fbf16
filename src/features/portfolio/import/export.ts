import type { SymbolSearch } from '#src/kernel/finance.ts';
import { importMessages } from '../messages/import.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { Clock } from '#src/platform/clock.ts';
import { byTime } from '#src/platform/steps.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import type { OwnerStore } from '#src/platform/storage/owners.ts';
import type { PortfolioStore } from '#src/features/portfolio/store-types.ts';
import { dismissedSplitLines } from '../corporate-actions/counted-ledger.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { historyOffers } from '../corporate-actions/offers.ts';
import type { FilledRates } from '../entries/rated-portfolios.ts';
import { notPickedAnswer, pickPortfolio } from '../pick-portfolio.ts';
import { rateNotes } from '../rate-notes.ts';
import { ledgerCsv } from './export-csv.ts';
import { csvAttachment } from './write-csv.ts';

export interface ExportDeps extends GatherDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'dismissed'> & FilledRates;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly writeExport: WriteExport;
  readonly clock: Clock;
}

/** What would not do in the name of a file. */
const UNFIT = /[^\p{L}\p{N}_-]+/gu;

/** The whole ledger as a file, in a direct chat alone: a file goes on existing where its message does not. */
export const exportAnswer =
  (deps: ExportDeps): PortfolioService['export'] =>
  async ({ portfolio: named }, requester, signal) => {
    const { owners, store, writeExport, clock, symbols } = deps;
    const { locale, timeZone } = requester;
    const t = importMessages(locale).export;
    if (!requester.isDirect) return { content: t.directOnly(), facts: [], found: 0 };
    const picked = await pickPortfolio({ owners, store }, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, locale);
    const { id, name, baseCurrency } = picked.portfolio;
    const transactions = await store.transactions(picked.ownerId, id, signal);
    if (transactions.length === 0) return { content: t.nothing({ name }), facts: [], found: 0 };
    const today = clock.now().toZonedDateTimeISO(timeZone).toPlainDate().toString();
    const csv = await byTime(ledgerCsv(transactions, baseCurrency, locale), signal);
    const file = await csvAttachment(
      writeExport,
      { kind: 'portfolio', subject: `${picked.ownerId}\0${id}` },
      `${name.replaceAll(UNFIT, '-')}-${today}.csv`,
      csv,
    );
    const entries = transactions.filter(({ isReversed }) => !isReversed);
    const reversed = transactions.length - entries.length;
    // What the summary counts with, and the file does not hold.
    const context = { portfolio: picked.portfolio, audience: requester, symbols };
    const found = await gatherActions({ portfolio: picked.portfolio, entries }, deps, signal);
    const offers = historyOffers(found, context);
    return {
      content: [
        t.done({
          name,
          count: formatCount(transactions.length, locale),
          reversed: reversed === 0 ? '' : formatCount(reversed, locale),
        }),
        ...offers.lines,
        ...dismissedSplitLines(found, context),
        ...rateNotes(transactions, store.takeFilled?.(id), baseCurrency, locale),
      ].join('\n'),
      facts: [],
      found: 1,
      media: [file],
      ...(offers.choices.length > 0 && { choices: offers.choices }),
      ...(offers.typed !== undefined && { typed: offers.typed }),
    };
  };
