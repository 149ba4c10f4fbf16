import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type PostgresServer, startPostgres } from '#test/support/database.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { startProcesses, written } from '#test/support/processes.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const IDLE_MS = 1_500;
/** The one that watches may have seen the price before it changed. */
const QUOTE_AGE_MS = 10_000;

it('an alert that is set at one process is watched by another, told once, and told when that one has ended', async () => {
  const market = await startLiveMarket();
  market.upbit.prices.set('KRW-BTC', 100_000_000);
  const { all, texts } = await startProcesses({
    databaseUrl: await postgres.createDatabase(),
    count: 3,
    env: market.env,
    config: { alerts: { everySeconds: 1 } },
  });
  const [leader, other] = all;
  // The one that watches has looked, and has seen that there are no alerts.
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const alerts = (): readonly string[] => texts().filter((text) => text.startsWith('🔔 **'));
  const set = async (level: number, price: number): Promise<void> => {
    const receipt = await other?.channel.receive(written('ann', `/alert BTC > ${level}`));
    if (receipt?.outcome === 'accepted') await receipt.settled;
    market.upbit.prices.set('KRW-BTC', price);
  };

  await set(110_000_000, 120_000_000);
  await vi.waitUntil(() => alerts().length > 0, { timeout: QUOTE_AGE_MS + 5_000 });
  await leader?.app.stop();
  await set(130_000_000, 140_000_000);
  await vi.waitUntil(() => alerts().length > 1, { timeout: QUOTE_AGE_MS + 5_000 });
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  expect(alerts()).toEqual([expect.stringContaining('120,000,000'), expect.stringContaining('140,000,000')]);
});
