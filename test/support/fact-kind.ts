import type { Fact } from '#src/kernel/tool.ts';

/** What a fact says, without its value: `close @2026-11-13`, `changePercent 1y`, `rsi(14)`. */
export const kindOf = ({ metric, parameter, period, day }: Fact): string =>
  [
    parameter === undefined ? metric : `${metric}(${parameter})`,
    ...(period === undefined ? [] : [period]),
    ...(day === undefined ? [] : [`@${day}`]),
  ].join(' ');

/** The values of facts by what they say. */
export const valuesOf = (facts: readonly Fact[]): Readonly<Record<string, string>> =>
  Object.fromEntries(facts.map((fact) => [kindOf(fact), fact.value]));
