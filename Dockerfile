# A slim image of the current LTS of Node.js, based on Debian.
ARG NODE_IMAGE=docker.io/library/node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN sh scripts/image/build.sh /app

FROM ${NODE_IMAGE}
COPY scripts/image/install.sh /tmp/install.sh
RUN sh /tmp/install.sh
COPY --from=build /app /app
WORKDIR /app
# The group and user IDs of `guildhall`, as numbers so that an orchestrator can see that they are not root.
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 GUILDHALL_DATA_DIR=/data
VOLUME /data
EXPOSE 3000 2222
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["guildhall", "healthy"]
ENTRYPOINT ["/usr/bin/tini", "--", "guildhall"]
