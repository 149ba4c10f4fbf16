import { type ECharts, init } from 'echarts/dist/echarts.esm.min';
import { Decimal, formatUsd } from '#src/kernel/money.ts';
import type { View } from './page.ts';
import { CHART_SIZES, daysIn, periodIn } from './pages/usage-sums.ts';

const COLOURS = {
  light: { bar: '#0b6e74', text: '#4a5560', line: '#d9dee3' },
  dark: { bar: '#4fc3c9', text: '#aab4be', line: '#333c45' },
};

/** The cost of each day as bars. The table beside it has the numbers. */
export const costChart = async ({ reports, query, locale, now }: View): Promise<string> => {
  const usage = await reports.usage(periodIn(query));
  const days = daysIn(usage, periodIn(query), now.toZonedDateTimeISO(usage.timeZone).toPlainDate());
  const colours = COLOURS[query.get('theme') === 'dark' ? 'dark' : 'light'];
  const size = CHART_SIZES[query.get('size') === 'narrow' ? 'narrow' : 'wide'];
  const chart: ECharts = init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({
      animation: false,
      grid: { left: 8, right: 8, top: 16, bottom: 8, containLabel: true },
      xAxis: {
        type: 'category',
        data: days.map(({ name }) => name.slice('yyyy-'.length)),
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
      series: [
        {
          type: 'bar',
          data: days.map(({ costUsd }) => costUsd.toNumber()),
          itemStyle: { color: colours.bar, borderRadius: [3, 3, 0, 0] },
          barMaxWidth: 36,
        },
      ],
    });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
};
