import { expect, it, onTestFinished } from 'vitest';
import { createEvents } from '#src/platform/events.ts';
import { idsOf, openTracing } from '#src/platform/tracing/tracing.ts';
import { startFakeCollector } from '#test/fakes/otlp.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const WAITED_MS = 5_000;

it('tells of messages that another process accepted, from their acceptance on', async () => {
  const fake = await startFakeCollector();
  onTestFinished(fake.close);
  const clock = new ManualClock();
  const events = createEvents((error) => {
    throw error;
  });
  const tracing = openTracing({
    config: { url: `${fake.url}/v1/traces`, headers: {}, serviceName: 'worker', ratio: 1, resource: {} },
    resource: { version: '1', instanceId: 'i' },
    events,
    clock,
    logger: recordingLogger().logger,
  });
  const acceptedAt = (clock.now().epochMilliseconds - WAITED_MS).toString(16).padStart(12, '0');
  const idOf = (tail: string): string =>
    `${acceptedAt.slice(0, 8)}-${acceptedAt.slice(8)}-7000-8000-00000000000${tail}`;
  const message = { inboxId: idOf('1'), sessionKey: 's', channelId: 'slack', chatType: 'direct' };
  events.emit('inbox:merge', { inboxId: idOf('2'), into: idOf('1') });
  events.emit('pipeline:start', { ...message, isFirst: true });
  const end = { ...message, durationMs: 0, stages: [], tools: 0, success: true };
  events.emit('pipeline:complete', { ...end, outcome: 'suspended' });
  // It goes on after an approval.
  events.emit('pipeline:start', { ...message, isFirst: false });
  events.emit('pipeline:complete', { ...end, outcome: 'answered' });
  await tracing.close();
  expect(fake.problems).toEqual([]);
  const told = fake.spans.map(({ name, traceId, startNs, endNs, links }) => [
    name,
    traceId,
    Number(endNs - startNs) / 1e6,
    links.map((link) => link.spanId),
  ]);
  const [first, merged] = [idsOf(idOf('1')), idsOf(idOf('2'))];
  expect(told).toEqual([
    ['message', merged.traceId, WAITED_MS, [first.spanId]],
    ['queue wait', first.traceId, WAITED_MS, []],
    ['message', first.traceId, WAITED_MS, []],
    ['message', first.traceId, 0, [first.spanId]],
  ]);
});
