import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, GPT_KEY, startEngineApp, startServers } from '#test/support/engine-app.ts';
import { runDoctor } from '#test/support/run-doctor.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';

const SECRET_KEY = secretKeyOf(7);
const NO_CLAUDE = { ANTHROPIC_API_KEY: '', FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' };

/** What the doctor says about models and keys, without what it says about everything else. */
const examine = async (env: NodeJS.ProcessEnv, file: object = {}) => {
  const cwd = temporaryDir();
  writeFileSync(join(cwd, 'finclaw.config.json'), JSON.stringify(file));
  const { output, errors, code } = await runDoctor({ FINCLAW_DATA_DIR: temporaryDir(), ...env }, cwd);
  const findings = output
    .split('\n')
    .filter((line) => /^. (?:Model:|local |Key |The model |There is no model|FINCLAW_)/.test(line));
  return { output, errors, findings, code };
};

/** A server that answers every request with the same status and the words of the provider. */
const startRefusing = async (status: number, message: string): Promise<string> => {
  const server = createServer((_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      .end(JSON.stringify({ type: 'error', error: { type: 'odd_error', code: null, message } }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('npm run doctor on models and keys', () => {
  it('says what answers without any key, and what to set for more', async () => {
    const { code, errors, findings } = await examine({});
    expect({ code, errors, findings }).toEqual({
      code: 0,
      errors: '',
      findings: ['• Model: offline (simple questions only); set ANTHROPIC_API_KEY or OPENAI_API_KEY'],
    });
  });

  it('says which setting is missing where a key is set and no model uses it, as a start does', async () => {
    const { gpt } = await startServers();
    const missing = async (models: object) => {
      const chat = { providers: { openai: { api: 'chat' } }, models };
      const env = { OPENAI_API_KEY: GPT_KEY, OPENAI_BASE_URL: gpt.url };
      const { output, findings } = await examine(env, chat);
      expect(findings).toContain('• Model: offline (simple questions only)');
      const app = await startEngineApp({ config: chat, env: { ...env, ...NO_CLAUDE } });
      const logged = app.log.filter((line) => line.includes('The key of openai is not used'));
      expect(logged).toHaveLength(1);
      const line = output.split('\n').find((each) => each.includes('The key of openai is not used'));
      expect(logged[0]?.replaceAll('\\"', '"')).toContain(line?.slice(2) ?? 'nothing');
      return line;
    };
    const definitions = { local: { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 1_024 } };
    expect(await missing({})).toMatch(
      /^• .*providers\.openai\.api is "chat".* Add one of them to models\.definitions, and name it/,
    );
    expect(await missing({ definitions })).toMatch(/Name one of models\.definitions in models\.defaultModel/);
  });

  it('says how the window of a small model is divided, and what to change where nothing is left of it', async () => {
    const { gpt } = await startServers();
    const local = (instructions: string) =>
      examine(
        { OPENAI_API_KEY: GPT_KEY, OPENAI_BASE_URL: gpt.url },
        {
          providers: { openai: { api: 'chat' } },
          models: {
            defaultModel: 'local',
            definitions: { local: { provider: 'openai', contextWindow: 8_192, maxOutputTokens: 1_024 } },
          },
          agent: { instructions },
        },
      );
    const good = await local('Be kind.');
    expect(good.code).toBe(0);
    expect(good.output).toMatch(
      /^✔ Window of local: 8,192 tokens: 1,\d{3} for the instructions, 1,\d{3} for \d tools, 1,024 for an answer, [34],\d{3} for the conversation$/m,
    );
    const bad = await local('친절하게 답하세요. '.repeat(360));
    expect(bad.code).toBe(1);
    expect(bad.findings).toEqual([
      expect.stringMatching(
        /^✖ local has no room for a conversation\. Its window has 8,192 tokens: [456],\d{3} for the instructions, .*; [\d,]+ are left, and 1,500 are needed\. Choose a model with a larger window .*, or shorten the instructions\.$/,
      ),
    ]);
  });

  it('names the model that answers, and each key that its provider accepts', async () => {
    const { claude, gpt } = await startServers({ claude: { keys: CLAUDE_KEYS }, gpt: { keys: [GPT_KEY] } });
    const { code, findings } = await examine({
      ANTHROPIC_API_KEY: CLAUDE_KEYS.join(','),
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_API_KEY: GPT_KEY,
      OPENAI_BASE_URL: gpt.url,
      FINCLAW_MODEL: 'haiku',
    });
    expect(findings).toEqual([
      '✔ Model: Claude Haiku 5.5',
      '✔ Key geh...1111 (anthropic, ANTHROPIC_API_KEY #1) is accepted',
      '✔ Key geh...2222 (anthropic, ANTHROPIC_API_KEY #2) is accepted',
      '✔ Key geh...3333 (openai, OPENAI_API_KEY) is accepted',
    ]);
    expect(code).toBe(0);
  });

  it('says of a refused key what to do, at each provider, and never the key', async () => {
    const { claude, gpt } = await startServers({ claude: { keys: [] }, gpt: { keys: [] } });
    const { code, output, errors, findings } = await examine({
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_API_KEY: GPT_KEY,
      OPENAI_BASE_URL: gpt.url,
    });
    const advice = 'is not accepted: copy it again from the console of the provider, or make a new one';
    expect(findings.slice(1)).toEqual([
      `✖ Key geh...1111 (anthropic, ANTHROPIC_API_KEY) ${advice}`,
      `✖ Key geh...3333 (openai, OPENAI_API_KEY) ${advice}`,
    ]);
    expect(code).toBe(1);
    expect(output + errors).not.toContain('geheim');
  });

  it.each([
    [
      'has no credit',
      400,
      'Your credit balance is too low to access the API.',
      'is accepted, but there is no credit: add some at the provider',
    ],
    ['is at its limit', 429, 'slow down', 'is at its limit just now'],
    [
      'cannot be tried',
      500,
      'out of order',
      /^could not be tried: anthropic: the provider failed or cannot be reached \(HTTP 500/,
    ],
  ] as const)('tells a key that %s from one that is wrong', async (_what, status, message, said) => {
    const { code, findings } = await examine({
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: await startRefusing(status, message),
    });
    const [, finding = ''] = findings;
    const key = '✖ Key geh...1111 (anthropic, ANTHROPIC_API_KEY) ';
    expect(finding.slice(0, key.length)).toBe(key);
    expect(finding.slice(key.length)).toMatch(said);
    expect(code).toBe(1);
  });

  it.each([
    ['of the environment', { ANTHROPIC_API_KEY: CLAUDE_KEYS[0] }, {}],
    ['of the file', {}, { providers: { anthropic: { apiKey: CLAUDE_KEYS[0] } } }],
  ])('does not print a key %s that a server repeats, nor what looks like one', async (_where, env, file) => {
    const message = `no way with ${CLAUDE_KEYS[0]} nor sk-proj-AbCdEfGhIjKlMnOp0123456789`;
    const address = { ANTHROPIC_BASE_URL: await startRefusing(500, message) };
    const { output, errors, findings } = await examine({ ...address, ...env }, file);
    expect(findings.at(-1)).toMatch(/could not be tried: anthropic: /);
    expect(output + errors).not.toMatch(/geheim|AbCdEf|no way/);
  });

  it('does not print an added key that a server repeats', async () => {
    const added = 'geheim-claude-neu-9999';
    const servers = await startServers();
    const engine = await startEngineApp({ servers, env: { FINCLAW_SECRET_KEY: SECRET_KEY } });
    await engine.channel.host.keys.add('anthropic', added, 'at home');
    await engine.stop();
    const { output, errors } = await examine({
      FINCLAW_DATA_DIR: engine.dataDir,
      FINCLAW_SECRET_KEY: SECRET_KEY,
      ANTHROPIC_BASE_URL: await startRefusing(500, `no way with ${added}`),
    });
    expect(output).toContain('could not be tried: anthropic: ');
    expect(output + errors).not.toContain(added);
  });

  it('says of a server that nobody listens on that the key could not be tried, not that it is wrong', async () => {
    const { claude } = await startServers();
    const { code, output, findings } = await examine({
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_API_KEY: GPT_KEY,
      OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    });
    expect(findings).toEqual([
      '✔ Model: Claude Opus 5.5',
      '✔ Key geh...1111 (anthropic, ANTHROPIC_API_KEY) is accepted',
      expect.stringMatching(
        /^✖ Key geh\.\.\.3333 \(openai, OPENAI_API_KEY\) could not be tried: openai: .*cannot be reached \(ECONNREFUSED\)$/,
      ),
    ]);
    expect(code).toBe(1);
    expect(output).not.toContain('geheim');
  });

  it('also tries a key that was added and saved, and says when the secret key to it is missing', async () => {
    const added = 'geheim-claude-neu-9999';
    const servers = await startServers({ claude: { keys: [CLAUDE_KEYS[0]] } });
    const engine = await startEngineApp({ servers, env: { FINCLAW_SECRET_KEY: SECRET_KEY } });
    await engine.channel.host.keys.add('anthropic', added, 'at home');
    await engine.stop();
    const env = {
      FINCLAW_DATA_DIR: engine.dataDir,
      ANTHROPIC_API_KEY: CLAUDE_KEYS[0],
      ANTHROPIC_BASE_URL: servers.claude.url,
    };
    const open = await examine({ ...env, FINCLAW_SECRET_KEY: SECRET_KEY });
    expect(open.output).toContain('✖ Key geh...9999 (anthropic, at home) is not accepted');
    const closed = await examine(env);
    expect(closed.output).toContain('• Saved keys cannot be decrypted: FINCLAW_SECRET_KEY is not set');
    expect([open.code, closed.code]).toEqual([1, 0]);
    expect(open.output + closed.output).not.toContain('geheim');
  });

  it('warns of a model among the fallbacks that is on its way out, without calling it a fault', async () => {
    const { code, findings } = await examine({ FINCLAW_FALLBACKS: 'claude-sonnet-5,haiku,o3' });
    expect(findings.slice(1)).toEqual([
      expect.stringMatching(/^• The model claude-sonnet-5 .+: set FINCLAW_MODEL or FINCLAW_FALLBACKS to/),
      expect.stringMatching(/^• The model o3 .*shut down on 2026-12-11.*: set FINCLAW_MODEL or/),
    ]);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a model with a slip in its name',
      { FINCLAW_MODEL: 'sonet' },
      'FINCLAW_MODEL (models.defaultModel): There is no model "sonet": use one of sonnet',
    ],
    [
      'a fallback that nobody knows',
      { FINCLAW_FALLBACKS: 'haiku,gtp' },
      'FINCLAW_FALLBACKS (models.fallbacks): There is no model "gtp": use one of gpt',
    ],
    [
      'a model without a key for it',
      { FINCLAW_MODEL: 'gpt' },
      'FINCLAW_MODEL (models.defaultModel): the model gpt-6.1-sol needs a key for openai. Set OPENAI_API_KEY; or start without this setting and add a key with /keys add openai; or choose another model.',
    ],
    [
      'a secret key that is none',
      { FINCLAW_SECRET_KEY: 'geheim' },
      'FINCLAW_SECRET_KEY must be 32 bytes in base64. Make one with: openssl rand -base64 32',
    ],
    [
      'the second of two secret keys',
      { FINCLAW_SECRET_KEY: `${SECRET_KEY},geheim` },
      'FINCLAW_SECRET_KEY must be 32 bytes in base64 (key 2 of 2 is not). Make one with: openssl rand -base64 32',
    ],
  ])('says in one sentence how to mend %s, and ends with 1', async (_what, env, sentence) => {
    const { code, output, errors } = await examine(env);
    expect(output.match(/^✖ .*/gm)).toEqual([expect.stringContaining(`✖ ${sentence}`)]);
    expect(code).toBe(1);
    expect(output + errors).not.toMatch(/geheim|    at /);
    expect(output + errors).not.toContain(SECRET_KEY);
  });
});
