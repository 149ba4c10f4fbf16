import type { Json } from './api.ts';
import { refusalWithReasons, SlackRefusal } from './errors.ts';

export const LIMITS = {
  blocks: 50,
  viewBlocks: 100,
  viewSize: 250_000,
  sectionText: 3_000,
  fields: 10,
  fieldText: 2_000,
  headerText: 150,
  markdownText: 12_000,
  allText: 13_200,
  contextElements: 10,
  actionElements: 25,
  contextActionElements: 5,
  accessibilityLabel: 75,
  recommendedActions: 5,
  buttonText: 75,
  value: 2_000,
  id: 255,
  tableRows: 100,
  tableCells: 20,
  altText: 2_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  placeholder: 150,
  inputLength: 3_000,
} as const;

const KNOWN = new Set(
  (
    'actions alert card carousel container context context_actions data_table data_visualization divider file ' +
    'header image input markdown plan rich_text section table task_card video'
  ).split(' '),
);

/** What modals and home tabs may contain: neither Markdown nor tables. */
const IN_VIEWS = new Set('actions context divider header image input rich_text section video'.split(' '));

type Complain = (pointer: string, problem: string) => void;

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const array = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

const atMost = (
  complain: Complain,
  pointer: string,
  length: number,
  max: number,
  unit = 'characters',
): void => {
  if (length > max) complain(pointer, `must be less than ${max + 1} ${unit}`);
};

const checkText = (complain: Complain, pointer: string, value: unknown, max: number): void => {
  const { type, text } = object(value);
  if (type !== 'mrkdwn' && type !== 'plain_text') complain(pointer, 'must be a text object');
  if (lengthOf(text) === 0) complain(`${pointer}/text`, 'must be more than 0 characters');
  atMost(complain, `${pointer}/text`, lengthOf(text), max);
};

const checkConfirm = (complain: Complain, pointer: string, value: unknown): void => {
  const { title, text, confirm, deny } = object(value);
  checkText(complain, `${pointer}/title`, title, LIMITS.confirmTitle);
  checkText(complain, `${pointer}/text`, text, LIMITS.confirmText);
  checkText(complain, `${pointer}/confirm`, confirm, LIMITS.confirmButton);
  checkText(complain, `${pointer}/deny`, deny, LIMITS.confirmButton);
};

const checkElement = (complain: Complain, pointer: string, value: unknown): void => {
  const { type, text, value: own, action_id: actionId, style, confirm } = object(value);
  if (typeof type !== 'string') return complain(pointer, 'missing required field: type');
  atMost(complain, `${pointer}/action_id`, lengthOf(actionId), LIMITS.id);
  if (confirm !== undefined) checkConfirm(complain, `${pointer}/confirm`, confirm);
  if (type !== 'button') return;
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    complain(`${pointer}/style`, `unsupported style: ${JSON.stringify(style)}`);
  checkText(complain, `${pointer}/text`, text, LIMITS.buttonText);
  if (object(text)['type'] !== 'plain_text') complain(`${pointer}/text`, 'must be plain_text');
  atMost(complain, `${pointer}/value`, lengthOf(own), LIMITS.value);
};

const checkFeedbackButton = (complain: Complain, pointer: string, value: unknown): void => {
  const { text, value: own, accessibility_label: label } = object(value);
  checkText(complain, `${pointer}/text`, text, LIMITS.buttonText);
  if (object(text)['type'] !== 'plain_text') complain(`${pointer}/text`, 'must be plain_text');
  if (lengthOf(own) === 0) complain(pointer, 'missing required field: value');
  atMost(complain, `${pointer}/value`, lengthOf(own), LIMITS.value);
  atMost(complain, `${pointer}/accessibility_label`, lengthOf(label), LIMITS.accessibilityLabel);
};

/** Only feedback buttons and icon buttons may be in it. */
const checkContextActions = (complain: Complain, pointer: string, block: Json): void => {
  checkElements(complain, pointer, block, LIMITS.contextActionElements);
  for (const [index, value] of array(block['elements']).entries()) {
    const at = `${pointer}/elements/${index}`;
    const { type, positive_button: positive, negative_button: negative } = object(value);
    if (type === 'feedback_buttons') {
      checkFeedbackButton(complain, `${at}/positive_button`, positive);
      checkFeedbackButton(complain, `${at}/negative_button`, negative);
    } else if (type !== 'icon_button') complain(at, `unsupported type: ${String(type)}`);
  }
};

const checkTable = (complain: Complain, pointer: string, rows: unknown): void => {
  const list = array(rows);
  if (list.length === 0) complain(`${pointer}/rows`, 'no rows');
  atMost(complain, `${pointer}/rows`, list.length, LIMITS.tableRows, 'items');
  for (const [index, row] of list.entries()) {
    atMost(complain, `${pointer}/rows/${index}`, array(row).length, LIMITS.tableCells, 'items');
    for (const [column, cell] of array(row).entries()) {
      const { type, text } = object(cell);
      if (type === 'raw_text' && lengthOf(text) === 0)
        complain(`${pointer}/rows/${index}/${column}/text`, 'must be more than 0 characters');
    }
  }
};

