/** The state that an alert keeps between evaluations, stored as JSON. */
export interface AlertMemory {
  /** The highest or lowest of 52 weeks so far; decimal as text. */
  readonly extreme?: string | undefined;
  /** The day on which a daily condition was met. */
  readonly metOn?: string | undefined;
  /** The headlines that were sent, the latest first. */
  readonly told?: readonly string[] | undefined;
  /**
   * A price that fits the numbers of the alert, and the exchange's day of that price. The numbers include every split up
   * to that day and no later one. Renewed once a day, and when the price has moved far from it.
   */
  readonly seen?: readonly [day: string, price: string] | undefined;
  /** The day's range that was evaluated already, with its time. Only prices beyond it are new. */
  readonly range?: readonly [at: string, low: string, high: string] | undefined;
  /** Since when prices suggest an unreported split, and whether the owner was told. */
  readonly unfit?: readonly [since: string, isTold: boolean] | undefined;
  /** The alert was evaluated with sample prices. */
  readonly isSample?: true | undefined;
}

const NONE: AlertMemory = {};

/** Unreadable text counts as no memory. */
export const readMemory = (text: string): AlertMemory => {
  if (text === '' || text === '{}') return NONE;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : NONE;
  } catch {
    return NONE;
  }
};

const known = new WeakMap<object, AlertMemory>();

/** Parses the memory of a record once: thousands of unchanged records pass every minute. */
export const memoryOf = (record: { readonly memory: string }): AlertMemory => {
  const memory = known.get(record) ?? readMemory(record.memory);
  known.set(record, memory);
  return memory;
};

/** Writes the properties in one order, so that equal memories are equal texts. */
export const writeMemory = (memory: AlertMemory): string => {
  const { extreme, metOn, told, seen, range, unfit, isSample } = memory;
  return JSON.stringify({ extreme, metOn, told, seen, range, unfit, isSample });
};
