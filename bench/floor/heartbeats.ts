/** Entries of the history of the fake Discord, as far as they are about connections. */
type Entry = {
  readonly type: string;
  readonly connection?: number;
  readonly atMs: number;
};

/** A beat that comes later than this part of the interval after it was due counts as missed. */
const LATE = 0.5;

/** Counts the heartbeats, and those that did not come in time while their connection was open. */
export const countHeartbeats = (
  history: readonly Entry[],
  intervalMs: number,
  untilMs: number,
): { readonly heartbeats: number; readonly missedHeartbeats: number } => {
  const lastBeatMs = new Map<number, number>();
  let heartbeats = 0;
  let missedHeartbeats = 0;
  const look = (sinceMs: number, atMs: number): void => {
    missedHeartbeats += Math.max(0, Math.floor((atMs - sinceMs) / intervalMs - LATE));
  };
  for (const { type, connection, atMs } of history) {
    if (connection === undefined) continue;
    const sinceMs = lastBeatMs.get(connection);
    if (type === 'connected') lastBeatMs.set(connection, atMs);
    if (sinceMs === undefined) continue;
    if (type === 'heartbeat') {
      heartbeats += 1;
      look(sinceMs, atMs);
      lastBeatMs.set(connection, atMs);
    }
    if (type === 'closed') {
      look(sinceMs, atMs);
      lastBeatMs.delete(connection);
    }
  }
  for (const sinceMs of lastBeatMs.values()) look(sinceMs, untilMs);
  return { heartbeats, missedHeartbeats };
};
