import type { Core } from './core.ts';
import { SlackRefusal } from './errors.ts';
import { secretOf } from './world.ts';

/** A file between the request for its address and its completion. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  readonly altText: string | undefined;
  content: Uint8Array | undefined;
}

/** Files on their way in. */
export class Uploads {
  readonly #core: Core;
  readonly #byId = new Map<string, Upload>();
  readonly #bySecret = new Map<string, Upload>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The address to send the bytes to. */
  begin(upload: Omit<Upload, 'id' | 'content'>): { readonly id: string; readonly url: string } {
    const id = this.#core.world.newId('F');
    const secret = secretOf('upload', id);
    const begun: Upload = { ...upload, id, content: undefined };
    this.#byId.set(id, begun);
    this.#bySecret.set(secret, begun);
    return { id, url: `${this.#core.url}/upload/${secret}` };
  }

  /** Undefined where there is no such address. */
  receive(secret: string, content: Uint8Array): Upload | undefined {
    const upload = this.#bySecret.get(secret);
    if (!upload) return undefined;
    if (content.byteLength !== upload.length) throw new SlackRefusal('file_upload_size_mismatch');
    upload.content = content;
    return upload;
  }

  /** Takes it out: a file is completed once. */
  complete(id: string): Upload & { readonly content: Uint8Array } {
    const upload = this.#byId.get(id);
    if (!upload) throw new SlackRefusal('file_not_found');
    const { content } = upload;
    if (!content) throw new SlackRefusal('file_not_uploaded');
    this.#byId.delete(id);
    return { ...upload, content };
  }
}
