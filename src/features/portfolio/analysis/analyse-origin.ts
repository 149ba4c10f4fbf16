import type { History } from '#src/markets/sources/source.ts';
import type { AnalysisData } from './analyse-data.ts';
import type { Exposure } from './exposure.ts';

/** From where everything is, and as of when the last prices are. */
export interface Origin {
  readonly asOf: Temporal.Instant;
  readonly source: string;
  readonly isSample: boolean;
}

/** As old as the oldest price or rate of what is held now; where nothing is, as the newest of all. */
export const originOf = (
  { holdings, cash }: Exposure,
  { priced, rates, benchmark }: AnalysisData,
): Origin | undefined => {
  const all: readonly History[] = [
    ...[...priced.values()].map(({ history }) => history),
    ...[...rates.values()].flatMap(({ histories }) => histories),
    ...(benchmark ? [benchmark.history] : []),
  ];
  const currencies = new Set([
    ...holdings.map(({ instrument }) => instrument.currency),
    ...cash.map((each) => each.currency),
  ]);
  const current = [
    ...holdings.flatMap(({ instrument }) => priced.get(instrument.symbol)?.history ?? []),
    ...[...currencies].flatMap((currency) => rates.get(currency)?.histories ?? []),
  ];
  const moments = (current.length > 0 ? current : all)
    .map(({ asOf }) => asOf)
    .toSorted((a, b) => Temporal.Instant.compare(a, b));
  const asOf = current.length > 0 ? moments[0] : moments.at(-1);
  return (
    asOf && {
      asOf,
      source: [...new Set(all.map(({ source }) => source))].join(', '),
      isSample: all.some(({ isSample }) => isSample),
    }
  );
};
