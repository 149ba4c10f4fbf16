import { MAX_MATCH_CHARS } from '#src/platform/text/bounded-pattern.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { isJsonText, maskJsonStrings, type MaskString } from './json-strings.ts';
import { maskNumbers } from './numbers.ts';
import { isNamedSecret, maskSecrets, mayHoldSecrets } from './secrets.ts';

/** A pattern that the operator wants masked. Its name, if any, is shown in the mask. */
export interface RedactPattern {
  readonly name?: string | undefined;
  readonly pattern: RegExp;
}

const maskOf = ({ name }: RedactPattern): string =>
  name === undefined ? '[redacted]' : `[redacted: ${name}]`;

/** The beginning of each kind of mask. */
const MASKS = { secret: '[secret]', card: '[card', account: '[account', custom: '[redacted' } as const;

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** The number of masks of each kind that were added to a text. */
export const countMasks = (before: string, after: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(MASKS)
      .map(([kind, mask]) => [kind, occurrences(after, mask) - occurrences(before, mask)] as const)
      .filter(([, count]) => count > 0),
  );

/** JSON in strings of JSON is read up to this depth; real data is never deeper. */
const MAX_DEPTH = 3;

/** Masks only the strings of JSON, so that it stays valid. */
const redactStrings = function* (text: string, mask: MaskString, name = '', depth = 0): Steps<string> {
  return depth < MAX_DEPTH && isJsonText(text)
    ? yield* maskJsonStrings(text, (value, inner) => redactStrings(value, mask, inner, depth + 1))
    : yield* mask(text, name);
};

const maskSecret: MaskString = function* (value, name) {
  return isNamedSecret(name, value) ? '[secret]' : yield* maskSecrets(value);
};

/**
 * Masks personal numbers and credentials: cards, accounts, social security and resident numbers, keys and
 * passwords. The context decides, so prices, market caps, volumes, times, codes and phone numbers stay. Runs in
 * linear time for any input.
 */
export const redactFinancialData = function* (text: string): Steps<string> {
  const hasSecrets = mayHoldSecrets(text);
  const mask: MaskString = function* (value, name) {
    return yield* maskNumbers(hasSecrets ? yield* maskSecret(value, name) : value, name);
  };
  return yield* redactStrings(text, mask);
};

/** Matches that start in a window may end up to `MAX_MATCH_CHARS` after it. */
const WINDOW_CHARS = 256;

const maskPattern = function* (text: string, pattern: RegExp, mask: string): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const window = text.slice(from, from + WINDOW_CHARS + MAX_MATCH_CHARS);
    let copied = 0;
    for (const { 0: found, index } of window.matchAll(pattern)) {
      if (index >= WINDOW_CHARS) break;
      pieces.push(window.slice(copied, index), mask);
      copied = index + found.length;
    }
    const end = Math.max(copied, WINDOW_CHARS);
    pieces.push(window.slice(copied, end));
    from += end;
    yield;
  }
  return pieces.join('');
};

/** Masks matches of the operator's patterns, which must be global, as `compileBoundedPattern` makes them. */
export const redactPatterns = function* (text: string, patterns: readonly RedactPattern[]): Steps<string> {
  if (patterns.length === 0) return text;
  const mask: MaskString = function* (value) {
    let masked = value;
    for (const each of patterns) masked = yield* maskPattern(masked, each.pattern, maskOf(each));
    return masked;
  };
  return yield* redactStrings(text, mask);
};
