import { type ILogObjMeta, Logger as TsLogger } from 'tslog';
import { LOG_LEVELS, type LogLevel, type LogLine } from '#src/kernel/operations/log.ts';
import { type Clock, systemClock } from '../concurrency/clock.ts';
import { jsonLine, type LogEntry, MAIN_LOGGER } from './log-entry.ts';
import { plainFields, isPlainError } from './plain-values.ts';
import { lineText, terminalLine } from './terminal-line.ts';
import { stripVTControlCharacters } from 'node:util';
import { createSecretMask, MASK } from '../text/mask-secrets.ts';

type LogMethod = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** The logger. It masks fields with secret names, and secrets in any text. */
export interface FinClawLogger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** Masks a secret that became known while the program runs. */
  readonly hide: (secret: string) => void;
  /** A logger that writes to the same log under the name of a part of the program. */
  readonly named: (name: string) => FinClawLogger;
}

/** The logger of the program. */
export interface RootLogger extends FinClawLogger {
  /** Writes the counts of repeated lines that were held back, before the program ends. */
  readonly flush: () => void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** True for readable lines on a terminal, false for JSON. */
  readonly pretty: boolean;
  readonly hasColour?: boolean;
  readonly secrets: readonly string[];
  readonly write: (line: string) => void;
  /** Gets every line that is written, as data. */
  readonly onLine?: (line: LogLine) => void;
  readonly clock?: Clock;
}

/** An entry on its way through tslog, which copies plain data only. */
interface Carried {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly msg: string;
  readonly fields: LogEntry['fields'];
}

const NO_FIELDS: LogEntry['fields'] = {};

export const createLogger = (options: LoggerOptions): RootLogger => {
  const { clock = systemClock, pretty, hasColour = false, onLine } = options;
  let secrets = options.secrets;
  let maskKnown = createTextMask(secrets);
  const mask = (text: string): string => maskKnown(text);

  const engine = new TsLogger<Carried>({
    type: 'hidden',
    name: MAIN_LOGGER,
    minLevel: options.level.toUpperCase() as Uppercase<LogLevel>,
    stack: { capture: 'off' },
  });
  engine.attachTransport({
    format: ({ atMs, level, msg, fields, _logMeta }: Carried & ILogObjMeta): string => {
      const at = Temporal.Instant.fromEpochMilliseconds(atMs);
      const entry = { at, level, logger: _logMeta?.name ?? MAIN_LOGGER, msg, fields };
      return pretty ? terminalLine(entry, hasColour) : jsonLine(entry);
    },
    write: (_record, line) => options.write(line),
  });
  const engines = new Map<string, Pick<TsLogger<Carried>, LogLevel>>([[MAIN_LOGGER, engine]]);
  const engineOf = (name: string): Pick<TsLogger<Carried>, LogLevel> => {
    const known = engines.get(name);
    if (known) return known;
    const made = engine.getSubLogger({ name });
    engines.set(name, made);
    return made;
  };

  const write = (entry: LogEntry): void => {
    const { at, level, logger, msg, fields } = entry;
    engineOf(logger)[level]({ atMs: at.epochMilliseconds, level, msg, fields });
    onLine?.({ at, level, logger, text: lineText(entry) });
  };
  const repeats = createRepeats(clock, write);

  const method = (logger: string, level: LogLevel): LogMethod => {
    // Skip formatting below the log level.
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level)) return () => undefined;
    return (message, fields) => {
      const entry: LogEntry = {
        at: clock.now(),
        level,
        logger,
        msg: mask(message),
        fields: fields ? plainFields(fields, mask) : NO_FIELDS,
      };
      if (repeats.admits(entry)) write(entry);
    };
  };
  const hide = (secret: string): void => {
    if (secrets.includes(secret)) return;
    secrets = [...secrets, secret];
    maskKnown = createTextMask(secrets);
  };
  const named = (name: string): FinClawLogger => ({
    debug: method(name, 'debug'),
    info: method(name, 'info'),
    warn: method(name, 'warn'),
    error: method(name, 'error'),
    hide,
    named,
  });
  return { ...named(MAIN_LOGGER), flush: repeats.flush };
};

/** An error may repeat a whole page of a proxy. */
const MAX_CHARS = 8_000;

/** Codes for a terminal could part a secret, which then would not be found. */
const withoutCodes = (text: string): string =>
  text.includes('\u001B') || text.includes('\u009B') ? stripVTControlCharacters(text) : text;

