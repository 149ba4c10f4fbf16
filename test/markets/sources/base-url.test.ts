import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createUpbitSource } from '#src/markets/sources/upbit/source.ts';
import { createYahooSource } from '#src/markets/sources/yahoo/source.ts';
import { systemClock as clock } from '#src/platform/concurrency/clock.ts';
import { createRecorder, instruments } from './market-fixtures.ts';

it.each([
  ['yahoo', createYahooSource, 'AAPL', ''],
  ['upbit', createUpbitSource, 'BTC-KRW', '/'],
] as const)(
  'every request to %s goes below the path of the address that is set',
  async (name, create, symbol, end) => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { logger } = createRecorder();
    const source = create({ baseUrl: `http://127.0.0.1:${String(port)}/${name}${end}`, clock, logger });
    const asked = source.getQuotes(instruments(symbol), new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !new RegExp(`^/${name}/[^/]`, 'u').test(path))).toEqual([]);
  },
);
