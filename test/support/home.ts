import type { HomePages, HomeVisit, HomeVisits } from '#src/kernel/people/home.ts';

/** Who has opened their page, in memory: what the processes of a test share. */
export const keptVisits = (): HomeVisits => {
  const kept = new Map<string, HomeVisit>();
  return {
    opened: async ({ userId }) => void kept.set(userId, kept.get(userId) ?? {}),
    written: async ({ userId }, version) => void (kept.has(userId) && kept.set(userId, { version })),
    find: async ({ userId }) => kept.get(userId),
  };
};

/** The pages of people who have nothing, for channels that show none. */
export const EMPTY_HOME: HomePages = {
  isFor: () => true,
  compose: async () => ({ locale: 'en', sections: [], footer: '', isPartial: false }),
  versionOf: async () => '',
  languageOf: async () => 'en',
  question: (id) => ({ id, label: id, field: id, example: id, command: '' }),
  visits: keptVisits(),
  onErased: () => undefined,
};
