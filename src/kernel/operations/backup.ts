import type { Timestamp } from '../ids.ts';

export interface BackupFacts {
  readonly file: string;
  readonly bytes: number;
  readonly madeAt: Timestamp;
  /** Made before a new version changed the database. */
  readonly isFromUpgrade: boolean;
}

export type BackupOutcome =
  | {
      readonly status: 'made';
      readonly file: string;
      readonly bytes: number;
      readonly tookMs: number;
      readonly rows: number;
      readonly isEncrypted: boolean;
      /** How many there are now. */
      readonly kept: number;
    }
  | { readonly status: 'running' }
  /** The reason is a sentence for operators. */
  | { readonly status: 'failed'; readonly reason: string };

/** Port: backups of all data, for `/backup`. */
export interface Backups {
  /** Hours between automatic backups; 0 for none. */
  readonly everyHours: number;
  /** Makes one, and reads it back. Only one is made at a time. */
  readonly make: () => Promise<BackupOutcome>;
  /** Newest first. */
  readonly list: () => Promise<readonly BackupFacts[]>;
}
