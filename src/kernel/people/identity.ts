import type { Locale } from '../locale.ts';
import type { PersonRef, Timestamp, NamedIdentity } from '../ids.ts';
import type { ReplyTarget } from '../chat/message.ts';
import type { AccountCounts, CountLabel } from './privacy.ts';
import { identityTexts } from './texts/identity.ts';
import { shortened, visibleLine } from '../text.ts';
import { isTerminal } from '../chat/terminal.ts';

/** An identity that is being linked, and how to notify it later. */
export interface LinkParty extends PersonRef {
  readonly name: string;
  readonly locale: Locale;
  /** Its direct chat; absent if it could not be opened. */
  readonly target?: ReplyTarget | undefined;
}

/** `unknown`: wrong, used or expired. `same`: entered by the person it was issued to, or both are linked already. */
type UnusableCode = { readonly status: 'unknown' } | { readonly status: 'same' };

type LinkQuestion =
  | {
      readonly status: 'asked';
      /** The identity that got the code first, then those linked with it. */
      readonly with: readonly NamedIdentity[];
      /** The data that the other side could see and change. */
      readonly owned: AccountCounts;
    }
  | UnusableCode;

type LinkedIdentities =
  | {
      readonly status: 'linked';
      readonly with: NamedIdentity;
      /** The data that is shared from now on. */
      readonly owned: AccountCounts;
    }
  /** This person was not asked about this code yet, or the identities it would link have changed since. */
  | { readonly status: 'unasked' | 'changed' }
  /** Together they would exceed the limit of portfolio entries. */
  | { readonly status: 'full'; readonly limit: number }
  | UnusableCode;

/** Which portfolios (by name) each side keeps when an identity leaves a link. */
export interface LinkSplit {
  readonly others: readonly NamedIdentity[];
  /** Portfolios created by the leaving identity. */
  readonly takes: readonly string[];
  readonly leaves: readonly string[];
}

/**
 * Port: one person on several platforms, for `/link`. Linked identities read and change the same portfolios, alerts,
 * watchlist and briefings. Messages, conversations, profile, reminders and usage stay with their own identity.
 */
export interface Identities {
  /** Labels for the counts of shared data, in display order. */
  readonly labels: readonly CountLabel[];
  /** All identities of a person, the given one first. */
  readonly of: (person: PersonRef) => Promise<readonly NamedIdentity[]>;
  /** Issues a code and invalidates the earlier one. */
  readonly issueCode: (
    person: LinkParty,
  ) => Promise<{ readonly code: string; readonly expiresAt: Timestamp }>;
  /** Shows what linking would share. Only this person may confirm afterwards, while the code is valid. */
  readonly ask: (code: string, person: PersonRef) => Promise<LinkQuestion>;
  /** Links this person with the one who got the code, and notifies the other side. */
  readonly link: (code: string, person: LinkParty) => Promise<LinkedIdentities>;
  /** Declines all open link questions of this person and voids their codes. False if there were none. */
  readonly decline: (person: PersonRef) => Promise<boolean>;
  /** Voids a code that others have read. */
  readonly voidCode: (code: string) => Promise<void>;
  /** What `unlink` would do; undefined if nothing is linked. */
  readonly split: (person: PersonRef) => Promise<LinkSplit | undefined>;
  /** Removes this identity from the link and notifies the others. Undefined if nothing was linked. */
  readonly unlink: (person: LinkParty) => Promise<LinkSplit | undefined>;
}

/** A channel id is the platform's name in lower case. */
const platformName = (channelId: string): string =>
  `${channelId.slice(0, 1).toUpperCase()}${channelId.slice(1)}`;

/** A code span disables markup, mentions and links; invisible characters are removed. */
const inert = (text: string): string => `\`${visibleLine(text).replaceAll('`', "'")}\``;

/**
 * ``Discord `Ann` (`42`)``: the platform and the id are authenticated, the name is untrusted. The terminal has one person
 * without a name, who may be somebody else than the reader.
 */
export const identityName = ({ channelId, userId, name = '' }: NamedIdentity, locale: Locale): string => {
  if (isTerminal(channelId)) return identityTexts(locale).terminal();
  const shown = shortened(name);
  const platform = platformName(channelId);
  return shown === '' ? `${platform} (${inert(userId)})` : `${platform} ${inert(shown)} (${inert(userId)})`;
};

export const identityNames = (people: readonly NamedIdentity[], locale: Locale): string =>
  people.map((person) => identityName(person, locale)).join(', ');

export const portfolioNames = (names: readonly string[]): string => names.map(inert).join(', ');