/** The value behind the name of a secret, in an address, a header or JSON, even if nobody has configured it. */
const NAMED: readonly RegExp[] = [
  /([?&][\w.-]{0,40}(?:key|token|secret|password|signature)=)[^&#\s"'<>]+/gi,
  /\b((?:authorization|cookie|api[_-]?key)["']? ?[:=] ?["']?(?:(?:basic|bearer|bot) )?)[^\s"',;]{4,}/gi,
  /("[\w-]{0,40}(?:api_?key|token|secret|password)" ?: ?")[^"]+/gi,
];

/** Makes a text ready for the log: without secrets, and of bounded length. */
export const createTextMask = (secrets: readonly string[]): ((text: string) => string) => {
  const maskSecrets = createSecretMask(secrets);
  return (text) => {
    const masked = NAMED.reduce(
      (rest, pattern) => rest.replace(pattern, `$1${MASK}`),
      maskSecrets(withoutCodes(text)),
    );
    return masked.length > MAX_CHARS
      ? `${masked.slice(0, MAX_CHARS)}… (${masked.length - MAX_CHARS} more characters)`
      : masked;
  };
};

/** This many equal lines a minute are written at once; further ones are counted. */
const WRITTEN_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_KINDS = 500;

interface Kind {
  readonly sinceMs: number;
  seen: number;
  /** The last one that was not written, with the fields that all of them share. */
  held: LogEntry | undefined;
}

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '#');

const causeKey = (value: unknown): string => {
  if (typeof value === 'string') return withoutNumbers(value);
  if (!isPlainError(value)) return '';
  const { name, code = '', message, cause, errors = [] } = value;
  return [name, code, withoutNumbers(message), causeKey(cause), ...errors.map(causeKey)].join('\0');
};

/** Fields that say what failed and why. Other fields say of which message, person or symbol, which may be any number. */
const KIND_FIELDS = ['error', 'cause', 'reason', 'name', 'source', 'provider', 'channelId', 'stage', 'task'];

const keyOf = ({ logger, level, msg, fields }: LogEntry): string =>
  [logger, level, withoutNumbers(msg), ...KIND_FIELDS.map((name) => causeKey(fields[name]))].join('\0');

/** The fields of the first that the second has too. A line that stands for many must not name one of them. */
const shared = (fields: LogEntry['fields'], others: LogEntry['fields']): LogEntry['fields'] =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => KIND_FIELDS.includes(name) || Object.is(value, others[name]),
    ),
  );

/** Debug lines are wanted one by one, and so are the answers to people and the error ids that people were told. */
const isCounted = ({ level, fields }: LogEntry): boolean =>
  level !== 'debug' && fields['event'] !== 'pipeline:complete' && fields['errorId'] === undefined;

const spanText = (ms: number): string => {
  if (ms >= MINUTE_MS) return 'minute';
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds === 1 ? 'second' : `${seconds} seconds`;
};

/** Counts lines that repeat instead of writing each. A timer runs only while something is counted. */
const createRepeats = (clock: Clock, write: (entry: LogEntry) => void) => {
  const kinds = new Map<string, Kind>();
  let cancel: (() => void) | undefined;

  const release = ({ held, seen, sinceMs }: Kind): void => {
    if (!held) return;
    const repeated = seen - WRITTEN_A_MINUTE;
    const span = spanText(clock.monotonicMs() - sinceMs);
    const times = repeated === 1 ? 'once more' : `${repeated} times`;
    const msg = `${held.msg} (repeated ${times} in the last ${span})`;
    write({ ...held, at: clock.now(), msg, fields: { ...held.fields, repeated } });
  };

  const releaseOld = (): void => {
    cancel?.();
    cancel = undefined;
    const nowMs = clock.monotonicMs();
    for (const [key, kind] of kinds) {
      if (kind.sinceMs + MINUTE_MS > nowMs) continue;
      kinds.delete(key);
      release(kind);
    }
    watch();
  };

  /** The first kind of which lines are held back ends first, because kinds are in the order of their beginning. */
  const watch = (): void => {
    if (cancel) return;
    for (const { held, sinceMs } of kinds.values()) {
      if (!held) continue;
      cancel = clock.after(Math.max(0, sinceMs + MINUTE_MS - clock.monotonicMs()), releaseOld);
      return;
    }
  };

  /** Room for a new kind: those that are over, or else the oldest. */
  const makeRoom = (): void => {
    if (kinds.size < MAX_KINDS) return;
    releaseOld();
    const [oldest] = kinds;
    if (!oldest || kinds.size < MAX_KINDS) return;
    kinds.delete(oldest[0]);
    release(oldest[1]);
  };

  return {
    /** False: the entry is only counted. */
    admits: (entry: LogEntry): boolean => {
      if (!isCounted(entry)) return true;
      const key = keyOf(entry);
      const nowMs = clock.monotonicMs();
      let kind = kinds.get(key);
      if (kind && kind.sinceMs + MINUTE_MS <= nowMs) {
        kinds.delete(key);
        release(kind);
        kind = undefined;
      }
      if (!kind) {
        makeRoom();
        kind = { sinceMs: nowMs, seen: 0, held: undefined };
        kinds.set(key, kind);
      }
      kind.seen += 1;
      if (kind.seen <= WRITTEN_A_MINUTE) return true;
      kind.held = kind.held ? { ...entry, fields: shared(entry.fields, kind.held.fields) } : entry;
      watch();
      return false;
    },
    /** Writes the counts. */
    flush: () => {
      cancel?.();
      cancel = undefined;
      for (const kind of kinds.values()) release(kind);
      kinds.clear();
    },
  };
};
