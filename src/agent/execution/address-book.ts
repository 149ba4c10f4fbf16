import type { UserId } from '#src/core/ids.ts';
import { type AddressBook, canonicalAddress, type Links } from '#src/core/links.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import { linksIn } from '../context/turns.ts';

/**
 * A page can offer a thousand links, and which of them are opened can tell its author something. So only a few links
 * that others wrote are opened in one turn without asking.
 */
const MAX_LINKED_A_TURN = 3;
/** A message with more addresses than this was pasted: others wrote it. */
const MAX_NAMED_AT_ONCE = 10;
const MAX_DEPTH = 4;

/** The same for addresses that differ in nothing but a slash at the end of the path. */
const keyOf = (canonical: string): string => {
  const { protocol, host, pathname, search } = new URL(canonical);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}${search}`;
};

/** An address may be opened as it stands, and without its query: neither carries anything that the model chose. */
const keysOf = (urls: readonly string[]): readonly string[] =>
  urls.flatMap((url) => {
    const canonical = canonicalAddress(url);
    if (canonical === undefined) return [];
    const key = keyOf(canonical);
    return [key, key.split('?', 1)[0] ?? key];
  });

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

interface Known {
  /** By the person, or by a headline that the bot gave. */
  readonly named: ReadonlySet<string>;
  /** What was read in this conversation: its server has seen the address already. */
  readonly read: ReadonlySet<string>;
  /** What stands in texts that others wrote and the person chose. */
  readonly linked: ReadonlySet<string>;
}

const isPage = (links: Links): links is Links & { readonly from: 'page' } => links.from === 'page';

/** Links of a page count only where the person named that page: not those of a page that a page led to. */
const readLinks = (messages: readonly ConversationMessage[], userId: UserId): Known => {
  const all = messages.flatMap(linksIn);
  const isByPerson = (links: Links): boolean =>
    links.from === 'person' && links.by === userId && links.urls.length <= MAX_NAMED_AT_ONCE;
  const byPerson = new Set(all.filter(isByPerson).flatMap(({ urls }) => keysOf(urls)));
  const isLinked = (links: Links): boolean => {
    if (isPage(links)) return byPerson.has(keyOf(links.page));
    return links.from === 'quoted' || (links.from === 'person' && !isByPerson(links));
  };
  const headlines = all.filter(({ from }) => from === 'headlines');
  return {
    named: new Set([...byPerson, ...headlines.flatMap(({ urls }) => keysOf(urls))]),
    read: new Set(all.filter(isPage).map(({ page }) => keyOf(page))),
    linked: new Set(all.filter(isLinked).flatMap(({ urls }) => keysOf(urls))),
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
      const { named, read, linked } = readLinks(history.messages, userId);
      if (named.has(key) || read.has(key)) return 'chosen';
      if (!linked.has(key)) return 'unknown';
      for (const called of calledIn(history.ofThisTurn))
        if (linked.has(called) && !named.has(called)) opened.add(called);
      opened.add(key);
      return [...opened].indexOf(key) < MAX_LINKED_A_TURN ? 'linked' : 'too-many';
    },
  };
};
