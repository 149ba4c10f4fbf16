import { ComponentType, TextInputStyle } from 'discord.js';
import type { Form } from '#src/kernel/chat/command.ts';
import { cut } from '#src/kernel/text.ts';

const MAX_TITLE = 45;
const MAX_LABEL = 45;
const MAX_FIELDS = 5;
const MAX_LENGTH = 4_000;

export const toModal = ({ id, title, fields }: Form): unknown => ({
  custom_id: id,
  title: cut(title, MAX_TITLE),
  components: fields.slice(0, MAX_FIELDS).map((field) => ({
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.TextInput,
        style: TextInputStyle.Short,
        custom_id: field.id,
        label: cut(field.label, MAX_LABEL),
        required: field.isRequired,
        max_length: Math.min(field.maxLength, MAX_LENGTH),
      },
    ],
  })),
});

/** The values of a submitted form by field id, however deep Discord nests the fields. */
export const fieldsOf = (filled: unknown): Readonly<Record<string, string>> => {
  if (Array.isArray(filled)) return Object.assign({}, ...filled.map(fieldsOf));
  if (typeof filled !== 'object' || filled === null) return {};
  if ('custom_id' in filled && 'value' in filled && typeof filled.value === 'string')
    return { [String(filled.custom_id)]: filled.value };
  return {
    ...('components' in filled ? fieldsOf(filled.components) : {}),
    ...('component' in filled ? fieldsOf(filled.component) : {}),
  };
};
