import type { Clock } from '../concurrency/clock.ts';
import type { LogEntry } from './log-entry.ts';
import { isPlainError } from './plain-values.ts';

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

export interface Repeats {
  /** False: the entry is only counted. */
  readonly admits: (entry: LogEntry) => boolean;
  /** Writes the counts. */
  readonly flush: () => void;
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
export const createRepeats = (clock: Clock, write: (entry: LogEntry) => void): Repeats => {
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
    admits: (entry) => {
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
    flush: () => {
      cancel?.();
      cancel = undefined;
      for (const kind of kinds.values()) release(kind);
      kinds.clear();
    },
  };
};
