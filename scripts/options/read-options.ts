import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The option that every program has. */
export const HELP = { help: { type: 'boolean', short: 'h', default: false } } as const;

/** npm 11 completes what begins like one of its own options. */
const COMPLETED: Readonly<Record<string, string>> = { to: 'token_description' };

const isTaken = (name: string, { type }: Options[string]): boolean => {
  if (process.argv.slice(2).some((word) => word === `--${name}` || word.startsWith(`--${name}=`)))
    return false;
  const values = [name.replaceAll('-', '_'), COMPLETED[name] ?? name].map(
    (key) => process.env[`npm_config_${key}`],
  );
  return values.some((value) => (type === 'boolean' ? value === 'true' : value !== undefined));
};

/**
 * What to say if npm took an option for itself, as it does without `--` before it: the script then runs without the option.
 * Undefined: it took none.
 */
export const takenByNpm = (usage: string, options: Options): string | undefined => {
  const name = Object.keys(options).find((each) => isTaken(each, options[each] ?? HELP.help));
  return name && `npm took --${name} for itself. Write -- before the options: ${usage}`;
};

/** A word too many may hold a password, so it is not repeated. Of other mistakes Node explains more than is needed. */
const mistakeIn = (error: unknown): string =>
  (error as { readonly code?: unknown }).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
    ? 'There is a word too many'
    : errorMessage(error).replace(/\.\s.*/s, '');

/** Reads the words behind the name of the script. Throws if one is wrong, empty or taken by npm. */
export const readOptions = <T extends ParseArgsConfig & { readonly options: Options }>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> => {
  const taken = takenByNpm(usage, config.options);
  if (taken !== undefined) throw new FinClawError(taken, 'USAGE');
  const wrong = (mistake: string): FinClawError => new FinClawError(`${mistake}. Usage: ${usage}`, 'USAGE');
  let parsed: ReturnType<typeof parseArgs<T>>;
  try {
    parsed = parseArgs(config);
  } catch (error) {
    throw wrong(mistakeIn(error));
  }
  // Such as a variable of the shell that is not set: as a path, it would be the working directory.
  const given: readonly unknown[] = [...Object.values(parsed.values), ...parsed.positionals];
  if (given.includes('')) throw wrong('A word is empty');
  return parsed;
};
