import type { UserId } from '../ids.ts';

/**
 * An address ends at a space, a platform's bracket, a quotation mark or East Asian punctuation. The length limit keeps
 * matching linear in time for any text.
 */
const ADDRESS = /https?:\/\/[^\s<>|"“”‘’「」『』【】《》〈〉（）［］。、，！？；：…]{1,2048}/giu;
const TRAILING = new Set(`.,;:!?'*\`~`);
const CLOSING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

const HANGUL = '[\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7af]';
/** Host and port, followed by Hangul. A last label in Latin letters or digits cannot continue in Hangul. */
const HANGUL_BEHIND_HOST = new RegExp(`^(https?://[^/?#]*[a-z0-9])${HANGUL}`, 'iu');
/** Longest first: `으로` is one particle, not `으` with `로`. */
const PARTICLES =
  '이라고|입니다|에서는|에서도|이에요|이랑|에서|에게|에는|에도|으로|이나|이고|라고|부터|까지|처럼|보다|하고|예요|인데|' +
  '을|를|이|가|은|는|의|에|로|와|과|도|만|랑';
const PARTICLE_BEHIND = new RegExp(`(?<=[\\x21-\\x7e])(?:${PARTICLES})$`, 'u');

const count = (text: string, wanted: string): number => text.split(wanted).length - 1;

/** Removes punctuation of the sentence. A closing bracket is part of the address only if the address opens it. */
const withoutPunctuation = (address: string): string => {
  const unopened = new Map(
    [...CLOSING].map(([close, open]) => [close, count(address, close) - count(address, open)]),
  );
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const left = unopened.get(last);
    if (left === undefined ? !TRAILING.has(last) : left <= 0) break;
    if (left !== undefined) unopened.set(last, left - 1);
  }
  return address.slice(0, end);
};

/** False for `lg전자.com`: Hangul follows Latin letters, but the host continues. */
const isLastLabel = (server: string, address: string): boolean =>
  !/^[^/?#\s]*[.][a-z]/iu.test(address.slice(server.length));

/**
 * Removes Korean particles, which follow a word without a space. Hangul right behind a Latin host is never part of the
 * address (`https://a.com을`); a host whose last label is all Hangul stays whole. In a path, only a known particle
 * behind an ASCII character is removed (`/a.html을`): `/위키/주식` and `/2024년` belong to the address.
 */
const withoutParticle = (address: string): string => {
  const server = HANGUL_BEHIND_HOST.exec(address)?.[1];
  if (server !== undefined && isLastLabel(server, address)) return withoutPunctuation(server);
  return withoutPunctuation(withoutPunctuation(address).replace(PARTICLE_BEHIND, ''));
};

/** The first `limit` addresses in a text, in order. */
export const findUrls = (text: string, limit = Infinity): readonly string[] => {
  const urls: string[] = [];
  ADDRESS.lastIndex = 0;
  for (let found = ADDRESS.exec(text); found && urls.length < limit; found = ADDRESS.exec(text)) {
    const url = withoutParticle(found[0]);
    if (/^https?:\/\/[^/?#]/i.test(url)) urls.push(url);
    // The removed part may contain the next address: `https://a.com과https://b.com`.
    ADDRESS.lastIndex = found.index + Math.max(url.length, 'http://'.length);
  }
  return urls;
};

/**
 * Web addresses in a conversation, with their origin. They are stored with the messages, so that the addresses that a
 * person chose are known after a restart and after compaction.
 */
export type Links =
  /** Written by the person. */
  | { readonly from: 'person'; readonly by: UserId; readonly urls: readonly string[] }
  /** In text of others that the person sent along: a file, a forward, earlier messages. Never in the bot's own text. */
  | { readonly from: 'quoted'; readonly urls: readonly string[] }
  /** The links of headlines, not addresses within their text. */
  | { readonly from: 'headlines'; readonly urls: readonly string[] }
  /** In the page that was fetched from `page`. */
  | { readonly from: 'page'; readonly page: string; readonly urls: readonly string[] };

/**
 * Where the addresses in a built-in tool's result come from. A result may repeat the model's own text, so only the text
 * of a page is searched for addresses.
 */
export type LinkSource =
  /** The links as given by the news source. */
  | { readonly from: 'headlines'; readonly urls: readonly string[] }
  /** The requested address. The whole text is this page. */
  | { readonly from: 'page'; readonly page: string };

/**
 * `chosen`: named by the person, linked from a headline of the bot, or fetched in this conversation before. `linked`:
 * one of few in a text that the person sent along. `offered`: a link of a page, or one of many, so that its author
 * learns from the choice. `too-many`: either, but the turn has fetched many such addresses already.
 */
type AddressOrigin = 'chosen' | 'linked' | 'offered' | 'too-many' | 'unknown';

export interface AddressBook {
  readonly originOf: (address: string) => AddressOrigin;
  /** Whether words of others were read in this turn: a page, headlines, a file, a forwarded message. */
  readonly hasReadOthers: () => boolean;
}

const MAX_ADDRESS_CHARS = 2_000;
/** Addresses beyond this need approval. */
const MAX_TEXT_CHARS = 60_000;
const MAX_ADDRESSES = 200;

/**
 * The canonical form of a web address: as the URL parser writes it (punycode host, ASCII), without the fragment, which
 * is never sent. Undefined for other texts, and for an address with a user name or password.
 */
export const canonicalAddress = (address: string): string | undefined => {
  const url = address.length <= MAX_ADDRESS_CHARS * 2 ? URL.parse(address) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href.replaceAll('`', '%60').replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
};

const BETWEEN_WORDS = /[\s<>|"'`()[\]{},“”‘’「」『』【】《》〈〉（）［］。、，！？；：…]/u;
/** At least two labels, the last of which begins with a letter. */
const BARE = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}/u;

/** Addresses without a scheme, `example.com/news`: both schemes are returned. */
const bareAddresses = (text: string): readonly string[] =>
  text
    .split(BETWEEN_WORDS)
    .values()
    .filter((word) => word.includes('.') && !word.includes('://') && BARE.test(word))
    .take(MAX_ADDRESSES / 2)
    .flatMap((word) => findUrls(`https://${word} http://${word}`))
    .toArray();

/** The canonical addresses in a text, with and without a scheme, each once. At most 400. */
export const addressesIn = (text: string): readonly string[] => {
  const read = text.slice(0, MAX_TEXT_CHARS);
  const found = [...findUrls(read, MAX_ADDRESSES), ...bareAddresses(read)]
    .filter((address) => address.length <= MAX_ADDRESS_CHARS)
    .flatMap((address) => canonicalAddress(address) ?? []);
  return [...new Set(found)];
};
