import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from './router-fixture.ts';

/** The only slot there is belongs to a turn in another chat, which ends when the test says so. */
const oneSlotTaken = async (mode: QueueMode = 'queue') => {
  const run = held();
  const fixture = await setUpRouter({
    mode: () => mode,
    lane: { maxConcurrency: 1 },
    process: (current) =>
      current.ctx.rawBody === 'elsewhere' ? run.process(current) : Promise.resolve(DONE),
  });
  const other = await fixture.router.receive(
    inboundMessage({ body: 'elsewhere', senderId: asId<UserId>('you'), chatId: asId<ChatId>('you') }),
  );
  await run.started;
  const say = (body: string) => fixture.router.receive(inboundMessage({ body }));
  /** The runs that were not refused before they began. */
  const answered = () => fixture.runs.filter(({ signal }) => !signal.aborted).map(({ ctx }) => ctx.rawBody);
  return { ...fixture, end: run.end, other, say, answered };
};

describe('while every slot is taken', () => {
  it('a command is run at once, and takes none', async () => {
    const { say, end, other, bodies, activeRuns } = await oneSlotTaken();
    const receipts = [await say('How is Apple?'), await say('/stop'), await say('/status')];
    await workedOff(receipts.slice(1));
    expect(bodies()).toEqual(['elsewhere', '/stop', '/status']);
    expect(activeRuns()).toBe(1);
    end();
    await workedOff([other, ...receipts]);
    expect(bodies().at(-1)).toBe('How is Apple?');
  });

  it.each(['collect', 'steer'] as const)(
    'a turn that is stopped takes nothing of what was written behind it along (%s)',
    async (mode) => {
      const { say, end, other, queue, answered, rows } = await oneSlotTaken(mode);
      const one = await say('one');
      const two = await say('two');
      if (one.outcome === 'accepted') expect(await queue.stop(one.sessionKey)).toBe('stopped');
      end();
      await workedOff([other, one, two]);
      expect(answered()).toEqual(['elsewhere', 'two']);
      expect((await rows()).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    },
  );

  it('a turn that waits takes up what comes meanwhile, once it gets one', async () => {
    const { say, end, other, answered } = await oneSlotTaken('collect');
    const receipts = [await say('one'), await say('two'), await say('three')];
    end();
    await workedOff([other, ...receipts]);
    expect(answered()).toEqual(['elsewhere', 'one\n\ntwo\n\nthree']);
  });
});
