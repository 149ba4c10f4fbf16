import { z } from 'zod';
import { askAfterOthers } from '#src/kernel/after-others.ts';
import { alertTexts } from './texts.ts';
import { type AlertService, requesterOfCall } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
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

const input = toolInput(() =>
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

export type SetAlertInput = z.output<typeof input>;

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

export const setAlert = ({ alerts }: { readonly alerts: Pick<AlertService, 'set'> }): Tool =>
  defineTool({
    name: 'set_alert',
    description: [
      'Set an alert for the user who asks: they are told when it comes true, in their direct messages unless here. Use it when',
      'the user wants to be told when a price, a change in percent, an RSI, a cross of averages, a 52-week high or',
      'low, unusual volume or a headline comes up; for a reminder at a time use notify. reaches is for a price that',
      'is named without a direction ("when it is 200", "8만원 되면"). above and below also fire',
      'if it is so already; crosses_* and all the others wait for the change. Percentages are from the previous',
      'close unless fromNow. Prices are in the currency of the instrument. Set only what the user asked for, one',
      'call an alert, and say in words when the market is looked at and where they will be told. When the name is',
      'unknown or fits several the result says so; ask the user then instead of choosing. Likewise where it says that',
      'the level is very far from the price.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    isExternal: true,
    input,
    progress: ({ symbol }, locale) => alertTexts(locale).progress.setting({ name: shortened(symbol) }),
    run: async (asked, context, signal) => {
      const text = conditionText(asked);
      const request = {
        text,
        isRepeating: asked.repeat,
        cooldownMinutes: asked.cooldownMinutes,
        expires: asked.expires,
        usesExtendedHours: asked.extendedHours,
        isSure: asked.isSure,
        ...(asked.here && { place: 'here' as const }),
      };
      const requester = requesterOfCall(context, `set_alert ${JSON.stringify(request)}`);
      return toolResult(await alerts.set(request, requester, signal));
    },
  });

const listAlertsInput = toolInput(() => z.object({}));

export const listAlerts = ({ alerts }: { readonly alerts: Pick<AlertService, 'list'> }): Tool =>
  defineTool({
    name: 'list_alerts',
    description: [
      'List the active alerts of the user who asks, with their ids, what each waits for, how often and until when.',
      'Use it when the user asks which alerts they have, and before remove_alert where it is not clear which one',
      'they mean.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    input: listAlertsInput,
    progress: (_input, locale) => alertTexts(locale).progress.listing(),
    run: async (_input, context, signal) =>
      toolResult(await alerts.list({}, requesterOfCall(context, 'list_alerts'), signal)),
  });

const removeAlertInput = toolInput(() =>
  z.object({ which: nameInput().describe('The id of the alert, a name or ticker, or "all"') }),
);

export const removeAlert = ({ alerts }: { readonly alerts: Pick<AlertService, 'remove'> }): Tool =>
  defineTool({
    name: 'remove_alert',
    description: [
      'Delete an alert of the user who asks. Use it only when the user asks for it, and tell them what was deleted.',
      'Pass the id from list_alerts, or the name of what it watches where that has one alert only. Where several fit',
      'the result lists them; ask the user then instead of choosing. "all" deletes nothing: it tells the user how they',
      'do that themselves.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    input: removeAlertInput,
    approvalFor: (_input, context) => askAfterOthers(context),
    progress: (_input, locale) => alertTexts(locale).progress.removing(),
    run: async ({ which }, context, signal) =>
      toolResult(await alerts.remove({ which }, requesterOfCall(context, `remove_alert ${which}`), signal)),
  });
