import { expect } from 'vitest';
import { type AgentId, asId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { BindingMatch } from '#src/kernel/chat/stage.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { createDelivery, type Delivery, type Reply } from '#src/chat/delivery/delivery.ts';
import type { Acknowledgement } from '#src/chat/delivery/acknowledgement.ts';
import type { Acknowledged, Normalized, Received } from '#src/chat/pipeline/stage-types.ts';
import { normalize } from '#src/chat/pipeline/1-normalize.ts';
import { createOutbox } from '#src/chat/store/outbox.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { TestChannel, type TestChannelOptions } from '#test/support/channel.ts';
import { msgContext, recordingEvents } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { normalizeText } from '#test/support/markup.ts';

export const NEVER_ABORTED = new AbortController().signal;

export const MATCH: BindingMatch = { agentId: asId<AgentId>('main'), matchedBy: 'default' };

export interface DeliverySettings extends TestChannelOptions {
  readonly maxResponseLength?: number;
}

/** Delivery with a real outbox and a channel in memory. */
export const setUpDelivery = async ({ maxResponseLength = 20_000, ...options }: DeliverySettings = {}) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const recorded = recordingEvents();
  const channel = new TestChannel(options);
  const outbox = createOutbox(storage);
  const delivery = createDelivery({
    outbox,
    files: createSentFiles({ dataDir: temporaryDir(), clock }),
    maxResponseLength,
    clock,
    events: recorded.events,
  });
  /** The outbox as it is on disk, of all messages. */
  const rows = () => storage.db.selectFrom('outbox').selectAll().orderBy('part_index').execute();
  const statuses = async (): Promise<readonly string[]> => (await rows()).map((row) => row.status);
  return { storage, clock, recorded, channel, outbox, delivery, rows, statuses };
};

/** Plans an answer as a process does that goes down during the first send. */
export const planAndGoDown = async (
  delivery: Delivery,
  ctx: TurnContext,
  reply: Reply,
  channel = new TestChannel(),
): Promise<void> => {
  const down = new AbortController();
  channel.onSend = () => {
    down.abort(new Error('going down'));
    throw new Error('the connection is gone');
  };
  await expect(delivery.deliver(ctx, reply, channel, down.signal)).rejects.toThrow('going down');
};

const SILENT: Acknowledgement = {
  begin: () => undefined,
  withdraw: async () => undefined,
  pause: () => undefined,
  resume: async () => undefined,
  end: async () => undefined,
};

export const received = (overrides: Partial<Received> = {}): Received => ({
  ctx: msgContext(),
  match: MATCH,
  channel: new TestChannel(),
  acknowledgement: SILENT,
  ...overrides,
});

/** What the normalize stage makes of it: the stage itself is used, so that forms never differ. */
export const normalized = async (overrides: Partial<Received> = {}): Promise<Normalized> => {
  const result = await normalize(normalizeText).execute(received(overrides), NEVER_ABORTED);
  if (result.action !== 'continue') throw new Error('normalize did not go on');
  return result.data;
};

export const acknowledged = async (overrides: Partial<Received> = {}): Promise<Acknowledged> => ({
  ...(await normalized(overrides)),
  isQuestion: true,
  isAcknowledged: true,
});

export const fact = (isSample: boolean): Fact => ({
  entity: 'AAPL',
  metric: 'price',
  value: '259.58',
  unit: 'USD',
  asOf: '2026-11-13T06:30:00Z',
  source: isSample ? 'sample' : 'exchange',
  isSample,
});
