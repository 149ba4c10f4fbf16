import type { LinkParty } from '#src/kernel/people/identity.ts';
import { type AccountId, asId, type ChatId, type PersonRef } from '#src/kernel/ids.ts';
import type { LinkOutcome, OwnerStore } from '#src/people/store/owners.ts';

/** Somebody with a name and a direct chat. */
export const partyOf = ({ channelId, userId }: PersonRef, more: Partial<LinkParty> = {}): LinkParty => ({
  channelId,
  userId,
  name: `name of ${userId}`,
  locale: 'en',
  target: {
    channelId,
    accountId: asId<AccountId>('bot'),
    chatId: asId<ChatId>(userId),
    recipientId: userId,
    isDirect: true,
  },
  ...more,
});

/** One gets a code, the other one is asked and says yes. */
export const linkPeople = async (
  owners: OwnerStore,
  issuer: PersonRef,
  joiner: PersonRef,
): Promise<LinkOutcome> => {
  const { code } = await owners.issueCode(partyOf(issuer));
  await owners.ask(code, joiner);
  return owners.link(code, partyOf(joiner));
};
