/** What a picture of prices shows, for a terminal that shows no pictures and draws it with characters. */
export interface Plot {
  readonly lines: readonly PlotLine[];
  /** The highest and the lowest value of all. */
  readonly high: string;
  readonly low: string;
  readonly dates: string;
  /** What changes are measured from. */
  readonly base?: { readonly value: number; readonly name: string };
  /** Of one line: how it went. */
  readonly tone?: 'up' | 'down' | 'flat';
}

interface PlotLine {
  readonly name: string;
  /** At equal distances. Null where there is none. */
  readonly values: readonly (number | null)[];
}

const MAX_LINES = 6;
/** More than a terminal has columns for. */
export const MAX_PLOT_VALUES = 200;

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 200;
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

const isLine = ({ name, values }: PlotLine): boolean =>
  isText(name) &&
  values.length <= MAX_PLOT_VALUES &&
  values.every((value) => value === null || isNumber(value));

/** Whether a value from outside is one that can be drawn. May throw. */
export const isPlot = (value: unknown): value is Plot => {
  if (typeof value !== 'object' || value === null) return false;
  const { lines, high, low, dates, base } = value as Plot;
  return (
    [high, low, dates].every(isText) &&
    lines.length <= MAX_LINES &&
    lines.every(isLine) &&
    (base === undefined || (isText(base.name) && isNumber(base.value)))
  );
};
