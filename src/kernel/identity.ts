import type { Locale } from './locale.ts';
import type { PersonRef, Timestamp } from './ids.ts';
import type { ReplyTarget } from './message.ts';
import type { AccountCounts, CountLabel } from './operations.ts';
import type { NamedIdentity } from './account-services.ts';
import { identityMessages } from './messages/identity.ts';
import { shortened, visibleLine } from './text.ts';

/** An identity that is being linked, with how it is told about that later. */
export interface LinkParty extends PersonRef {
  readonly name: string;
  readonly locale: Locale;
  /** Its direct chat; absent where that could not be opened. */
  readonly target?: ReplyTarget | undefined;
}

/** Wrong, used or expired; or said by the one who got it, or both are linked already. */
type UnusableCode = { readonly status: 'unknown' } | { readonly status: 'same' };

type LinkQuestion =
  | {
      readonly status: 'asked';
      /** Whoever got the code comes first, then those who are linked with them. */
      readonly with: readonly NamedIdentity[];
      /** What the other side would get to see and change. */
      readonly owned: AccountCounts;
    }
  | UnusableCode;

type LinkedIdentities =
  | {
      readonly status: 'linked';
      readonly with: NamedIdentity;
      /** What is shared from now on. */
      readonly owned: AccountCounts;
    }
  /** This person was not asked about this code yet, or those it would link have changed since. */
  | { readonly status: 'unasked' | 'changed' }
  /** Together they would have more entries in their portfolios than anybody may. */
  | { readonly status: 'full'; readonly limit: number }
  | UnusableCode;

/** Who keeps which portfolios when an identity leaves a link; by name. */
export interface LinkSplit {
  readonly others: readonly NamedIdentity[];
  /** Begun by the one who leaves. */
  readonly takes: readonly string[];
  readonly leaves: readonly string[];
}

/**
 * Port: one person on several platforms, for `/link`. Linked identities read and change the same portfolios, alerts,
 * watchlist and briefings. Messages, conversations, profile, reminders and usage stay with their own identity.
 */
export interface Identities {
  /** How counts of what is shared are shown, in this order. */
  readonly labels: readonly CountLabel[];
  /** All identities of a person, the one who asks first. */
  readonly of: (person: PersonRef) => Promise<readonly NamedIdentity[]>;
  /** A new code, in place of an earlier one. */
  readonly issueCode: (
    person: LinkParty,
  ) => Promise<{ readonly code: string; readonly expiresAt: Timestamp }>;
  /** What a yes to this code would mean. Only this person may say yes after it, and only while the code lasts. */
  readonly ask: (code: string, person: PersonRef) => Promise<LinkQuestion>;
  /** Links who was asked with who got the code, and tells the other side. */
  readonly link: (code: string, person: LinkParty) => Promise<LinkedIdentities>;
  /** No to all open questions of this person: their codes are void. False where there was none. */
  readonly decline: (person: PersonRef) => Promise<boolean>;
  /** Others have read it: it is void. */
  readonly voidCode: (code: string) => Promise<void>;
  /** What `unlink` would do; undefined where nothing is linked. */
  readonly split: (person: PersonRef) => Promise<LinkSplit | undefined>;
  /** Takes this identity out of the link and tells the others. Undefined where nothing was linked. */
  readonly unlink: (person: LinkParty) => Promise<LinkSplit | undefined>;
}

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
