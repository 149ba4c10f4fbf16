import type { UserId } from '#src/kernel/ids.ts';
import { type AddressBook, canonicalAddress, type Links } from '#src/kernel/agent/links.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { blocksIn, linksIn } from '../content-blocks.ts';

/**
 * A page can offer a thousand links, and its author can learn something from the choice. So only a few links that
 * others wrote are opened in one turn without asking, and none of a page where the model knows what a person holds.
 */
const MAX_LINKED_A_TURN = 3;
/** A message with more addresses was pasted, so others wrote it. */
const MAX_NAMED_AT_ONCE = 10;
const MAX_DEPTH = 4;

/** Equal for canonical addresses that differ only in a trailing slash of the path or an empty query. */
const keyOf = (canonical: string): string => {
  const at = canonical.indexOf('?');
  const [path, query] = at === -1 ? [canonical, ''] : [canonical.slice(0, at), canonical.slice(at)];
  return `${path.endsWith('/') ? path.slice(0, -1) : path}${query === '?' ? '' : query}`;
};

/** Whether an address matches the key, with or without its query: neither contains anything that the model chose. */
const includesKey = (all: readonly Links[], key: string): boolean =>
  all.some(({ urls }) =>
    urls.some((canonical) => {
      const own = keyOf(canonical);
      const at = own.indexOf('?');
      return own === key || (at !== -1 && own.slice(0, at) === key);
    }),
  );

const textsIn = (input: unknown, depth = 0): readonly string[] => {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null || depth > MAX_DEPTH) return [];
  return Object.values(input).flatMap((value) => textsIn(value, depth + 1));
};

/** The keys of all addresses in the inputs of calls. */
const calledIn = (turn: readonly ConversationMessage[]): readonly string[] =>
  blocksIn(turn, 'tool_use')
    .flatMap(({ input }) => textsIn(input))
    .flatMap((text) => canonicalAddress(text) ?? [])
    .map(keyOf);

type IsKnown = (key: string) => boolean;

interface Known {
  /** The person or a headline of the bot gave the address. */
  readonly isNamed: IsKnown;
  /** The page was read in this conversation, so its server has already seen the address. */
  readonly isRead: IsKnown;
  /** The address is in a text that others wrote and the person chose. */
  readonly isLinked: IsKnown;
  /** The address is among so few that the choice tells nobody anything. */
  readonly isOneOfFew: IsKnown;
}

const isPage = (links: Links): links is Links & { readonly from: 'page' } => links.from === 'page';

/** Counts an address once: `example.com` is listed with both schemes. */
const countNamed = (urls: readonly string[]): number =>
  new Set(urls.map((url) => url.replace(/^https?:/, ''))).size;

/**
 * Links of a page count only if the person named that page, not if another page led to it. A conversation can hold
 * tens of thousands of addresses, so they are compared one by one instead of being collected for every call.
 */
const readLinks = (messages: readonly ConversationMessage[], userId: UserId): Known => {
  const all = messages.flatMap(linksIn);
  const byPerson = all.filter(
    (links) => links.from === 'person' && links.by === userId && countNamed(links.urls) <= MAX_NAMED_AT_ONCE,
  );
  const linked = all.filter((links) => {
    if (isPage(links)) return includesKey(byPerson, keyOf(links.page));
    return links.from === 'quoted' || (links.from === 'person' && !byPerson.includes(links));
  });
  const few = linked.filter((links) => !isPage(links) && countNamed(links.urls) <= MAX_LINKED_A_TURN);
  const named = [...byPerson, ...all.filter(({ from }) => from === 'headlines')];
  const read = new Set(all.filter(isPage).map(({ page }) => keyOf(page)));
  return {
    isNamed: (key) => includesKey(named, key),
    isRead: (key) => read.has(key),
    isLinked: (key) => includesKey(linked, key),
    isOneOfFew: (key) => includesKey(few, key),
  };
};

/** Tells which addresses the person of this turn chose, from the conversation as it is at each call. */
export const createAddressBook = (
  history: {
    readonly messages: readonly ConversationMessage[];
    readonly ofThisTurn: readonly ConversationMessage[];
  },
  userId: UserId,
  /** The message brought words of others along. */
  quotesOthers = false,
): AddressBook => {
  /** Opened links, in order. They are kept beside the conversation, because compaction can drop calls. */
  const opened = new Set<string>();
  return {
    originOf: (address) => {
      const canonical = canonicalAddress(address);
      if (canonical === undefined) return 'unknown';
      const key = keyOf(canonical);
      const { isNamed, isRead, isLinked, isOneOfFew } = readLinks(history.messages, userId);
      if (isNamed(key) || isRead(key)) return 'chosen';
      if (!isLinked(key)) return 'unknown';
      for (const called of new Set(calledIn(history.ofThisTurn)))
        if (!opened.has(called) && isLinked(called) && !isNamed(called)) opened.add(called);
      opened.add(key);
      if ([...opened].indexOf(key) >= MAX_LINKED_A_TURN) return 'too-many';
      return isOneOfFew(key) ? 'linked' : 'offered';
    },
    hasReadOthers: () =>
      quotesOthers || blocksIn(history.ofThisTurn, 'tool_result').some(({ isUntrusted }) => isUntrusted),
  };
};
