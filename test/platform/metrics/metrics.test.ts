import { setImmediate as turn } from 'node:timers/promises';
import { register } from 'prom-client';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { describe, expect, it } from 'vitest';
import { metricsOn } from './support.ts';

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 25));
const block = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

const usedS = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;

describe('createMetrics', () => {
  it('is text as Prometheus reads it, under names of our own', async () => {
    const { metrics, samples } = metricsOn();
    expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const names = (await samples()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !name.startsWith('finclaw_'))).toEqual([]);
  });

  it('says which build runs, with commit and date', async () => {
    expect(await metricsOn().values('build_info')).toEqual({
      'version=1.2.3 commit=abcdef12 date=2026-11-19T06:21:31Z': 1,
    });
  });

  it('keeps to a registry of its own: two of them count apart, and nothing is global', async () => {
    const [one, other] = [metricsOn(), metricsOn()];
    one.events.emit('inbox:merge', { inboxId: 'a', into: 'b' });
    expect(await one.values('messages_merged_total')).toEqual({ '': 1 });
    expect(await other.values('messages_merged_total')).toEqual({ '': 0 });
    expect(register.getMetricsAsArray()).toEqual([]);
  });

  it('counts no more after it was stopped', async () => {
    const { metrics, events, values } = metricsOn();
    events.emit('inbox:merge', { inboxId: 'a', into: 'b' });
    metrics.stop();
    events.emit('inbox:merge', { inboxId: 'a', into: 'b' });
    expect(await values('messages_merged_total')).toEqual({ '': 1 });
  });

  it('tells the load of now with every scrape', async () => {
    let waiting = 3;
    const { values } = metricsOn({
      queue: () => ({ sessions: 2, running: 1, waiting }),
      lanes: () => [
        { laneId: 'main', active: 1, queued: waiting, maxConcurrency: 64 },
        { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 4 },
      ],
    });
    expect(await values('queue_sessions')).toEqual({ '': 2 });
    expect(await values('queue_running')).toEqual({ '': 1 });
    expect(await values('queue_waiting')).toEqual({ '': 3 });
    expect(await values('lane_active')).toEqual({ 'lane=main': 1, 'lane=cron': 0 });
    expect(await values('lane_waiting')).toEqual({ 'lane=main': 3, 'lane=cron': 0 });
    waiting = 0;
    expect(await values('queue_waiting')).toEqual({ '': 0 });
    expect(await values('lane_waiting')).toEqual({ 'lane=main': 0, 'lane=cron': 0 });
  });

  it('tells of each platform whether it is connected now', async () => {
    let isConnected = false;
    const { values } = metricsOn({ channels: () => [{ id: asId<ChannelId>('discord'), isConnected }] });
    expect(await values('channel_connected')).toEqual({ 'channel=discord': 0 });
    isConnected = true;
    expect(await values('channel_connected')).toEqual({ 'channel=discord': 1 });
  });

  it('names the breakers that are open, and forgets those that are well again', async () => {
    let breakers: readonly { readonly name: string; readonly state: 'open' | 'half-open' | 'closed' }[] = [
      { name: 'anthropic', state: 'open' },
      { name: 'fetch_url', state: 'half-open' },
    ];
    const { values } = metricsOn({ breakers: () => breakers });
    expect(await values('circuit_open')).toEqual({ 'name=anthropic': 1, 'name=fetch_url': 0 });
    breakers = [{ name: 'openai', state: 'closed' }];
    expect(await values('circuit_open')).toEqual({ 'name=openai': 0 });
  });

  it('tells memory and processor time in bytes and seconds', async () => {
    const { samples } = metricsOn();
    const valueOf = async (name: string): Promise<number> => (await samples(name))[0]?.value ?? NaN;
    const megabyte = 1e6;
    expect(await valueOf('process_resident_memory_bytes')).toBeGreaterThan(10 * megabyte);
    expect(await valueOf('process_heap_used_bytes')).toBeGreaterThan(megabyte);
    for (const _scrape of [1, 2]) {
      const beforeS = usedS();
      const cpu = await valueOf('process_cpu_seconds_total');
      expect(cpu).toBeGreaterThanOrEqual(beforeS);
      expect(cpu).toBeLessThanOrEqual(usedS());
    }
    const ageS = Date.now() / 1_000 - (await valueOf('process_start_time_seconds'));
    expect(ageS).toBeGreaterThan(0);
    expect(ageS).toBeLessThan(3_600);
  });

  it('tells by how much the event loop was held up since the last scrape', async () => {
    const { values, metrics } = metricsOn();
    await metrics.render();
    await tick();
    block(150);
    await tick();
    const delays = await values('event_loop_delay_seconds');
    expect(Object.keys(delays)).toEqual(['stat=p50', 'stat=p99', 'stat=max']);
    const held = delays['stat=max'] ?? NaN;
    expect(held).toBeGreaterThan(0.1);
    expect(held).toBeLessThan(60);
    const next = await values('event_loop_delay_seconds');
    for (const stat of ['p50', 'p99', 'max']) {
      expect(next[`stat=${stat}`]).toBeGreaterThanOrEqual(0);
      expect(next[`stat=${stat}`]).toBeLessThan(held);
    }
  });

  it('does not take the time between two measurements for a delay', async () => {
    const { values } = metricsOn();
    let least = Infinity;
    for (let window = 0; window < 40 && least >= 0.009; window += 1) {
      await tick();
      await tick();
      least = Math.min(least, (await values('event_loop_delay_seconds'))['stat=p50'] || Infinity);
    }
    expect(least).toBeLessThan(0.009);
  });
});

describe('the inbox in the metrics', () => {
  it('is counted anew with every scrape', async () => {
    let pending = 4;
    const { values, clock } = metricsOn({ inbox: async () => ({ pending, suspended: 1 }) });
    expect(await values('inbox_messages')).toEqual({ 'status=pending': 4, 'status=suspended': 1 });
    pending = 0;
    expect(await values('inbox_messages')).toEqual({ 'status=pending': 0, 'status=suspended': 1 });
    expect(clock.pendingTimers).toBe(0);
  });

  it('is missing where the database fails, and the other numbers are not', async () => {
    let isBroken = false;
    const inbox = async () => {
      if (isBroken) throw new Error('database is locked');
      return { pending: 4, suspended: 1 };
    };
    const { values, records } = metricsOn({ inbox });
    await values('inbox_messages');
    isBroken = true;
    expect(await values('inbox_messages')).toEqual({});
    expect(await values('queue_sessions')).toEqual({ '': 0 });
    expect(records()).toMatchObject([
      { level: 'warn', error: { message: 'database is locked' } },
      { level: 'warn' },
    ]);
    isBroken = false;
    expect(await values('inbox_messages')).toMatchObject({ 'status=pending': 4 });
  });

  it('is not waited for when the database does not answer, nor asked once more by every scrape', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<{ pending: number; suspended: number }>();
    const inbox = () => {
      asked += 1;
      return answer.promise;
    };
    const { values, clock } = metricsOn({ inbox });
    for (const _scrape of [1, 2]) {
      const scraped = values('inbox_messages');
      await clock.advance(2_000);
      expect(await scraped).toEqual({});
    }
    expect(asked).toBe(1);
    expect(clock.pendingTimers).toBe(0);
    answer.resolve({ pending: 7, suspended: 0 });
    await turn();
    expect(await values('inbox_messages')).toEqual({ 'status=pending': 7, 'status=suspended': 0 });
    expect(asked).toBe(2);
  });
});
