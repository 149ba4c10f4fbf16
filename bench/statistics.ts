const show = (value: number | undefined): string => (value ?? Number.NaN).toFixed(0);

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** The middle value and the range: one slow run on a busy machine must not decide. */
export const summarize = (values: readonly number[], unit: string): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return `median ${show(median(values))} ${unit} (${show(sorted[0])}–${show(sorted.at(-1))}, n=${sorted.length})`;
};
