import { z } from 'zod';
import type { SetAlertRequest } from '#src/kernel/people/alerts.ts';
import { toolInput } from '#src/kernel/agent/tool.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

const MAX_VALUE = 40;
const MAX_KEYWORD = 50;
const MAX_COOLDOWN_MINUTES = 43_200;

const CONDITIONS = [
  'above',
  'below',
  'reaches',
  'crosses_above',
  'crosses_below',
  'rises_percent',
  'falls_percent',
  'moves_percent',
  'rsi_above',
  'rsi_below',
  'golden_cross',
  'death_cross',
  'price_above_average',
  'price_below_average',
  'year_high',
  'year_low',
  'volume_times',
  'news',
] as const;
type Condition = (typeof CONDITIONS)[number];

const WITHOUT_VALUE: ReadonlySet<Condition> = new Set([
  'golden_cross',
  'death_cross',
  'year_high',
  'year_low',
  'news',
]);

export const setAlertInput = toolInput(() =>
  z
    .object({
      symbol: nameInput().describe('Name, ticker or code, as the user wrote it'),
      condition: z.enum(CONDITIONS),
      value: z
        .string()
        .max(MAX_VALUE)
        .optional()
        .describe(
          'A number as text: the price ("200", "80000", "8만원"), the percentage ("5"), the RSI level ("30"), the days of the average ("200"), the multiple of the usual volume ("3"). Not for crosses, highs, lows and news.',
        ),
      fromNow: z
        .boolean()
        .optional()
        .describe('Of percentages: measured from the price now instead of from the previous close'),
      days: z
        .string()
        .regex(/^\d{1,3}(?:\/\d{1,3})?$/u)
        .optional()
        .describe('Of an RSI its days ("14"), of golden and death crosses both averages ("50/200")'),
      keyword: z.string().max(MAX_KEYWORD).optional().describe('Of news: words in the headline; absent: any'),
      repeat: z.boolean().optional().describe('Every time it comes true; otherwise once'),
      cooldownMinutes: z.int().min(1).max(MAX_COOLDOWN_MINUTES).optional(),
      expires: z.string().max(MAX_VALUE).optional().describe('"30d", "2026-12-31"'),
      extendedHours: z
        .boolean()
        .optional()
        .describe('Only if the user asks for pre-market or after-hours prices'),
      here: z
        .boolean()
        .optional()
        .describe('Only if the user asks to be told in this very channel, where others read it'),
      isSure: z
        .boolean()
        .optional()
        .describe('Only after the result said that the level is far off and the user confirmed it'),
    })
    .refine(({ condition, value }) => WITHOUT_VALUE.has(condition) || (value ?? '').trim() !== '', {
      error: 'This condition needs a value.',
      path: ['value'],
    }),
);

export type SetAlertInput = z.output<typeof setAlertInput>;

/** Writes the input as a person would have typed it, so that one reader reads both. */
export const conditionText = ({
  symbol,
  condition,
  value = '',
  fromNow,
  days,
  keyword = '',
}: SetAlertInput): string => {
  const number = value.trim().replace(/^\+/u, '');
  const percent = `${number.replace(/(?<!\s)\s*(?:%|퍼센트|percent)$/iu, '')}%${fromNow ? ' from now' : ''}`;
  const period = days === undefined ? '' : `(${days})`;
  const words: Readonly<Record<Condition, string>> = {
    above: `above ${number}`,
    below: `below ${number}`,
    reaches: `reaches ${number}`,
    crosses_above: `crosses above ${number}`,
    crosses_below: `crosses below ${number}`,
    rises_percent: `rises ${percent}`,
    falls_percent: `falls ${percent.replace(/^[-−]/u, '')}`,
    moves_percent: `moves ${percent}`,
    rsi_above: `rsi${period} above ${number}`,
    rsi_below: `rsi${period} below ${number}`,
    golden_cross: `golden cross ${days ?? ''}`,
    death_cross: `death cross ${days ?? ''}`,
    price_above_average: `price crosses above ma${number}`,
    price_below_average: `price crosses below ma${number}`,
    year_high: '52w high',
    year_low: '52w low',
    volume_times: `volume ${number.replace(/(?<!\s)\s*(?:x|times|배)$/iu, '')}x`,
    news: `news ${keyword}`,
  };
  return `${symbol.trim()} ${words[condition]}`.trim();
};

export const requestOfModel = (asked: SetAlertInput): SetAlertRequest => ({
  text: conditionText(asked),
  isRepeating: asked.repeat,
  cooldownMinutes: asked.cooldownMinutes,
  expires: asked.expires,
  usesExtendedHours: asked.extendedHours,
  isSure: asked.isSure,
  ...(asked.here && { place: 'here' as const }),
});
