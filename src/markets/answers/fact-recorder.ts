import type { Fact } from '#src/kernel/market/fact.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, Decimal, formatPercent } from '#src/kernel/money.ts';
import { gainText, moneyText } from './money-text.ts';

/** Enough decimals for every digit that is shown. */
const DECIMALS = 8;
const PERCENT_DECIMALS = 2;

/** What facts have in common: their subject, its names, their time and their source. */
export type Subject = Omit<Fact, 'metric' | 'value' | 'unit'>;

type Which = Partial<Subject>;

/** The numbers of an answer: each is written for its reader and kept as a fact in one call. */
export interface FactRecorder {
  readonly locale: Locale;
  readonly subject: Subject;
  /** Another subject, or another part of it, in the same answer. */
  readonly about: (more: Which) => FactRecorder;
  /** A fact that is written elsewhere, or that models alone get. `which` is its parameter, or more. */
  readonly keep: (
    metric: MetricId,
    value: Decimal | number | string | undefined,
    unit: string,
    which?: string | Which,
  ) => void;
  /** `₩102,300` */
  readonly money: (metric: MetricId, value: Decimal, unit: Currency, which?: string | Which) => string;
  /** `+₩102,300` */
  readonly gain: (metric: MetricId, value: Decimal, unit: Currency, which?: string | Which) => string;
  /** `+5.20%` of an amount; undefined without one. */
  readonly percent: (
    metric: MetricId,
    part: Decimal | undefined,
    of: Decimal | undefined,
    which?: string | Which,
  ) => string | undefined;
  readonly count: (metric: MetricId, count: number, which?: string | Which) => number;
  /** Facts of another answer. */
  readonly add: (facts: readonly Fact[]) => void;
  /** Without repetitions. The first fact about a subject has its names. */
  readonly facts: () => readonly Fact[];
}

const valueOf = (value: Decimal | number | string): string => {
  if (!Decimal.isDecimal(value)) return String(value);
  const shown = value.toDecimalPlaces(DECIMALS);
  return (shown.isZero() ? value : shown).toFixed();
};

const unnamed = ({ names: _names, ...fact }: Fact): Fact => fact;

export const createFactRecorder = (
  locale: Locale,
  subject: Subject,
  kept = new Map<string, Fact>(),
): FactRecorder => {
  const add = (fact: Fact): void => {
    kept.getOrInsert(JSON.stringify(unnamed(fact)), fact);
  };
  const keep: FactRecorder['keep'] = (metric, value, unit, which = {}) => {
    if (value === undefined) return;
    const more = typeof which === 'string' ? { parameter: which } : which;
    add({ ...subject, ...more, metric, value: valueOf(value), unit });
  };
  return {
    locale,
    subject,
    about: (more) =>
      createFactRecorder(
        locale,
        {
          ...subject,
          ...(more.entity !== undefined && { names: [] }),
          ...more,
          // What is made of sample data stays so.
          isSample: subject.isSample || more.isSample === true,
        },
        kept,
      ),
    keep,
    money: (metric, value, unit, which) => {
      keep(metric, value, unit, which);
      return moneyText(value, unit, locale);
    },
    gain: (metric, value, unit, which) => {
      keep(metric, value, unit, which);
      return gainText(value, unit, locale);
    },
    percent: (metric, part, of, which) => {
      if (!part || !of || of.isZero()) return undefined;
      const fraction = part.dividedBy(of.abs());
      keep(metric, fraction.times(100).toFixed(PERCENT_DECIMALS), '%', which);
      return formatPercent(fraction, locale);
    },
    count: (metric, count, which) => {
      keep(metric, count, 'count', which);
      return count;
    },
    add: (facts) => facts.forEach(add),
    facts: () => {
      const seen = new Set<string>();
      return [...kept.values()].map((fact) => {
        if (fact.names === undefined || fact.names.length === 0 || seen.has(fact.entity))
          return unnamed(fact);
        seen.add(fact.entity);
        return fact;
      });
    },
  };
};

/** For texts without facts: labels, and questions to a person that no model repeats. */
export const withoutFacts = (locale: Locale): FactRecorder =>
  createFactRecorder(locale, { entity: '', asOf: '', source: '', isSample: false });
