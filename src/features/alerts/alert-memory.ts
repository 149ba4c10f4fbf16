/** What an alert keeps from one look to the next, as JSON with few letters. Absent: nothing yet. */
export interface AlertMemory {
  /** The highest or lowest of 52 weeks so far; decimal as text. */
  readonly extreme?: string | undefined;
  /** Of what is counted by the day: on which day it held. */
  readonly metOn?: string | undefined;
  /** Which headlines were told of, the last ones first. */
  readonly told?: readonly string[] | undefined;
  /**
   * A price that its numbers fit, and the exchange's day of it. Every split up to that day is in its numbers; a later
   * one is not. Renewed once a day, and when the price has moved far from it.
   */
  readonly seen?: readonly [day: string, price: string] | undefined;
  /** The day's range that counts no more, and when it was seen: only what lies beyond it is new. */
  readonly range?: readonly [at: string, low: string, high: string] | undefined;
  /** Since when prices look as after a split that nobody reports, and whether its owner was told. */
  readonly unfit?: readonly [since: string, isTold: boolean] | undefined;
  /** It was judged by made-up prices. */
  readonly isSample?: true | undefined;
}

const NONE: AlertMemory = {};

/** What is no memory of ours counts as none. */
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

/** The same of a record, read once: thousands that stay as they are come by every minute. */
export const memoryOf = (record: { readonly memory: string }): AlertMemory => {
  const memory = known.get(record) ?? readMemory(record.memory);
  known.set(record, memory);
  return memory;
};

/** In one order, so that the same memory is the same text. */
export const writeMemory = (memory: AlertMemory): string => {
  const { extreme, metOn, told, seen, range, unfit, isSample } = memory;
  return JSON.stringify({
    ...(extreme !== undefined && { extreme }),
    ...(metOn !== undefined && { metOn }),
    ...(told && { told }),
    ...(seen && { seen }),
    ...(range && { range }),
    ...(unfit && { unfit }),
    ...(isSample && { isSample }),
  });
};
