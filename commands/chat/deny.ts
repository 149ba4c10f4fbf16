import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { decide, type DecideDeps } from './decide.ts';

export const denyDefinition: CommandDefinition = {
  name: 'deny',
  aliases: ['거절'],
  description: {
    ko: '결정을 기다리는 작업을 거절합니다',
    en: 'refuses the action that waits for your decision',
  },
  usage: { ko: '/deny [코드]', en: '/deny [code]' },
  category: 'general',
  options: [
    {
      name: 'code',
      nameKo: '코드',
      description: {
        ko: '질문에 적힌 코드 (하나뿐이면 비워 두세요)',
        en: 'the code in the question; leave it out where there is only one',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
};

export const deny = (deps: DecideDeps): Command => ({
  definition: denyDefinition,
  execute: (args, ctx) => decide(deps, 'denied', args, ctx),
});
