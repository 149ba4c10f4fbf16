import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENERAL_TOOL_NAMES } from '#src/agent/tools/general/index.ts';
import { temporaryDir } from '#test/support/database.ts';
import { runDoctor, spawnDoctor } from '#test/support/run-doctor.ts';

const OURS = ['get_quote', ...GENERAL_TOOL_NAMES, 'read_skill', 'find_tools', 'call_tool'];

const pluginWith = (toolName: string): string => `
  export default {
    name: 'brings ${toolName}',
    setup: ({ registerTool, defineTool, z }) =>
      registerTool(defineTool({
        name: '${toolName}',
        description: 'Does something else',
        group: 'custom',
        input: z.object({}),
        run: async () => ({ content: '', isError: false }),
      })),
  };
`;

/** What the doctor says of a bot with these files in its folder, without what it says of any bot. */
const examine = async (file: object, files: Readonly<Record<string, string>> = {}, run = runDoctor) => {
  const cwd = temporaryDir();
  const dataDir = join(cwd, 'data');
  for (const [path, content] of Object.entries({ ...files, 'finclaw.config.json': JSON.stringify(file) })) {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  const { output, errors, code } = await run({ FINCLAW_DATA_DIR: dataDir }, cwd);
  const findings = output
    .replaceAll(`${cwd}/`, '')
    .split('\n')
    .filter((line) => /plugin|skill|rule/i.test(line));
  return { findings, errors, code };
};

describe('npm run doctor on tools, plugins and skills', () => {
  it('has nothing to say where nothing is set up', async () => {
    expect(await examine({})).toEqual({ findings: [], errors: '', code: 0 });
  });

  it('calls a plugin that takes the name of a tool of ours bad, as a start would', async () => {
    const files = Object.fromEntries(OURS.map((name) => [`${name}.mjs`, pluginWith(name)]));
    const { findings, errors, code } = await examine({ plugins: Object.keys(files) }, files);
    expect(findings).toEqual(
      OURS.map((name) => `✖ Plugin ${name}.mjs cannot be used: there already is a tool called "${name}"`),
    );
    expect({ errors, code }).toEqual({ errors: '', code: 1 });
  });

  it('names the plugins that can be used, and says once what is wrong with the others', async () => {
    const { findings, errors, code } = await examine(
      { plugins: ['good.mjs', 'gone.mjs', 'broken.mjs'] },
      { 'good.mjs': pluginWith('weather'), 'broken.mjs': 'export default {' },
      // A file that cannot be read as a program is Node's own affair.
      spawnDoctor,
    );
    expect(findings).toEqual([
      '✔ Plugin: brings weather',
      '✖ Plugin gone.mjs cannot be used: there is no such file',
      expect.stringMatching(/^✖ Plugin broken\.mjs cannot be used: ./),
    ]);
    expect({ errors, code }).toEqual({ errors: '', code: 1 });
  });

  it('notes a skill that cannot be read and a directory that is not there, and calls neither bad', async () => {
    const { findings, code } = await examine(
      { skills: { directories: ['nowhere', 'more'] } },
      {
        'data/skills/broken/SKILL.md': 'no front matter',
        'more/fine/SKILL.md': '---\nname: fine\ndescription: Does it well.\n---\nDo it.\n',
      },
    );
    expect(findings).toEqual([
      '• The directory of skills nowhere does not exist',
      expect.stringMatching(/^• A skill was left out/),
    ]);
    expect(code).toBe(0);
  });

  it('notes a rule that fits no tool, and none that fits one of ours, of a plugin or of a group', async () => {
    const patterns = ['get_qoute', 'get_*', 'notify', 'weather', 'weathers*', 'group:web', 'group:*', '*'];
    const rules = patterns.map((pattern) => ({ pattern, verdict: 'require-approval' }));
    const { findings, code } = await examine(
      { plugins: ['weather.mjs'], tools: { rules } },
      { 'weather.mjs': pluginWith('weather') },
    );
    expect(findings).toEqual([
      '✔ Plugin: brings weather',
      '• The rule "get_qoute" in tools.rules fits no tool; is it spelt right?',
      '• The rule "weathers*" in tools.rules fits no tool; is it spelt right?',
    ]);
    expect(code).toBe(0);
  });
});
