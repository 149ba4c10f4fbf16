import { createHash } from 'node:crypto';
import type { Identities } from '#src/core/identity.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { AuditStore } from './audit.ts';
import type { Storage } from './database.ts';
import { countOwned } from './owned-rows.ts';
import type { OwnerStore } from './owners.ts';
import { cleanShortCode } from './short-codes.ts';

export interface IdentitiesDeps {
  readonly storage: Pick<Storage, 'db' | 'write'>;
  readonly owners: OwnerStore;
  readonly audit: Pick<AuditStore, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The one who asks first; the others as they were linked. */
export const identitiesOf = async (
  owners: Pick<OwnerStore, 'identitiesOf'>,
  { channelId, userId }: PersonRef,
): Promise<readonly PersonRef[]> => {
  const all = await owners.identitiesOf({ channelId, userId });
  const others = all.filter((other) => other.channelId !== channelId || other.userId !== userId);
  return [{ channelId, userId }, ...others];
};

/** Who is one person with whom, with a note of every change of it. */
export const createIdentities = ({ storage, owners, audit, clock }: IdentitiesDeps): Identities => {
  const owned: Identities['owned'] = async (person) => countOwned(storage.db, await owners.ownerOf(person));
  return {
    of: (person) => identitiesOf(owners, person),

    owned,

    issueCode: async (person) => {
      const issued = await owners.issueCode(person);
      await audit.record('link-code', person, {}, clock.now());
      return issued;
    },

    link: async (code, person) => {
      const outcome = await owners.link(code, person);
      if (outcome.status !== 'linked') return outcome;
      const counts = await owned(person);
      await audit.record('link', person, { ...counts }, clock.now());
      return { status: 'linked', with: outcome.with, owned: counts };
    },

    voidCode: async (code) => {
      const hash = createHash('sha256').update(cleanShortCode(code)).digest('hex');
      await storage.write((tx) => tx.deleteFrom('link_codes').where('code_hash', '=', hash).execute());
    },

    unlink: async (person) => {
      const isOnItsOwn = await owners.unlink(person);
      if (isOnItsOwn) await audit.record('link-off', person, {}, clock.now());
      return isOnItsOwn;
    },
  };
};
