import type { Problem } from './errors.ts';
import type { JsonRecord } from './types.ts';

/** Finds what is wrong with a value that stands at `path` in the request. */
export type Check = (value: unknown, path: string) => Problem | undefined;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In JSON an absent field and null mean the same to this API. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export const problem = (message: string, param: string | null, code: string | null = null): Problem => ({
  message,
  param,
  code,
});

const nameOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
};

const wrongType = (path: string, expected: string, value: unknown): Problem =>
  problem(
    `Invalid type for '${path}': expected ${expected}, but got ${nameOf(value)} instead.`,
    path,
    'invalid_type',
  );

export const missing = (path: string): Problem =>
  problem(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter');

const wrongValue = (path: string, value: unknown, supported: readonly string[]): Problem =>
  problem(
    `Invalid value: '${String(value)}'. Supported values are: ${supported.map((name) => `'${name}'`).join(', ')}.`,
    path,
    'invalid_value',
  );

/** Models that reason take no temperature. */
const REASONS = /^(?:gpt-[5-9]|o\d)/u;

export const checkTemperature = (body: JsonRecord): Problem | undefined =>
  isGiven(body['temperature']) && REASONS.test(String(body['model']))
    ? problem(
        "Unsupported parameter: 'temperature' is not supported with this model.",
        'temperature',
        'unsupported_parameter',
      )
    : undefined;

export const anything: Check = () => undefined;

export const either =
  (...checks: readonly [Check, ...Check[]]): Check =>
  (value, path) => {
    const problems = checks.map((check) => check(value, path));
    return problems.includes(undefined) ? undefined : problems.at(-1);
  };

export const text =
  (maxLength = Number.POSITIVE_INFINITY): Check =>
  (value, path) => {
    if (typeof value !== 'string') return wrongType(path, 'a string', value);
    if (value.length <= maxLength) return undefined;
    return problem(
      `Invalid '${path}': string too long. Expected a string with maximum length ${String(maxLength)}, but got a string with length ${String(value.length)} instead.`,
      path,
      'string_above_max_length',
    );
  };

export const integer =
  (minimum: number): Check =>
  (value, path) => {
    if (!Number.isInteger(value)) return wrongType(path, 'an integer', value);
    if (Number(value) >= minimum) return undefined;
    return problem(
      `Invalid '${path}': integer below minimum value. Expected a value >= ${String(minimum)}, but got ${String(value)} instead.`,
      path,
      'integer_below_min_value',
    );
  };

export const flag: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : wrongType(path, 'a boolean', value);

export const record: Check = (value, path) =>
  isRecord(value) ? undefined : wrongType(path, 'an object', value);

export const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) =>
    values.some((known) => known === value) ? undefined : wrongValue(path, value, values);

export const list =
  (each: Check, minimum = 0): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return wrongType(path, 'an array', value);
    if (value.length < minimum) {
      return problem(
        `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array with length 0 instead.`,
        path,
        'empty_array',
      );
    }
    for (const [index, item] of value.entries()) {
      const found = each(item, `${path}[${String(index)}]`);
      if (found) return found;
    }
    return undefined;
  };

const at = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);

/** An object of exactly these fields. An optional one may be null. */
export const shape =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    if (!isRecord(value)) return wrongType(path, 'an object', value);
    const unknown = Object.keys(value).find(
      (field) => !Object.hasOwn(required, field) && !Object.hasOwn(optional, field),
    );
    if (unknown !== undefined) {
      const name = at(path, unknown);
      return problem(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
    }
    for (const [field, check] of Object.entries(required)) {
      if (value[field] === undefined) return missing(at(path, field));
      const found = check(value[field], at(path, field));
      if (found) return found;
    }
    for (const [field, check] of Object.entries(optional)) {
      const found = isGiven(value[field]) ? check(value[field], at(path, field)) : undefined;
      if (found) return found;
    }
    return undefined;
  };

/** One of several shapes; the field `tag` says which. */
export const variants =
  (tag: string, shapes: Readonly<Record<string, Check>>, usual?: string): Check =>
  (value, path) => {
    if (!isRecord(value)) return wrongType(path, 'an object', value);
    const name = value[tag] ?? usual;
    if (name === undefined) return missing(at(path, tag));
    const check = typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    return check ? check(value, path) : wrongValue(at(path, tag), name, Object.keys(shapes));
  };
