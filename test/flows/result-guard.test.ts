import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '#test/support/database.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';

const portfolio = { kind: 'answer', toolCalls: [{ name: 'get_portfolio', input: {} }] } as const;

const CONFIG = {
  admins: { users: ['boss'] },
  tools: { redactPatterns: ['DEPT-\\d{2}', { name: 'staff number', pattern: 'EMP-\\d{6}' }] },
};

describe('what a tool returns', () => {
  it("is masked by the operator's own patterns before the model reads it, and the log tells only how often", async () => {
    const app = await startEngineApp({ config: CONFIG });
    await app.ask('ann', '/portfolio new EMP-123456');
    app.claude.reply(portfolio, answer('Nothing in it.'));
    await app.ask('ann', 'What do I hold?');
    const read = JSON.stringify(app.claude.history.at(-1)?.body);
    expect(read).toContain('[redacted: staff number]');
    expect(read).not.toContain('EMP-123456');
    const traces = app.log.filter((line) => line.includes('tool:guard'));
    expect(traces).toEqual([expect.stringMatching(/"name":"get_portfolio".*"masked":\{"custom":\d\}/)]);
    expect(app.log.join('')).not.toContain('EMP-123456');
    expect((await app.ask('boss', '/config tools.redact')).join()).toContain('EMP-\\d{6}');
  });
});

/** A tool that returns far more than a model can use. */
const TALKER = `export default {
  name: 'talker',
  setup: ({ registerTool, defineTool, z }) =>
    registerTool(defineTool({
      name: 'talk', description: 'Talks', group: 'finance', input: z.object({}),
      run: async () => ({ content: 'word '.repeat(60_000), isError: false }),
    })),
};`;

describe('what a tool of a plugin returns', () => {
  it('is cut where it is far too long, and the log says by how much', async () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'talker.mjs'), TALKER);
    const app = await startEngineApp({ dataDir, config: { plugins: ['./talker.mjs'] } });
    app.claude.reply({ kind: 'answer', toolCalls: [{ name: 'talk', input: {} }] }, answer('Enough.'));
    expect(await app.ask('boss', 'Talk to me.')).toEqual(['Enough.']);
    const traces = app.log.filter((line) => line.includes('tool:guard'));
    expect(traces).toEqual([expect.stringMatching(/"name":"talk","masked":\{\},"cutChars":\d{6}/)]);
  });
});

describe('a tool that reads personal data', () => {
  it('leaves one line a turn and tool, under a code, for administrators and for the person', async () => {
    const app = await startEngineApp({ config: CONFIG });
    const twice = { kind: 'answer', toolCalls: [...portfolio.toolCalls, ...portfolio.toolCalls] } as const;
    app.claude.reply(
      twice,
      portfolio,
      { kind: 'answer', toolCalls: [{ name: 'list_alerts', input: {} }] },
      answer('Nothing at all.'),
      { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }] },
      answer('No idea.'),
    );
    await app.ask('ann', 'What do I hold?');
    await app.ask('ann', 'And Apple?');
    const [audit = ''] = await app.ask('boss', '/debug audit');
    const lines = audit.split('\n').filter((line) => line.includes('read by a tool'));
    expect(lines.map((line) => line.split(' · ').at(-1) ?? '').toSorted()).toEqual([
      'get_portfolio 1',
      'list_alerts 1',
    ]);
    expect(audit).not.toContain('ann');
    await app.ask('ann', '/privacy export');
    const file = app.channel.sent.at(-1)?.payload.media?.[0];
    const { identities } = JSON.parse(readFileSync(fileURLToPath(file?.url ?? ''), 'utf8')) as {
      readonly identities: readonly [{ readonly audit: readonly { readonly action: string }[] }];
    };
    expect(identities[0].audit.map(({ action }) => action)).toEqual(['tool-read', 'tool-read']);
    expect((await app.ask('ann', '/privacy')).join()).toContain('under a pseudonym');
  });
});
