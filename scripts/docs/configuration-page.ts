import { CHANNELS } from '#channels/index.ts';
import { configJsonSchema } from '#src/platform/config/config-file.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { code, heading, table } from './markdown.ts';

/** The parts of JSON Schema that the settings use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

const INTRODUCTION = `The bot reads two places when it starts: environment variables, and the optional file \`finclaw.config.json\`.
Variables hold secrets and what depends on the machine. They come from the environment or from a file \`.env\`
([.env.example](../.env.example) is a template; the environment overrides it). All other settings are in the configuration file.
A variable overrides the setting of the same meaning.

A mistake stops the start with the name of the setting, the value that was found, and what to write instead. \`npm run doctor\` checks
everything without starting the bot, and administrators see the settings in force, and where each one comes from, with \`/config\`.`;

const FILE = `[finclaw.config.schema.json](../finclaw.config.schema.json) is the schema of the file. Editors complete and check settings if the file
names it:

\`\`\`json
{
  "$schema": "./finclaw.config.schema.json",
  "admins": { "users": ["discord:1234567890"], "roles": ["99:Moderators"] },
  "timeZone": "Asia/Seoul",
  "models": { "choices": ["sonnet", "haiku"] },
  "budgets": { "perUserUsd": 0.5 }
}
\`\`\`

A dot leads into an object, \`<name>\` stands for a key of your choice, and \`[]\` for each item of a list. Settings without a default are
optional unless the type says "required".`;

const isWhole = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

const range = ({ minimum, exclusiveMinimum, maximum }: Schema): string => {
  const from = isWhole(minimum) ? `${minimum}` : undefined;
  const to = isWhole(maximum) ? `${maximum}` : undefined;
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}`;
  if (exclusiveMinimum !== undefined) return `, above ${exclusiveMinimum}${to ? `, up to ${to}` : ''}`;
  if (from !== undefined) return `, ${from} or more`;
  return to === undefined ? '' : `, up to ${to}`;
};

const typeOf = (schema: Schema): string => {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (schema.type === 'array') {
    if (schema.items?.enum) return `list of ${typeOf(schema.items)}`;
    return schema.items?.type === 'string' ? 'list of texts' : 'list';
  }
  if (schema.format === 'uri') return 'URL';
  if (schema.format === 'date') return 'date';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${range(schema)}`;
  return schema.type ?? '';
};

/** The settings below this one, with the path to each; undefined where it has none. */
const childrenOf = (path: string, schema: Schema): readonly Row[] | undefined => {
  if (schema.properties) return objectRows(`${path}.`, schema);
  if (schema.items?.properties) return objectRows(`${path}[].`, schema.items);
  const alternative = schema.items?.anyOf?.find(({ properties }) => properties);
  if (alternative) return objectRows(`${path}[].`, alternative);
  const entry = schema.additionalProperties;
  if (typeof entry !== 'object') return undefined;
  return entry.properties ? objectRows(`${path}.<name>.`, entry) : [];
};

interface Row {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const objectRows = (prefix: string, { properties = {}, required = [] }: Schema): readonly Row[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const row = { path, schema, isRequired: required.includes(name) };
    return [row, ...(childrenOf(path, schema) ?? [])];
  });

const defaultOf = ({ default: value }: Schema): string => {
  if (value === undefined) return '';
  if (typeof value === 'string') return code(value);
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0
    ? ''
    : code(JSON.stringify(value));
};

const settingCells = ({ path, schema, isRequired }: Row): readonly string[] => {
  if (schema.description === undefined) throw new Error(`The setting ${path} has no description`);
  const type = typeof schema.additionalProperties === 'object' ? 'object, by name' : typeOf(schema);
  return [code(path), isRequired ? `${type}; required` : type, defaultOf(schema), schema.description];
};

const section = (name: string, schema: Schema): string => {
  const children = childrenOf(name, schema) ?? [];
  const rows =
    children.length > 0 && schema.properties
      ? children
      : [{ path: name, schema, isRequired: false }, ...children];
  const about = schema.properties && schema.description ? [schema.description] : [];
  return [
    `### ${code(name)}`,
    ...about,
    table(['Setting', 'Type', 'Default', 'Meaning'], rows.map(settingCells)),
  ].join('\n\n');
};

const variables = (): string =>
  table(
    ['Variable', 'Type', 'Without it', 'Meaning'],
    Object.entries(environmentSchema(CHANNELS).shape).map(([name, schema]) => {
      const { title, description, unset } = schema.meta() ?? {};
      if (description === undefined || typeof unset !== 'string')
        throw new Error(`The variable ${name} has no description`);
      return [code(name), title ?? 'text', unset, description];
    }),
  );

/** docs/configuration.md: every variable and every setting, from their schemas. */
export const configurationPage = (): string => {
  const { properties = {} } = JSON.parse(configJsonSchema(CHANNELS)) as Schema;
  const sections = Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .map(([name, schema]) => section(name, schema));
  return [
    heading('Configuration'),
    INTRODUCTION,
    '## Environment variables',
    variables(),
    '## Configuration file',
    FILE,
    ...sections,
  ].join('\n\n');
};
