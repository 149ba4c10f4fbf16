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
