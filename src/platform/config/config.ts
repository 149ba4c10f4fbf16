import type { LogLevel } from '#src/kernel/operations/log.ts';
import { type ConfigFile, configFileSchema } from './config-file.ts';
import { type EngineConfig, engineConfig, secretsIn } from './engine-config.ts';
import { type Environment, environmentSchema, secretValues } from './environment.ts';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { EffectiveSetting, Role } from '#src/kernel/operations/status.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import { LOOPBACK } from '../net/listen.ts';
import { budgetsOf, shownBudgets } from './budgets.ts';
import {
  checkFileKeys,
  checkKeyForms,
  checkPlainHttp,
  checkRole,
  describeIssues,
  transportWarnings,
} from './config-problems.ts';
import { effectiveSettings } from './effective-settings.ts';
import { type OperatorConfig, operatorConfig, operatorWarnings } from './operator-config.ts';
import type { ProxySettings } from '../proxy/settings.ts';
import type { TracingSettings } from '../tracing/tracing.ts';
import { proxyConfig, proxyWarnings, SMALL_NAMES, withOneSpelling } from './proxy-config.ts';
import { tracingConfig } from './tracing-config.ts';
import { editDistance } from '../text/edit-distance.ts';
import { pageFor } from '../how-to-run.ts';

export interface MarketConfig {
  /** `auto`: real prices, or sample prices if there is no network and nobody relies on the bot yet. */
  readonly mode: NonNullable<Environment['FINCLAW_MARKET']>;
  /** A channel is turned on or a key is set: people rely on this bot, so it never falls back to sample prices. */
  readonly hasLiveSetup: boolean;
  /** Replaces every Yahoo host. */
  readonly yahooUrl?: string;
  readonly upbitUrl?: string;
}

/** How backups are made. */
export interface BackupConfig {
  readonly directory: string;
  readonly keep: number;
  /** Between automatic backups. 0: there are none. */
  readonly everyHours: number;
  readonly beforeUpgrade: boolean;
  /** The current key first. Empty: backups are not encrypted. */
  readonly keys: readonly string[];
  /** Where a key may be that this process does not have. */
  readonly envFile: string;
}

const DAILY_HOURS = 24;

/** Whether the file has a key, or names a secret at AWS that holds one. */
const hasKeyIn = (providers: ConfigFile['providers']): boolean =>
  secretsIn(providers).length > 0 ||
  [providers.anthropic, providers.openai].some(({ awsSecretId }) => awsSecretId !== undefined);

const marketConfig = (
  variables: Environment,
  { providers }: ConfigFile,
  hasPlatform: boolean,
): MarketConfig => {
  const { FINCLAW_MARKET, ANTHROPIC_API_KEY, OPENAI_API_KEY } = variables;
  const hasKey = ANTHROPIC_API_KEY !== undefined || OPENAI_API_KEY !== undefined || hasKeyIn(providers);
  return {
    mode: FINCLAW_MARKET ?? 'auto',
    hasLiveSetup: hasPlatform || hasKey,
    ...(variables.FINCLAW_YAHOO_URL && { yahooUrl: variables.FINCLAW_YAHOO_URL }),
    ...(variables.FINCLAW_UPBIT_URL && { upbitUrl: variables.FINCLAW_UPBIT_URL }),
  };
};

/** The settings of each channel that is turned on. Variables and blocks are parsed already. */
const platformsOf = (
  channels: readonly ChannelDefinition[],
  variables: Environment,
  blocks: Readonly<Record<string, unknown>>,
): Config['platforms'] =>
  Object.fromEntries(
    channels.flatMap(({ id, settings }) => {
      const found = settings(variables, blocks[id]);
      return found ? [[id, found] as const] : [];
    }),
  );

/** All settings, parsed once and frozen. */
export interface Config extends Pick<
  ConfigFile,
  | 'admins'
  | 'gates'
  | 'queue'
  | 'lanes'
  | 'pipeline'
  | 'live'
  | 'feedback'
  | 'welcome'
  | 'agents'
  | 'bindings'
  | 'alerts'
  | 'portfolio'
  | 'retentionDays'
  | 'tools'
  | 'approvals'
