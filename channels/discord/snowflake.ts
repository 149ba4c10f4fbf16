import type { Timestamp } from '#src/kernel/ids.ts';

/** The first second of 2015: from there Discord's ids count milliseconds. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;
const TIME_SHIFT = 22n;

/** When Discord made this id. */
export const timeOf = (id: string): Timestamp =>
  Temporal.Instant.fromEpochMilliseconds(Number((BigInt(id) >> TIME_SHIFT) + DISCORD_EPOCH_MS));

/** The smallest id of that moment, for "everything after". */
export const idAt = (at: Timestamp): string => {
  const ms = BigInt(at.epochMilliseconds) - DISCORD_EPOCH_MS;
  return String((ms > 0n ? ms : 0n) << TIME_SHIFT);
};

/** Ids are numbers that do not fit into one: for sorting, the oldest first. */
export const byAge = (a: { readonly id: string }, b: { readonly id: string }): number =>
  isNewer(a.id, b.id) ? 1 : -1;

export const isNewer = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length;

const ID = /^\d{15,20}$/;

export const isSnowflake = (text: string): boolean => ID.test(text);
