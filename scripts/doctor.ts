import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { CHANNELS } from '#channels/index.ts';
import { budgetWarnings, describeBudgets } from '#src/platform/config/budgets.ts';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { loadDotEnv } from '#src/platform/config/environment.ts';
import { createEngine } from '#src/agent/engine.ts';
import { classifyFallbackError } from '#src/agent/errors.ts';
import { openModels } from '#src/agent/open-models.ts';
import { createTranscriptRows } from '#src/platform/storage/messages/transcript-rows.ts';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { openToolbox } from '#src/agent/toolbox.ts';
import { nobodyToAsk } from '#src/agent/tools/approvals.ts';
import { createGeneralTools, type GeneralToolDeps } from '#src/agent/tools/general/index.ts';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { createFinanceTools, type FinanceToolDeps } from '#src/features/tools.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { checkMarket } from './check-market.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createEvents } from '#src/platform/events.ts';
import { createHooks } from '#src/platform/plugins/hook-runner.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logger.ts';
import { createSecretMask } from '#src/platform/mask-secrets.ts';
import { openPlugins } from '#src/open-plugins.ts';
import { FEATURE_TABLES } from '#src/features/tables.ts';
import {
  ensureDataDir,
  type OpenedStorage,
  openStorage,
  type Storage,
} from '#src/platform/storage/database.ts';
import { inspectPostgres } from '#src/platform/storage/postgres.ts';

// Checks everything that a start needs, and says how to fix what is missing. Exits with 1 if something is.

const ok = (text: string): Finding => ({ status: 'ok', text });
const note = (text: string): Finding => ({ status: 'note', text });
const bad = (text: string): Finding => ({ status: 'bad', text });

const MIN_NODE_MAJOR = 26;

const checkNode = (): Finding => {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major >= MIN_NODE_MAJOR
    ? ok(`Node ${process.versions.node}`)
    : bad(`Node ${process.versions.node} is too old. Run \`npm install\`, and start with \`npm run\`.`);
};

/** Masked in everything that is printed, because servers repeat what they were sent. */
const secrets: string[] = [];

/** Says why a key was refused, and what to do about it. */
const keyTrouble = (error: unknown): string => {
  const reason = classifyFallbackError(error);
  if (reason === 'auth')
    return 'is not accepted: copy it again from the console of the provider, or make a new one';
  if (reason === 'billing') return 'is accepted, but there is no credit: add some at the provider';
  if (reason === 'rate-limit') return 'is at its limit just now';
  return `could not be tried: ${errorMessage(error)}`;
};

/** The doctor needs only the names and sizes of the tools, for rules and windows. It never runs them. */
const NOTHING_BEHIND = {} as FinanceToolDeps & GeneralToolDeps;

