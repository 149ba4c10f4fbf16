import { type Locale, texts } from './i18n.ts';
import type { NamedIdentity } from './personal-desk.ts';
import { shortened, visibleLine } from './text.ts';

/** A platform as people call it; one that came by a plugin by its id. */
const platformName = (channelId: string, locale: Locale): string => {
  const known: Readonly<Record<string, string>> = texts(locale).identity.platforms;
  return Object.hasOwn(known, channelId) ? (known[channelId] ?? channelId) : channelId;
};

/** In a code span nothing is markup, a mention or a link, and unseen characters are gone. */
const inert = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;

/** `Discord: Ann (42)`: the platform and the id are vouched for, the name is what somebody calls themselves. */
export const identityName = ({ channelId, userId, name = '' }: NamedIdentity, locale: Locale): string => {
  const shown = shortened(name);
  const platform = platformName(channelId, locale);
  return shown === '' ? `${platform} (${inert(userId)})` : `${platform} ${inert(shown)} (${inert(userId)})`;
};

export const identityNames = (people: readonly NamedIdentity[], locale: Locale): string =>
  people.map((person) => identityName(person, locale)).join(', ');

/** Names of portfolios, as their owner wrote them. */
export const portfolioNames = (names: readonly string[]): string => names.map(inert).join(', ');
