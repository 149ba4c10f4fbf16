import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { load, problemsOf } from './support.ts';

const PUBLIC = [
  'http://models.example.com',
  'http://8.8.8.8/v1',
  'http://134744072/v1',
  'http://172.32.0.1',
  'http://[2001:4860:4860::8888]/v1',
  'http://[::ffff:8.8.8.8]/v1',
  'http://[64:ff9b::808:808]/v1',
  'http://localhost.example.com',
  'http://internal.example.com.',
];

const PRIVATE = [
  'http://localhost:11434/v1',
  'http://LOCALHOST./v1',
  'http://api.localhost',
  'http://127.1:8080',
  'http://0.0.0.0:8080',
  'http://10.1.2.3',
  'http://172.31.255.1',
  'http://192.168.0.9',
  'http://100.100.1.1',
  'http://169.254.1.1',
  'http://[::1]:4000',
  'http://[fd00::7]',
  'http://ollama:11434',
  'http://gpu.local',
  'http://host.docker.internal:11434',
  'http://llm.prod.svc.cluster.local',
  'http://nas.home.arpa',
  'https://models.example.com',
];

describe('an address that receives keys or messages', () => {
  everyRow(PUBLIC)('is refused over plain http to the internet, with what to do: %s', (address) => {
    const file = { providers: { aws: { region: 'x', endpoint: address } } };
    const env = {
      ANTHROPIC_BASE_URL: address,
      OPENAI_BASE_URL: address,
      DISCORD_API_URL: address,
      SLACK_API_URL: address,
    };
    const problems = problemsOf(file, env);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      ...Object.keys(env),
      'providers.aws.endpoint',
    ]);
    for (const problem of problems)
      expect(problem).toMatch(/unencrypted to .+begin the address with https:\/\//);
  });

  everyRow(PRIVATE)('may be this machine, a private network or encrypted: %s', (address) => {
    expect(load({}, { OPENAI_BASE_URL: address }).engine.providers.openai.baseUrl).toBe(address);
  });

  it('may be plain http where no key goes', () => {
    expect(load({}, { FINCLAW_YAHOO_URL: 'http://quotes.example.com' }).warnings).toEqual([]);
  });
});

describe('a database on the internet without TLS', () => {
  it.each([
    ['postgres://bot:geheim@db.example.com/finclaw', 1],
    ['postgres://bot:geheim@db.example.com/finclaw?sslmode=disable', 1],
    ['postgres://bot:geheim@db.example.com/finclaw?sslmode=verify-full', 0],
    ['postgres://bot:geheim@db.example.com/finclaw?ssl=true', 0],
    ['postgres://bot:geheim@postgres:5432/finclaw', 0],
    ['postgres://bot:geheim@10.0.0.3/finclaw', 0],
  ])('is a warning with what to do: %s', (DATABASE_URL, count) => {
    const { warnings } = load({}, { DATABASE_URL });
    expect(warnings).toEqual(Array(count).fill(expect.stringContaining('Add ?sslmode=verify-full')));
    expect(warnings.join()).not.toContain('geheim');
  });
});
