import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { MASK } from '../text/mask-secrets.ts';

/** Matches field names that end in such a word: `botToken`, `x-api-key`, `DATABASE_URL`; not `inputTokens`. */
const SECRET_KEY_NAME =
  /(?:(?:api|secret|private|backup|access|encryption)[_-]?key|token|password|passphrase|secret|authorization|cookie|database[_-]?url|credentials?)$/i;

const MAX_DEPTH = 6;

type Mask = (text: string) => string;

/** An error as it is logged. The stack is there only if the error is a bug of ours. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly code?: number | string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly stack?: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** Other data may have fields of the same names. */
export const isPlainError = (value: unknown): value is PlainError => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message, errors = [], stack = '' } = value as Readonly<Record<string, unknown>>;
  return [name, message, stack].every(isText) && Array.isArray(errors);
};

/** The fields of an error that are logged. Errors of SDKs also carry whole requests, with what people wrote. */
const ERROR_FIELDS = ['code', 'status', 'syscall', 'reason', 'kind', 'failure', 'retryAfterMs', 'details'];

const ROOT = new URL('../../../', import.meta.url).pathname;
/** Node reports a wrong argument with a code, like a failed system call. */
const CODE_OF_BUG = /^ERR_(?:INVALID_ARG|OUT_OF_RANGE|ASSERTION|INVALID_THIS|MISSING_ARGS)/;

/** Whether the first file in the stack is a file of this program, not of a package. */
const isThrownHere = ({ stack = '' }: Error): boolean => {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  const first = frames.find((line) => !line.includes('node:') && !line.includes('<anonymous>')) ?? '';
  const start = first.indexOf(ROOT);
  return start >= 0 && !first.startsWith('node_modules/', start + ROOT.length);
};

/**
 * Finds the bug of ours that is the root of an error. Bad input and failures of the network, platforms and providers are
 * no bugs: a code, a status or the package that threw them tells them apart.
 */
const bugIn = (error: unknown, depth = 0): Error | undefined => {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
  if (error instanceof FinClawError && !error.isOperational) return error;
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  const bug = inner.map((cause) => bugIn(cause, depth + 1)).find((found) => found !== undefined);
  if (bug) return bug;
  if (error instanceof FinClawError || inner.some((cause) => cause instanceof Error)) return undefined;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return undefined;
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
  if (typeof code === 'string' && CODE_OF_BUG.test(code)) return error;
  if (code !== undefined || status !== undefined) return undefined;
  const isMistake =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isMistake || isThrownHere(error) ? error : undefined;
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const fieldsOf = (error: Error): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ERROR_FIELDS.map((name): readonly [string, unknown] => [name, Reflect.get(error, name)]).filter(
      ([, value]) => !isEmpty(value),
    ),
  );

/** `402`, not `402.29087900000013`: durations in whole milliseconds, other numbers with six digits. */
const rounded = (value: number, name: string): number => {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  return name.endsWith('Ms') ? Math.round(value) : Number(value.toPrecision(6));
};

/** Masks the names of the fields of one object. Names that are equal then are numbered, so that no value is lost. */
const createNames = (mask: Mask): ((key: string) => string) => {
  const used = new Set<string>();
  return (key) => {
    const masked = mask(key);
    const name = used.has(masked) ? `${masked} #${used.size + 1}` : masked;
    used.add(name);
    return name;
  };
};

/**
 * Converts a value to plain data and masks every text in it, names of fields included. Errors keep their causes, and instants and decimals their
 * value. Masking comes before JSON, because it could break JSON text.
 */
const toPlain = (
  value: unknown,
  mask: Mask,
  name: string,
  bug: Error | undefined,
  depth: number,
): unknown => {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return rounded(value, name);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[…]';
  try {
    return plainObject(value, mask, name, bug, depth);
  } catch (error) {
    // Logging must not fail because of a value that cannot be read.
    return mask(`[not printable: ${errorMessage(error)}]`);
  }
};

const plainObject = (
  value: object,
  mask: Mask,
  name: string,
  bug: Error | undefined,
  depth: number,
): unknown => {
  const plain = (inner: unknown, of = name): unknown => toPlain(inner, mask, of, bug, depth + 1);
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (value instanceof Error) return plainError(value, mask, bug ?? bugIn(value), depth);
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON());
  const nameOf = createNames(mask);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [nameOf(key), SECRET_KEY_NAME.test(key) ? MASK : plain(item, key)]),
  );
};

const plainError = (error: Error, mask: Mask, bug: Error | undefined, depth: number): unknown => {
  const { name, message, cause } = error;
  const plain = (inner: unknown): unknown => toPlain(inner, mask, '', bug, depth + 1);
  const errors = error instanceof AggregateError ? error.errors : undefined;
  return {
    name: mask(name),
    ...(plain(fieldsOf(error)) as object),
    message: mask(message),
    ...(error === bug && { stack: mask(error.stack ?? '') }),
    ...(cause !== undefined && { cause: plain(cause) }),
    ...(errors && { errors: plain(errors) }),
  };
};

export const plainFields = (
  fields: Readonly<Record<string, unknown>>,
  mask: Mask,
): Readonly<Record<string, unknown>> =>
  toPlain(fields, mask, '', undefined, 0) as Readonly<Record<string, unknown>>;
