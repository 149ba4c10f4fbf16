import { expect, it } from 'vitest';
import type { ThreadOpening } from '#src/kernel/agent/execution.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage } from '#src/kernel/chat/message.ts';
import { withRoot } from '#src/chat/pipeline/4-context.ts';

const ours = (id: string, text: string): EarlierMessage => ({
  messageId: asId<MessageId>(id),
  authorName: 'you',
  isOurs: true,
  text,
  at: Temporal.Instant.from(`2026-11-13T06:2${id}:00Z`),
});

/** As the platform gave it. */
const root = (text: string): EarlierMessage => ({ ...ours('9', text), root: 'itself' });

const opening = (...messages: readonly EarlierMessage[]): ThreadOpening => ({
  messages,
  samples: [],
  known: [],
  isRootUnknown: true,
});

/** Which of the quoted messages the thread hangs on. */
const rootsIn = ({ messages }: ThreadOpening): readonly string[] =>
  messages.filter(({ root }) => root === 'itself').map(({ text }) => text);

it('the answer that a thread hangs on is found among the turns of its parent, and no shorter one is taken for it', () => {
  const parent = opening(ours('1', '**AAPL** is at 230.'), ours('2', '👍'), ours('3', '230'));
  const found = withRoot(parent, root('AAPL is at 230. (sample)'));
  expect(rootsIn(found)).toEqual(['**AAPL** is at 230.']);
  expect(found.messages).toHaveLength(3);
});

it('an answer that no turn of the parent holds is quoted itself', () => {
  const alone = withRoot(opening(ours('1', 'Yes'), ours('2', '👍')), root('Yesterday it rose by 3 %.'));
  expect(rootsIn(alone)).toEqual(['Yesterday it rose by 3 %.']);
  expect(alone.messages).toHaveLength(3);
});
