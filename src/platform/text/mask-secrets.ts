/** Shapes that only keys have. They are narrow, because a message with a key is refused: `sk-hynix-posts-a-profit-in-2026` is none. */
const KEY_SHAPES: readonly RegExp[] = [
  /\bsk-(?:ant|proj|svcacct|admin)-(?=[A-Za-z0-9_-]{0,60}[A-Z0-9])[A-Za-z0-9_-]{16,}/g,
  /\bsk-(?=\w{0,40}(?:\d|[a-z]\w{0,40}[A-Z]|[A-Z]\w{0,40}[a-z]))\w{16,}/g,
  /\bx(?:ox[abeprs]|app)-(?=[A-Za-z0-9-]{0,40}\d)[A-Za-z0-9-]{10,}/g,
];

/** Shapes of keys and tokens of the services we talk to. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bx(?:ox[abeprs]|app)-[A-Za-z0-9-]{10,}/g,
  /\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g,
  /\bBearer\s+[\w.~+/=-]{16,}/gi,
];

/** A password in an address, behind the user name. */
const URL_PASSWORD = /(:\/\/[^\s:/@]*:)[^\s/]+(?=@)/g;

export const MASK = '[***]';
/** Shorter secrets are not masked, because ordinary words would be masked too. */
const MIN_SECRET_LENGTH = 6;

/** The text without whatever looks like a key; the same text where nothing does. */
export const withoutKeys = (text: string): string =>
  KEY_SHAPES.reduce((rest, shape) => rest.replace(shape, ' '), text);

/** Masks the given secrets wherever they occur, and whatever looks like one. */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  // The longest come first: a secret that begins with another one must not leave its tail behind.
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    const withoutKnown = known.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
    return SECRET_SHAPES.reduce((masked, shape) => masked.replace(shape, MASK), withoutKnown).replace(
      URL_PASSWORD,
      `$1${MASK}`,
    );
  };
};
