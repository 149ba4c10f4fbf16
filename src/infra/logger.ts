import { Logger as TsLogger } from 'tslog';
import type { Events } from '#src/core/events.ts';
import { createSecretMask } from './mask-secrets.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

type LogMethod = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** What the code logs with. Fields named like secrets, and secrets in any text, come out masked. */
export interface FinClawLogger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const SECRET_KEYS = [
  'apiKey',
  'token',
  'password',
  'secret',
  'authorization',
  'cookie',
  'databaseUrl',
  'secretKey',
];

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Lines for people on a terminal, JSON for everything that collects logs. */
  readonly pretty: boolean;
  readonly secrets: readonly string[];
  readonly write: (line: string) => void;
}

const MAX_DEPTH = 6;

/** Errors with their causes, instants and decimals as plain data: tslog clones what it masks and loses those. */
const toPlain = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth > MAX_DEPTH) return '[…]';
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    const extra = toPlain(Object.fromEntries(Object.entries(value)), depth + 1) as object;
    return {
      ...extra,
      name,
      message,
      stack,
      ...(cause === undefined ? {} : { cause: toPlain(cause, depth + 1) }),
    };
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (Array.isArray(value)) return value.map((item) => toPlain(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item, depth + 1)]));
};

export const createLogger = (options: LoggerOptions): FinClawLogger => {
  const mask = createSecretMask(options.secrets);
  const logger = new TsLogger<unknown>({
    type: 'hidden',
    minLevel: options.level.toUpperCase() as Uppercase<LogLevel>,
    stack: { capture: 'off' },
    mask: { keys: SECRET_KEYS, caseInsensitive: true },
    pretty: { template: '{{hh}}:{{MM}}:{{ss}} {{logLevelName}} ', timeZone: 'local' },
    json: { numericLevel: false },
  });
  logger.attachTransport({
    format: options.pretty ? 'pretty' : 'json',
    write: (_record, line) => options.write(`${mask(line).trimEnd()}\n`),
  });
  const method =
    (level: LogLevel): LogMethod =>
    (message, fields) =>
      void (fields ? logger[level](message, toPlain(fields)) : logger[level](message));
  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') };
};

/** What must not pass unseen at the usual level; the rest is there at `debug`. */
const EVENT_LEVELS: Partial<Record<string, LogLevel>> = {
  'pipeline:error': 'error',
  'delivery:failed': 'error',
  'tool:execute:error': 'warn',
  'tool:execute:timeout': 'warn',
  'tool:circuit:change': 'warn',
  'inbox:recover': 'info',
};

export const logEvents = (events: Events, logger: FinClawLogger): void =>
  events.onAny((name, payload) => logger[EVENT_LEVELS[name] ?? 'debug'](name, { ...payload }));
