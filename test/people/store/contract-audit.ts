import { describe, expect, it } from 'vitest';
import { createAuditStore } from '#src/people/store/audit.ts';
import type { TestStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';
import { personOf } from '../../features/alerts/alerts-fixture.ts';

/** The part of the contract about what was done with people's data. */
export const describeAuditContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`audit on ${name}`, () => {
    it('tells what was done, the newest first, and of whom only to those who know them', async () => {
      const { storage } = await open();
      const audit = createAuditStore(storage);
      const [ann, bob] = [personOf('slack', 'U-ann'), personOf('discord', 'U-ann')];
      await audit.record('privacy-export', ann, { messages: 3 }, AT);
      await audit.record('link', bob, {}, AT);
      await audit.record('privacy-delete', ann, { messages: 3, portfolios: 1 }, LATER);
      const [last, link, first] = await audit.recent(20);
      expect(last).toMatchObject({ action: 'privacy-delete', details: { messages: 3, portfolios: 1 } });
      expect(String(last?.at)).toBe(String(LATER));
      expect([link?.action, first?.action]).toEqual(['link', 'privacy-export']);
      expect(first?.person).toBe(last?.person);
      expect(link?.person).not.toBe(first?.person);
      expect(await audit.recent(1)).toHaveLength(1);
      expect(JSON.stringify(await storage.db.selectFrom('audit').selectAll().execute())).not.toContain(
        'U-ann',
      );
    });
  });
};