> {
  /** The settings of each channel that is turned on, by its id. Empty: the terminal. */
  readonly platforms: Readonly<Record<string, object>>;
  /** The source of prices. */
  readonly market: MarketConfig;
  /** Models, their keys, and limits of a run. */
  readonly engine: EngineConfig;
  /** Absolute paths of plugin modules, in the order of loading. */
  readonly plugins: readonly string[];
  /** Absolute paths, in addition to the built-in directory and that of the data directory. */
  readonly skillDirectories: readonly string[];
  readonly timeZone: string;
  /** False where `timeZone` is the zone of the machine. */
  readonly isZoneConfigured: boolean;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly role: Role;
  readonly httpPort: number | undefined;
  /** The address that the health server listens on. */
  readonly httpHost: string;
  /** Undefined: the operator page is off. */
  readonly operator: OperatorConfig | undefined;
  readonly backup: BackupConfig;
  readonly locale: Locale | 'auto';
  /** Undefined: connections go straight out. */
  readonly proxy: ProxySettings | undefined;
  /** Undefined: no traces. */
  readonly tracing: TracingSettings | undefined;
  readonly logLevel: LogLevel | undefined;
  /** Every setting with its source, for `/config`. Secrets are already hidden. */
  readonly effective: readonly EffectiveSetting[];
  /** Values that every log line masks. */
  readonly secrets: readonly string[];
  /** Settings that are allowed but unwise: logged at start and shown by the doctor. */
  readonly warnings: readonly string[];
  /** The files that settings are read from; they may hold secrets. */
  readonly settingsFiles: readonly string[];
}

const DEFAULT_FILE = 'finclaw.config.json';

const configError = (message: string): FinClawError => new FinClawError(message, 'CONFIG_INVALID');

const readConfigFile = (path: string, isRequired: boolean): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!isRequired && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw configError(`The configuration file ${path} cannot be read: ${errorMessage(error)}`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw configError(`The configuration file ${path} is not valid JSON: ${errorMessage(error)}`);
  }
};

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freezeDeep);
    Object.freeze(value);
  }
  return value;
};

/** Zod would compile a parser for each object, which takes longer than to read a file once. */
const PARSED_ONCE = { jitless: true };

/**
 * Reads all settings, those of the given channels included.
 * Throws `CONFIG_INVALID` with a text for the operator: which setting, what is wrong, what to do.
 */
export const loadConfig = (
  env: NodeJS.ProcessEnv,
  workingDir: string,
  channels: readonly ChannelDefinition[],
): Config => {
  const fileSchema = configFileSchema(channels);
  const spelled = withOneSpelling(env);
  const environment = environmentSchema(channels).safeParse(spelled, PARSED_ONCE);
  if (!environment.success)
    throw configError(describeIssues('The environment', environment.error, fileSchema));
  const variables = environment.data;

  const path = resolve(workingDir, variables.FINCLAW_CONFIG ?? DEFAULT_FILE);
  const raw = readConfigFile(path, variables.FINCLAW_CONFIG !== undefined);
  const file = fileSchema.safeParse(raw, PARSED_ONCE);
  if (!file.success) throw configError(describeIssues(path, file.error, fileSchema, raw));
  const { admins, gates, queue, pipeline, live, feedback, welcome, agents, bindings, tools, approvals } =
    file.data;
  const { alerts, portfolio, retentionDays, lanes, backup } = file.data;
  /** Paths in the file are relative to the file. */
  const besideFile = (relative: string): string => resolve(dirname(path), relative);
  const zone = file.data.timeZone ?? Temporal.Now.timeZoneId();
  const platforms = platformsOf(channels, variables, file.data);
  const problems = [
    ...channels.flatMap(({ problems }) => problems?.(variables) ?? []).map((problem) => `  ${problem}`),
    ...checkRole(variables, platforms),
    ...checkKeyForms(variables),
    ...checkFileKeys(file.data, variables),
    ...checkPlainHttp(variables, file.data, channels),
  ];
  if (problems.length > 0)
    throw configError(
      `The configuration is not valid. Please fix this and start again:\n${problems.join('\n')}`,
    );

  const dataDir = resolve(workingDir, variables.FINCLAW_DATA_DIR ?? 'data');
  const envFile = resolve(workingDir, '.env');
  const locale = variables.FINCLAW_LOCALE ?? 'auto';
  const hasPlatform = Object.keys(platforms).length > 0;
  const budgets = budgetsOf(variables, file.data.budgets, hasPlatform);
  const understood = {
    timeZone: zone,
    FINCLAW_DATA_DIR: dataDir,
    FINCLAW_CONFIG: path,
    FINCLAW_LOCALE: locale,
    ...shownBudgets(budgets),
  };

  return freezeDeep({
    admins,
    gates: { ...gates, rateLimitPerMinute: variables.FINCLAW_RATE_LIMIT ?? gates.rateLimitPerMinute },
    queue: { ...queue, mode: variables.FINCLAW_QUEUE_MODE ?? queue.mode },
    lanes,
    pipeline,
    live,
    feedback,
    welcome,
    platforms,
    agents,
    bindings,
    alerts,
    portfolio,
    retentionDays,
    tools,
    approvals,
    plugins: file.data.plugins.map(besideFile),
    skillDirectories: file.data.skills.directories.map(besideFile),
    timeZone: zone,
    isZoneConfigured: file.data.timeZone !== undefined,
    dataDir,
    market: marketConfig(variables, file.data, hasPlatform),
    engine: engineConfig(variables, file.data, budgets, zone),
    databaseUrl: variables.DATABASE_URL,
    role: variables.FINCLAW_ROLE ?? 'all',
    httpPort: variables.FINCLAW_HTTP_PORT,
    httpHost: variables.FINCLAW_HTTP_HOST ?? LOOPBACK,
    operator: operatorConfig(variables, file.data),
    backup: {
      directory: backup.directory === undefined ? join(dataDir, 'backups') : besideFile(backup.directory),
      keep: backup.keep,
      everyHours: backup.everyHours ?? (variables.DATABASE_URL === undefined ? DAILY_HOURS : 0),
      beforeUpgrade: backup.beforeUpgrade,
      keys: variables.FINCLAW_BACKUP_KEY ?? [],
      envFile,
    },
    locale,
    proxy: proxyConfig(variables),
    tracing: tracingConfig(variables),
    logLevel: variables.FINCLAW_LOG_LEVEL,
    effective: effectiveSettings({ env, variables, file: file.data, raw, understood, channels }),
    secrets: [...secretValues(env, channels), ...secretsIn(file.data.providers)],
    warnings: [
      ...transportWarnings(variables),
      ...operatorWarnings(variables, file.data),
      ...proxyWarnings(variables),
      ...misspeltVariables(spelled, [...Object.keys(environmentSchema(channels).shape), ...SMALL_NAMES]),
    ],
    settingsFiles: [envFile, path],
  });
};

