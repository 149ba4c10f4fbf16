import type { Command } from '#src/core/command.ts';
import { decide, type DecideDeps } from './decide.ts';

export const approve = (deps: DecideDeps): Command => ({
  definition: {
    name: 'approve',
    aliases: ['승인'],
    description: {
      ko: '결정을 기다리는 작업을 허용합니다',
      en: 'allows what waits for your decision',
    },
    usage: { ko: '/approve [코드]', en: '/approve [code]' },
    category: 'general',
  },
  execute: (args, ctx) => decide(deps, 'approved', args, ctx),
});
