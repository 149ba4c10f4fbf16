const OWN = /(?:^|\.)(?:slack\.com|slack-edge\.com|slack-files\.com|slack-gov\.com)$/;

/** Whether an address is Slack's, or that of the server that stands in for it: only there the token goes. */
export const slackHosts = (apiUrl: string | undefined): ((url: URL) => boolean) => {
  const standIn = apiUrl !== undefined && URL.canParse(apiUrl) ? new URL(apiUrl).origin : undefined;
  return (url) => url.origin === standIn || (url.protocol === 'https:' && OWN.test(url.hostname));
};
