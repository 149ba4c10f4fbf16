import { expect, it } from 'vitest';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { setUp } from './alerts-support.ts';

it('what is told has the quote in words, and as a card for channels that draw it', async () => {
  const { set, look, hand, storage } = await setUp({ isSample: true });
  hand.move('AAPL', 190);
  const { id } = await set('AAPL > 200');
  await look(1, 'AAPL', 201.5);
  const { payload } = await storage.db
    .selectFrom('notifications')
    .select('payload')
    .executeTakeFirstOrThrow();
  const { text, textWithCards, cards, typed } = JSON.parse(payload) as ReplyPayload;
  const ours = [/SAMPLE/, /at \$200\.00 or above/, new RegExp(`Alert \`${id}\``)];
  for (const words of [...ours, /\$201\.50/]) expect(text).toMatch(words);
  for (const words of ours) expect(textWithCards).toMatch(words);
  expect(textWithCards).not.toContain('$201.50');
  expect(typed).toContain(`/alert snooze ${id} 1h`);
  expect(cards).toEqual([
    expect.objectContaining({ headline: expect.stringContaining('$201.50') as string }),
  ]);
});
