# FinClaw brings its own Node 26 as a package; the base image needs npm and any Node from 20 on.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN npm install --omit=dev
COPY . .
# People's files and the compile cache are the only things that are written.
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
USER node
ENV FINCLAW_DATA_DIR=/data NODE_ENV=production
VOLUME /data
CMD ["npm", "start", "--silent"]
