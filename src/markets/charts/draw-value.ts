import { formatFinancialNumber } from '#src/kernel/money.ts';
import { type Scale, scaleFor, timeAxis, valueAxis } from './axes.ts';
import { baseOption, type ChartColours, comparisonLayout, LEFT } from './chart-style.ts';
import type { ValuePicture } from './chart-picture.ts';
import { type Drawing, drawLegend } from './draw-text.ts';
import { chartMessages } from './messages.ts';

const RIGHT = 104;
const LINES = 6;
const TIME_LABELS = 12;
/** From this value on, the axis uses compact units. */
const SHORT_FROM = 10_000_000;

const axisText = (value: number, { locale, currency, decimals }: ValuePicture, scale: Scale): string =>
  formatFinancialNumber(value.toFixed(Math.min(scale.decimals, decimals)), {
    locale,
    currency,
    maximumFractionDigits: Math.min(scale.decimals, decimals),
    isShort: scale.max >= SHORT_FROM,
  });

/** Draws the value and the contributions. */
export const drawValue = (picture: ValuePicture, colours: ChartColours): Drawing => {
  const { times, value, contributed, locale, decimals } = picture;
  const { height, box } = comparisonLayout(1);
  const all = [...value, ...contributed];
  const lowest = Math.min(...all);
  // Negative values need the zero line for reference.
  const highest = Math.max(...all, ...(lowest < 0 ? [0] : []));
  const scale = scaleFor(lowest, highest, LINES, decimals);
  const [valueColour, paidColour] = [colours.lines[0] ?? colours.text, colours.muted];
  const t = chartMessages(locale).portfolio;
  return {
    height,
    box,
    option: {
      ...baseOption(colours),
      grid: { left: LEFT, right: RIGHT, ...box, containLabel: false },
      xAxis: { ...timeAxis(times, picture, TIME_LABELS, colours), boundaryGap: false },
      yAxis: valueAxis({ ...scale, text: (each) => axisText(each, picture, scale) }, colours),
      series: [
        {
          type: 'line',
          data: [...contributed],
          step: 'end',
          symbol: 'none',
          silent: true,
          lineStyle: { color: paidColour, width: 1.5, type: 'dashed' },
        },
        {
          type: 'line',
          data: [...value],
          symbol: 'none',
          silent: true,
          lineStyle: { color: valueColour, width: 2.5 },
          ...(scale.min < 0 && {
            markLine: {
              silent: true,
              symbol: 'none',
              label: { show: false },
              lineStyle: { color: colours.axis, type: 'solid', width: 1 },
              data: [{ yAxis: 0 }],
            },
          }),
          // Fills from zero if the axis crosses it.
          areaStyle: { color: valueColour, opacity: 0.1, origin: scale.min < 0 ? 0 : 'start' },
        },
      ],
    },
    drawOver: (_chart, context) =>
      drawLegend(
        context,
        [
          { name: t.value, colour: valueColour },
          { name: t.contributed, colour: paidColour },
        ],
        colours,
      ),
  };
};