const checkElements = (complain: Complain, pointer: string, block: Json, max: number): void => {
  const elements = array(block['elements']);
  if (elements.length === 0) complain(`${pointer}/elements`, 'must have more than 0 items');
  atMost(complain, `${pointer}/elements`, elements.length, max, 'items');
  if (block['type'] === 'context') return;
  const ids = elements.flatMap((element) => object(element)['action_id'] ?? []);
  if (new Set(ids).size < ids.length) complain(`${pointer}/elements`, 'action_id already exists');
  for (const [index, value] of elements.entries()) {
    checkElement(complain, `${pointer}/elements/${index}`, value);
  }
};

const checkInput = (complain: Complain, pointer: string, { label, element }: Json): void => {
  checkText(complain, `${pointer}/label`, label, LIMITS.sectionText - 1_000);
  const { max_length: max = 0, placeholder } = object(element);
  checkElement(complain, `${pointer}/element`, element);
  atMost(complain, `${pointer}/element/max_length`, Number(max), LIMITS.inputLength);
  if (placeholder !== undefined)
    checkText(complain, `${pointer}/element/placeholder`, placeholder, LIMITS.placeholder);
};

const checkBlock = (complain: Complain, pointer: string, block: Json): void => {
  const { type, text, fields, accessory } = block;
  if (typeof type !== 'string' || !KNOWN.has(type))
    return complain(pointer, `unsupported type: ${String(type)}`);
  atMost(complain, `${pointer}/block_id`, lengthOf(block['block_id']), LIMITS.id);
  switch (type) {
    case 'section':
      if (text === undefined && fields === undefined)
        complain(pointer, 'missing required field: text or fields');
      if (text !== undefined) checkText(complain, `${pointer}/text`, text, LIMITS.sectionText);
      atMost(complain, `${pointer}/fields`, array(fields).length, LIMITS.fields, 'items');
      if (fields !== undefined && array(fields).length === 0)
        complain(`${pointer}/fields`, 'must have more than 0 items');
      for (const [index, field] of array(fields).entries()) {
        checkText(complain, `${pointer}/fields/${index}`, field, LIMITS.fieldText);
      }
      if (accessory !== undefined) checkElement(complain, `${pointer}/accessory`, accessory);
      return;
    case 'header':
      checkText(complain, `${pointer}/text`, text, LIMITS.headerText);
      if (object(text)['type'] !== 'plain_text') complain(`${pointer}/text`, 'must be plain_text');
      return;
    case 'markdown':
      if (lengthOf(text) === 0) complain(`${pointer}/text`, 'must be more than 0 characters');
      return;
    case 'input':
      return checkInput(complain, pointer, block);
    case 'context':
      return checkElements(complain, pointer, block, LIMITS.contextElements);
    case 'actions':
      return checkElements(complain, pointer, block, LIMITS.actionElements);
    case 'context_actions':
      return checkContextActions(complain, pointer, block);
    case 'image':
      if (lengthOf(block['alt_text']) === 0) complain(pointer, 'missing required field: alt_text');
      return atMost(complain, `${pointer}/alt_text`, lengthOf(block['alt_text']), LIMITS.altText);
    case 'table':
    case 'data_table':
      return checkTable(complain, pointer, block['rows']);
    default:
  }
};

const allText = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + allText(inner), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, inner]) =>
      sum + (name === 'text' && typeof inner === 'string' ? inner.length : allText(inner)),
    0,
  );
};

/** Refuses what Slack refuses. Views have more blocks, and fewer kinds of them. */
export const checkBlocks = (blocks: readonly Json[], where: 'message' | 'view' = 'message'): void => {
  const maxBlocks = where === 'view' ? LIMITS.viewBlocks : LIMITS.blocks;
  const problems: string[] = [];
  const complain: Complain = (pointer, problem) => void problems.push(`${problem} [json-pointer:${pointer}]`);
  atMost(complain, '/blocks', blocks.length, maxBlocks, 'items');
  for (const [index, block] of blocks.entries()) {
    const pointer = `/blocks/${index}`;
    if (where === 'view' && !IN_VIEWS.has(String(object(block)['type'])))
      complain(pointer, `unsupported type: ${String(object(block)['type'])}`);
    checkBlock(complain, pointer, object(block));
  }

  const ofType = (type: string): readonly Json[] => blocks.filter((block) => object(block)['type'] === type);
  if (ofType('table').length > 1)
    throw new SlackRefusal('invalid_attachments', { errors: ['only_one_table_allowed'] });
  const ids = blocks.flatMap((block) => object(block)['block_id'] ?? []);
  if (new Set(ids).size < ids.length) complain('/blocks', 'block_id already exists');
  const markdown = ofType('markdown').reduce((sum, { text }) => sum + lengthOf(text), 0);
  if (markdown > LIMITS.markdownText) throw new SlackRefusal('msg_too_long');
  if (problems.length > 0) throw refusalWithReasons('invalid_blocks', ...problems);
  if (where === 'message' && allText(blocks) > LIMITS.allText) throw new SlackRefusal('msg_blocks_too_long');
  if (where === 'view' && JSON.stringify(blocks).length > LIMITS.viewSize)
    throw new SlackRefusal('view_too_large');
};

/** Of all rows of buttons the longest: above five, people see a wall of them. */
export const longestActionRow = (blocks: readonly Json[]): number =>
  Math.max(
    0,
    ...blocks.filter(({ type }) => type === 'actions').map(({ elements }) => array(elements).length),
  );
