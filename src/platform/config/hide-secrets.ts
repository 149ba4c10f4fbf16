/** As in the log: the same sign for the same thing. */
export const HIDDEN = '[***]';

/** Anything shorter would also hide ordinary words. */
const MIN_SECRET_LENGTH = 6;
/** Keys of the services we talk to, should one stand in the wrong place. */
const KEY_SHAPE = /\b(?:sk|xapp|xox[a-z])-[\w-]{10,}/g;

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is;
const ADDRESS_INSIDE = /\b[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi;
const LOGIN = /^[^:]+:\/\/[^:@/?#]*:(.+)@/s;
const PARAMETER = /[?&]([^=&#?]*)=([^&#]+)/g;
const SECRET_NAME = /pass|secret|token|key/i;

/**
 * Without who logs in and without the query: both may hold a password. Where it is not clear which part is
 * which (a password may have a slash in it), all of it is hidden.
 */
const withoutLogin = (address: string): string => {
  const [, scheme = '', rest = ''] = ADDRESS.exec(address) ?? [];
  const login = rest.lastIndexOf('@');
  const hostEnd = rest.search(/[/?#]/);
  if (hostEnd >= 0 && hostEnd < login) return scheme + HIDDEN;
  const [place = '', ...query] = rest.slice(login + 1).split(/[?#]/);
  return [scheme, login >= 0 ? `${HIDDEN}@` : '', place, query.length > 0 ? `?${HIDDEN}` : ''].join('');
};

/** The addresses of a text without their passwords. A text that begins as one is an address as a whole. */
export const hideInAddresses = (text: string): string =>
  ADDRESS.test(text) ? withoutLogin(text) : text.replaceAll(ADDRESS_INSIDE, withoutLogin);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const secretParametersOf = (address: string): readonly string[] =>
  [...address.matchAll(PARAMETER)].flatMap(([, name = '', value = '']) =>
    SECRET_NAME.test(name) ? [value] : [],
  );

/** What an address is opened with, as it stands there and as it is meant. */
export const passwordsIn = (address: string): readonly string[] =>
  [LOGIN.exec(address)?.[1] ?? '', ...secretParametersOf(address)]
    .flatMap((password) => [password, decoded(password)])
    .filter((password) => password !== '');

/** Hides these secrets wherever they stand, and what looks like a key. */
export const createHideSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  // The longest first: a secret that begins with another one must not leave its tail behind.
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    known.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text).replaceAll(KEY_SHAPE, HIDDEN);
};