/** Sets up models and keys as a start would, and tries every key once with its provider. */
const checkEngine = async (config: Config, storage: Storage): Promise<readonly Finding[]> => {
  const warnings: string[] = [];
  const base = createLogger({
    level: 'warn',
    pretty: false,
    secrets: config.secrets,
    write: (line) => void warnings.push((JSON.parse(line) as { readonly message: string }).message),
  });
  const logger: FinClawLogger = {
    ...base,
    hide: (secret) => {
      secrets.push(secret);
      base.hide(secret);
    },
  };
  const events = createEvents(() => undefined);
  const clock = systemClock;
  const hooks = createHooks(logger, clock);
  const { loaded, failed, tools, models } = await openPlugins(config, {
    hooks,
    clock,
    events,
    // The failures are printed once, below.
    logger: { ...logger, error: () => undefined },
  });
  const plugins = [
    ...loaded.map((name) => ok(`Plugin: ${name}`)),
    ...failed.map(({ path, error }) => bad(`Plugin ${path} cannot be used: ${errorMessage(error)}`)),
  ];
  try {
    const toolbox = await openToolbox({
      settings: config,
      dataDir: config.dataDir,
      approvals: nobodyToAsk,
      hooks,
      clock,
      events,
      logger,
    });
    toolbox.registerTools(
      [...createFinanceTools(NOTHING_BEHIND), ...createGeneralTools(NOTHING_BEHIND)],
      tools,
    );
    toolbox.skills.stop();
    const opened = await openModels({
      settings: config.engine,
      pluginModels: models,
      locale: config.locale,
      storage,
      tools: toolbox.registry,
      skills: toolbox.skills,
      profiles: { get: async () => ({}) },
      clock,
      events,
      logger,
    });
    const engine = await createEngine({
      settings: config.engine,
      models: opened,
      files: createSentFiles({ dataDir: config.dataDir, clock: systemClock }),
      storage,
      isExclusive: config.databaseUrl === undefined,
      transcripts: createTranscriptStore(createTranscriptRows(storage), clock, logger),
      executeTool: toolbox.execute,
      tools: toolbox.registry,
      hooks,
      readSentence: async () => ({ calls: [] }),
      isInstrument: () => false,
      steering: { take: async () => [] },
      clock,
      events,
      logger,
    });
    opened.checkWindows();
    const { name, isOffline } = opened.describeDefault();
    const trials = await engine.tryKeys(new AbortController().signal);
    return [
      isOffline
        ? note('Model: offline (simple questions only); set ANTHROPIC_API_KEY or OPENAI_API_KEY')
        : ok(`Model: ${name}`),
      ...(isOffline || Object.keys(config.platforms).length === 0 || engine.transcriber.isReady()
        ? []
        : [note('Voice messages are not transcribed: that needs OPENAI_API_KEY, as Claude does not')]),
      ...opened.describeWindows().map(ok),
      ...plugins,
      ...warnings.map(note),
      ...trials.map(({ key, error }) => {
        const text = `Key ${key.masked} (${key.provider}, ${key.name})`;
        return error === undefined ? ok(`${text} is accepted`) : bad(`${text} ${keyTrouble(error)}`);
      }),
    ];
  } catch (error) {
    return [...plugins, bad(errorMessage(error))];
  }
};

const WITHOUT_SECRET_KEY =
  'FINCLAW_SECRET_KEY is not set, so the key behind the codes of the audit trail lies open in the database. Make one with: openssl rand -base64 32';

const SLOW_MS = 20;
const SKEWED_MS = 2_000;

/** Several processes agree on times and take turns over the database, so its clock and the way to it matter. */
const checkPostgres = async (db: OpenedStorage['db']): Promise<readonly Finding[]> => {
  const { version, isTooOld, latencyMs, clockAheadMs } = await inspectPostgres(db);
  if (isTooOld) return [bad(`PostgreSQL ${version} is too old; FinClaw needs version 14 or later`)];
  const answers = `PostgreSQL ${version} answers in ${latencyMs.toFixed(1)} ms`;
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  return [
    latencyMs > SLOW_MS
      ? note(`${answers}, and a message needs many answers; run it closer to the bot`)
      : ok(answers),
    Math.abs(clockAheadMs) > SKEWED_MS
      ? bad(
          `The clock of this machine is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of the database; synchronize both with NTP`,
        )
      : ok('The clocks of this machine and of the database agree'),
  ];
};

