import type { Fact } from '#src/kernel/market/fact.ts';

/** What a fact says, without its value: `close @2026-11-13`, `changePercent 1y`, `rsi(14)`. */
export const kindOf = ({ metric, parameter, period, day }: Fact): string =>
  [
    parameter === undefined ? metric : `${metric}(${parameter})`,
    ...(period === undefined ? [] : [period]),
    ...(day === undefined ? [] : [`@${day}`]),
  ].join(' ');