const OWN = 'FINCLAW_';
const MAX_TYPOS = 2;

const wordsOf = (name: string): readonly string[] => name.toUpperCase().split('_');

/** `DISCORD_TOKEN` lacks a word of `DISCORD_BOT_TOKEN`; both begin and end with the same one. */
const lacksWords = (short: readonly string[], long: readonly string[]): boolean => {
  if (short.length < 2 || short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false;
  let next = 0;
  for (const word of long) if (word === short[next]) next += 1;
  return next === short.length;
};

/** How far a written name is from a known one: typing errors, or else words that are missing or too many. */
const distance = (written: string, known: string): number => {
  const typos = editDistance(written.toUpperCase(), known, MAX_TYPOS);
  if (typos <= MAX_TYPOS) return typos;
  const [a, b] = [wordsOf(written), wordsOf(known)];
  // `DISCORD` alone may be anything, and OpenTelemetry has many variables that are one word apart.
  if (a.length < 2 || a[0] === 'OTEL') return Infinity;
  return lacksWords(a, b) || lacksWords(b, a) || known.startsWith(`${written.toUpperCase()}_`)
    ? MAX_TYPOS + Math.abs(a.length - b.length)
    : Infinity;
};

/** The known names that a written one may mean, the nearest first. */
const meantBy = (written: string, known: readonly string[]): readonly string[] =>
  known
    .map((name) => ({ name, apart: distance(written, name) }))
    .filter(({ apart }) => apart < Infinity)
    .toSorted((a, b) => a.apart - b.apart)
    .map(({ name }) => name);

/**
 * One sentence for each variable that is probably misspelt: it begins with `FINCLAW_` and is unknown, or it is close to a
 * known one that is not set. Values are never repeated. Other programs have variables too, so no other name is judged.
 */
export const misspeltVariables = (env: NodeJS.ProcessEnv, known: readonly string[]): readonly string[] => {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  return Object.keys(env).flatMap((written) => {
    if (known.includes(written) || !isSet(written)) return [];
    const meant = meantBy(written, known);
    const question = `did you mean ${meant[0] ?? ''}?`;
    if (written.toUpperCase().startsWith(OWN)) {
      const advice = meant.length > 0 ? question : `remove it, or see ${pageFor('configuration')}`;
      return [`${written} is set, but there is no such variable: ${advice}`];
    }
    return meant.length === 0 || meant.some(isSet) ? [] : [`${written} is set, but not read: ${question}`];
  });
};
