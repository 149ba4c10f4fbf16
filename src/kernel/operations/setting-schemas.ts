import { z } from 'zod';

/** The description of a variable in docs/configuration.md, and the behaviour without it. */
interface VariableText {
  readonly description: string;
  readonly unset: string;
}

/** An empty variable counts as unset, because `.env` templates are full of empty ones. */
export const optionalVariable = <Schema extends z.ZodType>(schema: Schema, text: VariableText) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), schema.optional())
    .meta({ title: 'text', ...schema.meta(), ...text });

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.com' })
  .meta({ title: 'URL' });

/** For the description of every address that receives keys, tokens or messages. */
export const HTTPS_ONLY = 'Must be https, except on this machine and in private networks.';

export const port = z.coerce
  .number('must be a port number')
  .int()
  .min(1)
  .max(65_535)
  .meta({ title: 'port number' });

export const nonEmpty = z.string().trim().min(1, 'must not be empty');
