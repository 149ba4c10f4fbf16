import { describe, expect, it } from 'vitest';
import { createAuditStore } from '#src/storage/audit.ts';
import { createIdentities } from '#src/storage/identities.ts';
import { createOwnerStore } from '#src/storage/owners.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personOf } from './alerts-fixture.ts';
import { furnishOwned } from './owned-fixture.ts';

const [ann, annElsewhere, bob] = [
  personOf('slack', 'U1'),
  personOf('discord', '42'),
  personOf('slack', 'U2'),
];

describe('one person on two platforms', () => {
  it('is linked by a code, has all of both, and every change of it is noted', async () => {
    const { storage } = await sqliteStorage();
    const clock = new ManualClock();
    const audit = createAuditStore(storage);
    const owners = createOwnerStore(storage, clock);
    const identities = createIdentities({ storage, owners, audit, clock });
    for (const person of [ann, annElsewhere, bob]) await furnishOwned(storage, person);

    const { code: readByOthers } = await identities.issueCode(annElsewhere);
    await identities.voidCode(readByOthers.toLowerCase());
    expect(await identities.link(readByOthers, ann)).toEqual({ status: 'unknown' });
    const { code } = await identities.issueCode(annElsewhere);
    expect(await identities.link('AAAA-AAAA', ann)).toEqual({ status: 'unknown' });
    expect(await identities.link(code, annElsewhere)).toEqual({ status: 'same' });
    expect(await identities.link(code, ann)).toMatchObject({
      status: 'linked',
      with: annElsewhere,
      owned: { portfolios: 2, transactions: 4, alerts: 2, watched: 1, briefings: 2 },
    });
    expect(await identities.of(ann)).toEqual([ann, annElsewhere]);
    expect(await identities.of(annElsewhere)).toEqual([annElsewhere, ann]);
    // Somebody else is neither one of them, nor comes by the same code.
    expect(await identities.link(code, bob)).toEqual({ status: 'unknown' });
    expect(await identities.of(bob)).toEqual([bob]);
    expect(await identities.owned(bob)).toMatchObject({ portfolios: 1, alerts: 1 });

    expect(await identities.unlink(ann)).toBe(true);
    expect(await identities.unlink(ann)).toBe(false);
    expect(await identities.owned(ann)).toMatchObject({ portfolios: 0, watched: 0 });
    expect((await audit.recent(10)).map(({ action }) => action)).toEqual([
      'link-off',
      'link',
      'link-code',
      'link-code',
    ]);
  });
});
