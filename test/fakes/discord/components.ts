import { checkCount, checkLength, invalid } from './errors.ts';
import { asNumber, asWires, type Wire } from './wire.ts';

const ROW = 1;
const BUTTON = 2;
const LINK_STYLE = 5;
const SELECTS: ReadonlySet<number> = new Set([3, 5, 6, 7, 8]);

const checkButton = (button: Wire, path: string): void => {
  checkLength(button['label'], `${path}.label`, 80);
  const style = asNumber(button['style']);
  if (style < 1 || style > 6)
    throw invalid(`${path}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, …, 6}.');
  if (button['label'] === undefined && button['emoji'] === undefined)
    throw invalid(path, 'BUTTON_COMPONENT_LABEL_REQUIRED', 'A button must have a label or an emoji');
  if (style === LINK_STYLE) checkLength(button['url'], `${path}.url`, 512, 1);
  else checkLength(button['custom_id'], `${path}.custom_id`, 100, 1);
};

const checkSelect = (select: Wire, path: string): void => {
  checkLength(select['custom_id'], `${path}.custom_id`, 100, 1);
  checkLength(select['placeholder'], `${path}.placeholder`, 150);
  if (select['type'] !== 3) return;
  const options = asWires(select['options']);
  checkCount(options, `${path}.options`, 25, 1);
  for (const [at, option] of options.entries()) {
    checkLength(option['label'], `${path}.options.${at}.label`, 100, 1);
    checkLength(option['value'], `${path}.options.${at}.value`, 100, 1);
  }
};

/** Action rows with buttons and selects, as of a message. */
export const checkComponents = (rows: readonly Wire[], path = 'components'): void => {
  checkCount(rows, path, 5);
  const customIds = new Set<unknown>();
  for (const [at, row] of rows.entries()) {
    const rowPath = `${path}.${at}`;
    if (row['type'] !== ROW)
      throw invalid(`${rowPath}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).');
    const parts = asWires(row['components']);
    checkCount(parts, `${rowPath}.components`, 5, 1);
    for (const [place, part] of parts.entries()) {
      const partPath = `${rowPath}.components.${place}`;
      const type = asNumber(part['type']);
      if (type === BUTTON) checkButton(part, partPath);
      else if (SELECTS.has(type) && parts.length === 1) checkSelect(part, partPath);
      else
        throw invalid(
          `${partPath}.type`,
          'COMPONENT_TYPE_INVALID',
          'The specified component type is invalid',
        );
      const customId = part['custom_id'];
      if (customId !== undefined && customIds.has(customId))
        throw invalid(
          `${partPath}.custom_id`,
          'COMPONENT_CUSTOM_ID_DUPLICATED',
          'Component custom id cannot be duplicated',
        );
      customIds.add(customId);
    }
  }
};

const EMBED_TOTAL = 6_000;
const MAX_URL = 2_048;

const checkUrl = (url: unknown, path: string): void => {
  checkLength(url, path, MAX_URL);
  if (typeof url !== 'string') return;
  if (!URL.canParse(url)) throw invalid(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
  if (!/^https?:/iu.test(url))
    throw invalid(path, 'URL_TYPE_INVALID_SCHEME', "Scheme must be one of ('http', 'https').");
};

/** Discord takes the spaces away first. */
const checkFilled = (value: unknown, path: string): void => {
  if (typeof value === 'string' && value.trim() === '')
    throw invalid(path, 'BASE_TYPE_REQUIRED', 'This field is required');
};

export const checkEmbeds = (embeds: readonly Wire[]): void => {
  checkCount(embeds, 'embeds', 10);
  let total = 0;
  const check = (value: unknown, path: string, max: number, min = 0): void => {
    checkLength(value, path, max, min);
    if (typeof value === 'string') total += value.length;
  };
  for (const [at, embed] of embeds.entries()) {
    const path = `embeds.${at}`;
    const part = (key: string): Wire => (embed[key] ?? {}) as Wire;
    check(embed['title'], `${path}.title`, 256);
    check(embed['description'], `${path}.description`, 4_096);
    check(part('footer')['text'], `${path}.footer.text`, 2_048);
    check(part('author')['name'], `${path}.author.name`, 256);
    const fields = asWires(embed['fields']);
    checkCount(fields, `${path}.fields`, 25);
    for (const [place, field] of fields.entries()) {
      check(field['name'], `${path}.fields.${place}.name`, 256, 1);
      check(field['value'], `${path}.fields.${place}.value`, 1_024, 1);
      checkFilled(field['name'], `${path}.fields.${place}.name`);
      checkFilled(field['value'], `${path}.fields.${place}.value`);
    }
    checkUrl(embed['url'], `${path}.url`);
    const color = embed['color'];
    if (typeof color === 'number' && (color < 0 || color > 0xff_ff_ff))
      throw invalid(
        `${path}.color`,
        'NUMBER_TYPE_MAX',
        'int value should be less than or equal to 16777215.',
      );
  }
  if (total > EMBED_TOTAL)
    throw invalid('embeds', 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
};
