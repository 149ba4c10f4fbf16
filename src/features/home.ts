import type { HomePages, HomeQuestionId } from '#src/kernel/home.ts';
import { loadOnce } from '#src/platform/lazy-answers.ts';
import { homeMessages } from './home-messages.ts';
import type { HomeDeps } from './home-pages.ts';

const COMMANDS: Readonly<Record<HomeQuestionId, string>> = {
  ask: '',
  trade: '/portfolio buy',
  watch: '/watch add',
  alert: '/alert',
  briefing: '/briefing',
  zone: '/profile timezone',
};

/** The pages of people about their own data. Their code is loaded with the first page. */
export const createHome = (deps: HomeDeps): HomePages => {
  const load = loadOnce(async () => {
    const { createHomePages } = await import('./home-pages.ts');
    return createHomePages(deps);
  });
  return {
    compose: async (reader, signal) => (await load()).compose(reader, signal),
    versionOf: async (reader) => (await load()).versionOf(reader),
    languageOf: async (reader) => (await load()).languageOf(reader),
    question: (id, locale) => ({ id, command: COMMANDS[id], ...homeMessages(locale).questions[id] }),
  };
};
