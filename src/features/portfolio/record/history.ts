import { codeFor, type Instrument } from '#src/kernel/market/finance.ts';
import { instrumentsOf, type Transaction } from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Uses } from '#src/platform/services.ts';
import type { PortfolioStore } from '../store/store.ts';
import { pageControls } from '#src/markets/answers/controls.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { isSameCoin } from '#src/markets/symbols/coin-pairs.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { historyOffers, splitFacts } from '../corporate-actions/offers.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import { orderEntries } from '../ledger/order-entries.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { entryText } from '../entries/entry-text.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import type { EntriesRequest } from '../requests.ts';

type HistoryDeps = PickDeps &
  GatherDeps &
  Uses<'symbols.resolve'> & { readonly store: PortfolioStore & FilledRates };

const PAGE_SIZE = 15;

/** The instrument by which a history is filtered. */
type Filter =
  | {
      readonly isOfIt: (entry: Transaction) => boolean;
      readonly label: string;
      readonly code: string;
    }
  | { readonly answer: MarketAnswer };

const historyCommand = (code: string): string => `/portfolio history ${code}`;

/** Resolves a name among the traded instruments; a coin matches in any currency. */
const filterFor = async (
  typed: string,
  entries: readonly Transaction[],
  { locale }: Requester,
  { symbols }: HistoryDeps,
  signal: AbortSignal,
): Promise<Filter> => {
  const match = symbols.resolve(typed);
  const meant =
    match.status === 'found' ? [match.instrument] : match.status === 'ambiguous' ? match.choices : [];
  const isMeant = (traded: Instrument): boolean =>
    meant.some((each) => each.symbol === traded.symbol || isSameCoin(each, traded));
  const isOfIt = (entry: Transaction): boolean => instrumentsOf(entry).some(isMeant);
  const first = entries.find(isOfIt);
  const instrument = (first && instrumentsOf(first).find(isMeant)) ?? meant[0];
  if (!instrument) {
    return { answer: missedAnswer(await resolveNames([typed], symbols, locale, historyCommand, signal)) };
  }
  return { isOfIt, label: shortLabel(instrument, locale), code: codeFor(instrument, symbols) };
};

/** Lists recorded entries page by page, with the numbers that undo them. */
export const historyAnswer =
  (deps: HistoryDeps): AccountQuery<EntriesRequest> =>
  async ({ portfolio: wanted, page: asked, name: of }, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const { name, baseCurrency } = portfolio;
    const entries = await deps.store.transactions(ownerId, portfolio.id, signal);
    if (entries.length === 0) return refusedAnswer(t.historyEmpty({ name }));
    const filter = of === undefined ? undefined : await filterFor(of, entries, requester, deps, signal);
    if (filter && 'answer' in filter) return filter.answer;
    const meant = filter ? entries.filter(filter.isOfIt) : entries;
    const ordered = await byTime(orderEntries(meant), signal);
    const all = ordered.map(({ entry }) => entry).toReversed();
    if (filter && all.length === 0) return refusedAnswer(t.historyNone({ name, of: filter.label }));

    const pages = Math.ceil(all.length / PAGE_SIZE);
    const page = Math.max(1, Math.trunc(asked) || 1);
    if (page > pages) return refusedAnswer(t.noSuchPage({ page, pages }));
    const onPage = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    const told = portfolioTold(
      { portfolio, now: deps.clock.now(), isSample: hasSampleFigures(entries) },
      locale,
    );
    told.count('entryCount', all.length);
    const lines = onPage.map((entry) => {
      const line = `**#${entry.number}** ${entryText(entry, baseCurrency, told)}`;
      return entry.isReversed ? `- ~~${line}~~ (${t.takenBack})` : `- ${line}`;
    });
    const code = filter ? [filter.code] : [];
    const counting = meant.filter(({ isReversed }) => !isReversed);
    const found = await gatherActions({ portfolio, entries: counting }, deps, signal);
    const offers = historyOffers(found, { portfolio, audience: requester, symbols: deps.symbols });
    const turning = pageControls(
      { page, pages },
      (to) => `/portfolio history ${[...code, to].join(' ')} --in=${name}`,
      locale,
    );
    const choices = [...offers.choices, ...turning];
    return {
      content: [
        filter
          ? t.historyTitleOf({ name, of: filter.label, count: all.length, page, pages })
          : t.historyTitle({ name, count: all.length, page, pages }),
        lines.join('\n'),
        ...(offers.lines.length > 0 ? [offers.lines.join('\n')] : []),
        [
          ...rateNotes(entries, deps.store.takeFilled?.(portfolio.id), baseCurrency, locale),
          t.historyHint(),
        ].join('\n'),
      ].join('\n\n'),
      facts: [...splitFacts(found), ...told.facts()],
      found: 1,
      ...(choices.length > 0 && { choices }),
      ...(offers.typed !== undefined && { typed: offers.typed }),
    };
  };
