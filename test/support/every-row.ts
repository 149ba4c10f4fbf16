import { inspect } from 'node:util';
import { expect, it } from 'vitest';

type Outcome = void | Promise<void>;
type Test<Check> = (title: string, check: Check) => void;

interface EveryRow {
  <Row extends unknown[] | [unknown]>(rows: readonly Row[]): Test<(...row: Row) => Outcome>;
  <Row extends readonly unknown[]>(rows: readonly Row[]): Test<(...row: [...Row]) => Outcome>;
  <Row>(rows: readonly Row[]): Test<(row: Row) => Outcome>;
}

/** Many rows take longer than the one case that the default limit is for. */
const TIMEOUT_MS = 60_000;

/** The places that `it.each` would fill in, such as `%j` and `$name`. */
const PLACEHOLDER = /%[#$%Ocdfijos]|\$[\w.]+/g;

/**
 * One test for a whole table, written like `it.each`. It checks every row, and lists those that fail.
 * Use it for pure functions; whatever needs a fixture for each row stays with `it.each`.
 */
export const everyRow: EveryRow =
  (rows: readonly unknown[]) =>
  (title: string, check: (...row: never[]) => Outcome): void => {
    it(title.replaceAll(PLACEHOLDER, '…'), { timeout: TIMEOUT_MS }, async () => {
      const offenders: string[] = [];
      for (const row of rows) {
        try {
          await check(...((Array.isArray(row) ? row : [row]) as never[]));
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          offenders.push(`${inspect(row, { depth: 4, breakLength: Infinity })}: ${reason}`);
        }
      }
      expect(rows.length).toBeGreaterThan(0);
      expect(offenders).toEqual([]);
    });
  };
