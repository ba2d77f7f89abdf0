# Builds the program with the Swift runtime inside it, then keeps only what it needs to run.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      librdkafka-dev libnghttp2-dev libssl-dev libyaml-dev libcctz-dev \
      libprotobuf-dev libprotoc-dev libmicrohttpd-dev libcurl4-openssl-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Benchmarks Benchmarks
# The program looks for no library beside itself.
RUN apt-get update \
 && apt-get install -y --no-install-recommends chrpath \
 && rm -rf /var/lib/apt/lists/*
# The commit, which `apns-bridge version` prints: there is no git here.
ARG REVISION=unknown
RUN printf 'const char apns_bridge_revision[] = "%s";\n' "$REVISION" \
      | clang -x c -c -o /tmp/revision.o - \
 && swift build -c release --static-swift-stdlib --product apns-bridge -Xlinker /tmp/revision.o \
 && chrpath --delete .build/release/apns-bridge \
 && install -D .build/release/apns-bridge /out/apns-bridge

# Newer libraries than the program is built with: with librdkafka 2.8, SCRAM works with Kafka 4.
FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      librdkafka1 libnghttp2-14 libssl3t64 libyaml-0-2 libmicrohttpd12t64 libcurl4t64 libcctz2.4 \
      libprotobuf32t64 tzdata ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --system --gid 10001 apns-bridge \
 && useradd --system --uid 10001 --gid apns-bridge --no-create-home --shell /usr/sbin/nologin apns-bridge \
 && install -d -o apns-bridge -g apns-bridge -m 0700 /var/lib/apns-bridge/simulator
COPY --from=build /out/apns-bridge /usr/local/bin/apns-bridge
# The numbers, so that a cluster can see that this is not root.
USER 10001:10001
WORKDIR /etc/apns-bridge
ENTRYPOINT ["apns-bridge"]
CMD ["run", "/etc/apns-bridge/connectors"]
