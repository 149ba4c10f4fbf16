import type { LogLevel } from '#src/kernel/operations/log.ts';

/** Control characters, line separators, and characters that change the direction of text. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- These are what a terminal must not get.
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (unsafe: string): string =>
  NAMED_ESCAPES[unsafe] ?? `\\u${(unsafe.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Text from others can neither begin a new line nor send a command to the terminal. JSON stays valid. */
export const onOneLine = (text: string): string => text.replaceAll(UNSAFE, escaped);

/** A log line as data: masked, and plain values only. */
export interface LogEntry {
  readonly at: Temporal.Instant;
  readonly level: LogLevel;
  /** The part of the program that logged it. */
  readonly logger: string;
  readonly msg: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The logger of lines that belong to no part. */
export const MAIN_LOGGER = 'finclaw';

/** One object a line. A field with the name of one of ours gets an underscore. */
export const jsonLine = ({ at, level, logger, msg, fields }: LogEntry): string => {
  const head = { time: at.toString({ smallestUnit: 'millisecond' }), level, logger, msg };
  const named = Object.entries(fields).map(([name, value]) => [name in head ? `${name}_` : name, value]);
  return `${onOneLine(JSON.stringify({ ...head, ...Object.fromEntries(named) }))}\n`;
};
