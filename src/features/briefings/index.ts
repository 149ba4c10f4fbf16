export { briefingEndNotice, briefingTitle, daysText, timeText } from './briefing-text.ts';
export { nextBriefingAt } from './next-run.ts';
