export { briefingEndNotice, briefingTitle, daysText, timeText } from './briefing-text.ts';
export { nextBriefingAt } from './next-run.ts';
export type { BriefingStore } from './store.ts';
