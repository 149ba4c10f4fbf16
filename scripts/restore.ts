import { resolve } from 'node:path';
import { UNFINISHED } from '#src/chat/store/unfinished.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { commandFor } from '#src/platform/how-to-run.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { restoreBackup } from '#src/platform/backup/restore.ts';
import { ownPlace, readTarget, runScript, say, shownPlace } from './database/run-script.ts';
import { HELP, readOptions } from './options/read-options.ts';

// Restores a backup: npm run restore -- FILE [--to DIRECTORY | postgres://…] [--continue] [--plain]. The
// target must be empty.

const USAGE = commandFor('restore', 'FILE [--to DIRECTORY or postgres://…] [--continue] [--plain]');

await runScript(async (config, signal) => {
  const { values, positionals } = readOptions(USAGE, {
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      continue: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      ...HELP,
    },
  });
  if (values.help) return say(USAGE);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new FinClawError(`Name one backup: ${USAGE}`, 'USAGE');
  const target = values.to === undefined ? ownPlace(config) : readTarget(values.to);
  const { header, rows, unanswered, lockedKeys } = await restoreBackup({
    path: resolve(file),
    target,
    schema: SCHEMA,
    unfinished: UNFINISHED,
    ...config.backup,
    isPlain: values.plain,
    secretKeys: config.engine.secretKeys,
    isContinued: values.continue,
    now: Temporal.Now.instant(),
    signal,
  });
  say(
    `The backup of ${header.madeAt}, made by FinClaw ${header.version}, is restored into ${shownPlace(target)}.`,
  );
  say(`${rows} rows were restored and compared.`);
  if (unanswered > 0)
    say(
      `Messages that were being answered when the backup was made: ${unanswered}. They are not answered again; their senders are told.`,
    );
  if (!values.continue) say('Messages that arrived after the backup are not caught up on.');
  if (lockedKeys > 0)
    say(
      `Saved API keys that are sealed with another key: ${lockedKeys}. Start with the FINCLAW_SECRET_KEY of the original, or add them again with /keys.`,
    );
});
