import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import { watchlistMessages } from './messages.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Choice } from '#src/kernel/message.ts';
import type { WatchlistService } from '#src/kernel/account-services.ts';
import { instrumentLabels } from '#src/markets/answers/quote-text.ts';
import { choiceOf, echo, resolveNames } from '#src/markets/answers/resolve-names.ts';
import type { OwnerStore } from '#src/platform/storage/owners.ts';
import type { WatchlistStore } from './store.ts';

export interface ChangeWatchlistDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: WatchlistStore;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** As many as one table still shows well. */
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

/** What is clear is added; of the rest it is asked which one is meant. */
export const addToWatchlist =
  ({ owners, store, symbols }: ChangeWatchlistDeps): WatchlistService['add'] =>
  async ({ names: queries }, requester, signal) => {
    const { locale } = requester;
    const t = watchlistMessages(locale);
    if (queries.length === 0) return answer([t.whichAdd()], 0);
    if (queries.length > WATCHLIST_LIMIT) return answer([t.tooMany({ limit: WATCHLIST_LIMIT })], 0);
    const resolved = await resolveNames(queries, symbols, locale, (code) => `/watch add ${code}`, signal);
    const { names, instruments, choices } = resolved;
    const missed = names.flatMap((name) => (name.status === 'missed' ? [name.text] : []));
    if (instruments.length === 0) return answer(missed, 0, choices);

    const ownerId = await owners.ownerOf(requester);
    const added = await store.add(ownerId, instruments, WATCHLIST_LIMIT);
    const { length: count } = await store.list(ownerId);
    if (added === 'full') return answer([t.full({ limit: WATCHLIST_LIMIT, count }), ...missed], 0, choices);
    const isNew = new Set(added.map(({ symbol }) => symbol));
    const already = instruments.filter(({ symbol }) => !isNew.has(symbol));
    return answer(
      [
        ...(added.length > 0 ? [t.added({ names: instrumentLabels(added, locale) })] : []),
        ...(already.length > 0 ? [t.already({ names: instrumentLabels(already, locale) })] : []),
        ...missed,
        t.count({ count, limit: WATCHLIST_LIMIT }),
      ],
      instruments.length,
      choices,
    );
  };

const keyOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** What of the list a name means: `삼성` is clear where only one Samsung is on it, and what was delisted has its code. */
const meantOf = (
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

export const removeFromWatchlist =
  ({ owners, store, symbols }: ChangeWatchlistDeps): WatchlistService['remove'] =>
  async ({ names: queries }, requester) => {
    const { locale } = requester;
    const t = watchlistMessages(locale);
    if (queries.length === 0) return answer([t.whichRemove()], 0);
    if (queries.length > WATCHLIST_LIMIT) return answer([t.tooMany({ limit: WATCHLIST_LIMIT })], 0);
    const ownerId = await owners.ownerOf(requester);
    const list = await store.list(ownerId);
    if (list.length === 0) return answer([t.empty()], 0);
    const asked = queries.map((query) => ({ query, meant: meantOf(query, list, symbols) }));
    const clear = asked.flatMap(({ meant }) => (meant.length === 1 ? meant : []));
    const unclear = asked.filter(({ meant }) => meant.length > 1);
    const absent = asked.filter(({ meant }) => meant.length === 0).map(({ query }) => `"${echo(query)}"`);
    const gone = new Set(
      clear.length > 0
        ? await store.remove(
            ownerId,
            clear.map(({ symbol }) => symbol),
          )
        : [],
    );
    const removed = list.filter(({ symbol }) => gone.has(symbol));
    const choices = unclear.flatMap(({ meant }) =>
      meant.map((each) => choiceOf(each, symbols, locale, () => `/watch remove ${each.symbol}`)),
    );
    return answer(
      [
        ...(removed.length > 0 ? [t.removed({ names: instrumentLabels(removed, locale) })] : []),
        ...unclear.map(({ query, meant }) =>
          t.several({ query: echo(query), names: instrumentLabels(meant, locale) }),
        ),
        ...(absent.length > 0 ? [t.notOnIt({ names: absent.join(', ') })] : []),
      ],
      removed.length,
      choices,
    );
  };

export const clearWatchlist =
  ({ owners, store }: ChangeWatchlistDeps): WatchlistService['clear'] =>
  async ({ isSure }, requester) => {
    const t = watchlistMessages(requester.locale);
    const ownerId = await owners.ownerOf(requester);
    if (isSure) {
      const count = await store.clear(ownerId);
      return answer([count === 0 ? t.empty() : t.cleared({ count })], 1);
    }
    const { length: count } = await store.list(ownerId);
    if (count === 0) return answer([t.empty()], 1);
    const choices: readonly Choice[] = [
      { label: t.clearAll(), command: '/watch clear --yes', answers: 'yes' },
      { label: t.keep(), command: '/watch', answers: 'no' },
    ];
    const typed = commandMessages(requester.locale).goOn({ command: '/watch clear --yes' });
    return { ...answer([t.confirmClear({ count })], 1, choices), typed };
  };
