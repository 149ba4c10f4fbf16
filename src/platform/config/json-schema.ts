import { z } from 'zod';
import type { ChannelDefinition } from '../channel-definition.ts';
import { configFileSchema } from './config-file.ts';

/** The schema of `finclaw.config.json` for editors, as it stands in the repository. */
export const configJsonSchema = (channels: readonly ChannelDefinition[]): string => {
  const schema = z.toJSONSchema(configFileSchema(channels), { io: 'input' });
  return `${JSON.stringify({ title: 'finclaw.config.json', ...schema }, null, 2)}\n`;
};
