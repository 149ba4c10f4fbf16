import { join } from 'node:path';
import type { Locale } from '#src/kernel/locale.ts';
import { readSources } from './imports.ts';

const ROOT = join(import.meta.dirname, '../..');

type Messages = (locale: Locale) => object;

const isMessages = (entry: [string, unknown]): entry is [string, Messages] =>
  entry[0].endsWith('Texts') && typeof entry[1] === 'function';

const modules = await Promise.all(
  readSources(ROOT, ['src', 'channels', 'commands'])
    .filter(({ text }) => text.includes(' = localized({'))
    .map(async ({ path }) => Object.entries((await import(join(ROOT, path))) as object)),
);

/** Everything the bot says in a language, by area: `alert`, `quote`, `privacy` … */
export const allMessages = (locale: Locale): Readonly<Record<string, object>> =>
  Object.fromEntries(
    modules
      .flat()
      .filter(isMessages)
      .map(([name, messages]) => [name.replace(/Texts$/, ''), messages(locale)]),
  );

/** Parameters that are lists, by their names. */
const LISTS: ReadonlySet<string> = new Set(['acts', 'effects', 'nearest']);

/** Parameters that are one of a few words, or that the sentence calculates with, by their names. */
const CHOICES: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ['figures', 'marked'],
  ['everySeconds', 330],
]);

/** Every parameter comes back as its own name: what a sentence uses can be read from it. */
const PARAMETERS = new Proxy<Record<string, string | number | readonly string[]>>(
  {},
  {
    get: (_target, name) => {
      const own = `«${String(name)}»`;
      return LISTS.has(String(name)) ? [own] : (CHOICES.get(String(name)) ?? own);
    },
  },
);

/** Parameters that are numbers, by their names. */
const COUNTS: ReadonlySet<string> = new Set(
  'count limit found days minutes seconds hours returns needs has points most shown all known others alerts briefings messages conversations reminders portfolios transactions usageRecords watched sessions tokens window quantity pages expected'.split(
    ' ',
  ),
);

/** The same, where there is one of everything that is counted. */
export const ONE_OF_EACH = new Proxy<Record<string, string | number | readonly string[]>>(
  {},
  { get: (_target, name) => (COUNTS.has(String(name)) ? 1 : PARAMETERS[String(name)]) },
);

const isSentence = (value: unknown): value is (parameters: typeof ONE_OF_EACH) => string =>
  typeof value === 'function';

/** `quote.sessionStates.open` to its text, for all texts of a language. */
export const leaves = (
  value: unknown,
  path = '',
  parameters: typeof ONE_OF_EACH = PARAMETERS,
): readonly (readonly [string, string])[] => {
  if (isSentence(value)) return [[path, value(parameters)]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, item]) =>
    leaves(item, path ? `${path}.${key}` : key, parameters),
  );
};

/** All that the bot says, on whichever channel. */
export const saidIn = (locale: Locale): ReadonlyMap<string, string> => new Map(leaves(allMessages(locale)));
