import { replaceInSteps, type Steps } from '#src/infra/steps.ts';
import { isJsonText, type MaskString, maskJsonStrings } from './redaction/json-strings.ts';
import { maskNumbers } from './redaction/numbers.ts';
import { isNamedSecret, maskSecrets, mayHoldSecrets } from './redaction/secrets.ts';

export interface Redacted {
  readonly text: string;
  readonly wasRedacted: boolean;
}

/** JSON inside a string of JSON inside a string: nobody means more. */
const MAX_DEPTH = 3;

/** JSON stays JSON: only its strings are masked. */
const redactStrings = function* (text: string, mask: MaskString, name = '', depth = 0): Steps<string> {
  return depth < MAX_DEPTH && isJsonText(text)
    ? yield* maskJsonStrings(text, (value, inner) => redactStrings(value, mask, inner, depth + 1))
    : yield* mask(text, name);
};

const outcome = (before: string, after: string): Redacted => ({ text: after, wasRedacted: after !== before });

const maskSecret: MaskString = function* (value, name) {
  return isNamedSecret(name, value) ? '[secret]' : yield* maskSecrets(value);
};

/**
 * Masks what belongs to a person or opens a door: cards, accounts, social security and resident numbers,
 * keys and passwords. Context decides: prices, market caps, volumes, times, codes and phone numbers stay.
 * Takes time in proportion to the text, whatever stands in it.
 */
export const redactFinancialData = function* (text: string): Steps<Redacted> {
  const hasSecrets = mayHoldSecrets(text);
  const mask: MaskString = function* (value, name) {
    return yield* maskNumbers(hasSecrets ? yield* maskSecret(value, name) : value, name);
  };
  return outcome(text, yield* redactStrings(text, mask));
};

/** Keys and passwords only: they never reach the model, whatever else is allowed to. */
export const redactSecrets = function* (text: string): Steps<Redacted> {
  return outcome(text, mayHoldSecrets(text) ? yield* redactStrings(text, maskSecret) : text);
};

/** What the patterns of the caller find. They are used on all of a text, flagged global or not. */
export const redactPatterns = function* (text: string, patterns: readonly RegExp[]): Steps<Redacted> {
  if (patterns.length === 0) return outcome(text, text);
  const everywhere = patterns.map((pattern) =>
    pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`),
  );
  const mask: MaskString = function* (value) {
    let masked = value;
    for (const pattern of everywhere) masked = yield* replaceInSteps(masked, pattern, () => '[redacted]');
    return masked;
  };
  return outcome(text, yield* redactStrings(text, mask));
};
