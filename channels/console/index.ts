import { TERMINAL } from '#src/kernel/chat/terminal.ts';
import { defineChannel } from '#src/platform/channel-definition.ts';

export const terminal = defineChannel({
  id: TERMINAL,
  variables: {},
  secrets: [],
  isFallback: true,
  settings: () => undefined,
  create: async (_settings, { env, locale, ...deps }) => {
    const { createConsoleChannel } = await import('./adapter.ts');
    const { pictureProtocolOf } = await import('./send/pictures.ts');
    const language = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'];
    return createConsoleChannel({
      ...deps,
      input: process.stdin,
      output: process.stdout,
      hasColour: process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
      canRedraw: env['TERM'] !== 'dumb',
      pictures: pictureProtocolOf(env),
      locale: locale !== 'auto' ? locale : language?.startsWith('ko') ? 'ko' : undefined,
    });
  },
});
