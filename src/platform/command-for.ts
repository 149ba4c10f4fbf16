const IS_SOURCE = import.meta.url.endsWith('.ts');

/** `npm run` names the variants of a script with a colon. */
const npmName = (script: string): string => script.replace('-', ':');

/** What a person types to run a script: npm in the sources, the launcher in the package, which has JavaScript alone. */
export const commandFor = (script: string, words = ''): string => {
  if (!IS_SOURCE) return `finclaw ${script}${words && ` ${words}`}`;
  return `npm run ${npmName(script)}${words && ` -- ${words}`}`;
};
