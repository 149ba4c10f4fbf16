import { type Actor, inOwnChat } from '#src/kernel/chat/actor.ts';
import type { HomePages, HomeQuestionId } from '#src/kernel/people/home.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { AccountData } from '#src/kernel/people/privacy.ts';
import { loadOnce } from '#src/platform/lazy-answers.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { homeTexts } from './texts.ts';
import type { HomeDeps } from './pages.ts';
import { createHomeVisits } from './store.ts';

const COMMANDS: Readonly<Record<HomeQuestionId, string>> = {
  ask: '',
  trade: '/portfolio buy',
  watch: '/watch add',
  alert: '/alert',
  briefing: '/briefing',
  zone: '/profile timezone',
};

export interface OpenedHome extends HomePages {
  /** The same deletion, after which the page of the person is written again: nothing else knows that they opened it. */
  readonly erasing: (erase: AccountData['erase']) => AccountData['erase'];
}

/** The pages of people about their own data. Their code is loaded with the first page. */
export const createHome = (
  deps: HomeDeps & {
    readonly storage: Pick<Storage, 'db' | 'write'>;
    /** Whether the gates leave somebody without any answer. */
    readonly isIgnored: (actor: Omit<Actor, 'locale'>) => boolean;
  },
): OpenedHome => {
  const visits = createHomeVisits(deps.storage, deps.clock);
  const listeners: ((person: PersonRef) => void)[] = [];
  const load = loadOnce(async () => {
    const { createHomePages } = await import('./pages.ts');
    return createHomePages(deps);
  });
  return {
    isFor: (reader) => !deps.isIgnored(inOwnChat(reader)),
    compose: async (reader, signal) => (await load()).compose(reader, signal),
    versionOf: async (reader) => (await load()).versionOf(reader),
    languageOf: async (reader) => (await load()).languageOf(reader),
    question: (id, locale) => ({ id, command: COMMANDS[id], ...homeTexts(locale).questions[id] }),
    visits,
    onErased: (listener) => void listeners.push(listener),
    erasing: (erase) => async (channelId, userId) => {
      const person = { channelId, userId };
      const visit = await visits.find(person);
      const erased = await erase(channelId, userId);
      if (visit) for (const listener of listeners) listener(person);
      return erased;
    },
  };
};
