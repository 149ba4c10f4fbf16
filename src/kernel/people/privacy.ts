import type { Locale } from '../locale.ts';
import type { ChannelId, UserId, NamedIdentity } from '../ids.ts';
import type { MediaAttachment } from '../chat/message.ts';

/**
 * Port: everything stored about a person, for `/privacy`: their messages and settings on this platform, and the account
 * data that linked identities share. Messages of a linked identity are handled on its own platform.
 */
export interface AccountData {
  readonly retentionDays: number;
  /** Labels for the counts, in display order. */
  readonly labels: readonly CountLabel[];
  readonly counts: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** Deletes all of it and notifies linked identities. What others wrote in shared conversations stays. */
  readonly erase: (channelId: ChannelId, userId: UserId) => Promise<AccountDataCounts>;
  /** Exports all of it as one file for the person alone, without secrets. */
  readonly export: (
    channelId: ChannelId,
    userId: UserId,
    locale: Locale,
    timeZone: string,
  ) => Promise<MediaAttachment>;
}

/** Row counts by the kind that each table names. */
export type AccountCounts = Readonly<Record<string, number>>;

/** The texts for one count. Each table brings its own. */
export interface CountLabel extends Readonly<Record<Locale, CountWords>> {
  /** The key in the counts. */
  readonly of: string;
}

interface CountWords {
  /** A line of `/privacy`. */
  readonly line: (count: number, all: AccountCounts) => string;
  /** Part of a sentence, `3 alerts`. Absent if `/privacy delete` removes no such rows or reports them otherwise. */
  readonly amount?: (count: number, all: AccountCounts) => string;
}

/** `AccountCounts` with the identities that share the data. */
export interface AccountDataCounts {
  readonly hasProfile: boolean;
  /** The other linked identities. */
  readonly others: readonly NamedIdentity[];
  readonly [kind: string]: number | boolean | readonly NamedIdentity[];
}
