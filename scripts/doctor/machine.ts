import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { commandFor, pageFor } from '#src/platform/how-to-run.ts';
import { existing, requireUsableDirectory } from '#src/platform/files/make-directory.ts';
import { newestBackup } from '#src/platform/backup/stored-backups.ts';
import { bad, note, ok } from './check.ts';

const MIN_NODE_MAJOR = 26;
const GIGABYTE = 1024 ** 3;
const MEGABYTE = 1024 ** 2;

export const checkNode = (): readonly Finding[] => {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major >= MIN_NODE_MAJOR
    ? [ok(`Node ${process.versions.node}`)]
    : [bad(`Node ${process.versions.node} is too old`, 'Run `npm install`, and start with `npm run`.')];
};

const LITTLE_MEMORY = 512 * MEGABYTE;

/** A process takes 200 to 300 MB. A container may have less than its machine. */
export const checkMemory = (): readonly Finding[] => {
  const limit = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  const free = process.availableMemory();
  const text = `Memory: ${Math.round(free / MEGABYTE)} MB of ${Math.round(limit / MEGABYTE)} MB are free`;
  return free < LITTLE_MEMORY ? [note(text, 'A process needs up to 300 MB: give it 512 MB.')] : [ok(text)];
};

const FEW_FILES = 1_024;

interface Limits {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
}

/** Each connection and each open file counts against this limit. */
export const checkOpenFiles = (): readonly Finding[] => {
  // The names of the network's hosts would take seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as Limits;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' && soft < FEW_FILES
    ? [
        note(
          `Only ${soft} files and connections may be open`,
          'Raise it: ulimit -n 4096, or LimitNOFILE=4096 in the systemd unit.',
        ),
      ]
    : [];
};

/** Below the first the bot is near a stop, below the second it is time to look. */
const NO_SPACE = 100 * MEGABYTE;
const LITTLE_SPACE = GIGABYTE;

export const checkDisk = ({ dataDir }: Pick<Config, 'dataDir'>): readonly Finding[] => {
  const { bavail, bsize } = statfsSync(existing(dataDir));
  const free = bavail * bsize;
  const text = `Disk: ${(free / GIGABYTE).toFixed(1)} GB are free for ${dataDir}`;
  const advice =
    'Free some space, or set FINCLAW_DATA_DIR to a larger disk: with a full one the bot takes no messages.';
  if (free < NO_SPACE) return [bad(text, advice)];
  return free < LITTLE_SPACE ? [note(text, advice)] : [ok(text)];
};

const OTHERS = 0o077;

const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;

/** The next start closes the directory to others; the doctor leaves it as it is. */
export const checkDataDir = ({ dataDir }: Pick<Config, 'dataDir'>): readonly Finding[] => {
  if ((modeOf(dataDir) & OTHERS) === 0) return [];
  return [
    note(
      `Other users of this machine could open ${dataDir}, which holds conversations and holdings`,
      `Run: chmod 700 '${dataDir}'`,
    ),
  ];
};

/** Names each existing file of settings that other users can read or write. */
export const checkFileModes = ({ settingsFiles }: Pick<Config, 'settingsFiles'>): readonly Finding[] =>
  settingsFiles
    .filter((path) => (modeOf(path) & OTHERS) !== 0)
    .map((path) =>
      note(
        `${path} may hold secrets, and other users of this machine can open it`,
        `Run: chmod 600 '${path}'`,
      ),
    );

const OLD_DAYS = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A copied file keeps the time of its last change, a file of this machine that of its creation. */
const bornMs = (path: string): number => {
  const { birthtimeMs = Infinity, mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Math.min(birthtimeMs || Infinity, mtimeMs);
};

/** A bot makes its first backup soon after its start. */
const isNew = (dataDir: string): boolean =>
  !existsSync(dataDir) ||
  readdirSync(dataDir).every((name) => Date.now() - bornMs(join(dataDir, name)) < DAY_MS);

const EVERY_HOURS = 'backup.everyHours';

/** With PostgreSQL nobody makes backups by default. Who set that to 0 has thought of it. */
const missingSchedule = ({
  backup: { everyHours },
  databaseUrl,
  effective,
}: Pick<Config, 'backup' | 'databaseUrl' | 'effective'>): readonly Finding[] =>
  databaseUrl !== undefined &&
  everyHours === 0 &&
  effective.find(({ path }) => path === EVERY_HOURS)?.source === 'default'
    ? [
        note(
          'Backups: there are no automatic ones with PostgreSQL',
          `Set ${EVERY_HOURS} in finclaw.config.json, such as 24, or to 0 if the database is backed up by other means: see "Backup, restore, move" in ${pageFor('operations')}.`,
        ),
      ]
    : [];

const obstacleIn = (directory: string): string | undefined => {
  try {
    requireUsableDirectory(directory);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
};

/** A bot that is new or that nobody relies on needs no backup yet. Who turned automatic ones off has others. */
export const checkBackups = async (
  config: Pick<Config, 'backup' | 'dataDir' | 'platforms' | 'databaseUrl' | 'effective'>,
): Promise<readonly Finding[]> => {
  const {
    backup: { directory, everyHours },
    dataDir,
    platforms,
  } = config;
  const obstacle = obstacleIn(directory);
  if (obstacle !== undefined)
    return [
      note(
        `Backups: none can be made in ${directory} (${obstacle})`,
        'Set backup.directory to a directory that this user may write to.',
      ),
    ];
  const unscheduled = missingSchedule(config);
  const newest = await newestBackup(directory);
  const advice = `Make one: ${commandFor('backup')}`;
  if (!newest) {
    const isNeeded = everyHours > 0 && Object.keys(platforms).length > 0 && !isNew(dataDir);
    return isNeeded ? [note(`Backups: there are none in ${directory}`, advice)] : unscheduled;
  }
  const { madeAt } = newest;
  const ageMs = Date.now() - madeAt.epochMilliseconds;
  const at = madeAt.toString({ smallestUnit: 'minute' }).slice(0, 16).replace('T', ' ');
  const oldMs = Math.max(OLD_DAYS * DAY_MS, 2 * everyHours * HOUR_MS);
  return everyHours > 0 && ageMs >= oldMs
    ? [note(`Backups: the newest is ${Math.floor(ageMs / DAY_MS)} days old (${at} UTC)`, advice)]
    : [...unscheduled, ok(`Backups: the newest was made at ${at} UTC`)];
};
