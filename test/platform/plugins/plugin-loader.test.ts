import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Command } from '#src/kernel/chat/command.ts';
import type { PluginModel } from '#src/kernel/operations/plugin.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { loadPlugins } from '#src/platform/plugins/plugin-loader.ts';
import { msgContext, recordingEvents, recordingLogger } from '#test/support/context.ts';
import { temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

/** A whole tool in plain JavaScript, as a plugin writes it. */
const TOOL = `
  const tool = (name, overrides = {}, definition = {}) => ({
    definition: {
      name, description: 'Says hello', inputSchema: { type: 'object', properties: {} }, group: 'custom',
      requiresApproval: false, isTransactional: false, accessesSensitiveData: false, adminsOnly: false,
      isExternal: false, timeoutMs: 1000, ...definition,
    },
    problemWith: () => undefined,
    describe: () => name,
    invoke: async () => ({ content: 'hello', isError: false }),
    ...overrides,
  });
`;

const pluginOf = (setup: string, name = 'hello'): string =>
  `${TOOL} export default { name: ${JSON.stringify(name)}, setup: async (api) => { ${setup} } };`;

const TYPED = `
  interface Api { readonly registerTool: (tool: unknown) => void }
  ${TOOL.replace('name, overrides', 'name: string, overrides')}
  export const plugin = { name: 'typed', setup: (api: Api): void => api.registerTool(tool('typed_tool')) };
`;

const setUp = () => {
  const baseDir = temporaryDir();
  const { logger, records } = recordingLogger();
  const recorded = recordingEvents();
  const clock = new ManualClock();
  const hooks = createHooks(logger, clock);
  const tools: { readonly name: string; readonly tool: Tool }[] = [];
  const commands: Command[] = [];
  const models: PluginModel[] = [];
  const write = (file: string, source: string): string => {
    writeFileSync(join(baseDir, file), source);
    return file;
  };
  const load = async (...paths: readonly string[]) => {
    const plugins = await loadPlugins({
      paths,
      baseDir,
      hooks,
      taken: { tool: ['get_quote'], command: ['price', '시세'], model: ['sonnet'] },
      events: recorded.events,
      logger,
      clock,
    });
    tools.push(...plugins.tools.map((tool) => ({ name: tool.definition.name, tool })));
    commands.push(...plugins.commands);
    models.push(...plugins.models);
    return plugins;
  };
  const bodyAfterHooks = async (): Promise<string> =>
    (await hooks.beforeMessageProcess.fire({ ctx: msgContext(), body: 'hi' })).body;
  return { baseDir, records, recorded, clock, tools, commands, models, write, load, bodyAfterHooks };
};

describe('a plugin', () => {
  it('adds its tools and hooks', async () => {
    const { baseDir, tools, write, load, bodyAfterHooks, recorded, records } = setUp();
    const path = write(
      'hello.mjs',
      pluginOf(`
        api.registerTool(tool('say_hello'));
        api.on('beforeMessageProcess', ({ body }) => ({ body: body + ' second' }));
        api.on('beforeMessageProcess', ({ body }) => ({ body: body + ' first' }), { priority: 5 });
      `),
    );
    expect(await load(path)).toMatchObject({ loaded: ['hello'], failed: [] });
    expect(tools.map(({ name }) => name)).toEqual(['say_hello']);
    expect(await bodyAfterHooks()).toBe('hi first second');
    expect(recorded.payloads('plugin:load')).toEqual([{ name: 'hello', path: join(baseDir, path) }]);
    expect(records()).toEqual([]);
  });

  it('may be TypeScript, named `plugin`, and without anything to wait for', async () => {
    const { write, tools, load } = setUp();
    expect(await load(write('typed.ts', TYPED))).toMatchObject({ loaded: ['typed'], failed: [] });
    expect(tools.map(({ name }) => name)).toEqual(['typed_tool']);
  });

  it('needs nothing but what it is given to make a tool', async () => {
    const { write, tools, load } = setUp();
    const source = `export default { name: 'double', setup: ({ defineTool, registerTool, z }) => {
      registerTool(defineTool({
        name: 'double', description: 'Doubles a number', group: 'custom',
        input: z.object({ number: z.number() }),
        run: async ({ number }) => ({ content: String(2 * number), isError: false }),
      }));
    } };`;
    expect(await load(write('double.mjs', source))).toMatchObject({ loaded: ['double'], failed: [] });
    const invoke = async (input: unknown) =>
      tools[0]?.tool.invoke(input, toolContextOf(), new AbortController().signal);
    expect(await invoke({ number: 21 })).toEqual({ content: '42', isError: false });
    expect(await invoke({ number: 'x' })).toMatchObject({ isError: true });
  });

  it('is named when one of its hooks fails later', async () => {
    const { write, load, bodyAfterHooks, records } = setUp();
    await load(write('a.mjs', pluginOf(`api.on('beforeMessageProcess', () => { throw new Error('oh'); });`)));
    expect(await bodyAfterHooks()).toBe('hi');
    expect(records()).toMatchObject([{ hook: 'beforeMessageProcess', plugin: 'hello' }]);
  });

  it('cannot register anything once its setup has ended', async () => {
    const { write, load, tools, bodyAfterHooks } = setUp();
    const path = write(
      'late.mjs',
      `${TOOL}
       let kept;
       export default { name: 'late', setup: (api) => { kept = api; api.on('beforeMessageProcess', () => {
         try { kept.registerTool(tool('too_late')); } catch (error) { return { body: error.message }; }
       }); } };`,
    );
    await load(path);
    expect(await bodyAfterHooks()).toContain('only while its setup runs');
    expect(tools).toEqual([]);
  });

  it('is loaded in the given order', async () => {
    const { write, load } = setUp();
    const paths = ['c', 'a', 'b'].map((name) => write(`${name}.mjs`, pluginOf('', name)));
    expect((await load(...paths)).loaded).toEqual(['c', 'a', 'b']);
  });
});

const command = (overrides: string): string =>
  `api.registerCommand({ name: 'dice', description: 'rolls', run: () => '4', ${overrides} })`;
const model = (overrides: string): string =>
  `api.registerModel({ id: 'llama', provider: 'openai', contextWindow: 8000, maxOutputTokens: 1000, pricing: null, ${overrides} })`;

describe('what cannot be loaded', () => {
  const REGISTER = `api.registerTool(tool('orphan')); api.on('beforeMessageProcess', () => ({ body: 'orphan' }));`;

  it.each([
    ['is not there', undefined, 'there is no such file'],
    ['is no JavaScript', 'export default {', ''],
    ['throws while it is loaded', `throw new Error('no network');`, 'no network'],
    ['imports what is not there', `import '../missing.mjs';`, 'missing.mjs'],
    ['exports nothing', 'export const x = 1;', 'it exports no plugin'],
    ['exports a function', 'export default () => undefined;', 'it exports no plugin'],
    ['has no name', 'export default { setup: () => undefined };', 'has no name'],
    ['has an empty name', `export default { name: ' ', setup: () => undefined };`, 'has no name'],
    ['has no setup', `export default { name: 'x' };`, 'no `setup` function'],
    ['throws in its setup', pluginOf(`${REGISTER} throw new Error('half-way');`), 'half-way'],
    ['throws something that is no error', pluginOf(`${REGISTER} throw 'oops';`), 'oops'],
    ['takes the name of a tool', pluginOf(`${REGISTER} api.registerTool(tool('get_quote'));`), '"get_quote"'],
    ['registers a tool twice', pluginOf(`${REGISTER} api.registerTool(tool('orphan'));`), '"orphan"'],
    ['names a hook that does not exist', pluginOf(`${REGISTER} api.on('onMoon', () => {});`), '"onMoon"'],
    ['gives no function', pluginOf(`${REGISTER} api.on('afterAgentRun', 7);`), 'is no function'],
    [
      'gives an odd priority',
      pluginOf(`${REGISTER} api.on('afterAgentRun', () => {}, { priority: 'high' });`),
      'is no number',
    ],
  ])(
    'because it %s is told in one line, hurts no other, and leaves nothing behind',
    async (_, source, cause) => {
      const { baseDir, write, load, tools, bodyAfterHooks, recorded, records } = setUp();
      const path = source === undefined ? 'bad.mjs' : write('bad.mjs', source);
      const good = write('good.mjs', pluginOf(`api.registerTool(tool('fine'));`, 'good'));
      const { loaded, failed } = await load(path, good);
      expect(loaded).toEqual(['good']);
      const file = join(baseDir, 'bad.mjs');
      expect(failed).toEqual([{ path: file, error: expect.anything() }]);
      const [line, ...others] = records();
      expect(others).toEqual([]);
      expect(line).toMatchObject({ level: 'error' });
      expect(line?.message).toMatch(/^[^\n]+$/);
      expect(line?.message).toContain(`The plugin ${file} could not be loaded: `);
      expect(line?.message).toContain(cause);
      expect(recorded.payloads('plugin:error')).toEqual(failed);
      expect(tools.map(({ name }) => name)).toEqual(['fine']);
      expect(await bodyAfterHooks()).toBe('hi');
    },
  );

  it.each([
    ['name', `tool('has space')`, 'definition.name'],
    ['definition', `{ invoke: () => {} }`, 'definition.name'],
    ['object', `undefined`, 'definition.name'],
    ['description', `tool('bad', {}, { description: '' })`, 'definition.description'],
    ['schema', `tool('bad', {}, { inputSchema: { type: 'string' } })`, 'definition.inputSchema'],
    ['group', `tool('bad', {}, { group: 'toString' })`, 'definition.group'],
    ['time limit', `tool('bad', {}, { timeoutMs: 0 })`, 'definition.timeoutMs'],
    ['end', `tool('bad', {}, { timeoutMs: Infinity })`, 'definition.timeoutMs'],
    ['word on approval', `tool('bad', {}, { requiresApproval: undefined })`, 'definition.requiresApproval'],
    ['word on effects', `tool('bad', {}, { isTransactional: 'no' })`, 'definition.isTransactional'],
    ['word on secrecy', `tool('bad', {}, { accessesSensitiveData: 0 })`, 'definition.accessesSensitiveData'],
    ['word on administrators', `tool('bad', {}, { adminsOnly: null })`, 'definition.adminsOnly'],
    ['word on services', `tool('bad', {}, { isExternal: undefined })`, 'definition.isExternal'],
    ['check', `tool('bad', { problemWith: undefined })`, 'problemWith must be a function'],
    ['words', `tool('bad', { describe: 'text' })`, 'describe must be a function'],
    ['function', `tool('bad', { invoke: undefined })`, 'invoke must be a function'],
  ])('because a tool has no proper %s is told with what is missing', async (_what, tool, cause) => {
    const { write, load, tools, records } = setUp();
    const path = write('bad.mjs', pluginOf(`api.registerTool(tool('fine')); api.registerTool(${tool});`));
    expect((await load(path)).failed).toHaveLength(1);
    expect(records()).toMatchObject([{ message: expect.stringContaining(cause) }]);
    expect(tools).toEqual([]);
  });

  it.each([
    ['a command with a built-in name', command(`name: 'price'`), 'a command called "price"'],
    ['a command with a built-in alias', command(`aliases: ['시세']`), 'a command called "시세"'],
    ['a command twice', `${command('')}; ${command('')}`, 'a command called "dice"'],
    ['a command of its own alias', command(`aliases: ['Dice']`), 'a command called "dice"'],
    ['no command', 'api.registerCommand(null)', 'a command is not valid'],
    ['a command with blanks in its name', command(`name: 'roll it'`), 'name'],
    ['a command without a description', command(`description: undefined`), 'description'],
    ['a command of several lines', command(`description: { en: 'a\\nb' }`), 'description'],
    ['a command that does nothing', command(`run: 'roll'`), 'run: must be a function'],
    ['a command that may take for ever', command(`timeoutMs: Infinity`), 'timeoutMs'],
    ['a command with an odd option', command(`options: [{ name: 'A', description: 'a' }]`), 'options.0.name'],
    ['a command with a misspelt field', command(`requiredRole: ['ops']`), 'requiredRole'],
    ['a model of a taken name', model(`aliases: ['Sonnet']`), 'a model called "sonnet"'],
    ['a model twice', `${model('')}; ${model('')}`, 'a model called "llama"'],
    ['a model without a price', model('pricing: undefined'), 'pricing'],
    ['a model without a window', model('contextWindow: undefined'), 'contextWindow'],
    ['a model of an unknown provider', model(`provider: 'acme'`), 'provider'],
    ['a server without a key', model(`server: { baseUrl: 'https://a.example' }`), 'server.apiKey'],
    [
      'a key that would cross the internet in the clear',
      model(`server: { baseUrl: 'http://a.example/v1', apiKey: 'geheim' }`),
      'server.baseUrl: must be an https address',
    ],
  ])('because it registers %s is told, and adds nothing', async (_what, registers, cause) => {
    const { write, load, tools, commands, models, records } = setUp();
    const fine = `api.registerTool(tool('fine')); ${command(`name: 'fine'`)}; ${model(`id: 'fine'`)};`;
    expect((await load(write('bad.mjs', pluginOf(`${fine} ${registers};`)))).failed).toHaveLength(1);
    expect(records()).toMatchObject([{ message: expect.stringContaining(cause) }]);
    expect([tools, commands, models]).toEqual([[], [], []]);
  });

  it('because its name is taken is told too', async () => {
    const { write, load, records } = setUp();
    const [first, second] = [write('a.mjs', pluginOf('')), write('b.mjs', pluginOf(''))];
    expect((await load(first, second)).loaded).toEqual(['hello']);
    expect(records()).toMatchObject([
      { message: expect.stringContaining('another plugin is called "hello"') },
    ]);
  });

  it.each([
    ['setup', pluginOf(`api.registerTool(tool('orphan')); await new Promise(() => {});`)],
    ['module', `await new Promise(() => {}); ${pluginOf('')}`],
  ])('because its %s hangs is left after ten seconds', async (_what, source) => {
    const { write, load, tools, clock, records } = setUp();
    const hanging = write('hanging.mjs', source);
    const good = write('good.mjs', pluginOf('', 'good'));
    let isLoaded = false;
    const loading = load(hanging, good).then((result) => {
      isLoaded = true;
      return result;
    });
    await clock.advance(9_999);
    expect(isLoaded).toBe(false);
    await clock.advance(1);
    expect((await loading).loaded).toEqual(['good']);
    expect(tools).toEqual([]);
    expect(records()).toMatchObject([{ message: expect.stringContaining('It took longer than 10 s') }]);
  });
});

const moduleUrl = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

/** Loads the plugins that it is given, and prints what became of them. */
const LOADER = `
  import { systemClock as clock } from '${moduleUrl('src/platform/concurrency/clock.ts')}';
  import { loadPlugins } from '${moduleUrl('src/platform/plugins/plugin-loader.ts')}';
  const lines = [];
  const result = await loadPlugins({
    paths: process.argv.slice(2), baseDir: process.argv[1], hooks: {}, taken: {},
    events: { emit: () => undefined }, logger: { error: (line) => lines.push(line) }, clock,
  });
  const tools = result.tools.map((tool) => tool.definition.name);
  process.stdout.write(JSON.stringify({ loaded: result.loaded, tools, lines }));
`;

describe('plugins in the program as it runs', () => {
  it('are loaded from any folder, typed or not, and the broken ones are told', async () => {
    const baseDir = join(temporaryDir(), 'with space & 한글 #1');
    mkdirSync(baseDir);
    const sources = {
      'typed.ts': TYPED,
      'broken.mjs': 'export default {',
      'enum.ts': `enum Old { A } ${pluginOf('')}`,
      'plain.mjs': pluginOf(`api.registerTool(tool('say_hello'));`),
    };
    for (const [file, source] of Object.entries(sources)) writeFileSync(join(baseDir, file), source);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      LOADER,
      baseDir,
      ...Object.keys(sources),
    ]);
    expect(JSON.parse(stdout)).toEqual({
      loaded: ['typed', 'hello'],
      tools: ['typed_tool', 'say_hello'],
      lines: [
        expect.stringMatching(/^The plugin .*broken\.mjs could not be loaded: Unexpected [^\n]+$/),
        expect.stringMatching(/^The plugin .*enum\.ts could not be loaded: [^\n]*enum[^\n]*$/),
      ],
    });
  });
});
