import type { Locale } from './locale.ts';
import { identityMessages } from './messages/identity.ts';
import type { NamedIdentity } from './account-services.ts';
import { shortened, visibleLine } from './text.ts';

/** The id of a channel is the name of its platform in small letters. The terminal is no platform. */
const platformName = (channelId: string, locale: Locale): string =>
  channelId === 'console'
    ? identityMessages(locale).console()
    : `${channelId.slice(0, 1).toUpperCase()}${channelId.slice(1)}`;

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
