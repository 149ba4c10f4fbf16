import type { OwnItems } from '#src/kernel/people/own-items.ts';
import { codeFor, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { orderEntries } from '#src/features/portfolio/ledger/order-entries.ts';
import { pickPortfolio } from '#src/features/portfolio/portfolios/pick-portfolio.ts';
import { entryText } from '#src/features/portfolio/entries/entry-text.ts';
import { withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { alertTitle } from '../alerts/conditions/describe-condition.ts';
import { briefingTitle } from '../briefings/briefing-text.ts';
import type { AccountStores } from './account-stores.ts';

/** More than any platform lists. */
const MAX_ENTRIES = 100;

/** A person's portfolios, entries, alerts, briefings and watched instruments, the newest entries first. */
export const createOwnItems = (
  { owners, portfolios, alerts, briefings, watchlists }: AccountStores,
  symbols: Pick<SymbolSearch, 'resolve'>,
): OwnItems => ({
  portfolio: async (person) =>
    (await portfolios.list(await owners.ownerOf(person))).map(({ name, baseCurrency }) => ({
      value: name,
      label: `${name} (${baseCurrency})`,
    })),
  entry: async (person, locale, filled) => {
    const picked = await pickPortfolio({ owners, store: portfolios }, person, filled['portfolio']);
    if (picked.status !== 'ok') return [];
    const { ownerId, portfolio, all } = picked;
    const entries = await portfolios.transactions(ownerId, portfolio.id);
    const counting = entries.filter(({ isReversed }) => !isReversed);
    const ordered = await byTime(orderEntries(counting), NEVER_ABORTED);
    const told = withoutFacts(locale);
    return ordered
      .slice(-MAX_ENTRIES)
      .toReversed()
      .map(({ entry }) => {
        // Each portfolio has a first entry. The value says which one, whatever the form says later.
        const numbered = all.length > 1 ? `${entry.number}@${portfolio.name}` : String(entry.number);
        return { value: numbered, label: `#${numbered} ${entryText(entry, portfolio.baseCurrency, told)}` };
      });
  },
  alert: async (person, locale) =>
    (await alerts.listOf(await owners.ownerOf(person))).map((alert) => ({
      value: alert.id,
      label: alertTitle(alert, locale),
    })),
  briefing: async (person, locale) =>
    (await briefings.listOf(await owners.ownerOf(person))).map((briefing) => ({
      value: briefing.id,
      label: briefingTitle(briefing, locale),
    })),
  watched: async (person, locale) =>
    (await watchlists.list(await owners.ownerOf(person))).map((instrument) => ({
      value: codeFor(instrument, symbols),
      label: instrumentLabel(instrument, locale),
    })),
});
