import type { Plot } from '#src/kernel/chat/plot.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { COLOURS, type MarkdownSheet } from './markdown.ts';
import { paint, span, type Spans, type Style, wrapSpans } from './spans.ts';

const ROWS = 10;
const MAX_CELLS = 72;
/** Narrower than this, a line says nothing. */
const LEAST_CELLS = 20;
/** A braille character has two columns of four dots. */
const [DOTS_ACROSS, DOTS_DOWN] = [2, 4];
const BRAILLE = 0x2800;
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

type Styles = readonly Style[];

/** Neighbours with the same one become one piece. */
const DIM: Styles = ['dim'];
const LINES: readonly Styles[] = [['cyan'], ['yellow'], ['magenta'], ['green'], ['blueBright'], ['red']];

const stylesOf = ({ lines, tone }: Plot, locale: Locale): readonly Styles[] =>
  lines.length > 1 || tone === undefined || tone === 'flat' ? LINES : [[COLOURS[locale][tone]]];

interface Cell {
  dots: number;
  line: number;
}

/** The value between the two that are nearest. Undefined where one of them is missing. */
const valueAt = (values: readonly (number | null)[], place: number): number | undefined => {
  const [before, after] = [values[Math.floor(place)], values[Math.ceil(place)]];
  return typeof before === 'number' && typeof after === 'number'
    ? before + (after - before) * (place % 1)
    : undefined;
};

/** Sets the dots of all lines, each connected from one column of dots to the next. */
const cellsOf = ({ lines }: Plot, width: number, dotOf: (value: number) => number): readonly Cell[][] => {
  const cells = Array.from({ length: ROWS }, () =>
    Array.from({ length: width }, (): Cell => ({ dots: 0, line: 0 })),
  );
  for (const [line, { values }] of lines.entries()) {
    let before: number | undefined;
    for (let x = 0; x < width * DOTS_ACROSS; x += 1) {
      const value = valueAt(values, (x * (values.length - 1)) / (width * DOTS_ACROSS - 1));
      const y = value === undefined ? undefined : dotOf(value);
      if (y !== undefined)
        for (let dot = Math.min(y, before ?? y); dot <= Math.max(y, before ?? y); dot += 1) {
          const cell = cells[Math.floor(dot / DOTS_DOWN)]?.[Math.floor(x / DOTS_ACROSS)];
          if (cell) Object.assign(cell, { dots: cell.dots | (DOTS[x % 2]?.[dot % DOTS_DOWN] ?? 0), line });
        }
      before = y;
    }
  }
  return cells;
};

/** A plot in lines of a screen. None where there is no room, or where lines would look alike. */
export const drawPlot = (plot: Plot, { width, hasColour, locale }: MarkdownSheet): readonly string[] => {
  const { lines, base } = plot;
  const [high, low] = [plot.high, plot.low].map(stripControlCharacters) as [string, string];
  const labelWidth = Math.max(displayWidth(high), displayWidth(low));
  const cellCount = Math.min(MAX_CELLS, width - labelWidth - 2);
  const all = [...lines.flatMap(({ values }) => values), base?.value].filter(
    (value) => typeof value === 'number',
  );
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (cellCount < LEAST_CELLS || !(most > least) || (lines.length > 1 && !hasColour)) return [];
  const dotOf = (value: number): number =>
    Math.round(((most - value) / (most - least)) * (ROWS * DOTS_DOWN - 1));
  const baseRow = base ? Math.floor(dotOf(base.value) / DOTS_DOWN) : undefined;
  const styles = stylesOf(plot, locale);
  const styleOf = (line: number): Styles => styles[line % styles.length] ?? DIM;
  const rows = cellsOf(plot, cellCount, dotOf).map((cells, row): Spans => {
    const label = row === 0 ? high : row === ROWS - 1 ? low : '';
    return [
      span(' '.repeat(labelWidth - displayWidth(label))),
      span(`${label} │`, 'dim'),
      ...cells.map(({ dots, line }) =>
        dots > 0
          ? { text: String.fromCodePoint(BRAILLE + dots), styles: styleOf(line) }
          : { text: row === baseRow ? '╌' : ' ', styles: DIM },
      ),
    ];
  });
  const legend = [
    ...(lines.length > 1
      ? lines.map(({ name }, line) => ({
          text: `━ ${stripControlCharacters(name)}  `,
          styles: styleOf(line),
        }))
      : []),
    ...(base ? [span(`╌ ${stripControlCharacters(base.name)}  `, 'dim')] : []),
    span(stripControlCharacters(plot.dates), 'dim'),
  ];
  return [...rows, ...wrapSpans(legend, width)].map((spans) => paint(spans, hasColour));
};
