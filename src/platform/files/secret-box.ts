import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { FinClawError } from '#src/kernel/errors.ts';

/** Encrypts texts with the secret key, each bound to its own record. */
export type SecretBox = ReturnType<typeof createSecretBox>;

export interface SecretKey {
  /** Says which key was used, and nothing about the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** The length is checked on opening, because GCM also accepts a shorter tag, which is easier to forge. */
const TAG_BYTES = 16;

const encode = (bytes: Buffer): string => bytes.toString('base64url');

/** Decodes strictly: a text that Node's decoder would repair counts as changed. */
const decode = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return encode(bytes) === text ? bytes : undefined;
};

/** A key with at most this many distinct bytes counts as a pattern. */
const MAX_PATTERN_BYTES = 16;

const isText = (bytes: Buffer): boolean => {
  try {
    return /^\P{Cc}*$/u.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
};

/**
 * Whether a key was made up: repeated bytes, counting bytes, or a text. A random key is mistaken for one with odds of
 * 1 in 10^14 by its distinct bytes and 1 in 10^11 as valid text.
 */
const isGuessable = (bytes: Buffer): boolean => {
  const steps = new Set(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));
  return new Set(bytes).size <= MAX_PATTERN_BYTES || steps.size === 1 || isText(bytes);
};

/** Checks only the current key, so that a weak old key can still be replaced. */
const checkStrength = (variable: string, { bytes }: SecretKey): void => {
  if (!isGuessable(bytes)) return;
  throw new FinClawError(
    `${variable} can be guessed: it is a text or a pattern. Make a random one with: openssl rand -base64 32. ` +
      'Where something is encrypted already, put the new one first and the old one behind it, separated by a comma.',
    'SECRET_KEY_WEAK',
  );
};

const readKey = (variable: string, text: string, index: number, count: number): SecretKey => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text) {
    const which = count > 1 ? ` (key ${index + 1} of ${count} is not)` : '';
    throw new FinClawError(
      `${variable} must be 32 bytes in base64${which}. Make one with: openssl rand -base64 32`,
      'SECRET_KEY_INVALID',
    );
  }
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
};

/**
 * The keys of a variable: the first one encrypts, the others still decrypt. Throws `SECRET_KEY_INVALID`, or
 * `SECRET_KEY_WEAK` if the first one can be guessed.
 */
export const readSecretKeys = (variable: string, texts: readonly string[]): readonly SecretKey[] => {
  const keys = texts.map((text, index) => readKey(variable, text, index, texts.length));
  if (keys[0]) checkStrength(variable, keys[0]);
  return keys;
};

const wrongKey = (recordId: string): FinClawError =>
  new FinClawError(
    `The saved key ${recordId} cannot be opened: FINCLAW_SECRET_KEY is not the one it was sealed with. ` +
      'Put the old one behind the new one, separated by a comma.',
    'SECRET_KEY_WRONG',
    { details: { recordId } },
  );

/** Binds a text to its record, so that sealed texts cannot be exchanged between rows. */
const associatedData = (keyId: string, recordId: string): Buffer => Buffer.from(`${keyId}:${recordId}`);

/** The parts of `v1.<keyId>.<nonce>.<tag>.<ciphertext>`; undefined for a text of another form. */
const parse = (sealed: string) => {
  const [version, keyId, ...rest] = sealed.split('.');
  const [nonce, tag, ciphertext] = rest.map(decode);
  if (version !== VERSION || keyId === undefined || rest.length !== 3) return undefined;
  if (nonce?.length !== NONCE_BYTES || tag?.length !== TAG_BYTES || !ciphertext) return undefined;
  return { keyId, nonce, tag, ciphertext };
};

/** The id of the key that sealed a text; undefined for a text that is not sealed. */
export const sealedWith = (sealed: string): string | undefined => parse(sealed)?.keyId;

const VARIABLE = 'FINCLAW_SECRET_KEY';

/** The first key seals; the others are old ones that still open. Throws `SECRET_KEY_INVALID` or `SECRET_KEY_WEAK`. */
export const createSecretBox = (secretKeys: readonly string[]) => {
  const keys = readSecretKeys(VARIABLE, secretKeys);
  const current = keys[0] ?? readKey(VARIABLE, '', 0, 1);
  return {
    seal: (recordId: string, plaintext: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(current.id, recordId));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return [VERSION, current.id, encode(nonce), encode(cipher.getAuthTag()), encode(ciphertext)].join('.');
    },

    /**
     * Throws `SECRET_KEY_WRONG` for a text that was sealed with another key or for another record, or was changed.
     * `isCurrent` is false where an old key opened it, and it should be sealed again.
     */
    open: (recordId: string, sealed: string): { readonly plaintext: string; readonly isCurrent: boolean } => {
      const parts = parse(sealed);
      const key = keys.find(({ id }) => id === parts?.keyId);
      if (!parts || !key) throw wrongKey(recordId);
      const decipher = createDecipheriv(CIPHER, key.bytes, parts.nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(key.id, recordId));
      decipher.setAuthTag(parts.tag);
      try {
        const plaintext = Buffer.concat([decipher.update(parts.ciphertext), decipher.final()]);
        return { plaintext: plaintext.toString('utf8'), isCurrent: key === current };
      } catch {
        // The cipher's own error says nothing more, and it must not carry any plaintext.
        throw wrongKey(recordId);
      }
    },
  };
};