const checkStorage = async (config: Config): Promise<readonly Finding[]> => {
  const where = config.databaseUrl ? 'PostgreSQL' : `SQLite in ${config.dataDir}`;
  try {
    ensureDataDir(config.dataDir);
    const storage = await openStorage({
      ...config,
      secretKeys: config.engine.secretKeys,
      tables: FEATURE_TABLES,
      onWait: (older) => {
        const processes = older.map(({ role, version }) => `${role} ${version}`).join(', ');
        throw new FinClawError(
          `Database: this version has to change it in a way that older versions cannot work with, and these still run: ${processes}. Stop them first.`,
          'OLDER_PROCESSES',
        );
      },
    });
    try {
      await storage.checkWritable();
      return [
        ok(`Database: ${where} is writable and up to date`),
        ...(config.databaseUrl ? await checkPostgres(storage.db) : []),
        ...(config.databaseUrl && config.engine.secretKeys.length === 0 ? [note(WITHOUT_SECRET_KEY)] : []),
        ...(await checkEngine(config, storage)),
      ];
    } finally {
      await storage.close();
    }
  } catch (error) {
    // A running bot holds the lock, which is no fault.
    const isInUse = error instanceof FinClawError && error.code === 'DATA_DIR_IN_USE';
    return isInUse
      ? [note(`Database: ${where} is in use by a running FinClaw, so models and keys were not checked`)]
      : [bad(errorMessage(error))];
  }
};

/** The finding says what sources would log. */
const quietLogger = ({ secrets: hidden }: Config): FinClawLogger =>
  createLogger({ level: 'error', pretty: false, secrets: hidden, write: () => undefined });

const checkPort = (port: number): Promise<Finding> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () =>
      resolve(
        note(
          `Health server: port ${port} is taken (by a running FinClaw?). If not, choose another FINCLAW_HTTP_PORT.`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve(ok(`Health server: port ${port} is free`))),
    );
  });

/** Asks every platform that is turned on whether its settings work. */
const checkPlatforms = async ({ platforms }: Config): Promise<readonly Finding[]> => {
  if (Object.keys(platforms).length === 0) {
    const ways = CHANNELS.flatMap(({ turnedOnBy }) => turnedOnBy ?? []);
    return [note(`Channels: the terminal (set ${ways.join(', or ')})`)];
  }
  try {
    const findings = await Promise.all(
      CHANNELS.flatMap(({ id, check }) => (platforms[id] && check ? [check(platforms[id])] : [])),
    );
    return findings.flat();
  } catch (error) {
    return [bad(errorMessage(error))];
  }
};

/** Checks the budgets where a platform is on, because strangers can spend money there. */
const checkBudgets = ({ platforms, engine }: Config): readonly Finding[] => {
  if (Object.keys(platforms).length === 0) return [];
  const warnings = budgetWarnings(engine).map(note);
  return [warnings.length > 0 ? note(describeBudgets(engine)) : ok(describeBudgets(engine)), ...warnings];
};

/** One sentence for each existing file that other users of this machine can read or write. */
const checkFileModes = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) return [];
    return [
      `${path} may hold secrets, and other users of this machine can open it. Run: chmod 600 '${path}'`,
    ];
  });

const examine = async (): Promise<readonly Finding[]> => {
  let config: Config;
  try {
    loadDotEnv();
    config = loadConfig(process.env, process.cwd(), CHANNELS);
    secrets.push(...config.secrets);
  } catch (error) {
    return [checkNode(), bad(errorMessage(error))];
  }
  return [
    checkNode(),
    ok(`Configuration is valid (language ${config.locale}, time zone ${config.timeZone})`),
    ...(config.tools.redactPatterns.length > 0
      ? [
          ok(
            `Result guard: ${config.tools.redactPatterns.length} own pattern(s) in tools.redactPatterns work`,
          ),
        ]
      : []),
    ...(await checkStorage(config)),
    config.httpPort
      ? await checkPort(config.httpPort)
      : note('Health server: off (FINCLAW_HTTP_PORT is not set)'),
    ...(await checkPlatforms(config)),
    ...checkBudgets(config),
    ...(await checkMarket(config, quietLogger(config))),
    ...checkFileModes(config.settingsFiles).map(note),
    ...config.warnings.map(note),
  ];
};

const SIGNS = { ok: '✔', note: '•', bad: '✖' };
const findings = await examine();
const mask = createSecretMask(secrets);
for (const { status, text } of findings) console.log(`${SIGNS[status]} ${mask(text)}`);
process.exitCode = findings.some(({ status }) => status === 'bad') ? 1 : 0;
