import { errorMessage } from '#src/kernel/errors.ts';

const MAX_DEPTH = 40;
/**
 * Limit of values: a result with shared parts may expand without end, and the model gets at most 100,000
 * characters anyway.
 */
const MAX_VALUES = 20_000;
const LEFT_OUT = '[left out]';

interface Walk {
  readonly around: Set<object>;
  left: number;
}

/** The message of a thrown value; reading it may throw again. */
export const safeMessage = (error: unknown): string => {
  try {
    return errorMessage(error);
  } catch {
    return 'no reason given';
  }
};

/** Getters and proxies may throw. */
const attempt = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return `[unreadable: ${safeMessage(error)}]`;
  }
};

const elements = (list: readonly unknown[], walk: Walk): readonly unknown[] => {
  const shown: unknown[] = [];
  for (let index = 0; index < list.length && walk.left > 0; index += 1)
    shown.push(
      plain(
        attempt(() => list[index]),
        walk,
      ) ?? null,
    );
  return shown.length < list.length ? [...shown, LEFT_OUT] : shown;
};

const ownPart = (value: object, walk: Walk): unknown => {
  if (value instanceof Error) return `${value.name}: ${safeMessage(value)}`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function')
    return plain(
      attempt(() => toJSON.call(value, '') as unknown),
      walk,
    );
  if (value instanceof Map) return plain([...value.entries().take(walk.left + 1)], walk);
  if (value instanceof Set) return plain([...value.values().take(walk.left + 1)], walk);
  if (Array.isArray(value)) return elements(value, walk);
  // A stack trace exposes our internals and does not help the model.
  const names = Object.keys(value).filter((name) => name !== 'stack');
  return Object.fromEntries(
    names.slice(0, Math.max(1, walk.left)).map((name) => [
      name,
      plain(
        attempt(() => (value as Record<string, unknown>)[name]),
        walk,
      ),
    ]),
  );
};

/** Converts a value to plain JSON data. */
const plain = (value: unknown, walk: Walk): unknown => {
  walk.left -= 1;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value === 'symbol') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (walk.around.has(value)) return '[circular]';
  if (walk.around.size >= MAX_DEPTH || walk.left <= 0) return LEFT_OUT;
  walk.around.add(value);
  const part = attempt(() => ownPart(value, walk));
  walk.around.delete(value);
  return part;
};

/** Writes any value as JSON text. Never throws: values that JSON cannot hold are described in words. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(plain(value, { around: new Set(), left: MAX_VALUES })) ?? String(value);
