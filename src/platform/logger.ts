import { Logger as TsLogger } from 'tslog';
import { errorMessage } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import { createSecretMask, MASK } from './mask-secrets.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LEVELS)[number];

type LogMethod = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** The logger. It masks fields with secret names, and secrets in any text. */
export interface FinClawLogger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** Masks a secret that became known while the program runs. */
  readonly hide: (secret: string) => void;
}

/** Matches field names that end in such a word: `botToken`, `x-api-key`, `DATABASE_URL`; not `inputTokens`. */
const SECRET_KEY_NAME =
  /(?:api[_-]?key|token|password|secret|authorization|cookie|database[_-]?url|secret[_-]?key)$/i;

export interface LoggerOptions {
  readonly level: LogLevel;
  /** True for readable lines on a terminal, false for JSON. */
  readonly pretty: boolean;
  readonly secrets: readonly string[];
  readonly write: (line: string) => void;
}

const MAX_DEPTH = 6;

type Mask = (text: string) => string;

/**
 * Converts a value to plain data and masks every text in it. Errors keep their causes, and instants and decimals their
 * value. Masking comes before JSON, because it could break JSON text.
 */
const toPlain = (value: unknown, mask: Mask, depth = 0): unknown => {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth > MAX_DEPTH) return '[…]';
  const plain = (inner: unknown): unknown => toPlain(inner, mask, depth + 1);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    const errors = value instanceof AggregateError ? { errors: value.errors } : {};
    return plain({ ...Object.fromEntries(Object.entries(value)), name, message, stack, cause, ...errors });
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return plain(asJson(value.toJSON.bind(value)));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, SECRET_KEY_NAME.test(key) ? MASK : plain(item)]),
  );
};

/** Logging must not fail because of a value that cannot be printed. */
const asJson = (toJson: () => unknown): unknown => {
  try {
    return toJson();
  } catch (error) {
    return `[not printable: ${errorMessage(error)}]`;
  }
};

export const createLogger = (options: LoggerOptions): FinClawLogger => {
  let secrets = options.secrets;
  let maskKnown = createSecretMask(secrets);
  const mask = (text: string): string => maskKnown(text);
  const logger = new TsLogger<unknown>({
    type: 'hidden',
    minLevel: options.level.toUpperCase() as Uppercase<LogLevel>,
    stack: { capture: 'off' },
    pretty: { template: '{{hh}}:{{MM}}:{{ss}} {{logLevelName}} ', timeZone: 'local' },
    json: { numericLevel: false },
  });
  logger.attachTransport({
    format: options.pretty ? 'pretty' : 'json',
    write: (_record, line) => options.write(`${line.trimEnd()}\n`),
  });
  const method = (level: LogLevel): LogMethod => {
    // Skip formatting below the log level.
    if (LEVELS.indexOf(level) < LEVELS.indexOf(options.level)) return () => undefined;
    return (message, fields) => {
      if (fields) logger[level](mask(message), toPlain(fields, mask));
      else logger[level](mask(message));
    };
  };
  return {
    debug: method('debug'),
    info: method('info'),
    warn: method('warn'),
    error: method('error'),
    hide: (secret) => {
      if (secrets.includes(secret)) return;
      secrets = [...secrets, secret];
      maskKnown = createSecretMask(secrets);
    },
  };
};

/** The log levels of events. All others are logged at `debug`. */
const EVENT_LEVELS: Partial<Record<string, LogLevel>> = {
  'pipeline:error': 'error',
  'delivery:failed': 'error',
  'delivery:retry': 'warn',
  'inbox:dead': 'error',
  'retention:purge': 'info',
  'pipeline:complete': 'info',
  'tool:execute:error': 'warn',
  'tool:execute:timeout': 'warn',
  'tool:circuit:change': 'warn',
  'provider:circuit:change': 'warn',
  'model:exhausted': 'warn',
  'inbox:recover': 'info',
  'model:fallback': 'info',
  'auth:cooldown': 'warn',
  'auth:health:change': 'warn',
  'execution:context_threshold': 'info',
  'answer:miss': 'info',
  'answer:repair': 'info',
};

export const logEvents = (events: Events, logger: FinClawLogger): void =>
  events.onAny((name, payload) => logger[EVENT_LEVELS[name] ?? 'debug'](name, payload));
