import { z } from 'zod';
import { configFileSchema } from './config-file.ts';

/** The schema of `finclaw.config.json` for editors, as it stands in the repository. */
export const configJsonSchema = (): string => {
  const schema = z.toJSONSchema(configFileSchema, { io: 'input' });
  return `${JSON.stringify({ title: 'finclaw.config.json', ...schema }, null, 2)}\n`;
};
