import { z } from 'zod';
import { editDistance } from '#src/kernel/edit-distance.ts';
import { createHideSecrets } from './hide-secrets.ts';

const MAX_SHOWN = 60;

const hideKeys = createHideSecrets([]);

const shown = (value: unknown): string => {
  // A key in the wrong place is shown to nobody.
  const text = hideKeys(JSON.stringify(value) ?? 'nothing');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

const property = (node: unknown, key: PropertyKey): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<PropertyKey, unknown>)[key] : undefined;

/** The settings that exist at this place of the file. */
const knownKeysAt = (path: readonly PropertyKey[], file: z.ZodType): readonly string[] => {
  const schema: unknown = z.toJSONSchema(file, { io: 'input' });
  // A number is a place in a list; what no name fits is an entry of a table.
  const inside = (node: unknown, key: PropertyKey): unknown =>
    typeof key === 'number'
      ? property(node, 'items')
      : (property(property(node, 'properties'), key) ?? property(node, 'additionalProperties'));
  const here = path.reduce(inside, schema);
  return Object.keys(property(here, 'properties') ?? {}).filter((key) => key !== '$schema');
};

const unknownKey = (key: string, path: readonly PropertyKey[], schema: z.ZodType): string => {
  const known = knownKeysAt(path, schema);
  const near = known.find((candidate) => editDistance(key.toLowerCase(), candidate.toLowerCase(), 2) <= 2);
  const advice = near ? `did you mean "${near}"?` : `the settings here are ${known.join(', ')}`;
  return `  ${[...path, key].join('.')}: there is no such setting; ${advice}`;
};

/**
 * One line a problem: where it is, what is wrong, and, for the file, what was found there. Values of the
 * environment are never repeated: some of them are secrets.
 */
export const describeIssues = (
  where: string,
  error: z.ZodError,
  schema: z.ZodType,
  file?: unknown,
): string => {
  const lines = error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => unknownKey(key, issue.path, schema));
    const path = issue.path.length > 0 ? issue.path.join('.') : '(top level)';
    // What is wrong is the name itself, not what it stands for.
    if (issue.code === 'invalid_key') return [`  ${path}: ${issue.issues[0]?.message ?? issue.message}`];
    // Whatever stands there may be a key in the wrong place.
    const isHidden = file === undefined || issue.path[0] === 'providers';
    const found = isHidden ? '' : ` (found ${shown(issue.path.reduce(property, file))})`;
    return [`  ${path}: ${issue.message}${found}`];
  });
  return `${where} is not valid. Please fix this and start again:\n${lines.join('\n')}`;
};
