import type { PersonRef, SessionKey } from '../ids.ts';
import type { ToolDefinition } from './tool.ts';

/** A picture, and the form that a model fills in with what it sees. */
export interface PictureTask {
  readonly picture: { readonly mimeType: string; readonly base64: string };
  readonly instruction: string;
  /** The model's only tool: its arguments are the filled-in form. */
  readonly form: ToolDefinition;
  /** Their budget pays for the request. */
  readonly person: PersonRef;
  /** Its model is asked, if it sees pictures. */
  readonly sessionKey: SessionKey;
}

export type PictureRead =
  /** As the model wrote it: unchecked. */
  | { readonly status: 'read'; readonly form: unknown }
  /** `no-model`: no key is set. `no-vision`: no model here sees pictures. `unread`: the model filled in nothing. */
  | { readonly status: 'no-model' | 'no-vision' | 'unread' };

/**
 * Port: one request to a model about a picture, outside of any conversation. Nothing of it is stored except its cost.
 * Throws `NoAnswerError` over budget and when no model answers, the signal's reason on abort.
 */
export type ReadPicture = (task: PictureTask, signal: AbortSignal) => Promise<PictureRead>;
