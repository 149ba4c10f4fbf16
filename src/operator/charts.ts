import { type ECharts, init } from 'echarts/dist/echarts.esm.min';
import { Decimal, formatUsd } from '#src/kernel/money.ts';
import type { View } from './page.ts';
import { linesIn } from './pages/usage.ts';
import { CHART_SIZES } from './pages/usage-sums.ts';

/** The first colour is that of the most expensive. Neighbours differ in lightness too, for people who see few colours. */
const COLOURS = {
  light: {
    bars: ['#0b6e74', '#c26a1b', '#5b4bb3', '#5f8f1f', '#b23a6f', '#7a8691'],
    text: '#4a5560',
    line: '#d9dee3',
    back: '#ffffff',
  },
  dark: {
    bars: ['#4fc3c9', '#e8a35c', '#a599f0', '#a5cf62', '#ec86b2', '#8b98a5'],
    text: '#aab4be',
    line: '#333c45',
    back: '#161b20',
  },
};
/** Every name gets the same room, because widths of texts are not known where no browser draws them. */
const LEGEND = { wide: { columns: 4, columnWidth: 176 }, narrow: { columns: 2, columnWidth: 138 } };
const LEGEND_ROW_HEIGHT = 22;
const SWATCH = 12;
const LEGEND_FONT = 12;
/** The widest letters of usual fonts, on average. */
const LETTER_WIDTH = 7.5;

interface Legend {
  readonly height: number;
  readonly graphic: readonly object[];
}

/** The colours with their names, in rows above the bars. */
const legendOf = (
  names: readonly string[],
  size: keyof typeof LEGEND,
  { bars, text }: (typeof COLOURS)['light'],
): Legend => {
  const { columns, columnWidth } = LEGEND[size];
  const mostLetters = Math.floor((columnWidth - 2 * SWATCH) / LETTER_WIDTH);
  const graphic = names.flatMap((name, index) => {
    const [x, y] = [(index % columns) * columnWidth, Math.floor(index / columns) * LEGEND_ROW_HEIGHT];
    const shown = name.length > mostLetters ? `${name.slice(0, mostLetters - 1).toWellFormed()}…` : name;
    return [
      { type: 'rect', shape: { x, y, width: SWATCH, height: SWATCH, r: 3 }, style: { fill: bars[index] } },
      { type: 'text', x: x + SWATCH + 6, y, style: { text: shown, fill: text, fontSize: LEGEND_FONT } },
    ];
  });
  return { height: Math.ceil(names.length / columns) * LEGEND_ROW_HEIGHT, graphic };
};

/** The cost of each day as bars. The tables beside it have the numbers. */
export const costChart = async (view: View): Promise<string> => {
  const { query, locale } = view;
  const { days, lines, isDivided } = await linesIn(view);
  const colours = COLOURS[query.get('theme') === 'dark' ? 'dark' : 'light'];
  const size = query.get('size') === 'narrow' ? 'narrow' : 'wide';
  const legend = legendOf(isDivided ? lines.map(({ name }) => name) : [], size, colours);
  const chart: ECharts = init(null, null, { renderer: 'svg', ssr: true, ...CHART_SIZES[size] });
  try {
    chart.setOption({
      animation: false,
      color: colours.bars,
      grid: { left: 8, right: 8, top: legend.height + 16, bottom: 8, containLabel: true },
      graphic: legend.graphic,
      xAxis: {
        type: 'category',
        data: days.map((day) => day.slice('yyyy-'.length)),
        axisLabel: { color: colours.text },
        axisLine: { lineStyle: { color: colours.line } },
        axisTick: { show: false },
      },
      yAxis: {
        type: 'value',
        axisLabel: {
          color: colours.text,
          formatter: (value: number) => formatUsd(new Decimal(value), locale),
        },
        splitLine: { lineStyle: { color: colours.line } },
      },
      series: lines.map(({ name, costs }) => ({
        name,
        type: 'bar',
        stack: 'cost',
        data: costs.map((cost) => cost.toNumber()),
        itemStyle: { borderColor: colours.back, borderWidth: isDivided ? 1 : 0 },
        barMaxWidth: 36,
      })),
    });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
};
