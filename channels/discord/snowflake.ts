import type { Timestamp } from '#src/kernel/ids.ts';

/** Discord's ids count milliseconds from the first second of 2015. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;
const TIME_SHIFT = 22n;

export const timeOf = (id: string): Timestamp =>
  Temporal.Instant.fromEpochMilliseconds(Number((BigInt(id) >> TIME_SHIFT) + DISCORD_EPOCH_MS));

/** The smallest id of a moment, for queries after it. */
export const idAt = (at: Timestamp): string => {
  const ms = BigInt(at.epochMilliseconds) - DISCORD_EPOCH_MS;
  return String((ms > 0n ? ms : 0n) << TIME_SHIFT);
};

/** Sorts the oldest first. Ids are compared as strings, because they exceed safe integers. */
export const byAge = (a: { readonly id: string }, b: { readonly id: string }): number =>
  isNewer(a.id, b.id) ? 1 : -1;

export const isNewer = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length;

const ID = /^\d{15,20}$/;

export const isSnowflake = (text: string): boolean => ID.test(text);
