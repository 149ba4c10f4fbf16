import { describe, expect, it, onTestFinished } from 'vitest';
import { createExporter } from '#src/platform/tracing/exporter.ts';
import { idsOf } from '#src/platform/tracing/tracing.ts';
import { startFakeCollector } from '#test/fakes/otlp.ts';
import { recordingLogger } from '#test/support/context.ts';
import { until } from '#test/support/engine-app.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const setUp = async () => {
  const fake = await startFakeCollector();
  onTestFinished(fake.close);
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const exporter = createExporter({
    config: { url: `${fake.url}/v1/traces`, headers: {} },
    resource: { serviceName: 'test', version: '1', instanceId: 'i', attributes: {} },
    clock,
    logger,
  });
  let added = 0;
  const add = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      added += 1;
      const at = clock.now().epochNanoseconds;
      exporter.add({
        ...idsOf(String(added)),
        name: 'span',
        kind: 'internal',
        startNs: at,
        endNs: at - 1n,
        attributes: { nothing: undefined, list: ['a'] },
      });
    }
  };
  const warnings = (): readonly string[] => records().map(({ message }) => message);
  return { fake, clock, exporter, add, warnings, records };
};

describe('the exporter', () => {
  it('sends spans together after five seconds, and has no timer at rest', async () => {
    const { fake, clock, add } = await setUp();
    expect(clock.pendingTimers).toBe(0);
    add(3);
    await clock.advance(4_999);
    expect(fake.requests).toHaveLength(0);
    await clock.advance(1);
    await until(() => fake.spans.length === 3);
    expect(fake.requests).toHaveLength(1);
    expect(fake.problems).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([429, 502, 503, 504])('tries again after HTTP %i, when the collector says', async (status) => {
    const { fake, clock, add, warnings } = await setUp();
    fake.answer({ status, headers: { 'retry-after': '7' } });
    add(1);
    await clock.advance(5_000);
    await until(() => fake.requests.length === 1);
    await until(() => clock.pendingTimers === 1);
    await clock.advance(6_999);
    expect(fake.requests).toHaveLength(1);
    await clock.advance(1);
    await until(() => fake.spans.length === 1);
    expect(warnings()).toEqual([]);
  });

  it.each([400, 401, 404, 500])('gives a batch up after HTTP %i, says so, and goes on', async (status) => {
    const { fake, clock, add, records } = await setUp();
    fake.answer({ status, headers: { 'retry-after': '7' } });
    add(2);
    await clock.advance(5_000);
    await until(() => records().length === 1);
    expect(records()).toMatchObject([
      {
        level: 'warn',
        message: 'Spans were dropped',
        reason: `the collector answered with HTTP ${status}`,
        dropped: 2,
      },
    ]);
    add(1);
    await clock.advance(5_000);
    await until(() => fake.spans.length === 1);
  });

  it('counts the spans that the collector rejects', async () => {
    const { fake, clock, add, records } = await setUp();
    fake.answer({
      status: 200,
      body: JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }),
    });
    add(3);
    await clock.advance(5_000);
    await until(() => records().length === 1);
    expect(records()).toMatchObject([
      { message: 'Spans were dropped', reason: 'the collector rejected them: too old', dropped: 2 },
    ]);
  });

  it('follows no redirection, because the headers may hold a key', async () => {
    const { fake, clock, add, records } = await setUp();
    fake.answer({ status: 307, headers: { location: '/v1/traces' } });
    add(1);
    await clock.advance(5_000);
    await until(() => records().length === 1);
    expect(records()).toMatchObject([{ reason: expect.stringContaining('HTTP 307, so it is at another') }]);
    expect(fake.requests).toHaveLength(1);
  });

  it('reads no more of an answer than a collector has to say', async () => {
    const { fake, clock, add, records } = await setUp();
    const partialSuccess = { rejectedSpans: 1, errorMessage: 'x'.repeat(70_000) };
    fake.answer({ status: 200, body: JSON.stringify({ partialSuccess }) });
    add(1);
    await clock.advance(5_000);
    await until(() => fake.requests.length === 1);
    add(1);
    await clock.advance(5_000);
    await until(() => fake.spans.length === 1);
    expect(records()).toEqual([]);
  });

  it('keeps a bounded number while the collector is slow, and tells of the rest once a minute', async () => {
    const { fake, clock, add, records } = await setUp();
    const release = fake.stall();
    add(512);
    await until(() => fake.requests.length === 1);
    add(2_048 + 40);
    expect(records()).toMatchObject([{ dropped: 1 }]);
    await clock.advance(60_000);
    expect(records()).toMatchObject([{ dropped: 1 }, { dropped: 39 }]);
    release();
    await until(() => fake.spans.length === 512 + 2_048);
    expect(fake.requests).toHaveLength(5);
  });

  it('sends the rest at the end', async () => {
    const { fake, clock, add, exporter, warnings } = await setUp();
    add(2);
    await exporter.close();
    expect(fake.spans).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
    expect(warnings()).toEqual([]);
  });

  it('does not keep the program from ending when the collector does not answer', async () => {
    const { fake, clock, add, exporter, records } = await setUp();
    const release = fake.stall();
    onTestFinished(release);
    add(600);
    await until(() => fake.requests.length === 1);
    const closing = exporter.close();
    await clock.advance(2_000);
    await closing;
    const lost = records().reduce((sum, { dropped }) => sum + Number(dropped), 0);
    expect(lost).toBe(600);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('idsOf', () => {
  it('gives a message the same trace in every process, and another one to every message', () => {
    expect(idsOf('a')).toEqual(idsOf('a'));
    expect(idsOf('a').traceId).not.toBe(idsOf('b').traceId);
    expect(idsOf('a')).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });
});
