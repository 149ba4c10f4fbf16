import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { load, problemsOf } from './support.ts';

const PROXY = 'http://proxy.example.com:3128';
const DISCORD = 'https://discord.com';

const proxyOf = (env: NodeJS.ProcessEnv) => load({}, env).proxy;
const directOf = (NO_PROXY: string) =>
  proxyOf({ HTTPS_PROXY: PROXY, NO_PROXY })?.direct.map(({ host, port }) => [host, port]);

describe('the address of a proxy', () => {
  it.each([
    ['neither is set', {}, undefined],
    ['both are empty', { HTTPS_PROXY: '', HTTP_PROXY: '', https_proxy: '' }, undefined],
    ['https alone', { HTTPS_PROXY: PROXY }, { https: PROXY, http: undefined }],
    ['http alone stands for both', { HTTP_PROXY: PROXY }, { https: PROXY, http: PROXY }],
    ['small letters count first', { https_proxy: PROXY, HTTPS_PROXY: DISCORD }, { https: PROXY }],
    [
      'an empty one in small letters does not count',
      { https_proxy: '', HTTPS_PROXY: PROXY },
      { https: PROXY },
    ],
    ['without a scheme', { HTTPS_PROXY: ' proxy.example.com:3128' }, { https: PROXY }],
    ['NO_PROXY for everything', { HTTPS_PROXY: PROXY, no_proxy: 'a.example, *' }, undefined],
  ])('is read: %s', (_what, env, expected) => {
    const proxy = proxyOf(env);
    if (expected) expect(proxy).toMatchObject(expected);
    else expect(proxy).toBeUndefined();
  });

  everyRow([
    'socks5://proxy.example.com:1080',
    'http://',
    'http://proxy.example.com:99999',
    'http://proxy.example.com/path',
    'http://bot:gehe/im@proxy.example.com:3128',
    'http://bot@proxy.example.com',
    'http://bot:50%off@proxy.example.com',
    'http://proxy .example.com',
  ])('stops the start with what to write instead, and without the password: %s', (address) => {
    const problems = problemsOf({}, { https_proxy: address });
    expect(problems).toEqual([expect.stringMatching(/^HTTPS_PROXY: must (?:look like|have) .+/)]);
    expect(problems.join()).not.toMatch(/gehe|50%off/);
  });

  it('shows neither its user nor its password anywhere', () => {
    const HTTPS_PROXY = 'http://bot:geheim%21Wort@proxy.example.com:3128';
    const { effective, secrets, warnings } = load(
      {},
      { HTTPS_PROXY, http_proxy: 'bot:lower66@p.example.com' },
    );
    expect(effective.filter(({ path }) => /^HTTPS?_PROXY$/.test(path)).map(({ value }) => value)).toEqual([
      'http://[***]@proxy.example.com:3128',
      'http://[***]@p.example.com',
    ]);
    expect(secrets).toEqual(expect.arrayContaining(['geheim%21Wort', 'geheim!Wort', 'lower66']));
    expect(warnings).toEqual([]);
  });
});

describe('NO_PROXY', () => {
  it.each([
    [
      'a.example, .b.example *.C.example',
      [
        ['a.example', undefined],
        ['b.example', undefined],
        ['c.example', undefined],
      ],
    ],
    [
      'localhost:11434,10.1.2.3',
      [
        ['localhost', 11_434],
        ['10.1.2.3', undefined],
      ],
    ],
    [
      '[::1]:80,::0001,[fd00::7]',
      [
        ['::1', 80],
        ['::1', undefined],
        ['fd00::7', undefined],
      ],
    ],
    ['', []],
  ])('is a list of hosts: %s', (written, expected) => {
    expect(directOf(written)).toEqual(expected);
  });

  everyRow(['10.0.0.0/8', '10.0.0.1-10.0.0.9', '10.*', 'http://a.example', 'a.example:port'])(
    'has a warning for what it cannot mean: %s',
    (entry) => {
      const { proxy, warnings } = load({}, { HTTPS_PROXY: PROXY, NO_PROXY: `b.example,${entry}` });
      expect(proxy?.direct).toEqual([{ host: 'b.example', port: undefined }]);
      expect(warnings).toEqual([expect.stringContaining(`NO_PROXY: ${entry} is not understood`)]);
      expect(load({}, { NO_PROXY: entry }).warnings, 'without a proxy').toEqual([]);
    },
  );

  it('and the variables of other protocols are not taken for misspelt ones', () => {
    const env = {
      http_proxy: PROXY,
      https_proxy: PROXY,
      no_proxy: 'a.example',
      ftp_proxy: PROXY,
      ALL_PROXY: PROXY,
    };
    expect(load({}, env).warnings).toEqual([]);
  });
});
