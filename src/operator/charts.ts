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
const LEGEND_HEIGHT = 28;

/** The cost of each day as bars. The tables beside it have the numbers. */
export const costChart = async (view: View): Promise<string> => {
  const { query, locale } = view;
  const { days, lines, isDivided } = await linesIn(view);
  const colours = COLOURS[query.get('theme') === 'dark' ? 'dark' : 'light'];
  const size = CHART_SIZES[query.get('size') === 'narrow' ? 'narrow' : 'wide'];
  const chart: ECharts = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({
      animation: false,
      color: colours.bars,
      grid: { left: 8, right: 8, top: isDivided ? LEGEND_HEIGHT + 8 : 16, bottom: 8, containLabel: true },
      ...(isDivided && {
        legend: {
          type: 'scroll',
          top: 0,
          left: 0,
          itemWidth: 12,
          itemHeight: 12,
          textStyle: { color: colours.text },
          pageIconSize: 0,
          pageTextStyle: { color: colours.text },
        },
      }),
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
