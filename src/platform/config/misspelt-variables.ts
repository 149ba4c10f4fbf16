import { editDistance } from '#src/platform/text/edit-distance.ts';
import { pageFor } from '../how-to-run.ts';

const OWN = 'FINCLAW_';
const MAX_TYPOS = 2;

const wordsOf = (name: string): readonly string[] => name.toUpperCase().split('_');

/** `DISCORD_TOKEN` lacks a word of `DISCORD_BOT_TOKEN`; both begin and end with the same one. */
const lacksWords = (short: readonly string[], long: readonly string[]): boolean => {
  if (short.length < 2 || short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false;
  let next = 0;
  for (const word of long) if (word === short[next]) next += 1;
  return next === short.length;
};

/** How far a written name is from a known one: typing errors, or else words that are missing or too many. */
const distance = (written: string, known: string): number => {
  const typos = editDistance(written.toUpperCase(), known, MAX_TYPOS);
  if (typos <= MAX_TYPOS) return typos;
  const [a, b] = [wordsOf(written), wordsOf(known)];
  // `DISCORD` alone may be anything, and OpenTelemetry has many variables that are one word apart.
  if (a.length < 2 || a[0] === 'OTEL') return Infinity;
  return lacksWords(a, b) || lacksWords(b, a) || known.startsWith(`${written.toUpperCase()}_`)
    ? MAX_TYPOS + Math.abs(a.length - b.length)
    : Infinity;
};

/** The known names that a written one may mean, the nearest first. */
const meantBy = (written: string, known: readonly string[]): readonly string[] =>
  known
    .map((name) => ({ name, apart: distance(written, name) }))
    .filter(({ apart }) => apart < Infinity)
    .toSorted((a, b) => a.apart - b.apart)
    .map(({ name }) => name);

/**
 * One sentence for each variable that is probably misspelt: it begins with `FINCLAW_` and is unknown, or it is close to a
 * known one that is not set. Values are never repeated. Other programs have variables too, so no other name is judged.
 */
export const misspeltVariables = (env: NodeJS.ProcessEnv, known: readonly string[]): readonly string[] => {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return Object.keys(env).flatMap((written) => {
    if (known.includes(written) || !isSet(written)) return [];
    const meant = meantBy(written, known);
    const question = `did you mean ${meant[0] ?? ''}?`;
    if (written.toUpperCase().startsWith(OWN)) {
      const advice = meant.length > 0 ? question : `remove it, or see ${pageFor('configuration')}`;
      return [`${written} is set, but there is no such variable: ${advice}`];
    }
    return meant.length === 0 || meant.some(isSet) ? [] : [`${written} is set, but not read: ${question}`];
  });
};
