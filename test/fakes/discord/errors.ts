import type { Wire } from './wire.ts';

/** A refusal as Discord words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: number;
  readonly errors: Wire | undefined;

  constructor(status: number, code: number, message: string, errors?: Wire) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

const REFUSALS = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownChannel: [404, 10_003, 'Unknown Channel'],
  unknownGuild: [404, 10_004, 'Unknown Guild'],
  unknownMember: [404, 10_007, 'Unknown Member'],
  unknownMessage: [404, 10_008, 'Unknown Message'],
  unknownUser: [404, 10_013, 'Unknown User'],
  unknownEmoji: [400, 10_014, 'Unknown Emoji'],
  unknownWebhook: [404, 10_015, 'Unknown Webhook'],
  unknownInteraction: [404, 10_062, 'Unknown interaction'],
  tooManyReactions: [400, 30_010, 'Maximum number of reactions reached (20)'],
  tooLarge: [413, 40_005, 'Request entity too large'],
  alreadyAcknowledged: [400, 40_060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50_001, 'Missing Access'],
  othersMessage: [403, 50_005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50_006, 'Cannot send an empty message'],
  refusesDirect: [403, 50_007, 'Cannot send messages to this user'],
  notText: [400, 50_008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50_013, 'Missing Permissions'],
  invalidWebhookToken: [401, 50_027, 'Invalid Webhook Token'],
  archivedThread: [400, 50_083, 'Thread is archived'],
  cannotReply: [403, 160_002, 'Cannot reply without permission to read message history'],
  lockedThread: [403, 160_005, 'Thread is locked'],
  invalidJson: [400, 50_109, 'The request body contains invalid JSON.'],
} as const satisfies Record<string, readonly [number, number, string]>;

export const refusal = (kind: keyof typeof REFUSALS): ApiError => {
  const [status, code, message] = REFUSALS[kind];
  return new ApiError(status, code, message);
};

/** `path`: where in the body, `embeds.0.title`. */
export const invalid = (path: string, code: string, message: string): ApiError => {
  const leaf: Wire = { _errors: [{ code, message }] };
  const errors = path
    .split('.')
    .filter((key) => key !== '')
    .toReversed()
    .reduce<Wire>((inner, key) => ({ [key]: inner }), leaf);
  return new ApiError(400, 50_035, 'Invalid Form Body', errors);
};

export const checkLength = (value: unknown, path: string, max: number, min = 0): void => {
  if (value === undefined || value === null) {
    if (min > 0) throw invalid(path, 'BASE_TYPE_REQUIRED', 'This field is required');
    return;
  }
  if (typeof value !== 'string')
    throw invalid(path, 'STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`);
  if (value.length > max) throw invalid(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`);
  if (value.length < min) throw invalid(path, 'BASE_TYPE_MIN_LENGTH', `Must be ${min} or more in length.`);
};

export const checkCount = (values: readonly unknown[], path: string, max: number, min = 0): void => {
  if (values.length > max || values.length < min)
    throw invalid(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
};
