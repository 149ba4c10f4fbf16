import { type ILogObjMeta, Logger as TsLogger } from 'tslog';
import { LOG_LEVELS, type LogLevel, type LogLine } from '#src/kernel/operations/log.ts';
import { type Clock, systemClock } from '../concurrency/clock.ts';
import { jsonLine, type LogEntry, MAIN_LOGGER } from './log-entry.ts';
import { createTextMask } from './mask-text.ts';
import { plainFields } from './plain-values.ts';
import { createRepeats } from './repeats.ts';
import { lineText, terminalLine } from './terminal-line.ts';

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
