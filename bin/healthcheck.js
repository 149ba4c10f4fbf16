// Ends with 0 if the bot of this container answers. A platform that is down is told by /readyz, and no reason for a restart.
// Plain JavaScript without dependencies.
const port = process.env.FINCLAW_HTTP_PORT;

try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
