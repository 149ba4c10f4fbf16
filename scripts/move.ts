import { join } from 'node:path';
import { SCHEMA } from '#src/wiring/schema.ts';
import { commandFor } from '#src/platform/how-to-run.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { moveDatabase } from '#src/platform/backup/move.ts';
import { SQLITE_FILE } from '#src/platform/storage/database.ts';
import { namesIn } from '#src/platform/storage/sent-files.ts';
import { ownPlace, readTarget, runScript, say, shownPlace } from './database/run-script.ts';
import { HELP, readOptions } from './options/read-options.ts';

// Moves all data to another database: npm run move -- --to postgres://… or --to sqlite:DIRECTORY. The bot must be stopped.

const USAGE = commandFor('move', '--to postgres://… or --to sqlite:DIRECTORY');

await runScript(async (config, signal) => {
  const { values } = readOptions(USAGE, { options: { to: { type: 'string' }, ...HELP } });
  if (values.help) return say(USAGE);
  if (values.to === undefined) throw new FinClawError(`Say where to: ${USAGE}`, 'USAGE');
  const from = ownPlace(config);
  const to = readTarget(values.to);
  const { secretKeys } = config.engine;
  const { tables, rows, sha256 } = await moveDatabase({
    from,
    to,
    schema: SCHEMA,
    secretKeys,
    signal,
  });
  say(`Everything is copied from ${shownPlace(from)} to ${shownPlace(to)}, and compared row by row.`);
  say(`${tables} tables, ${rows} rows, the same on both sides (SHA-256 ${sha256}).`);
  if (to.kind === 'sqlite' && (await namesIn(join(config.dataDir, 'skills'))).length > 0)
    say(`Your skills are not part of the database: copy ${join(config.dataDir, 'skills')} yourself.`);
  say(
    to.kind === 'postgres'
      ? 'Set DATABASE_URL to the new address and start FinClaw.'
      : `${from.kind === 'postgres' ? 'Remove DATABASE_URL, set' : 'Set'} FINCLAW_DATA_DIR to ${to.directory} and start FinClaw.`,
  );
  say(
    from.kind === 'postgres'
      ? 'The old database stays as it is; drop it when all is well.'
      : `The old directory stays as it is; remove ${join(from.directory, SQLITE_FILE)} when all is well.`,
  );
});
