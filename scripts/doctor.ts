import { parseArgs } from 'node:util';
import { CHANNELS } from '#channels/index.ts';
import { describeBuild, readBuild } from '#src/platform/build.ts';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { loadDotEnv } from '#src/platform/config/environment.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { commandFor } from '#src/platform/how-to-run.ts';
import { createLogger, type FinClawLogger, createTextMask } from '#src/platform/logging/logger.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import type { StartCheckId } from '#src/wiring/start-checks.ts';
import { bad, type Check, note, ok, runCheck } from './doctor/check.ts';
import { clockFindings, watchClocks } from './doctor/clock.ts';
import { checkDisk, checkFileModes, checkMemory, checkNode, checkOpenFiles } from './doctor/machine.ts';
import { checkProxy } from './doctor/proxy.ts';
import { createJson, createLines } from './doctor/report.ts';
import type * as start from './doctor/start.ts';
import {
  checkAdministrators,
  checkBudgets,
  checkPlainSecrets,
  checkResultGuard,
  checkTimeZone,
} from './doctor/settings.ts';
import { takenByNpm } from './options/read-options.ts';

// Checks everything that a start needs, and says how to fix what is missing. Exits with 1 if something is.
// With --json, prints one document for programs.

/** Masked in everything that is printed, because servers repeat what they were sent. */
const secrets: string[] = [];
const hide = (secret: string): void => void secrets.push(secret);

/** The finding says what sources would log. */
const quietLogger = ({ secrets: hidden }: Config): FinClawLogger =>
  createLogger({ level: 'error', pretty: false, secrets: hidden, write: () => undefined });

/** As the bot does. Whether the proxy is there is a check of its own. */
const followProxy = async ({ proxy }: Config): Promise<(() => void) | undefined> => {
  if (!proxy) return undefined;
  const { useProxy } = await import('#src/platform/proxy/use-proxy.ts');
  return useProxy(proxy, { error: () => undefined, info: () => undefined });
};

/** A database may take a while to answer, and then the keys are tried. */
const START_MS = 20_000;
/** After the others: their servers tell the time. */
const CLOCK_MS = 12_000;

// These load most of the program, so they come after what is known without it.
const START_CHECKS: Readonly<Record<StartCheckId, true>> = {
  configuration: true,
  'data-directory': true,
  backups: true,
  'health-port': true,
  channels: true,
  database: true,
  keys: true,
  models: true,
};

/** Everything that can refuse a start. */
const checksOfStart = (config: Config, loading: Promise<typeof start>): readonly Check[] => {
  const opening = loading.then(({ openStart }) => openStart(config, hide));
  return Object.keys(START_CHECKS).map((id) => ({
    id,
    run: async () => (await opening)(id as StartCheckId),
    limitMs: START_MS,
  }));
};
const askMarkets = async (config: Config): Promise<readonly Finding[]> => {
  const { checkMarket } = await import('./doctor/market.ts');
  return checkMarket(config, quietLogger(config));
};
/** The sources themselves have four seconds, after they were loaded. */
const MARKET_MS = 10_000;

/** Local checks first, because they end at once, and those that ask the network last. */
const checksOf = (config: Config): readonly Check[] => {
  const clocks = watchClocks();
  const platforms = CHANNELS.flatMap(({ id, check }): readonly Check[] => {
    const settings = config.platforms[id];
    return settings && check ? [{ id, run: () => check(settings) }] : [];
  });
  const loading = import('./doctor/start.ts');
  // Nobody else's time limit runs while the program is loaded: a slow machine would be taken for a slow network. The
  // clock waits for their findings, which are never late.
  const online = [...platforms, { id: 'market', run: () => askMarkets(config), limitMs: MARKET_MS }].map(
    (check) => ({ ...check, findings: loading.catch(() => undefined).then(() => runCheck(check)) }),
  );
  return [
    {
      id: 'configuration',
      run: () => [ok(`Configuration is valid (language ${config.locale}, time zone ${config.timeZone})`)],
    },
    { id: 'warnings', run: () => config.warnings.map((text) => note(text)) },
    { id: 'secrets', run: () => checkPlainSecrets(config) },
    { id: 'file-modes', run: () => checkFileModes(config) },
    { id: 'time-zone', run: () => checkTimeZone(config) },
    { id: 'administrators', run: () => checkAdministrators(config) },
    { id: 'budgets', run: () => checkBudgets(config) },
    { id: 'result-guard', run: () => checkResultGuard(config) },
    { id: 'disk', run: () => checkDisk(config) },
    { id: 'memory', run: checkMemory },
    { id: 'open-files', run: checkOpenFiles },
    { id: 'proxy', run: () => checkProxy(config) },
    ...checksOfStart(config, loading),
    ...online.map(({ id, findings }) => ({ id, run: () => findings, limitMs: START_MS })),
    {
      id: 'clock',
      limitMs: CLOCK_MS,
      run: async () => {
        await Promise.all(online.map(({ findings }) => findings));
        return clockFindings(clocks());
      },
    },
  ];
};

const OPTIONS = { json: { type: 'boolean', default: false } } as const;

const options = (): { readonly json: boolean } => {
  // The settings of a user's npm may say the same for other reasons, so the report is made all the same.
  const taken = takenByNpm(commandFor('doctor', '--json'), OPTIONS);
  if (taken !== undefined) console.error(taken);
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${errorMessage(error)}. The doctor knows one option: ${commandFor('doctor', '--json')}`);
    return process.exit(1);
  }
};

/** Whoever reads the report may stop early, like `head`. The exit code still counts. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
if (import.meta.main)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);

const report = (options().json ? createJson : createLines)(
  (text) => console.log(text),
  (text) => createTextMask(secrets)(text),
);

/** All checks run at once; each is told as soon as it and those before it have ended. */
const examine = async (): Promise<void> => {
  report.add('version', [ok(`FinClaw ${describeBuild(readBuild())}`)]);
  report.add('node', checkNode());
  let config: Config;
  try {
    loadDotEnv();
    config = loadConfig(process.env, process.cwd(), CHANNELS);
    secrets.push(...config.secrets);
  } catch (error) {
    report.add('configuration', [bad(errorMessage(error))]);
    return;
  }
  const endProxy = await followProxy(config);
  const running = checksOf(config).map((check) => ({ id: check.id, findings: runCheck(check) }));
  for (const { id, findings } of running) report.add(id, await findings);
  endProxy?.();
};

await examine();
report.end();
process.exitCode = report.hasFailed() ? 1 : 0;
// A request that was given up may still wait for its server.
if (import.meta.main) process.exit();
