import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Command } from '#src/kernel/chat/command.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type {
  HookHandler,
  HookName,
  HookPayloads,
  Plugin,
  PluginApi,
  PluginModel,
} from '#src/kernel/operations/plugin.ts';
import { defineTool, type Tool, type ToolGroupId } from '#src/kernel/agent/tool.ts';
import { withTimeLimit } from '../concurrency/abort.ts';
import type { HookOptions } from './hook-runner.ts';
import { commandProblem, modelProblem, pluginCommand } from './plugin-definitions.ts';
import type { Uses } from '../services.ts';

type Kind = 'tool' | 'command' | 'model';

export interface PluginLoaderDeps extends Uses<'clock' | 'events' | 'logger'> {
  /** Paths of modules, absolute or relative to `baseDir`, in the order of loading. */
  readonly paths: readonly string[];
  readonly baseDir: string;
  readonly hooks: {
    readonly [Name in HookName]: {
      readonly on: (handler: HookHandler<HookPayloads[Name]>, options: HookOptions) => void;
    };
  };
  /** The names and aliases that exist already; those of commands and models in lower case. */
  readonly taken: Readonly<Record<Kind, Iterable<string>>>;
}

/** The plugins, and what they add to the program. */
export interface Plugins {
  /** The names of the plugins, in the order of loading. */
  readonly loaded: readonly string[];
  /** The number of failed commands of a plugin since the start. */
  readonly failuresOf: (pluginName: string) => number;
  readonly failed: readonly { readonly path: string; readonly error: unknown }[];
  readonly tools: readonly Tool[];
  readonly commands: readonly Command[];
  readonly models: readonly PluginModel[];
}

interface Registered {
  readonly tools: Tool[];
  readonly commands: Command[];
  readonly models: PluginModel[];
  readonly names: Readonly<Record<Kind, Set<string>>>;
}

const registeredWith = (names?: PluginLoaderDeps['taken']): Registered => ({
  tools: [],
  commands: [],
  models: [],
  names: { tool: new Set(names?.tool), command: new Set(names?.command), model: new Set(names?.model) },
});

/** The time limit for loading the module and running its setup. */
const LOAD_LIMIT_MS = 10_000;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const GROUPS: Readonly<Record<ToolGroupId, true>> = {
  finance: true,
  system: true,
  web: true,
  data: true,
  communication: true,
  custom: true,
};

const refuse = (message: string): never => {
  throw new FinClawError(message, 'PLUGIN_INVALID');
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const pluginOf = (module: unknown): Plugin => {
  const plugin = field(module, 'default') ?? field(module, 'plugin');
  if (typeof plugin !== 'object' || plugin === null)
    return refuse('it exports no plugin: export { name, setup } as default or as `plugin`');
  const { name, setup } = plugin as Partial<Record<keyof Plugin, unknown>>;
  if (typeof name !== 'string' || name.trim() === '') refuse('its plugin has no name: `name` must be a text');
  if (typeof setup !== 'function') refuse('its plugin has no `setup` function');
  return plugin as Plugin;
};

/** Checks a tool at run time: a plugin is often plain JavaScript, which no compiler has checked. */
const toolProblem = (tool: unknown): string | undefined => {
  const definition = field(tool, 'definition');
  const { name, group, timeoutMs, description, inputSchema } = (definition ?? {}) as Partial<
    Record<keyof Tool['definition'], unknown>
  >;
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    return `a tool has no usable name: definition.name must match ${TOOL_NAME.source}`;
  const wrong = (what: string): string => `the tool "${name}" is not complete: ${what}`;
  if (typeof description !== 'string' || description === '')
    return wrong('definition.description is missing');
  if (field(inputSchema, 'type') !== 'object')
    return wrong('definition.inputSchema must be a JSON Schema of type "object"');
  if (typeof group !== 'string' || !Object.hasOwn(GROUPS, group))
    return wrong(`definition.group must be one of ${Object.keys(GROUPS).join(', ')}`);
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0) || timeoutMs === Infinity)
    return wrong('definition.timeoutMs must be a number above 0');
  const flags = ['requiresApproval', 'isTransactional', 'accessesSensitiveData', 'adminsOnly', 'isExternal'];
  const flag = flags.find((flag) => typeof field(definition, flag) !== 'boolean');
  if (flag !== undefined) return wrong(`definition.${flag} must be true or false`);
  const method = ['problemWith', 'describe', 'invoke'].find(
    (name) => typeof field(tool, name) !== 'function',
  );
  return method === undefined ? undefined : wrong(`${method} must be a function`);
};

