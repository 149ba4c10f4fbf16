import { raceAbort } from '#src/platform/abort.ts';

interface Flight<T> {
  readonly task: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export type Coalesce<T> = (
  key: string,
  run: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>;

/**
 * Concurrent callers with the same key share one run. An abort ends only the wait of its caller; the run itself is
 * aborted once nobody waits for it.
 */
export const createCoalesce = <T>(): Coalesce<T> => {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, run: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const flight: Flight<T> = { task: run(controller.signal), controller, waiting: 0 };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.task.then(land, land);
    return flight;
  };

  return async (key, run, signal) => {
    signal.throwIfAborted();
    const flight = flights.get(key) ?? start(key, run);
    flight.waiting += 1;
    try {
      return await raceAbort(flight.task, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && flights.get(key) === flight) {
        // New callers must not join an aborted run.
        flights.delete(key);
        flight.controller.abort(signal.reason);
      }
    }
  };
};
