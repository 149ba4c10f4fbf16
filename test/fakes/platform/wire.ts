import type { Socket } from 'node:net';

/** An event as the platform tells it; unlike what it is about, it may come more than once. */
export type WireEvent =
  | {
      readonly op: 'message';
      readonly event: string;
      readonly message: string;
      readonly chat: string;
      readonly isGroup: boolean;
      readonly sender: string;
      readonly body: string;
      readonly at: string;
    }
  | {
      readonly op: 'change';
      readonly event: string;
      readonly message: string;
      readonly chat: string;
      readonly body?: string;
    };

export type FromPlatform =
  | WireEvent
  | { readonly op: 'result'; readonly call: number; readonly id: string }
  | { readonly op: 'ping' };

export type WireCall =
  | {
      readonly op: 'post';
      readonly nonce: string;
      readonly chat: string;
      readonly replyTo: string;
      readonly text: string;
    }
  | { readonly op: 'react' | 'unreact'; readonly message: string; readonly emoji: string }
  | { readonly op: 'typing'; readonly chat: string };

export type FromBot =
  | { readonly op: 'hello' | 'pong' }
  | { readonly op: 'ack'; readonly event: string; readonly outcome: string; readonly reason?: string }
  | { readonly op: 'not-taken'; readonly event: string; readonly error: string }
  | { readonly op: 'call'; readonly call: number; readonly what: WireCall };

/** One message a line. What a process wrote before it was killed still arrives; half a line does not. */
export const readLines = <Message>(socket: Socket, onMessage: (message: Message) => void): void => {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onMessage(JSON.parse(line) as Message);
  });
};

export const writeLine = (socket: Socket, message: FromPlatform | FromBot): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};
