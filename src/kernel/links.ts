import { findUrls } from './find-urls.ts';
import type { UserId } from './ids.ts';

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
export type AddressOrigin = 'chosen' | 'linked' | 'too-many' | 'unknown';

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
