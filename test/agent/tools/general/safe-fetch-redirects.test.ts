import { describe, expect, it } from 'vitest';
import { trustedCertificate } from './self-signed.ts';
import { HTML, startSite, webOf } from './web-support.ts';

/** Leads to where its query says. */
const pointer = async () =>
  startSite((request, response) => {
    const to = new URL(`http://x${request.url}`).searchParams.get('to');
    if (to === null) response.writeHead(200, HTML).end(`arrived at ${request.url}`);
    else response.writeHead(302, { location: Buffer.from(to).toString('latin1') }).end('moved');
  });

const to = (target: string): string => `/?to=${encodeURIComponent(target)}`;

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %d is followed, and the page is told by its last address',
    async (status) => {
      const { port, at, requests } = await startSite((request, response) => {
        if (request.url === '/page?a=1') response.writeHead(200, HTML).end('here');
        else response.writeHead(status, { location: '../page?a=1', 'set-cookie': 'id=1' }).end();
      });
      const { read } = webOf([port]);
      expect(await read(at('a.test', '/old/x'))).toMatchObject({
        outcome: 'page',
        url: at('a.test', '/page?a=1'),
        text: 'here',
      });
      expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
    },
  );

  it('may lead to another site, whose name is then asked for', async () => {
    const { port, at, requests } = await pointer();
    const { read, looked } = webOf([port]);
    expect(await read(at('a.test', to(at('b.test', '/x'))))).toMatchObject({ url: at('b.test', '/x') });
    expect(looked).toEqual(['a.test', 'b.test']);
    expect(requests.at(-1)?.headers.host).toBe(`b.test:${port}`);
  });

  it('may be written in letters of its own language', async () => {
    const { port, at } = await pointer();
    const { read } = webOf([port]);
    expect(await read(at('a.test', to('/뉴스')))).toMatchObject({
      text: `arrived at ${encodeURI('/뉴스')}`,
    });
  });

  it.each([
    ['a private address', 'http://10.0.0.1:PORT/', /^10\.0\.0\.1 is not on the public internet/],
    ['a number that is one', 'http://2130706434:PORT/', /^127\.0\.0\.2 is not on the public internet/],
    ['a metadata service', '//169.254.169.254:PORT/latest', /^169\.254\.169\.254 is not on/],
    ['a name inside', 'http://private.test:PORT/', /^private\.test is not on the public internet/],
    [
      'this machine',
      'http://localhost:PORT/',
      /^a\.test leads to another address\. localhost names a machine/,
    ],
    ['another port', 'http://b.test:22/', /Port 22 is not read/],
    ['credentials', 'http://me:pw@b.test:PORT/', /user name or password/],
    ['a file', 'file:///etc/passwd', /Only http and https/],
    ['no address', 'http://[', /not a valid address/],
  ])('to %s is not followed', async (_what, target, problem) => {
    const { port, at, requests } = await pointer();
    const { read } = webOf([port], { 'private.test': ['192.168.1.1'] });
    const outcome = await read(at('a.test', to(target.replace('PORT', `${port}`))));
    expect(outcome).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(problem) });
    expect(requests).toHaveLength(1);
  });

  it('is followed five times and no more', async () => {
    const { port, at, requests } = await startSite((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.writeHead(200, HTML).end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const { read } = webOf([port]);
    expect(await read(at('a.test', '/5'))).toMatchObject({ outcome: 'page', text: 'arrived' });
    expect(requests).toHaveLength(6);
    expect(await read(at('a.test', '/6'))).toMatchObject({ outcome: 'failed' });
  });

  it('in a circle ends', async () => {
    const { port, at, requests } = await startSite((_request, response) => {
      response.writeHead(302, { location: '/' }).end();
    });
    const { read } = webOf([port]);
    expect(await read(at('a.test'))).toEqual({
      outcome: 'failed',
      problem: 'a.test leads on more than 5 times: it may lead in a circle.',
    });
    expect(requests).toHaveLength(6);
  });

  it('without an address is no page', async () => {
    const { port, at } = await startSite((_request, response) => void response.writeHead(302).end('x'));
    const { read } = webOf([port]);
    expect(await read(at('a.test'))).toMatchObject({ problem: expect.stringContaining('302') });
  });

  it('names the site that failed, not the one that led there', async () => {
    const { port, at } = await pointer();
    const { read } = webOf([port], {
      'gone.test': () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
    });
    expect(await read(at('a.test', to(at('gone.test'))))).toMatchObject({
      problem: expect.stringMatching(/^gone\.test does not exist/),
    });
  });
});

describe('a secure address', () => {
  it('is read by its name, and reached from an insecure one', async () => {
    const secure = await startSite(
      (_request, response) => void response.writeHead(200, HTML).end('safe'),
      trustedCertificate('secure.test'),
    );
    const { port, at } = await pointer();
    const { read } = webOf([port, secure.port]);
    const outcome = await read(at('a.test', to(secure.at('secure.test', '/in'))));
    expect(outcome).toMatchObject({ url: secure.at('secure.test', '/in'), text: 'safe' });
  });

  it('is not left for an insecure one', async () => {
    const { port, at, requests } = await pointer();
    const secure = await startSite(
      (_request, response) => void response.writeHead(302, { location: at('a.test') }).end(),
      trustedCertificate('secure.test'),
    );
    const { read } = webOf([port, secure.port]);
    expect(await read(secure.at('secure.test'))).toMatchObject({
      problem: expect.stringContaining('from a secure to an insecure address'),
    });
    expect(requests).toHaveLength(0);
  });

  it('with the certificate of another name is not read', async () => {
    const { port, at, requests } = await startSite(
      (_request, response) => void response.writeHead(200, HTML).end('fake'),
      trustedCertificate('other.test'),
    );
    const { read } = webOf([port]);
    expect(await read(at('secure.test'))).toEqual({
      outcome: 'failed',
      problem: 'secure.test offers no secure connection that can be trusted.',
    });
    expect(requests).toHaveLength(0);
  });
});
