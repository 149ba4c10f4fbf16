import { describe, expect, it } from 'vitest';
import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createIdentities } from '#src/people/identities.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { partyOf } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personOf } from '../features/alerts/alerts-fixture.ts';
import { furnishOwned } from './store/owned-fixture.ts';

const [ann, annElsewhere, bob] = [
  personOf('slack', 'U1'),
  personOf('discord', '42'),
  personOf('slack', 'U2'),
];

describe('one person on two platforms', () => {
  it('is linked by a code and a yes, shares all of both, and every change is noted and told', async () => {
    const { storage } = await sqliteStorage();
    const clock = new ManualClock();
    const audit = createAuditStore(storage);
    const owners = createOwnerStore(storage, clock);
    let woken = 0;
    const wake = () => void (woken += 1);
    const identities = createIdentities({ storage, owners, audit, notify, wake, clock });
    for (const person of [ann, annElsewhere, bob]) await furnishOwned(storage, person);
    const toldTo = async ({ channelId, userId }: PersonRef): Promise<readonly string[]> => {
      const rows = await storage.db
        .selectFrom('notifications')
        .select('payload')
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .where('payload', 'like', '%계정%')
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(({ payload }) => (JSON.parse(payload) as { readonly text: string }).text);
    };

    const { code: readByOthers } = await identities.issueCode(partyOf(annElsewhere));
    await identities.voidCode(readByOthers.toLowerCase());
    expect(await identities.ask(readByOthers, ann)).toEqual({ status: 'unknown' });
    const { code } = await identities.issueCode(partyOf(annElsewhere, { locale: 'ko' }));
    expect(await identities.link('AAAA-AAAA', partyOf(ann))).toEqual({ status: 'unknown' });
    expect(await identities.link(code, partyOf(annElsewhere))).toEqual({ status: 'same' });
    const nameless = partyOf(ann, { name: '\u202e`<@U1>`' });
    expect(await identities.link(code, nameless)).toEqual({ status: 'unasked' });
    expect(await identities.ask(code, ann)).toMatchObject({
      status: 'asked',
      with: [{ ...annElsewhere, name: 'name of 42' }],
      owned: { portfolios: 1, transactions: 2 },
    });
    expect(await toldTo(annElsewhere)).toEqual([]);
    expect(await identities.link(code, nameless)).toMatchObject({
      status: 'linked',
      with: { ...annElsewhere, name: 'name of 42' },
      owned: { portfolios: 2, transactions: 4, alerts: 2, watched: 1, briefings: 2 },
    });
    // In the language of the other side, and the name is plain text there.
    expect(await toldTo(annElsewhere)).toEqual([
      identityTexts('ko').otherLinked({ other: 'Slack `@U1` (`U1`)' }),
    ]);
    expect(await toldTo(ann)).toEqual([]);
    expect(await identities.of(ann)).toEqual([ann, { ...annElsewhere, name: 'name of 42' }]);
    expect(await identities.of(annElsewhere)).toMatchObject([annElsewhere, ann]);
    // Somebody else is neither one of them, nor comes by the same code.
    expect(await identities.ask(code, bob)).toEqual({ status: 'unknown' });
    expect(await identities.of(bob)).toEqual([bob]);

    expect(await identities.unlink(partyOf(ann))).toMatchObject({ others: [annElsewhere] });
    expect(await identities.unlink(partyOf(ann))).toBeUndefined();
    expect(await toldTo(annElsewhere)).toHaveLength(2);
    expect(woken).toBe(2);
    expect((await audit.recent(10)).map(({ action }) => action)).toEqual([
      'link-off',
      'link',
      'link-code',
      'link-code',
    ]);
  });
});
