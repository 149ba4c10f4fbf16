import { stripVTControlCharacters } from 'node:util';
import { createSecretMask, MASK } from '../text/mask-secrets.ts';

/** An error may repeat a whole page of a proxy. */
const MAX_CHARS = 8_000;

/** Codes for a terminal could part a secret, which then would not be found. */
const withoutCodes = (text: string): string =>
  text.includes('\u001B') || text.includes('\u009B') ? stripVTControlCharacters(text) : text;

/** The value behind the name of a secret, in an address, a header or JSON, even if nobody has configured it. */
const NAMED: readonly RegExp[] = [
  /([?&][\w.-]{0,40}(?:key|token|secret|password|signature)=)[^&#\s"'<>]+/gi,
  /\b((?:authorization|cookie|api[_-]?key)["']? ?[:=] ?["']?(?:(?:basic|bearer|bot) )?)[^\s"',;]{4,}/gi,
  /("[\w-]{0,40}(?:api_?key|token|secret|password)" ?: ?")[^"]+/gi,
];

/** Makes a text ready for the log: without secrets, and of bounded length. */
export const createTextMask = (secrets: readonly string[]): ((text: string) => string) => {
  const maskSecrets = createSecretMask(secrets);
  return (text) => {
    const masked = NAMED.reduce(
      (rest, pattern) => rest.replace(pattern, `$1${MASK}`),
      maskSecrets(withoutCodes(text)),
    );
    return masked.length > MAX_CHARS
      ? `${masked.slice(0, MAX_CHARS)}… (${masked.length - MAX_CHARS} more characters)`
      : masked;
  };
};
