import { join, relative } from 'node:path';

const IS_SOURCE = import.meta.url.endsWith('.ts');
const ROOT = join(import.meta.dirname, '..', '..');

/** `npm run` names the variants of a script with a colon. */
const npmName = (script: string): string => script.replace('-', ':');

/** What a person types to run a script: npm in the sources, the launcher in the package, which has JavaScript alone. */
export const commandFor = (script: string, words = ''): string => {
  if (!IS_SOURCE) return `finclaw ${script}${words && ` ${words}`}`;
  return `npm run ${npmName(script)}${words && ` -- ${words}`}`;
};

/** Where a page of the documentation is. The package is installed far from the folder in which it is started. */
export const pageFor = (name: string): string => {
  const path = join(ROOT, 'docs', `${name}.md`);
  return IS_SOURCE ? relative(ROOT, path) : path;
};
