import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { decide, type DecideDeps } from './decide.ts';

export const approveDefinition: CommandDefinition = {
  name: 'approve',
  aliases: ['승인'],
  description: {
    ko: '결정을 기다리는 작업을 허용합니다',
    en: 'approves the action that waits for your decision',
  },
  usage: { ko: '/approve [코드]', en: '/approve [code]' },
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

export const approve = (deps: DecideDeps): Command => ({
  definition: approveDefinition,
  execute: (args, ctx) => decide(deps, 'approved', args, ctx),
});
