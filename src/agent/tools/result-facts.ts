import { isMetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Fact } from '#src/kernel/market/fact.ts';

/** Undefined if reading throws: a plugin's result may have failing getters. */
export const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const MAX_NAMES = 16;
const MAX_OPERANDS = 50;
const MAX_SHORT_CHARS = 60;
/** A calculation is labelled with its expression. */
const MAX_LABEL_CHARS = 500;
const DAY = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/;
const DECIMAL = /^-?\d{1,400}(?:\.\d{1,400})?$/;

/** Undefined for anything but a text that is not empty. */
const textOf = (given: unknown, maxChars: number): string | undefined => {
  const text = typeof given === 'string' ? given.slice(0, maxChars).trim().toWellFormed() : '';
  return text === '' ? undefined : text;
};

const textsOf = (given: unknown, count: number, isFit: (text: string) => boolean): readonly string[] =>
  Array.isArray(given) ? given.filter((each) => typeof each === 'string' && isFit(each)).slice(0, count) : [];

const isName = (text: string): boolean => text.trim() !== '' && text.length <= MAX_SHORT_CHARS;

const FACT_TEXTS = ['entity', 'metric', 'value', 'unit', 'asOf', 'source'] as const;

/** Undefined for an incomplete fact. A metric that the list lacks becomes the label of `other`. May throw. */
const factOf = (given: unknown): Fact | undefined => {
  const { entity, metric, value, unit, asOf, source, isSample, ...more } = given as Fact;
  const texts = { entity, metric, value, unit, asOf, source };
  const isWhole =
    FACT_TEXTS.every((name) => typeof texts[name] === 'string') && typeof isSample === 'boolean';
  if (!isWhole) return undefined;
  const isListed = isMetricId(metric);
  const label =
    textOf(more.label, MAX_LABEL_CHARS) ?? (isListed ? undefined : textOf(metric, MAX_LABEL_CHARS));
  const names = textsOf(more.names, MAX_NAMES, isName);
  const operands = textsOf(more.operands, MAX_OPERANDS, (text) => DECIMAL.test(text));
  const period = textOf(more.period, MAX_SHORT_CHARS);
  const parameter = textOf(more.parameter, MAX_SHORT_CHARS);
  return {
    entity,
    ...(names.length > 0 && { names }),
    metric: isListed ? metric : 'other',
    ...(label !== undefined && { label }),
    ...(typeof more.day === 'string' && DAY.test(more.day) && { day: more.day }),
    ...(period !== undefined && { period }),
    ...(parameter !== undefined && { parameter }),
    ...(operands.length > 0 && { operands }),
    value,
    unit,
    asOf,
    source,
    isSample,
  };
};

/** The well-formed facts of a result. Each subject is named once. */
export const factsIn = (given: readonly unknown[]): readonly Fact[] => {
  const named = new Set<string>();
  return given
    .flatMap((fact) => attempt(() => factOf(fact)) ?? [])
    .map((fact) => {
      if (!fact.names || !named.has(fact.entity)) {
        if (fact.names) named.add(fact.entity);
        return fact;
      }
      const { names: _names, ...rest } = fact;
      return rest;
    });
};
