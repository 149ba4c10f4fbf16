import { Client, Events, type IIdentifyThrottler, SimpleShardingStrategy } from 'discord.js';
import { expect, it } from 'vitest';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';

const moved = (what: string): string =>
  `discord.js has moved ${what}, which channels/discord/connect/gateway-client.ts needs: see what it uses instead`;

it('discord.js keeps what the gateway client needs of it where it was', async () => {
  const fake = await startFakeDiscord();
  const relayed: unknown[] = [];
  const sessionsAskedFor: unknown[] = [];
  let isAskedForTheGateway = false;
  let strategy: unknown;
  const throttler: IIdentifyThrottler = { waitForIdentify: async () => undefined };
  const client = new Client({
    intents: [],
    rest: { api: fake.apiUrl },
    ws: {
      buildIdentifyThrottler: async () => throttler,
      buildStrategy: (manager) => {
        const emit: (...args: readonly never[]) => boolean = manager.emit.bind(manager);
        const retrieve = manager.options.retrieveSessionInfo.bind(manager.options);
        const readInfo = manager.fetchGatewayInformation.bind(manager);
        Object.assign(manager, {
          fetchGatewayInformation: () => {
            isAskedForTheGateway = true;
            return readInfo();
          },
          emit: (...args: readonly never[]) => {
            relayed.push(args[0]);
            return emit(...args);
          },
        });
        Object.assign(manager.options, {
          retrieveSessionInfo: (id: number) => {
            sessionsAskedFor.push(id);
            return retrieve(id);
          },
        });
        strategy = new SimpleShardingStrategy(manager);
        return strategy as SimpleShardingStrategy;
      },
    },
  });
  const ready = new Promise((resolve) => void client.once(Events.ClientReady, resolve));
  await client.login(fake.token);
  await ready;
  try {
    expect(relayed, moved('the events that a sharding strategy relays to `manager.emit`')).toContain(
      'dispatch',
    );
    expect(sessionsAskedFor, moved('`manager.options.retrieveSessionInfo`')).toContain(0);
    expect(isAskedForTheGateway, moved('`manager.fetchGatewayInformation`')).toBe(true);
    expect(strategy, moved('the private `SimpleShardingStrategy#shards`')).toHaveProperty('shards');
    const { shards } = strategy as { readonly shards: unknown };
    expect(shards, moved('the private `SimpleShardingStrategy#shards`')).toBeInstanceOf(Map);
    const [shard] = (shards as ReadonlyMap<number, unknown>).values();
    expect(shard, moved('the private `WebSocketShard#connection` or `#unpackMessage`')).toMatchObject({
      unpackMessage: expect.any(Function),
      connection: {
        readyState: 1,
        addEventListener: expect.any(Function),
        terminate: expect.any(Function),
      },
    });
  } finally {
    await client.destroy();
    await fake.close();
  }
});
