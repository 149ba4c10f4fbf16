import type { SKRSContext2D } from '@napi-rs/canvas';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { type Scale, scaleFor, timeAxis, valueAxis } from './axes.ts';
import { baseOption, type ChartColours, LEFT, plainLayout, TEXT } from './chart-style.ts';
import type { ValuePicture } from './chart-picture.ts';
import { type Drawing, drawLegend, textWidth } from './draw-text.ts';
import { chartTexts } from './texts.ts';

const LINES = 6;
const TIME_LABELS = 8;
/** From this value on, the axis uses compact units. */
const SHORT_FROM = 10_000_000;

/** Labels of the axis, in compact units unless two lines would have the same: $10M, and $10M above it. */
const axisText = (
  { locale, currency, decimals }: ValuePicture,
  { min, max, lines, decimals: needed }: Scale,
): ((value: number) => string) => {
  const digits = Math.min(needed, decimals);
  const textOf =
    (isShort: boolean) =>
    (value: number): string =>
      formatFinancialNumber(value.toFixed(digits), {
        locale,
        currency,
        maximumFractionDigits: digits,
        isShort,
      });
  const short = textOf(true);
  const isLarge = Math.max(Math.abs(min), Math.abs(max)) >= SHORT_FROM;
  return isLarge && new Set(lines.map(short)).size === lines.length ? short : textOf(false);
};

/** Draws the value and the contributions. */
export const drawValue = (
  picture: ValuePicture,
  colours: ChartColours,
  measure: SKRSContext2D,
  headBottom: number,
): Drawing => {
  const { times, value, contributed, locale, decimals } = picture;
  const { height, box } = plainLayout(headBottom, 1);
  const all = [...value, ...contributed];
  const lowest = Math.min(...all);
  // Negative values need the zero line for reference.
  const highest = Math.max(...all, ...(lowest < 0 ? [0] : []));
  const scale = scaleFor(lowest, highest, LINES, decimals);
  const [valueColour, paidColour] = [colours.lines[0] ?? colours.text, colours.muted];
  const t = chartTexts(locale).portfolio;
  const text = axisText(picture, scale);
  const widest = Math.max(...scale.lines.map((each) => textWidth(measure, text(each), { size: TEXT })));
  return {
    height,
    box,
    option: {
      ...baseOption(colours),
      grid: { left: LEFT, right: Math.ceil(widest) + 16, ...box, containLabel: false },
      xAxis: { ...timeAxis(times, picture, TIME_LABELS, colours), boundaryGap: false },
      yAxis: valueAxis({ ...scale, text }, colours),
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
              lineStyle: { color: colours.muted, type: 'solid', width: 1.5 },
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
        headBottom,
      ),
  };
};
