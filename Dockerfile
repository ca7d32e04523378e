# remit in a container: `docker build --tag remit .`; docs/container.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /tmp

FROM node:24-bookworm-slim
COPY --from=build /tmp/remit-books-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/remit-books-*.tgz && rm -rf /tmp/remit-books-*.tgz /root/.npm \
  && useradd --create-home --uid 10001 remit && install --directory --owner=remit --group=remit --mode=0700 /books
USER remit
ENV REMIT_HOME=/books
WORKDIR /books
VOLUME /books
# Settings, key, connection, clock, disk and ledger. Every quarter of an hour: it asks the courier for its profile.
HEALTHCHECK --interval=15m --timeout=60s --start-period=1m CMD ["remit", "doctor", "--quiet"]
ENTRYPOINT ["remit"]
CMD ["--help"]
