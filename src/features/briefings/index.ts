import type { Feature } from '#src/features/feature.ts';
import { setBriefing } from './tools.ts';

export const briefings = {
  tools: {
    set_briefing: setBriefing,
  },
} satisfies Feature;

export { briefingEndNotice, briefingTitle, daysText, timeText } from './briefing-text.ts';
export { nextBriefingAt } from './schedule.ts';
export type { BriefingStore } from './store.ts';
