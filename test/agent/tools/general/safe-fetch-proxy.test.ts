import { describe, expect, it } from 'vitest';
import { startBehindProxy } from '#test/support/use-fake-proxy.ts';
import { trustedCertificate } from './self-signed.ts';
import { HTML, startSite, webOf } from './web-support.ts';

const page = async (location?: string) =>
  startSite((_request, response) => {
    if (location === undefined) response.writeHead(200, HTML).end('<p>hello</p>');
    else response.writeHead(302, { location }).end();
  });

describe('a page behind a proxy', () => {
  it('is read through it, by its name, also over TLS', async () => {
    const plain = await page();
    const secure = await startSite(
      (_request, response) => void response.writeHead(200, HTML).end('<p>hello</p>'),
      trustedCertificate('news.example'),
    );
    const { proxy } = await startBehindProxy();
    const { read, looked } = webOf([plain.port, secure.port]);
    expect(await read(plain.at('news.example'))).toMatchObject({ outcome: 'page', statusCode: 200 });
    expect(await read(secure.at('news.example'))).toMatchObject({ outcome: 'page', statusCode: 200 });
    expect(proxy.history).toEqual([
      { kind: 'request', target: `news.example:${plain.port}` },
      { kind: 'tunnel', target: `news.example:${secure.port}` },
    ]);
    expect(looked, 'each was looked up here first').toEqual(['news.example', 'news.example']);
  });

  it.each([
    ['127.0.0.2', {}],
    ['10.1.2.3', {}],
    ['169.254.169.254', {}],
    ['[::1]', {}],
    ['localhost', {}],
    ['metadata.google.internal', {}],
    ['intranet.example', { 'intranet.example': ['10.0.0.7'] }],
    ['both.example', { 'both.example': ['127.0.0.1', '192.168.0.1'] }],
    ['unknown.example', { 'unknown.example': [] }],
  ])('is not asked of the proxy if it is not public as seen from here: %s', async (host, names) => {
    const { port, at, requests } = await page();
    const { proxy } = await startBehindProxy();
    const { read } = webOf([port], names);
    expect(await read(at(host))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/public|no address/),
    });
    expect([proxy.history, requests]).toEqual([[], []]);
  });

  it('that leads to a private address is not followed', async () => {
    const site = await page('http://10.0.0.7/secret');
    const { proxy } = await startBehindProxy();
    const { read } = webOf([site.port, 80]);
    expect(await read(site.at('news.example'))).toMatchObject({ outcome: 'failed' });
    expect(proxy.history).toHaveLength(1);
  });

  it('is opened directly at the address that was checked where NO_PROXY says so', async () => {
    const { port, at } = await page();
    const { proxy } = await startBehindProxy('news.example');
    expect(await webOf([port]).read(at('news.example'))).toMatchObject({ outcome: 'page' });
    expect(proxy.history).toEqual([]);
  });

  it('that the proxy refuses is told as that', async () => {
    const { port } = await page();
    await startBehindProxy();
    const { read } = webOf([port, 1]);
    expect(await read('https://news.example:1/')).toEqual({
      outcome: 'failed',
      problem: 'news.example cannot be reached through the proxy.',
    });
  });
});
