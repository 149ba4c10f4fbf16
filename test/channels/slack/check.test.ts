import { createServer } from 'node:http';
import { createServer as createNetServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSlack } from '#channels/slack/check.ts';
import { freePort } from '#test/support/database.ts';

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
};

const textsOf = async (apiUrl: string): Promise<readonly string[]> => {
  const findings = await checkSlack({ botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl });
  return findings.map(({ text }) => text);
};

const VARIABLES = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'];

describe('the check of Slack says in one sentence', () => {
  it('that nobody listens, with the reason of the network', async () => {
    const port = await freePort();
    expect(await textsOf(`http://127.0.0.1:${port}/api/`)).toEqual(
      VARIABLES.map(
        (name) =>
          `Slack cannot be asked about ${name} just now: connect ECONNREFUSED 127.0.0.1:${port}. Check the network and try again.`,
      ),
    );
  });

  it('that a connection was cut', async () => {
    const url = await listening(createNetServer((socket) => socket.destroy()));
    for (const [index, text] of (await textsOf(url)).entries()) {
      expect(text).toMatch(
        new RegExp(
          `^Slack cannot be asked about ${VARIABLES[index]} just now: [^:]+\\. Check the network and try again\\.$`,
        ),
      );
      expect(text).not.toMatch(/fetch failed|request error|for Slack/);
    }
  });

  it.each([
    [500, 'Slack answered METHOD with 500. Check the network and try again.'],
    [429, 'Slack limits METHOD. Try again in a minute.'],
  ])('what an answer of %i was to', async (status, said) => {
    const url = await listening(
      createServer((_request, response) => void response.writeHead(status, { 'retry-after': '1' }).end()),
    );
    expect(await textsOf(url)).toEqual(
      ['auth.test', 'apps.connections.open'].map(
        (method, index) =>
          `Slack cannot be asked about ${VARIABLES[index]} just now: ${said.replace('METHOD', method)}`,
      ),
    );
  });
});
