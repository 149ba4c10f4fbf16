import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunningPage, startOperatorPage, TOKEN, visitor } from './running-page.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with any headers: `fetch` would not send some of them. */
const ask = (
  { port }: RunningPage,
  path: string,
  headers: Readonly<Record<string, string>>,
  { method = 'GET', body = '' } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = requestHttp({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response
        .on('data', (piece: Buffer) => pieces.push(piece))
        .on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(pieces).toString(),
          }),
        );
    });
    request.on('error', reject).end(body);
  });

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const LOGIN = new URLSearchParams({ secret: TOKEN }).toString();

describe('requests for the operator page', () => {
  it('are answered only under names that lead to this machine', async () => {
    const page = await startOperatorPage();
    const local = ['localhost', `localhost:${page.port}`, '127.0.0.1:9000', '[::1]:80', 'LOCALHOST'];
    for (const host of local) expect((await ask(page, '/operator/login', { host })).status).toBe(200);
    const foreign = [
      'evil.example',
      'finclaw.example.com',
      'localhost.evil.example',
      'user@localhost',
      'localhost/evil',
      '127.0.0.1.nip.io',
      '192.168.1.5',
    ];
    for (const host of foreign)
      for (const path of ['/operator', '/operator/login', '/operator/assets/page.js', '/operator/events']) {
        const { status, text } = await ask(page, path, { host });
        expect([host, status]).toEqual([host, 421]);
        expect(text).not.toContain(host);
      }
  });

  it('are answered under the public name too, if there is one', async () => {
    const page = await startOperatorPage({ publicUrl: 'https://finclaw.example.com' });
    for (const host of ['finclaw.example.com', 'FinClaw.example.com', `127.0.0.1:${page.port}`])
      expect((await ask(page, '/operator/login', { host })).status).toBe(200);
    for (const host of ['finclaw.example.com:81', 'example.com', 'a.finclaw.example.com'])
      expect((await ask(page, '/operator/login', { host })).status).toBe(421);
  });

  it('leave the other addresses of the server alone', async () => {
    const page = await startOperatorPage();
    expect((await ask(page, '/healthz', { host: 'localhost' })).status).toBe(200);
    expect((await ask(page, '/operators', { host: 'localhost' })).status).toBe(404);
  });

  it('carry headers that allow nothing inline, nothing of others, no frame and no cache', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    await me.logIn();
    for (const path of ['/operator', '/operator/login', '/operator/nothing', '/operator/usage']) {
      const { headers } = await me.get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });
});

