/** What is wrong with a value, worst first. Lazy: only the first one is ever asked for. */
export type Problems = Generator<string, void, undefined>;

export type Fields = Readonly<Record<string, unknown>>;

/** Ids of calls and names of tools. */
const NAME_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const at = (path: string, field: string | number): string =>
  path === '' ? `${field}` : `${path}.${field}`;

/** The API ignores no field: a slip of a name would otherwise pass every test. */
export function* extraInputs(value: Fields, path: string, known: readonly string[]): Problems {
  for (const field of Object.keys(value)) {
    if (!known.includes(field)) yield `${at(path, field)}: Extra inputs are not permitted`;
  }
}

export function* objectProblems(value: unknown, path: string, known: readonly string[]): Problems {
  if (value === undefined) yield `${path}: Field required`;
  else if (!isFields(value)) yield `${path}: Input should be a valid dictionary`;
  else yield* extraInputs(value, path, known);
}

export function* stringProblems(value: unknown, path: string): Problems {
  if (value === undefined) yield `${path}: Field required`;
  else if (typeof value !== 'string') yield `${path}: Input should be a valid string`;
}

export function* nameProblems(value: unknown, path: string): Problems {
  yield* stringProblems(value, path);
  if (typeof value === 'string' && !NAME_PATTERN.test(value))
    yield `${path}: String should match pattern '${NAME_PATTERN.source}'`;
}

export function* choiceProblems(value: unknown, path: string, choices: readonly unknown[]): Problems {
  if (choices.includes(value)) return;
  if (value === undefined) yield `${path}: Field required`;
  else yield `${path}: Input should be ${choices.map((choice) => `'${String(choice)}'`).join(' or ')}`;
}

export function* integerProblems(value: unknown, path: string, least: number): Problems {
  if (value === undefined) yield `${path}: Field required`;
  else if (typeof value !== 'number' || !Number.isInteger(value))
    yield `${path}: Input should be a valid integer`;
  else if (value < least) yield `${path}: Input should be greater than or equal to ${least}`;
}

export function* cacheControlProblems(value: unknown, path: string): Problems {
  if (value === undefined || value === null) return;
  yield* objectProblems(value, path, ['type', 'ttl']);
  if (!isFields(value)) return;
  yield* choiceProblems(value['type'], at(path, 'type'), ['ephemeral']);
  if (value['ttl'] !== undefined) yield* choiceProblems(value['ttl'], at(path, 'ttl'), ['5m', '1h']);
}
