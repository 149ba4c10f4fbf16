import type { RESTOptions } from 'discord.js';

/** Node's own way to ask: the library's cannot send files once a newer version of it is in the process, as with Slack's. */
export const nodeFetch: RESTOptions['makeRequest'] = (url, init) =>
  fetch(url, init as unknown as RequestInit);
