import type { Locale } from '#src/kernel/locale.ts';
import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import { type Identities, identityName, portfolioNames } from '#src/kernel/people/identity.ts';
import type { DeliveryId, PersonRef } from '#src/kernel/ids.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Notify } from '#src/kernel/chat/notification.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import type { Uses } from '#src/platform/services.ts';
import { type LinkLeft, named, type OwnerIdentity, type OwnerStore } from './store/owners.ts';
import { countRows, labelsOf, sharedAmong } from './store/rows.ts';

interface IdentitiesDeps extends Uses<'audit.record' | 'clock.now' | 'wake'> {
  readonly storage: Pick<Storage, 'db' | 'codes' | 'tables'>;
  readonly owners: OwnerStore;
  readonly notify: Notify<Tx>;
}

export const withoutSelf = (
  people: readonly OwnerIdentity[],
  { channelId, userId }: PersonRef,
): readonly OwnerIdentity[] =>
  people.filter((other) => other.channelId !== channelId || other.userId !== userId);

/** Notifies each identity in its direct chat, where that is known. */
export const tellIdentities = async (
  notify: Notify<Tx>,
  tx: Tx,
  people: readonly OwnerIdentity[],
  text: (locale: Locale) => string,
  at: Temporal.Instant,
): Promise<void> => {
  for (const { contact } of people) {
    if (!contact?.target) continue;
    const { target, locale } = contact;
    const notification = {
      id: newId<DeliveryId>(),
      target,
      payload: { text: text(locale), isSentAnyway: true as const },
      dueAt: at,
    };
    await notify(tx, notification, at);
  }
};

const splitOf = ({ others, takes, leaves }: LinkLeft) => ({ others: others.map(named), takes, leaves });

/** Links and unlinks identities, with an audit entry and notifications for every change. */
export const createIdentities = ({
  storage,
  owners,
  audit,
  notify,
  wake,
  clock,
}: IdentitiesDeps): Identities => {
  const shared = sharedAmong(storage.tables);
  const owned = async (person: PersonRef) => {
    const { channelId, userId } = person;
    const ownerId = await owners.ownerOf(person);
    return countRows(storage.db, shared, { channelId, userId, ownerId, sessions: [], codes: storage.codes });
  };
  return {
    labels: labelsOf(shared),

    of: async (person) => [person, ...withoutSelf(await owners.identitiesOf(person), person).map(named)],

    issueCode: async (person) => {
      const issued = await owners.issueCode(person);
      await audit.record('link-code', person, {}, clock.now());
      return issued;
    },

    ask: async (code, person) => {
      const outcome = await owners.ask(code, person);
      return outcome.status === 'asked' ? { ...outcome, owned: await owned(person) } : outcome;
    },

    link: async (code, person) => {
      const outcome = await owners.link(code, person, (tx, { others }) =>
        tellIdentities(
          notify,
          tx,
          others,
          (locale) => identityTexts(locale).otherLinked({ other: identityName(person, locale) }),
          clock.now(),
        ),
      );
      if (outcome.status !== 'linked') return outcome;
      wake();
      const counts = await owned(person);
      await audit.record('link', person, counts, clock.now());
      return { status: 'linked', with: outcome.with, owned: counts };
    },

    decline: owners.decline,

    voidCode: owners.voidCode,

    split: async (person) => {
      const found = await owners.split(person);
      return found && splitOf(found);
    },

    unlink: async (person) => {
      const left = await owners.unlink(person, (tx, { others, takes }) =>
        tellIdentities(
          notify,
          tx,
          others,
          (locale) => {
            const t = identityTexts(locale);
            const other = identityName(person, locale);
            return takes.length > 0
              ? t.otherLeftWith({ other, portfolios: portfolioNames(takes) })
              : t.otherLeft({ other });
          },
          clock.now(),
        ),
      );
      if (!left) return undefined;
      wake();
      await audit.record('link-off', person, {}, clock.now());
      return splitOf(left);
    },
  };
};
