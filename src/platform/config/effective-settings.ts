import { z } from 'zod';
import type { EffectiveSetting } from '#src/kernel/operations/status.ts';
import { visibleLine } from '#src/kernel/text.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import { type ConfigFile, configFileSchema } from './config-file.ts';
import { secretsIn } from './engine-config.ts';
import { type Environment, environmentSchema, isSecretVariable, secretValues } from './environment.ts';
import { MASK } from '../text/mask-secrets.ts';
import { createHideSecrets, hideInAddresses, passwordsIn } from './hide-secrets.ts';

/** Variables that override a setting of the file. All others are settings under their own name. */
const PLACES: Readonly<Record<string, string>> = {
  FINCLAW_MODEL: 'models.defaultModel',
  FINCLAW_FALLBACKS: 'models.fallbacks',
  FINCLAW_USER_BUDGET_USD: 'budgets.perUserUsd',
  FINCLAW_DAILY_BUDGET_USD: 'budgets.perDayUsd',
  FINCLAW_QUEUE_MODE: 'queue.mode',
  FINCLAW_GROUNDING: 'grounding.mode',
  FINCLAW_RATE_LIMIT: 'gates.rateLimitPerMinute',
};

const KEY_IN_FILE = /^providers\.(?:\w+\.apiKey|defaultKeys\.\w+)$/;

/** Whether a setting is a secret: it is always hidden, however short it is. */
const isSecret = (path: string, channels: readonly ChannelDefinition[]): boolean =>
  KEY_IN_FILE.test(path) || (!path.includes('.') && isSecretVariable(path, channels));

const NOT_SET = '—';
const MAX_LENGTH = 160;

interface Leaf {
  readonly path: string;
  readonly value: unknown;
  readonly isInFile: boolean;
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodExactOptional
    ? bare(schema.unwrap())
    : schema;

/** All settings of a schema with their values, those that are not set included. */
const leavesOf = (schema: unknown, value: unknown, raw: unknown, path: string): readonly Leaf[] => {
  const isInFile = raw !== undefined;
  if (Array.isArray(value) && value.some(isTable))
    return value.map((item, index) => ({ path: `${path}.${index}`, value: item, isInFile }));
  const type = bare(schema);
  const shape = type instanceof z.ZodObject ? type.shape : {};
  const keys = isTable(value) ? [...new Set([...Object.keys(shape), ...Object.keys(value)])] : [];
  if (!isTable(value) || keys.length === 0) return [{ path, value, isInFile }];
  return keys.flatMap((key) =>
    leavesOf(
      type instanceof z.ZodRecord ? type.valueType : shape[key],
      value[key],
      isTable(raw) ? raw[key] : undefined,
      path === '' ? key : `${path}.${key}`,
    ),
  );
};

const textOf = (value: unknown): string => {
  if (value === undefined) return NOT_SET;
  if (value === '') return '""';
  if (typeof value === 'string') return hideInAddresses(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map(textOf).join(', ');
  if (!isTable(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => {
    const text = textOf(item);
    return `${key}: ${Array.isArray(item) && item.length > 0 ? `[${text}]` : text}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
};

const shownOf = (
  path: string,
  value: unknown,
  hide: (text: string) => string,
  channels: readonly ChannelDefinition[],
): string => {
  if (isSecret(path, channels) && value !== undefined)
    return [value]
      .flat()
      .map(() => MASK)
      .join(', ');
  const characters = Array.from(hide(visibleLine(hide(textOf(value))).trim()));
  return characters.length > MAX_LENGTH
    ? `${characters.slice(0, MAX_LENGTH).join('')}…`
    : characters.join('');
};

export interface SettingSources {
  /** The whole environment, because variables that this program does not read may hold secrets too. */
  readonly env: NodeJS.ProcessEnv;
  readonly variables: Environment;
  readonly file: ConfigFile;
  /** The file before parsing. */
  readonly raw: unknown;
  /** Values by setting that replace what was written: defaults that depend on the machine, and absolute paths. */
  readonly understood: Readonly<Record<string, unknown>>;
  readonly channels: readonly ChannelDefinition[];
}

/** Every setting in force with its source. It contains no secret of the environment or of the file. */
export const effectiveSettings = (sources: SettingSources): readonly EffectiveSetting[] => {
  const { env, file, raw, understood, channels } = sources;
  const variables: Readonly<Record<string, unknown>> = sources.variables;
  const names = Object.keys(environmentSchema(channels).shape);
  const secrets = [...secretValues(env, channels), ...secretsIn(file.providers)];
  const hide = createHideSecrets([...secrets, ...passwordsIn(sources.variables.DATABASE_URL ?? '')]);
  const setting = (path: string, value: unknown, source: EffectiveSetting['source']): EffectiveSetting => ({
    path: hide(visibleLine(hide(path))),
    value: shownOf(path, understood[path] ?? value, hide, channels),
    source,
  });
  const placed = new Map(
    names.flatMap((name) => {
      const path = PLACES[name];
      return path === undefined || variables[name] === undefined ? [] : [[path, variables[name]] as const];
    }),
  );
  const ofFile = leavesOf(configFileSchema(channels), file, raw, '')
    .filter(({ path }) => path !== '$schema')
    .map(({ path, value, isInFile }) =>
      placed.has(path)
        ? setting(path, placed.get(path), 'environment')
        : setting(path, value, isInFile ? 'file' : 'default'),
    );
  const ofEnvironment = names
    .filter((name) => PLACES[name] === undefined)
    .map((name) => setting(name, variables[name], variables[name] === undefined ? 'default' : 'environment'));
  return [...ofFile, ...ofEnvironment];
};