describe('forms of the operator page', () => {
  it('are refused from another site, from nowhere, and where the browser says so', async () => {
    const page = await startOperatorPage();
    const host = `127.0.0.1:${page.port}`;
    const origin = `http://${host}`;
    const post = (headers: Readonly<Record<string, string>>) =>
      ask(page, '/operator/login', { host, ...FORM, ...headers }, { method: 'POST', body: LOGIN });
    const refused: readonly Readonly<Record<string, string>>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `https://${host}` },
      { origin: 'http://127.0.0.1:1' },
      { origin: `${origin}.evil.example` },
      { origin, 'sec-fetch-site': 'cross-site' },
      { origin, 'sec-fetch-site': 'same-site' },
      { origin, 'sec-fetch-site': 'none' },
    ];
    for (const headers of refused) {
      const { status, headers: answered } = await post(headers);
      expect([headers, status]).toEqual([headers, 403]);
      expect(answered['set-cookie']).toBeUndefined();
    }
    expect((await post({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    expect(page.done).toHaveLength(1);
  });

  it('are taken from the public address, whatever name the proxy asks for', async () => {
    const page = await startOperatorPage({ publicUrl: 'https://finclaw.example.com' });
    for (const host of ['finclaw.example.com', `127.0.0.1:${page.port}`]) {
      const headers = { host, ...FORM, origin: 'https://finclaw.example.com' };
      expect((await ask(page, '/operator/login', headers, { method: 'POST', body: LOGIN })).status).toBe(303);
    }
    const plain = { host: 'finclaw.example.com', ...FORM, origin: 'http://finclaw.example.com' };
    expect((await ask(page, '/operator/login', plain, { method: 'POST', body: LOGIN })).status).toBe(403);
  });

  it('need the token of their own session', async () => {
    const page = await startOperatorPage();
    const [me, other] = [visitor(page), visitor(page)];
    await me.logIn();
    await other.logIn();
    const form = { action: 'discard', id: 'x', confirmed: 'yes' };
    const tokens = [undefined, '', 'wrong', await other.formToken()];
    for (const token of tokens) {
      const sent = token === undefined ? form : { ...form, 'form-token': token };
      expect((await me.post('/operator/dead-letters', sent)).status).toBe(403);
      expect((await me.post('/operator/logout', sent)).status).toBe(403);
    }
    expect(page.done.filter(([what]) => what !== 'recordLogin')).toEqual([]);
    expect((await me.submit('/operator/dead-letters', form)).status).toBe(303);
    expect(page.done.at(-1)).toEqual(['discard', 'x', { kind: 'token' }]);
  });

  it('do nothing without a session', async () => {
    const page = await startOperatorPage();
    const form = { action: 'discard', id: 'x', confirmed: 'yes', 'form-token': 'x' };
    expect((await visitor(page).post('/operator/dead-letters', form)).status).toBe(401);
    expect(page.done).toEqual([]);
  });

  it('are cut off at 16 KB, with and without a declared length, and when nobody is logged in', async () => {
    const page = await startOperatorPage();
    const { origin } = page;
    const huge = new URLSearchParams({ secret: 'x'.repeat(10_000_000) });
    const declared = await fetch(`${origin}/operator/login`, {
      method: 'POST',
      body: huge,
      headers: { origin },
    }).catch((error: unknown) => error);
    if (declared instanceof Response) expect(declared.status).toBe(413);
    // Endless, and without a length: the server ends the connection.
    const sent = await new Promise<number>((resolve) => {
      const socket = connect(page.port, '127.0.0.1');
      let bytes = 0;
      const piece = 'x'.repeat(16_384);
      const write = (): void => {
        if (socket.destroyed || bytes > 50_000_000) return;
        bytes += piece.length;
        socket.write(`4000\r\n${piece}\r\n`, () => setImmediate(write));
      };
      socket.on('error', () => undefined).on('close', () => resolve(bytes));
      socket.on('data', () => undefined);
      socket.write(
        `POST /operator/login HTTP/1.1\r\nhost: 127.0.0.1:${page.port}\r\norigin: ${origin}\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n`,
      );
      write();
    });
    expect(sent).toBeLessThan(10_000_000);
    expect((await visitor(page).logIn()).status).toBe(303);
  });

  it('of another kind are refused', async () => {
    const page = await startOperatorPage();
    const host = `127.0.0.1:${page.port}`;
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { host, origin: `http://${host}`, 'content-type': type };
      const { status } = await ask(page, '/operator/login', headers, { method: 'POST', body: LOGIN });
      expect(status).toBe(415);
    }
  });

  it('cannot put headers or foreign addresses into an answer', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    for (const back of [
      '//evil.example',
      'https://evil.example',
      '/operator/x\r\nset-cookie: a=b',
      '/healthz',
    ]) {
      const { headers, status } = await me.post('/operator/preferences', { theme: 'dark', back });
      expect([status, headers.get('location')]).toEqual([303, '/operator']);
      expect(headers.getSetCookie()).toHaveLength(1);
    }
    const { headers } = await me.post('/operator/preferences', {
      locale: 'ko\r\nx: y',
      theme: 'dark; domain=evil.example',
    });
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('with other methods do nothing', async () => {
    const page = await startOperatorPage();
    const me = visitor(page);
    await me.logIn();
    const cookie = `finclaw_operator=${me.jar.get('finclaw_operator')}`;
    const host = `127.0.0.1:${page.port}`;
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask(page, '/operator/dead-letters', { host, cookie }, { method })).status).toBe(404);
  });
});
