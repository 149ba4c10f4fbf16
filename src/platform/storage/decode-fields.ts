import { z } from 'zod';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads stored JSON field by field. A field that another version, or a person, wrote wrongly is left out alone. */
export const decodeFields = <Fields extends z.ZodRawShape>(
  fields: Fields,
  text: string,
): { readonly [Field in keyof Fields]?: z.output<Fields[Field]> } => {
  const stored = z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data ?? {};
  const valid = Object.entries(fields).flatMap(([field, schema]) => {
    const parsed = z.safeParse(schema, stored[field]);
    return parsed.success ? [[field, parsed.data] as const] : [];
  });
  return Object.fromEntries(valid) as { [Field in keyof Fields]?: z.output<Fields[Field]> };
};
