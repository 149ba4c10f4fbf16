import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createPersonCodes } from '#src/platform/storage/person-codes.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT } from './contract-fixture.ts';
import { personOf } from '../../features/alerts/alerts-fixture.ts';

const EVENT = { channel_id: 'slack', account_id: 'T1', chat_id: 'C1', event_id: '1763015400.000100' };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The part of the contract about codes in the place of people's ids. */
export const describePersonCodesContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`codes of people on ${name}`, () => {
    const ann = personOf('slack', 'U-ann');
    const plainHash = sha256('slack\0U-ann').slice(0, 16);

    it('cannot be found by whoever knows all ids, nor matched between tables, and stay the same', async () => {
      const { storage, reopen } = await open();
      const { codes } = storage;
      const made = [codes.person(ann), codes.erasedUserId(ann.channelId, ann.userId), codes.event(EVENT)];
      expect(made.join(' ')).not.toContain(plainHash);
      expect(made[1]).not.toContain(made[0]);
      expect(codes.person(personOf('discord', 'U-ann'))).not.toBe(made[0]);
      await createAuditStore(storage).record('privacy-export', ann, {}, AT);
      const rows = await storage.db.selectFrom('audit').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(plainHash);
      // Whoever knows all ids and this program still lacks the key of this installation.
      const other = createPersonCodes(Buffer.alloc(32, 9));
      const others = new Set([
        other.person(ann),
        other.erasedUserId(ann.channelId, ann.userId),
        other.event(EVENT),
      ]);
      expect(made.filter((code) => others.has(code))).toEqual([]);
      await storage.close();
      const again = (await reopen()).codes;
      expect([again.person(ann), again.erasedUserId(ann.channelId, ann.userId), again.event(EVENT)]).toEqual(
        made,
      );
    });
  });
};
