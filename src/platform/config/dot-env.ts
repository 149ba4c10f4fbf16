import { existsSync } from 'node:fs';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';

/** Adds what stands in `.env` of the working directory to the environment; what is set there already stays. */
export const loadDotEnv = (): void => {
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (cause) {
    throw new FinClawError(`The file .env cannot be read: ${errorMessage(cause)}`, 'CONFIG_INVALID', {
      cause,
    });
  }
};
