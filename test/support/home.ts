import type { HomePages } from '#src/kernel/home.ts';

/** The pages of people who have nothing, for channels that show none. */
export const EMPTY_HOME: HomePages = {
  compose: async () => ({ locale: 'en', sections: [], footer: '', isPartial: false }),
  versionOf: async () => '',
  languageOf: async () => 'en',
  question: (id) => ({ id, label: id, field: id, example: id, command: '' }),
};
