import type { ChunkSource } from './chunk-stream.ts';
import { createIdleGuard } from './idle-guard.ts';

/** An answer in one piece brings nothing before it is finished: it may be silent longer than a stream. */
const PATIENCE = 4;

/** Sends a request whose answer comes in one piece. Rejects in our words, and not later than a stall is one. */
export const wholeAnswer = async <T>(
  send: (signal: AbortSignal) => Promise<T>,
  { idleTimeoutMs, clock, explain }: Pick<ChunkSource, 'idleTimeoutMs' | 'clock' | 'explain'>,
  signal: AbortSignal,
): Promise<T> => {
  const guard = createIdleGuard(signal, PATIENCE * idleTimeoutMs, clock);
  try {
    return await send(guard.signal);
  } catch (error) {
    throw explain(error, guard.signal);
  } finally {
    guard.clear();
  }
};
