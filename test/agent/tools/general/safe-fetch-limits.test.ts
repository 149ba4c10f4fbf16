import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  deflate,
  deflateRaw,
  gzip,
  zstdCompress,
} from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { HTML, startSite, until, webOf } from './web-support.ts';

/** The default takes seconds for what the tests pack. */
const FAST: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

const packed = {
  gzip: promisify<Buffer, Buffer>(gzip),
  deflate: promisify<Buffer, Buffer>(deflate),
  deflateRaw: promisify<Buffer, Buffer>(deflateRaw),
  br: (bytes: Buffer) => promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)(bytes, FAST),
  zstd: promisify<Buffer, Buffer>(zstdCompress),
};

const MAX_BYTES = 2_000_000;
const TEXT = { 'content-type': 'text/plain' };

const siteThatSends = async (body: Buffer, encoding: string) => {
  const site = await startSite((_request, response) => {
    response.writeHead(200, { ...TEXT, 'content-encoding': encoding }).end(body);
  });
  return { ...site, ...webOf([site.port]) };
};

describe('a packed page', () => {
  it.each([
    ['gzip', packed.gzip],
    ['X-GZIP', packed.gzip],
    ['deflate', packed.deflate],
    ['deflate', packed.deflateRaw],
    ['br', packed.br],
    ['zstd', packed.zstd],
  ])('is unpacked: %s', async (encoding, pack) => {
    const words = '삼성전자 실적 발표. '.repeat(2_000);
    const { read, at } = await siteThatSends(await pack(Buffer.from(words)), encoding);
    expect(await read(at('a.test'))).toMatchObject({ outcome: 'page', text: words, isCut: false });
  });

  it.each([
    ['gzip', packed.gzip],
    ['br', packed.br],
    ['zstd', packed.zstd],
  ])('that unpacks without measure is left at the limit: %s', async (encoding, pack) => {
    const bomb = await pack(Buffer.alloc(4 * MAX_BYTES, 'a'));
    expect(bomb.length).toBeLessThan(MAX_BYTES / 20);
    const { read, at } = await siteThatSends(bomb, encoding);
    const outcome = await read(at('a.test'));
    expect(outcome).toMatchObject({ outcome: 'page', isCut: true });
    expect(outcome.outcome === 'page' && outcome.text.length).toBe(MAX_BYTES);
  });

  it('that ends too early is read as far as it goes', async () => {
    const whole = await packed.gzip(Buffer.from('one two three '.repeat(500)));
    const { read, at } = await siteThatSends(whole.subarray(0, -12), 'gzip');
    expect(await read(at('a.test'))).toMatchObject({ text: expect.stringMatching(/^one two three /) });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('that is damaged is an error: %s', async (encoding) => {
    const { read, at } = await siteThatSends(Buffer.from('this is not packed at all'), encoding);
    expect(await read(at('a.test'))).toEqual({
      outcome: 'failed',
      problem: 'The answer of a.test is damaged and cannot be unpacked.',
    });
  });

  it('that is empty is an empty page', async () => {
    const { read, at } = await siteThatSends(Buffer.alloc(0), 'deflate');
    expect(await read(at('a.test'))).toMatchObject({ outcome: 'page', text: '' });
  });

  it.each(['compress', 'gzip, br', 'secret'])(
    'in a way that nobody knows is an error: %s',
    async (encoding) => {
      const { read, at } = await siteThatSends(Buffer.from('x'), encoding);
      expect(await read(at('a.test'))).toMatchObject({
        problem: 'a.test sent its page packed in a way that cannot be unpacked.',
      });
    },
  );
});

function* withoutEnd(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(60_000, 'x');
}

describe('a page without an end', () => {
  it('is cut at the limit, and its connection closed', async () => {
    const { port, at, openSockets } = await startSite((_request, response) => {
      pipeline(Readable.from(withoutEnd()), response.writeHead(200, TEXT), () => undefined);
    });
    const { read } = webOf([port]);
    const outcome = await read(at('a.test'));
    expect(outcome).toMatchObject({ outcome: 'page', isCut: true });
    expect(outcome.outcome === 'page' && outcome.text.length).toBe(MAX_BYTES);
    await until(() => openSockets.size === 0);
  });

  it.each([404, 302])('is not even begun where it is none that counts: %d', async (status) => {
    const { port, at, openSockets } = await startSite((request, response) => {
      if (request.url === '/end') response.writeHead(200, TEXT).end();
      else {
        response.writeHead(status, { ...TEXT, location: '/end' });
        pipeline(Readable.from(withoutEnd()), response, () => undefined);
      }
    });
    await webOf([port]).read(at('a.test'));
    await until(() => openSockets.size === 0);
  });

  it('of exactly the limit is whole', async () => {
    const { port, at } = await startSite((_request, response) => {
      response.writeHead(200, TEXT).end(Buffer.alloc(MAX_BYTES, 'x'));
    });
    const { read } = webOf([port]);
    expect(await read(at('a.test'))).toMatchObject({ isCut: false });
  });
});

describe('a slow site', () => {
  it('that sends no headers is given up after 8 s', async () => {
    const clock = new ManualClock();
    const { port, at, asked, openSockets } = await startSite(() => undefined);
    const outcome = webOf([port], {}, { clock }).read(at('a.test'));
    await asked(1);
    await clock.advance(7_999);
    expect(openSockets.size).toBe(1);
    await clock.advance(1);
    expect(await outcome).toEqual({
      outcome: 'failed',
      problem: 'a.test was too slow: No data for 8 s.',
    });
    await until(() => openSockets.size === 0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that stops in the middle of its page is given up', async () => {
    const clock = new ManualClock();
    const { port, at, asked } = await startSite((_request, response) => {
      response.writeHead(200, HTML).write('<p>half');
    });
    const outcome = webOf([port], {}, { clock }).read(at('a.test'));
    await asked(1);
    await clock.advance(8_000);
    await clock.advance(8_000);
    expect(await outcome).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('too slow') });
  });

  it('that always sends something in time is given up after 15 s all the same', async () => {
    const clock = new ManualClock();
    const { port, at, asked } = await startSite((request, response) => {
      const hop = Number(request.url?.slice(1));
      clock.after(7_000, () => response.writeHead(302, { location: `/${hop + 1}` }).end());
    });
    const outcome = webOf([port], {}, { clock }).read(at('a.test', '/1'));
    await asked(1);
    await clock.advance(7_000);
    await asked(2);
    await clock.advance(7_000);
    await asked(3);
    await clock.advance(1_000);
    expect(await outcome).toMatchObject({ problem: 'a.test was too slow: Not done after 15 s.' });
    expect(clock.pendingTimers).toBe(1);
  });

  it('is waited for as long as each of its steps comes in time', async () => {
    const clock = new ManualClock();
    let looks = 0;
    const { now, after, monotonicMs } = clock;
    const watched = { now, after, monotonicMs: () => (looks += 1) && monotonicMs() };
    const later = (delayMs: number) => new Promise<void>((resolve) => void after(delayMs, resolve));
    const { port, at, asked } = await startSite(async (_request, response) => {
      await later(6_000);
      response.writeHead(200, TEXT).flushHeaders();
      await later(4_500);
      response.end('all of it');
    });
    const names = { 'a.test': () => later(4_000).then(() => ['127.0.0.1']) };
    const outcome = webOf([port], names, { clock: watched }).read(at('a.test'));
    await clock.advance(4_000);
    await asked(1);
    looks = 0;
    await clock.advance(6_000);
    await until(() => looks > 0);
    await clock.advance(4_500);
    expect(await outcome).toMatchObject({ outcome: 'page', text: 'all of it' });
  });

  it('whose name nobody finds in time is given up', async () => {
    const clock = new ManualClock();
    const { read } = webOf([80], { 'a.test': () => new Promise(() => undefined) }, { clock });
    const outcome = read('http://a.test/');
    await clock.advance(8_000);
    expect(await outcome).toMatchObject({ problem: expect.stringContaining('a.test was too slow') });
  });
});

describe('an abort', () => {
  const reason = new Error('stopped by a person');

  it('before the start asks for nothing', async () => {
    const { read, looked } = webOf([80]);
    await expect(read('http://a.test/', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(looked).toEqual([]);
  });

  it('ends a look-up that does not end', async () => {
    const { read } = webOf([80], { 'a.test': () => new Promise(() => undefined) });
    const controller = new AbortController();
    const outcome = read('http://a.test/', controller.signal);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
  });

  it.each([
    ['the headers', () => undefined],
    ['the body', (_: unknown, response: ServerResponse) => response.writeHead(200, HTML).write('x')],
  ])('ends the wait for %s at once, and closes the connection', async (_what, listener) => {
    const clock = new ManualClock();
    const { port, at, asked, openSockets } = await startSite(listener);
    const controller = new AbortController();
    const outcome = webOf([port], {}, { clock }).read(at('a.test'), controller.signal);
    await asked(1);
    await clock.advance(0);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await until(() => openSockets.size === 0);
    expect(clock.pendingTimers).toBe(0);
  });
});

const rawSite = async (onConnection: (socket: Socket) => void) => {
  const server = createServer(onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, ...webOf([port]) };
};

describe('a site that does not answer as sites do', () => {
  it('is told apart from one that is not there', async () => {
    const { port, read } = await rawSite((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect(await read(`http://a.test:${port}/`)).toMatchObject({
      problem: 'a.test answered with something that is not HTTP.',
    });
  });

  it('may break off', async () => {
    const { port, read } = await rawSite((socket) => void socket.destroy());
    expect(await read(`http://a.test:${port}/`)).toMatchObject({
      problem: 'a.test broke off the connection.',
    });
  });

  it('may break off in the middle of its page', async () => {
    const { port, read } = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf');
      socket.once('data', () => void socket.end());
    });
    expect(await read(`http://a.test:${port}/`)).toMatchObject({
      problem: 'a.test broke off the connection.',
    });
  });

  it('may send headers without an end', async () => {
    const { port, read } = await rawSite((socket) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`);
    });
    expect(await read(`http://a.test:${port}/`)).toMatchObject({ outcome: 'failed' });
  });

  it('may refuse the connection', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => void server.close(resolve));
    expect(await webOf([port]).read(`http://a.test:${port}/`)).toMatchObject({
      problem: 'a.test refused the connection.',
    });
  });

  it.each([
    ['ENOTFOUND', 'a.test does not exist, or has no address: check the spelling.'],
    ['EAI_AGAIN', 'a.test could not be looked up just now: try again later.'],
    ['EODD', 'a.test could not be read (EODD).'],
  ])('may have no address: %s', async (code, problem) => {
    const error = Object.assign(new Error('getaddrinfo of 10.9.8.7 failed'), { code });
    const { read } = webOf([80], { 'a.test': () => Promise.reject(error) });
    expect(await read('http://a.test/')).toEqual({ outcome: 'failed', problem });
  });
});
