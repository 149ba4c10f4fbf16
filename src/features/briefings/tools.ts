import { z } from 'zod';
import { askAfterOthers } from '#src/kernel/after-others.ts';
import { briefingTexts } from './texts.ts';
import { type BriefingService, requesterOfCall } from '#src/kernel/account-services.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

const MAX_NAMES = 10;
const MAX_WORDS = 60;

const input = toolInput(() =>
  z.object({
    action: z.enum(['now', 'set', 'list', 'remove']),
    time: z.string().max(MAX_WORDS).optional().describe('To set one: e.g. "08:30", "8:30pm", "아침 8시 반"'),
    days: z
      .string()
      .max(MAX_WORDS)
      .optional()
      .describe('To set one: "weekdays", "daily", "mon,wed,fri", "평일"; leave out for weekdays'),
    names: z
      .array(nameInput())
      .max(MAX_NAMES)
      .optional()
      .describe('For now and set: what to tell of beside the watchlist, e.g. ["삼성전자", "AAPL"]'),
    id: z.string().max(MAX_WORDS).optional().describe('To remove one: its ID, or "all"'),
  }),
);

export const setBriefing = ({ briefings }: { readonly briefings: BriefingService }): Tool =>
  defineTool({
    name: 'set_briefing',
    description: [
      'Give, set, list or delete briefings for the user: a message at a time of day with market sessions, indices,',
      'currencies, their watchlist, what moved their portfolio, and headlines. Use action="set" only when the user asks',
      'to be told regularly ("매일 아침 8시 반에 브리핑해 줘", "brief me every weekday at 7"); for one message at one time',
      'use notify, and for a price that is reached use set_alert. action="now" gives one right away. Pass time and days in the words of the user; the time',
      'is in their own time zone, and the result says which, with the first time: repeat it. When the user',
      'gave no time, ask for it instead of choosing one. action="remove" needs the ID, which action="list" shows; "all"',
      'deletes nothing, but tells the user how they do that themselves.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    input,
    approvalFor: ({ action }, context) => (action === 'remove' ? askAfterOthers(context) : undefined),
    progress: ({ action }, locale) => briefingTexts(locale).progress[action](),
    run: async ({ action, time = '', days, names, id = '' }, context, signal) => {
      const requester = requesterOfCall(
        context,
        `set_briefing:${JSON.stringify([action, time, days, names, id])}`,
      );
      if (action === 'list') return toolResult(await briefings.list({}, requester, signal));
      if (action === 'now') return toolResult(await briefings.now({ names }, requester, signal));
      return toolResult(
        action === 'set'
          ? await briefings.set({ time, days, names }, requester, signal)
          : await briefings.remove({ which: id }, requester, signal),
      );
    },
  });
