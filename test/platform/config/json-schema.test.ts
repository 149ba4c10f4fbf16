import { readFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFileSchema, configJsonSchema } from '#src/platform/config/config-file.ts';

const FILE = join(import.meta.dirname, '../../../finclaw.config.schema.json');

describe('configJsonSchema', () => {
  it('is what stands in the repository', () => {
    const stored = readFileSync(FILE, 'utf8');
    // By what it says: how its lines are broken is a matter of `npm run format`.
    expect(
      JSON.parse(stored),
      'finclaw.config.schema.json is out of date: run `npm run config:schema`',
    ).toEqual(JSON.parse(configJsonSchema(CHANNELS)));
  });

  it('knows every setting, asks for none, and lets nothing unknown pass', () => {
    const schema = JSON.parse(configJsonSchema(CHANNELS)) as {
      readonly properties: Readonly<Record<string, unknown>>;
      readonly required?: readonly string[];
      readonly additionalProperties: boolean;
    };
    expect(Object.keys(schema.properties)).toEqual(Object.keys(configFileSchema(CHANNELS).shape));
    expect(schema.required).toBeUndefined();
    expect(schema.additionalProperties).toBe(false);
  });
});
