import { createSecretMask, MASK as HIDDEN } from '../text/mask-secrets.ts';

/** Keys of the services we talk to, including those that are too short for the mask of the log. */
const KEY_SHAPE = /\b(?:sk|xapp|xox[a-z])-[\w-]{10,}/g;

const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is;
const ADDRESS_INSIDE = /\b[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi;
const LOGIN = /^[^:]+:\/\/[^:@/?#]*:(.+)@/s;
const PARAMETER = /[?&]([^=&#?]*)=([^&#]+)/g;
const SECRET_NAME = /pass|secret|token|key/i;

/**
 * Removes the login and the query, which may hold a password. Hides everything where the parts cannot be told apart,
 * because a password may contain a slash.
 */
const withoutLogin = (address: string): string => {
  const [, scheme = '', rest = ''] = ADDRESS.exec(address) ?? [];
  const login = rest.lastIndexOf('@');
  const hostEnd = rest.search(/[/?#]/);
  if (hostEnd >= 0 && hostEnd < login) return scheme + HIDDEN;
  const [place = '', ...query] = rest.slice(login + 1).split(/[?#]/);
  return [scheme, login >= 0 ? `${HIDDEN}@` : '', place, query.length > 0 ? `?${HIDDEN}` : ''].join('');
};

/** The text without the passwords in its addresses. A text that begins like an address counts as one address. */
export const hideInAddresses = (text: string): string =>
  ADDRESS.test(text) ? withoutLogin(text) : text.replaceAll(ADDRESS_INSIDE, withoutLogin);

/** The text as it is where it is not percent-encoded. */
export const decoded = (text: string): string => {
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

/** The passwords in an address, as written and decoded. */
export const passwordsIn = (address: string): readonly string[] =>
  [LOGIN.exec(address)?.[1] ?? '', ...secretParametersOf(address)]
    .flatMap((password) => [password, decoded(password)])
    .filter((password) => password !== '');

/** Hides these secrets wherever they occur, and whatever looks like a key. */
export const createHideSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const mask = createSecretMask(secrets);
  return (text) => mask(text).replaceAll(KEY_SHAPE, HIDDEN);
};
