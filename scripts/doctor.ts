import { createServer } from 'node:net';
import { type Config, loadConfig } from '#src/config/config.ts';
import { loadDotEnv } from '#src/config/dot-env.ts';
import { errorMessage, FinClawError } from '#src/core/errors.ts';
import { ensureDataDir, openStorage } from '#src/storage/database.ts';

/** Checks everything a start needs and says how to mend what is missing. Ends with 1 if something is. */
interface Finding {
  readonly status: 'ok' | 'note' | 'bad';
  readonly text: string;
}

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

const checkStorage = async (config: Config): Promise<Finding> => {
  const where = config.databaseUrl ? 'PostgreSQL' : `SQLite in ${config.dataDir}`;
  try {
    ensureDataDir(config.dataDir);
    const storage = await openStorage(config);
    await storage.checkWritable();
    await storage.close();
    return ok(`Database: ${where} is writable and up to date`);
  } catch (error) {
    // A bot that is running holds its data: that is as it should be.
    const isInUse = error instanceof FinClawError && error.code === 'DATA_DIR_IN_USE';
    return isInUse ? note(`Database: ${where} is in use by a running FinClaw`) : bad(errorMessage(error));
  }
};

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

const examine = async (): Promise<readonly Finding[]> => {
  let config: Config;
  try {
    loadDotEnv();
    config = loadConfig(process.env, process.cwd());
  } catch (error) {
    return [checkNode(), bad(errorMessage(error))];
  }
  return [
    checkNode(),
    ok(`Configuration is valid (language ${config.locale}, time zone ${config.timeZone})`),
    await checkStorage(config),
    config.httpPort
      ? await checkPort(config.httpPort)
      : note('Health server: off (FINCLAW_HTTP_PORT is not set)'),
    note('Channels: the terminal'),
    note('Model: offline (looks up quotes only); market data: bundled sample prices'),
    ...config.unusedVariables.map((name) => note(`${name} is set, but this version does not use it yet`)),
  ];
};

const SIGNS = { ok: '✔', note: '•', bad: '✖' };
const findings = await examine();
for (const { status, text } of findings) console.log(`${SIGNS[status]} ${text}`);
process.exitCode = findings.some(({ status }) => status === 'bad') ? 1 : 0;
