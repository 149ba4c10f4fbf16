import { join } from 'node:path';
import type { Locale } from '#src/kernel/locale.ts';
import { readSources } from './imports.ts';

const ROOT = join(import.meta.dirname, '../..');

type Messages = (locale: Locale) => object;

const isMessages = (entry: [string, unknown]): entry is [string, Messages] =>
  entry[0].endsWith('Messages') && typeof entry[1] === 'function';

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
      .map(([name, messages]) => [name.replace(/Messages$/, ''), messages(locale)]),
  );
