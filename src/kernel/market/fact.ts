import type { MetricId } from './fact-metrics.ts';

/** A number, date or name for an answer, with its source and time. */
export interface Fact {
  /** The subject, such as a symbol. */
  readonly entity: string;
  /** What people call the subject. One fact of a result is enough to say it. */
  readonly names?: readonly string[];
  readonly metric: MetricId;
  /** What the value is, where the metric alone does not say it: the expression of a calculation. */
  readonly label?: string;
  /** ISO date (or local date and time) that the value belongs to, as the day of a close. Absent: the day of `asOf`. */
  readonly day?: string;
  /** What the value spans: `1d`, `5d`, `1mo`, `ytd`, `1y`, `max`, or the ISO date since when. Absent: it spans nothing. */
  readonly period?: string;
  /** Which of several: `14` of an RSI, `20` of a moving average, `Technology` of sector shares. */
  readonly parameter?: string;
  /** The numbers that a calculation was made from, as decimals. */
  readonly operands?: readonly string[];
  /** Decimal as text. */
  readonly value: string;
  readonly unit: string;
  /** ISO 8601 instant. */
  readonly asOf: string;
  readonly source: string;
  /** Sample data: every answer based on it is marked. */
  readonly isSample: boolean;
}
