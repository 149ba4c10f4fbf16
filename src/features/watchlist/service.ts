import { watchlistTexts } from './texts.ts';
import { refreshControl } from '#src/markets/answers/controls.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';
import { narrowName, shortLabel } from '#src/markets/answers/narrow-name.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import {
  foundQuotes,
  missingTexts,
  quotesCard,
  quoteTable,
  tableOrigin,
} from '#src/markets/answers/quote-table.ts';
import type { WatchlistStore } from './store.ts';
import type { FeatureUses } from '#src/features/services.ts';
import type { Instrument, Quote, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import { choiceOf, echo, resolveNames } from '#src/markets/answers/resolve-names.ts';

interface WatchlistServiceDeps extends FeatureUses<
  'clock.now' | 'symbols.resolve' | 'market.getQuotes' | 'owners.ownerOf'
> {
  readonly store: WatchlistStore;
}

/** Shows the prices of the whole list, fetched in one request, in the order in which they were added. */
const showWatchlist =
  ({ owners, store, market, clock }: WatchlistServiceDeps): WatchlistService['show'] =>
  async (_request, requester, signal) => {
    const { locale } = requester;
    const t = watchlistTexts(locale);
    const overview = marketTexts(locale).overview;
    const instruments = await store.list(await owners.ownerOf(requester));
    // An empty list is an answer too.
    if (instruments.length === 0) return { content: t.empty(), facts: [], found: 1 };
    const results = await market.getQuotes(instruments, signal);
    const quotes = foundQuotes(results);
    const open = quotes.filter(({ sessionState, isSample }) => sessionState === 'open' && !isSample);
    const nameOf = ({ instrument }: Quote): string => narrowName(instrument, locale);
    const title = t.title({ count: instruments.length });
    const openNow =
      open.length > 0
        ? [overview.openNow({ names: open.map(({ instrument }) => instrument.name[locale]).join(', ') })]
        : [];
    const missing = missingTexts(results, locale);
    const shown = [
      quoteTable(quotes, { nameOf, nameHead: overview.name, levelHead: overview.price }, requester),
      ...openNow,
      tableOrigin(quotes, requester, clock.now()),
    ];
    return {
      content: [`**${title}**`, ...(quotes.length > 0 ? shown : []), ...missing].join('\n\n'),
      facts: quotes.flatMap(quoteFacts),
      found: quotes.length,
      ...(quotes.length > 0 && {
        cards: {
          items: [quotesCard(quotes, { title, nameOf, notes: openNow }, requester, clock.now())],
          text: missing.join('\n\n'),
        },
      }),
      choices: refreshControl('/watch', locale),
    };
  };

/** The most rows that one table shows well. */
export const WATCHLIST_LIMIT = 50;
const MAX_CHOICES = 8;

const answer = (
  paragraphs: readonly string[],
  found: number,
  choices: readonly Choice[] = [],
): MarketAnswer => ({
  content: [...new Set(paragraphs)].join('\n\n'),
  facts: [],
  found,
  ...(choices.length > 0 && { choices: choices.slice(0, MAX_CHOICES) }),
});

/** Of names that were on the list already, or not on it, nothing was changed. */
const receiptOf = (
  effect: ChangeReceipt['effect'],
  [text]: readonly string[],
  choices: readonly Choice[] = [],
): Pick<MarketAnswer, 'receipt'> =>
  text === undefined ? {} : { receipt: { effect, text, ...(choices.length > 0 && { choices }) } };

const labels = (instruments: readonly Instrument[], locale: Locale): string =>
  instruments.map((instrument) => shortLabel(instrument, locale)).join(', ');

/** Takes back what was added, where a button has room for it, and shows the list. */
const afterAdding = (added: readonly Instrument[], locale: Locale): readonly Choice[] => {
  const t = watchlistTexts(locale);
  const command = `/watch remove ${added.map(({ symbol }) => symbol).join(' ')}`;
  return [
    ...(command.length > MAX_PRESSED_CHARS ? [] : [{ label: t.undo(), command, effect: 'ends' as const }]),
    { label: t.show(), command: '/watch' },
  ];
};

/** Adds the names that are clear, and asks which instrument the others mean. */
const addToWatchlist =
  ({ owners, store, symbols }: WatchlistServiceDeps): WatchlistService['add'] =>
  async ({ names: queries }, requester, signal) => {
    const { locale } = requester;
    const t = watchlistTexts(locale);
    if (queries.length === 0) return answer([t.whichAdd()], 0);
    if (queries.length > WATCHLIST_LIMIT) return answer([t.tooMany({ limit: WATCHLIST_LIMIT })], 0);
    const resolved = await resolveNames(queries, symbols, locale, (code) => `/watch add ${code}`, signal);
    const { names, instruments, choices } = resolved;
    const missed = names.flatMap((name) => (name.status === 'missed' ? [name.text] : []));
    if (instruments.length === 0) return answer(missed, 0, choices);

    const ownerId = await owners.ownerOf(requester);
    const added = await store.add(ownerId, instruments, WATCHLIST_LIMIT);
    if (added === 'full') {
      const { length: count } = await store.list(ownerId);
      return answer([t.full({ limit: WATCHLIST_LIMIT, count }), ...missed], 0, choices);
    }
    const isNew = new Set(added.map(({ symbol }) => symbol));
    const already = instruments.filter(({ symbol }) => !isNew.has(symbol));
    const done = added.length > 0 ? [t.added({ names: labels(added, locale) })] : [];
    const after = added.length > 0 ? afterAdding(added, locale) : [];
    return {
      ...answer(
        [...done, ...(already.length > 0 ? [t.already({ names: labels(already, locale) })] : []), ...missed],
        instruments.length,
        [...after, ...choices],
      ),
      ...receiptOf('changed', done, after),
    };
  };

const keyOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Finds a name in the list: `삼성` is clear where only one Samsung is on it. A delisted instrument is found by its code. */
const findInList = (
  query: string,
  list: readonly Instrument[],
  symbols: Pick<SymbolSearch, 'resolve'>,
): readonly Instrument[] => {
  const key = keyOf(query);
  const exact = list.filter(({ symbol, ticker, name }) =>
    [symbol, ticker, name.ko, name.en].some((each) => keyOf(each) === key),
  );
  if (exact.length > 0) return exact;
  const match = symbols.resolve(query);
  const possible =
    match.status === 'found'
      ? [match.instrument]
      : match.status === 'ambiguous'
        ? match.choices
        : match.suggestions;
  const wanted = new Set(possible.map(({ symbol }) => symbol));
  return list.filter(({ symbol }) => wanted.has(symbol));
};

const removeFromWatchlist =
  ({ owners, store, symbols }: WatchlistServiceDeps): WatchlistService['remove'] =>
  async ({ names: queries }, requester) => {
    const { locale } = requester;
    const t = watchlistTexts(locale);
    if (queries.length === 0) return answer([t.whichRemove()], 0);
    if (queries.length > WATCHLIST_LIMIT) return answer([t.tooMany({ limit: WATCHLIST_LIMIT })], 0);
    const ownerId = await owners.ownerOf(requester);
    const list = await store.list(ownerId);
    if (list.length === 0) return answer([t.empty()], 0);
    const asked = queries.map((query) => ({ query, meant: findInList(query, list, symbols) }));
    const clear = asked.flatMap(({ meant }) => (meant.length === 1 ? meant : []));
    const unclear = asked.filter(({ meant }) => meant.length > 1);
    const absent = asked.filter(({ meant }) => meant.length === 0).map(({ query }) => `"${echo(query)}"`);
    const wanted = clear.map(({ symbol }) => symbol);
    const gone = new Set(await store.remove(ownerId, wanted));
    const removed = list.filter(({ symbol }) => gone.has(symbol));
    const choices = unclear.flatMap(({ meant }) =>
      meant.map((each) => choiceOf(each, symbols, locale, () => `/watch remove ${each.symbol}`)),
    );
    const done = removed.length > 0 ? [t.removed({ names: labels(removed, locale) })] : [];
    return {
      ...answer(
        [
          ...done,
          ...unclear.map(({ query, meant }) =>
            t.several({ query: echo(query), names: labels(meant, locale) }),
          ),
          ...(absent.length > 0 ? [t.notOnIt({ names: absent.join(', ') })] : []),
        ],
        removed.length,
        choices,
      ),
      ...receiptOf('removed', done),
    };
  };

const clearWatchlist =
  ({ owners, store }: WatchlistServiceDeps): WatchlistService['clear'] =>
  async ({ isSure }, requester) => {
    const t = watchlistTexts(requester.locale);
    const ownerId = await owners.ownerOf(requester);
    if (isSure) {
      const count = await store.clear(ownerId);
      return answer([count === 0 ? t.empty() : t.cleared({ count })], 1);
    }
    const { length: count } = await store.list(ownerId);
    if (count === 0) return answer([t.empty()], 1);
    const choices: readonly Choice[] = [
      { label: t.clearAll(), command: '/watch clear --yes', answers: 'yes', isDestructive: true },
      { label: t.keep(), command: '/watch', answers: 'no' },
    ];
    const typed = commandTexts(requester.locale).goOn({ command: '/watch clear --yes' });
    return { ...answer([t.confirmClear({ count })], 1, choices), typed };
  };

/** The watchlist of a person. Throws on abort, or where the storage does. */
export const createWatchlistService = (deps: WatchlistServiceDeps): WatchlistService => ({
  show: showWatchlist(deps),
  add: addToWatchlist(deps),
  remove: removeFromWatchlist(deps),
  clear: clearWatchlist(deps),
});