/** Collects what a plugin registers until its setup has succeeded: one that fails half-way leaves nothing behind. */
const collectRegistrations = (
  deps: PluginLoaderDeps,
  all: Registered,
  pluginName: string,
  onFailure: (pluginName: string) => void,
) => {
  const { logger, clock } = deps;
  const own = registeredWith();
  /** Reserves the names of a tool, command or model. Throws where one is taken. */
  const claim = (kind: Kind, names: readonly string[]): void => {
    for (const name of names) {
      if (own.names[kind].has(name) || all.names[kind].has(name))
        refuse(`there already is a ${kind} called "${name}"`);
      own.names[kind].add(name);
    }
  };
  const hooks: (() => void)[] = [];
  let isOpen = true;
  const checkOpen = (): void => {
    if (!isOpen) refuse(`the plugin ${pluginName} can register only while its setup runs`);
  };
  const api: PluginApi = {
    defineTool,
    z,
    registerTool: (tool) => {
      checkOpen();
      const problem = toolProblem(tool);
      if (problem !== undefined) refuse(problem);
      claim('tool', [tool.definition.name]);
      own.tools.push(tool);
    },
    registerCommand: (command) => {
      checkOpen();
      const problem = commandProblem(command);
      if (problem !== undefined) refuse(problem);
      const made = pluginCommand(command, {
        plugin: pluginName,
        onFailure: () => onFailure(pluginName),
        clock,
        logger,
      });
      claim('command', [made.definition.name, ...made.definition.aliases]);
      own.commands.push(made);
    },
    registerModel: (model) => {
      checkOpen();
      const problem = modelProblem(model);
      if (problem !== undefined) refuse(problem);
      if (model.server) logger.hide(model.server.apiKey);
      const names = [model.id, ...(model.aliases ?? [])];
      claim(
        'model',
        names.map((name) => name.toLowerCase()),
      );
      own.models.push(model);
    },
    on: (name, handler, { priority = 0 } = {}) => {
      checkOpen();
      if (!Object.hasOwn(deps.hooks, name))
        refuse(`there is no hook "${name}"; the hooks are ${Object.keys(deps.hooks).join(', ')}`);
      if (typeof handler !== 'function') refuse(`what it registered for the hook ${name} is no function`);
      if (!Number.isFinite(priority)) refuse(`the priority of its hook ${name} is no number`);
      hooks.push(() => deps.hooks[name].on(handler, { plugin: pluginName, priority }));
    },
  };
  return {
    api,
    close: () => {
      isOpen = false;
    },
    apply: () => {
      all.tools.push(...own.tools);
      all.commands.push(...own.commands);
      all.models.push(...own.models);
      for (const kind of ['tool', 'command', 'model'] as const)
        for (const name of own.names[kind]) all.names[kind].add(name);
      for (const register of hooks) register();
    },
  };
};

const importModule = async (file: string): Promise<unknown> => {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) refuse('there is no such file');
  return import(/* @vite-ignore */ pathToFileURL(file).href);
};

const loadPlugin = async (
  file: string,
  deps: PluginLoaderDeps,
  all: Registered,
  loaded: readonly string[],
  onFailure: (pluginName: string) => void,
) => {
  const plugin = pluginOf(await importModule(file));
  if (loaded.includes(plugin.name)) refuse(`another plugin is called "${plugin.name}"`);
  const { api, close, apply } = collectRegistrations(deps, all, plugin.name, onFailure);
  try {
    await plugin.setup(api);
  } finally {
    close();
  }
  return { name: plugin.name, apply };
};

/**
 * Loads the modules one after the other. Never rejects: a plugin that cannot be loaded is reported, and nothing of it is
 * registered.
 */
export const loadPlugins = async (deps: PluginLoaderDeps): Promise<Plugins> => {
  const { paths, baseDir, events, logger, clock } = deps;
  const { names, ...all } = registeredWith(deps.taken);
  const loaded: string[] = [];
  const failed: { readonly path: string; readonly error: unknown }[] = [];
  const failures = new Map<string, number>();
  const failuresOf = (name: string): number => failures.get(name) ?? 0;
  const onFailure = (name: string): void => void failures.set(name, failuresOf(name) + 1);
  for (const path of paths) {
    const file = resolve(baseDir, path);
    try {
      const loading = loadPlugin(file, deps, { ...all, names }, loaded, onFailure);
      const { name, apply } = await withTimeLimit(loading, LOAD_LIMIT_MS, clock);
      apply();
      loaded.push(name);
      events.emit('plugin:load', { name, path: file });
    } catch (error) {
      failed.push({ path: file, error });
      const [cause] = errorMessage(error).split('\n');
      logger.error(`The plugin ${file} could not be loaded: ${cause}`);
      events.emit('plugin:error', { path: file, error });
    }
  }
  return { loaded, failuresOf, failed, ...all };
};
