/** Keys that say what they are: nobody writes such a word by chance. */
const KEY_SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bx(?:ox[abeprs]|app)-[A-Za-z0-9-]{10,}/g,
];

/** Shapes of keys and tokens of the services we talk to. */
const SECRET_SHAPES: readonly RegExp[] = [
  ...KEY_SHAPES,
  /\b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}/g,
  /\bBearer\s+[\w.~+/=-]{16,}/gi,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s/]+(?=@)/gi,
];

const MASK = '[***]';
/** Anything shorter would also mask ordinary words. */
const MIN_SECRET_LENGTH = 6;

export const looksLikeKey = (text: string): boolean => KEY_SHAPES.some((shape) => text.search(shape) >= 0);

/** Replaces the given secrets, wherever they stand, and whatever looks like one. */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  // The longest first: a secret that begins with another one must not leave its tail behind.
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    const withoutKnown = known.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
    return SECRET_SHAPES.reduce((masked, shape) => masked.replace(shape, MASK), withoutKnown);
  };
};
