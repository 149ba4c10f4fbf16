/** What an alert keeps from one look to the next, as JSON with few letters. Absent: nothing yet. */
export interface AlertMemory {
  /** The highest or lowest of 52 weeks so far; decimal as text. */
  readonly extreme?: string;
  /** Of what is counted by the day: on which day it held. */
  readonly metOn?: string;
  /** Which headlines were told of, the last ones first. */
  readonly told?: readonly string[];
  /** It was judged by made-up prices. */
  readonly isSample?: true;
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

/** In one order, so that the same memory is the same text. */
export const writeMemory = ({ extreme, metOn, told, isSample }: AlertMemory): string =>
  JSON.stringify({
    ...(extreme !== undefined && { extreme }),
    ...(metOn !== undefined && { metOn }),
    ...(told && { told }),
    ...(isSample && { isSample }),
  });
