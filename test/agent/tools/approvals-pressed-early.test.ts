import { expect, it } from 'vitest';
import type { ApprovalDeps, ToolApprovals } from '#src/agent/tools/approvals.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { approvalWorld, ASKER } from '#test/agent/tools/approvals-support.ts';

it('a question that is decided before it is known where it stands is closed there all the same', async () => {
  const world = await approvalWorld();
  const closed: unknown[] = [];
  let approvals: ToolApprovals | undefined;
  const special: Pick<ApprovalDeps, 'ask' | 'close'> = {
    ask: async (_target, { id }) => {
      expect((await approvals?.decide(id, 'approved', ASKER))?.outcome).toBe('recorded');
      return asId<MessageId>('m-1');
    },
    close: async (_target, { messageId, verdict, decidedBy }) =>
      void closed.push([messageId, verdict, decidedBy]),
  };
  approvals = world.boot(special);
  await world.ask(approvals);
  expect(closed).toEqual([
    [undefined, 'approved', ASKER.userId],
    ['m-1', 'approved', ASKER.userId],
  ]);
});
