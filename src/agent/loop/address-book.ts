import type { UserId } from '#src/kernel/ids.ts';
import { type AddressBook, canonicalAddress, type Links } from '#src/kernel/links.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { linksIn } from '../memory/window/turns.ts';

/**
 * A page can offer a thousand links, and which of them are opened can tell its author something. So only a few links
 * that others wrote are opened in one turn without asking.
 */
const MAX_LINKED_A_TURN = 3;
/** A message with more addresses than this was pasted: others wrote it. */
const MAX_NAMED_AT_ONCE = 10;
const MAX_DEPTH = 4;

/** The same for canonical addresses that differ in nothing but a slash at the end of the path, or an empty query. */
const keyOf = (canonical: string): string => {
  const at = canonical.indexOf('?');
  const [path, query] = at === -1 ? [canonical, ''] : [canonical.slice(0, at), canonical.slice(at)];
  return `${path.endsWith('/') ? path.slice(0, -1) : path}${query === '?' ? '' : query}`;
};

/**
 * Whether one of these addresses, which are canonical, has the key as it stands or without its query: neither carries
 * anything that the model chose.
 */
const stands = (all: readonly Links[], key: string): boolean =>
  all.some(({ urls }) =>
    urls.some((canonical) => {
      const own = keyOf(canonical);
      const at = own.indexOf('?');
      return own === key || (at !== -1 && own.slice(0, at) === key);
    }),
  );

/** Every text in the input of a call. */
const textsIn = (input: unknown, depth = 0): readonly string[] => {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null || depth > MAX_DEPTH) return [];
  return Object.values(input).flatMap((value) => textsIn(value, depth + 1));
};

const calledIn = (turn: readonly ConversationMessage[]): readonly string[] =>
  turn
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === 'tool_use' ? textsIn(block.input) : []))
    .flatMap((text) => canonicalAddress(text) ?? [])
    .map(keyOf);

type IsKnown = (key: string) => boolean;

interface Known {
  /** By the person, or by a headline that the bot gave. */
  readonly isNamed: IsKnown;
  /** What was read in this conversation: its server has seen the address already. */
  readonly isRead: IsKnown;
  /** What stands in texts that others wrote and the person chose. */
  readonly isLinked: IsKnown;
}

const isPage = (links: Links): links is Links & { readonly from: 'page' } => links.from === 'page';

/** `example.com` means both schemes, and is one address all the same. */
const countNamed = (urls: readonly string[]): number =>
  new Set(urls.map((url) => url.replace(/^https?:/, ''))).size;

/**
 * Links of a page count only where the person named that page: not those of a page that a page led to. A conversation
 * can hold tens of thousands of addresses, so they are compared one by one and not collected for every call.
 */
const readLinks = (messages: readonly ConversationMessage[], userId: UserId): Known => {
  const all = messages.flatMap(linksIn);
  const byPerson = all.filter(
    (links) => links.from === 'person' && links.by === userId && countNamed(links.urls) <= MAX_NAMED_AT_ONCE,
  );
  const linked = all.filter((links) => {
    if (isPage(links)) return stands(byPerson, keyOf(links.page));
    return links.from === 'quoted' || (links.from === 'person' && !byPerson.includes(links));
  });
  const named = [...byPerson, ...all.filter(({ from }) => from === 'headlines')];
  const read = new Set(all.filter(isPage).map(({ page }) => keyOf(page)));
  return {
    isNamed: (key) => stands(named, key),
    isRead: (key) => read.has(key),
    isLinked: (key) => stands(linked, key),
  };
};

/** Which addresses the person of this turn chose, read off the conversation each time. */
export const createAddressBook = (
  history: {
    readonly messages: readonly ConversationMessage[];
    readonly ofThisTurn: readonly ConversationMessage[];
  },
  userId: UserId,
): AddressBook => {
  /** Links in the order in which they were called. Kept beside the conversation, for compaction can drop calls. */
  const opened = new Set<string>();
  return {
    originOf: (address) => {
      const canonical = canonicalAddress(address);
      if (canonical === undefined) return 'unknown';
      const key = keyOf(canonical);
      const { isNamed, isRead, isLinked } = readLinks(history.messages, userId);
      if (isNamed(key) || isRead(key)) return 'chosen';
      if (!isLinked(key)) return 'unknown';
      for (const called of new Set(calledIn(history.ofThisTurn)))
        if (!opened.has(called) && isLinked(called) && !isNamed(called)) opened.add(called);
      opened.add(key);
      return [...opened].indexOf(key) < MAX_LINKED_A_TURN ? 'linked' : 'too-many';
    },
  };
};
