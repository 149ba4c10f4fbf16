import type { Feature } from '#src/features/feature.ts';
import { setBriefing } from './tools.ts';

export const briefings = {
  tools: {
    set_briefing: setBriefing,
  },
} satisfies Feature;
