import { describe, expect, it } from 'vitest';
import { createSafeFetch } from '#src/agent/tools/general/safe-fetch.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { HTML, startSite, webOf } from './web-support.ts';

const page = async () => startSite((_request, response) => void response.writeHead(200, HTML).end('secret'));

const failureOf = async (address: string, ports: readonly number[] = [80, 443]): Promise<string> => {
  const { read, looked } = webOf(ports);
  const outcome = await read(address);
  if (outcome.outcome !== 'failed') throw new Error(`${address} was read`);
  expect(looked).toEqual([]);
  return outcome.problem;
};

/** As it is shipped: nothing is replaced but the port, so that a mistake would reach the server. */
const shipped = (port: number) =>
  createSafeFetch({ clock: systemClock, version: '1', allowedPorts: new Set([port]) });

describe('an address that is written to be mistaken', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7F.1',
    '017700000001',
    '0177.0.0.01',
    '00000177.0.0.1',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '127.255.255.254',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'app.localhost',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'metadata',
  ])('is not read: http://%s', async (host) => {
    const { port, requests, openSockets } = await page();
    const outcome = await shipped(port)(`http://${host}:${port}/`, new AbortController().signal);
    expect(outcome).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(/public/) });
    expect(requests.length + openSockets.size).toBe(0);
  });

  it.each(['http://169.254.169.254/latest/meta-data/', 'http://2852039166/', 'http://[fd00:ec2::254]/'])(
    'is not read at a metadata service: %s',
    async (address) => {
      expect(await failureOf(address)).toMatch(/not on the public internet/);
    },
  );
});

describe('an address that is not for pages', () => {
  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/html,hi',
    'javascript:1',
    'ws://example.com',
  ])('is refused for its scheme: %s', async (address) => {
    expect(await failureOf(address)).toMatch(/^Only http and https/);
  });

  it.each([
    '',
    'example',
    '/page',
    'http://',
    'https://exa mple.com',
    'http://256.1.1.1/',
    'http://[::1%25lo]/',
  ])('is refused as no address: "%s"', async (address) => {
    expect(await failureOf(address)).toMatch(/^This is not a valid address/);
  });

  it.each(['http://me:pass@example.com/', 'https://me@example.com/', 'http://:pass@example.com/'])(
    'is refused for its credentials: %s',
    async (address) => {
      const problem = await failureOf(address);
      expect(problem).toMatch(/user name or password/);
      expect(problem).not.toContain('pass@');
    },
  );

  it.each([
    ['http://example.com:22/', 22],
    ['http://example.com:8080/', 8080],
    ['https://example.com:6379/', 6379],
  ])('is refused for its port: %s', async (address, port) => {
    expect(await failureOf(address)).toContain(`Port ${port} `);
  });

  it('may name the usual ports', async () => {
    const { read, looked } = webOf([80, 443], { 'site.test': [] });
    for (const address of [
      'http://site.test',
      'http://site.test:80',
      'https://site.test',
      'http://site.test:443',
    ])
      expect(await read(address)).toMatchObject({ problem: expect.stringContaining('has no address') });
    expect(looked).toHaveLength(4);
  });
});

describe('a name', () => {
  it('is not trusted when one of its addresses is private', async () => {
    const { port, requests, at } = await page();
    const { read } = webOf([port], { 'mixed.test': ['127.0.0.1', '10.0.0.1'] });
    const outcome = await read(at('mixed.test'));
    expect(outcome).toEqual({
      outcome: 'failed',
      problem: 'mixed.test is not on the public internet: only public pages can be read.',
    });
    expect(requests).toHaveLength(0);
  });

  it('that leads to a private network does not tell which address it has there', async () => {
    const { read } = webOf([80], { 'inside.test': ['10.20.30.40'] });
    expect(JSON.stringify(await read('http://inside.test/'))).not.toContain('10.20');
  });

  it('is looked up once: a second answer could be another one', async () => {
    const { port, requests, at } = await page();
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    const { read, looked } = webOf([port], { 'rebind.test': async () => answers.shift() ?? [] });
    expect(await read(at('rebind.test'))).toMatchObject({ outcome: 'page', text: 'secret' });
    expect(looked).toEqual(['rebind.test']);
    expect(requests.map(({ headers }) => headers.host)).toEqual([`rebind.test:${port}`]);
  });

  it('is looked up anew for every redirect, and refused when it has moved inside', async () => {
    const { port, requests, at } = await startSite((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const { read, looked } = webOf([port], { 'rebind.test': async () => answers.shift() ?? [] });
    expect(await read(at('rebind.test'))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining('not on the public internet'),
    });
    expect(looked).toHaveLength(2);
    expect(requests).toHaveLength(1);
  });

  it('is reached at any of its addresses that answers', async () => {
    const { port, at } = await page();
    const { read } = webOf(
      [port],
      { 'two.test': ['127.0.0.2', '127.0.0.1'] },
      { isPublicAddress: (address) => address.startsWith('127.') },
    );
    expect(await read(at('two.test'))).toMatchObject({ outcome: 'page' });
  });

  it('in brackets is judged as the address it is', async () => {
    const judged: string[] = [];
    const isPublicAddress = (address: string): boolean => judged.push(address) === 0;
    const { read, looked } = webOf([80], {}, { isPublicAddress });
    await read('http://[2606:4700::1111]/');
    expect([judged, looked]).toEqual([['2606:4700::1111'], []]);
  });
});
