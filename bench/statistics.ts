const show = (value: number | undefined): string => (value ?? Number.NaN).toFixed(0);

/** The middle value and the range: one slow run on a busy machine must not decide. */
export const summarize = (values: readonly number[], unit: string): string => {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `median ${show(median)} ${unit} (${show(sorted[0])}–${show(sorted.at(-1))}, n=${sorted.length})`;
};
