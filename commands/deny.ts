import type { Command } from '#src/core/command.ts';
import { decide, type DecideDeps } from './decide.ts';

export const deny = (deps: DecideDeps): Command => ({
  definition: {
    name: 'deny',
    aliases: ['거절'],
    description: {
      ko: '결정을 기다리는 작업을 거절합니다',
      en: 'refuses what waits for your decision',
    },
    usage: { ko: '/deny [코드]', en: '/deny [code]' },
    category: 'general',
  },
  execute: (args, ctx) => decide(deps, 'denied', args, ctx),
});
