import type { UserId } from './ids.ts';

/**
 * What no address has inside: blanks, brackets of platforms, quotation marks and the punctuation of East Asia. The
 * limit keeps the time in proportion to the text, whatever stands in it.
 */
const ADDRESS = /https?:\/\/[^\s<>|"“”‘’「」『』【】《》〈〉（）［］。、，！？；：…]{1,2048}/giu;
const TRAILING = new Set(`.,;:!?'*\`~`);
const CLOSING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

const HANGUL = '[\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7af]';
/** The server, up to its port; its last label cannot be Latin letters or digits with Hangul behind them. */
const HANGUL_BEHIND_HOST = new RegExp(`^(https?://[^/?#]*[a-z0-9])${HANGUL}`, 'iu');
/** The longest first: `으로` is not `로` behind `으`. */
const PARTICLES =
  '이라고|입니다|에서는|에서도|이에요|이랑|에서|에게|에는|에도|으로|이나|이고|라고|부터|까지|처럼|보다|하고|예요|인데|' +
  '을|를|이|가|은|는|의|에|로|와|과|도|만|랑';
const PARTICLE_BEHIND = new RegExp(`(?<=[\\x21-\\x7e])(?:${PARTICLES})$`, 'u');

const count = (text: string, wanted: string): number => text.split(wanted).length - 1;

/** Without what belongs to the sentence; a closing bracket does, unless the address opened it. */
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

/** `lg전자.com` has Hangul behind Latin letters too, but another label comes after it. */
const isLastLabel = (server: string, address: string): boolean =>
  !/^[^/?#\s]*[.][a-z]/iu.test(address.slice(server.length));

/**
 * Korean writes particles right behind a word. Behind the name of a server, Hangul is never part of the address
 * (`https://a.com을`); a server whose last label is Hangul throughout stays whole. In a path, only a particle that
 * stands behind a character of ASCII is not (`/a.html을`): `/위키/주식` and `/2024년` are words of the address itself.
 */
const withoutParticle = (address: string): string => {
  const server = HANGUL_BEHIND_HOST.exec(address)?.[1];
  if (server !== undefined && isLastLabel(server, address)) return withoutPunctuation(server);
  return withoutPunctuation(withoutPunctuation(address).replace(PARTICLE_BEHIND, ''));
};

/** The first `limit` addresses in a text, in order, as they would be opened. */
export const findUrls = (text: string, limit = Infinity): readonly string[] => {
  const urls: string[] = [];
  ADDRESS.lastIndex = 0;
  for (let found = ADDRESS.exec(text); found && urls.length < limit; found = ADDRESS.exec(text)) {
    const url = withoutParticle(found[0]);
    if (/^https?:\/\/[^/?#]/i.test(url)) urls.push(url);
    // What was cut off may hold the next one: `https://a.com과https://b.com`.
    ADDRESS.lastIndex = found.index + Math.max(url.length, 'http://'.length);
  }
  return urls;
};

/**
 * Web addresses that stand in a conversation, and who brought them there. They are kept beside the words they stand
 * in, so that it is known after a restart and after compaction which address a person chose.
 */
export type Links =
  /** In the person's own words. */
  | { readonly from: 'person'; readonly by: UserId; readonly urls: readonly string[] }
  /** In what others wrote and the person brought along: a file, a forwarded message, earlier messages. Never the bot's words. */
  | { readonly from: 'quoted'; readonly urls: readonly string[] }
  /** The links of headlines, and not what stands in their words. */
  | { readonly from: 'headlines'; readonly urls: readonly string[] }
  /** In the page that was read at the address `page`. */
  | { readonly from: 'page'; readonly page: string; readonly urls: readonly string[] };

/**
 * What a tool of the program vouches for. Its result may repeat what the model wrote, so addresses are read out of the
 * text of a page alone.
 */
export type LinkSource =
  /** The links as the source of the news gave them. */
  | { readonly from: 'headlines'; readonly urls: readonly string[] }
  /** The address that was asked for. All of the text is that page. */
  | { readonly from: 'page'; readonly page: string };

/**
 * `chosen`: the person named it, a headline of the bot did, or it was read in this conversation before. `linked`: it
 * stands in what they named, and few such addresses were read in this turn. `too-many`: the same, but many were.
 */
type AddressOrigin = 'chosen' | 'linked' | 'too-many' | 'unknown';

export interface AddressBook {
  readonly originOf: (address: string) => AddressOrigin;
}

const MAX_ADDRESS_CHARS = 2_000;
/** Of a longer text the beginning is read: an address behind it is asked about. */
const MAX_TEXT_CHARS = 60_000;
const MAX_ADDRESSES = 200;

/**
 * The one spelling of a web address: as the URL parser writes it (host in punycode, everything in ASCII), without the
 * fragment, which is never sent. Undefined for what is no web address, and for one with a user name or password.
 */
export const canonicalAddress = (address: string): string | undefined => {
  const url = address.length <= MAX_ADDRESS_CHARS * 2 ? URL.parse(address) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href.replaceAll('`', '%60').replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
};

const BETWEEN_WORDS = /[\s<>|"'`()[\]{},“”‘’「」『』【】《》〈〉（）［］。、，！？；：…]/u;
/** Two labels at least, the last of which begins with a letter. */
const BARE = /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}/u;

/** `example.com/news`, as people type it: it means both schemes. */
const bareAddresses = (text: string): readonly string[] =>
  text
    .split(BETWEEN_WORDS)
    .values()
    .filter((word) => word.includes('.') && !word.includes('://') && BARE.test(word))
    .take(MAX_ADDRESSES / 2)
    .flatMap((word) => findUrls(`https://${word} http://${word}`))
    .toArray();

/** The addresses in a text, each once, in order; with and without a scheme. At most 400. */
export const addressesIn = (text: string): readonly string[] => {
  const read = text.slice(0, MAX_TEXT_CHARS);
  const found = [...findUrls(read, MAX_ADDRESSES), ...bareAddresses(read)]
    .filter((address) => address.length <= MAX_ADDRESS_CHARS)
    .flatMap((address) => canonicalAddress(address) ?? []);
  return [...new Set(found)];
};
