import { type Locale, texts } from '#src/core/i18n.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import { asCode } from './shown-values.ts';

/** A platform as people call it; one that came by a plugin by its id. */
export const platformName = (channelId: string, locale: Locale): string => {
  const known: Readonly<Record<string, string>> = texts(locale).identity.platforms;
  return Object.hasOwn(known, channelId) ? (known[channelId] ?? channelId) : channelId;
};

/** Somebody's names: the platform, and the id that it vouches for. */
export const identityNames = (people: readonly PersonRef[], locale: Locale): string =>
  people.map(({ channelId, userId }) => `${platformName(channelId, locale)} (${asCode(userId)})`).join(', ');
