# FinClaw brings its own Node 26 as a package for the platform that the image is built for. npm is only needed to install.
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY bin ./bin
COPY scripts/link-node.js scripts/prune-modules.js ./scripts/
RUN npm ci --omit=dev
# Types, maps, headers and the parts of packages that nothing loads: more than a third of the files' size.
RUN node scripts/prune-modules.js
COPY . .
# What /status, /healthz and `finclaw --version` tell. Both are those of the commit; docs/install.md has the command.
ARG COMMIT
ARG BUILD_DATE
RUN npm pkg set build.commit="${COMMIT:-unknown}" build.date="${BUILD_DATE:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}"
RUN mkdir -p /data/backups /cache

FROM debian:trixie-slim
LABEL org.opencontainers.image.title="FinClaw" \
      org.opencontainers.image.description="A financial chat bot for Discord, Slack and the terminal" \
      org.opencontainers.image.licenses="MIT"
# The only library that Node needs and Debian's slim image lacks.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app ./
COPY --from=build --chown=1000:1000 /data /data
COPY --from=build --chown=1000:1000 /cache /cache
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production NODE_COMPILE_CACHE=/cache FINCLAW_DATA_DIR=/data FINCLAW_HTTP_PORT=8080
USER 1000:1000
# Keeps what Node compiles, so that a start on a read-only file system takes no longer; and shows that it starts.
RUN echo '/price AAPL' | FINCLAW_MARKET=sample FINCLAW_DATA_DIR=/tmp/first-start node bin/finclaw.js && rm -r /tmp/first-start
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "bin/healthcheck.js"]
CMD ["node", "bin/finclaw.js"]
