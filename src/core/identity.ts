import type { Timestamp } from './ids.ts';
import type { OwnedCounts } from './operations.ts';
import type { PersonRef } from './personal-desk.ts';

export type LinkedIdentities =
  | {
      readonly status: 'linked';
      readonly with: PersonRef;
      /** What is theirs together from here on. */
      readonly owned: OwnedCounts;
    }
  /** Wrong, used or too old. */
  | { readonly status: 'unknown' }
  /** Said by the one who got it, or both are one already. */
  | { readonly status: 'same' };

/** Port: one person on several platforms, for `/link`. Whoever is linked reads and changes all that is theirs. */
export interface Identities {
  /** All names of a person, the one who asks first. */
  readonly of: (person: PersonRef) => Promise<readonly PersonRef[]>;
  /** What the others would get to see. */
  readonly owned: (person: PersonRef) => Promise<OwnedCounts>;
  /** A new code, in place of an earlier one. */
  readonly issueCode: (
    person: PersonRef,
  ) => Promise<{ readonly code: string; readonly expiresAt: Timestamp }>;
  /** Joins who says a code with who got it. */
  readonly link: (code: string, person: PersonRef) => Promise<LinkedIdentities>;
  /** Others have read it: nobody comes in by it any more. */
  readonly voidCode: (code: string) => Promise<void>;
  /** This one is on its own again, without the data, which stays with the others. False where it was so already. */
  readonly unlink: (person: PersonRef) => Promise<boolean>;
}
