import { writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';

/** The configuration of a working directory with this file in it. */
export const load = (file: object, env: NodeJS.ProcessEnv = {}): Config => {
  const workingDir = temporaryDir();
  writeFileSync(join(workingDir, 'finclaw.config.json'), JSON.stringify(file));
  return loadConfig(env, workingDir, CHANNELS);
};

/** The problems, one a line, of a file that must not be accepted. */
export const problemsOf = (file: object, env: NodeJS.ProcessEnv = {}): readonly string[] => {
  try {
    load(file, env);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    return String(error)
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  throw new Error('It was accepted');
};
