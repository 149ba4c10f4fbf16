import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { createPrivacyNotes } from '#src/people/store/privacy-notes.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { AT, LATER } from '../../platform/storage/contract-fixture.ts';

const SLACK = asId<ChannelId>('slack');
const [ME, YOU] = [asId<UserId>('U1'), asId<UserId>('U2')];

describe('who was told what is stored', () => {
  it('is known of one person on one platform, and told once', async () => {
    const { storage } = await sqliteStorage();
    const notes = createPrivacyNotes(storage);
    expect(await notes.isTold(SLACK, ME)).toBe(false);
    expect(await storage.write((tx) => notes.tell(tx, SLACK, ME, AT))).toBe(true);
    expect(await storage.write((tx) => notes.tell(tx, SLACK, ME, LATER))).toBe(false);
    expect(await notes.isTold(SLACK, ME)).toBe(true);
    expect(await notes.isTold(SLACK, YOU)).toBe(false);
    expect(await notes.isTold(asId<ChannelId>('discord'), ME)).toBe(false);
  });

  it('is forgotten with the answer that could not be written', async () => {
    const { storage } = await sqliteStorage();
    const notes = createPrivacyNotes(storage);
    const answer = storage.write(async (tx) => {
      await notes.tell(tx, SLACK, ME, AT);
      throw new Error('disk full');
    });
    await expect(answer).rejects.toThrow('disk full');
    expect(await notes.isTold(SLACK, ME)).toBe(false);
  });
});
