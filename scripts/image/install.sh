#!/bin/sh
# Installs what the product starts, and creates its user and the data directory.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends ca-certificates git openssh-client tini
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log "$0"
groupadd --gid 10001 guildhall
useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin guildhall
install -d -o guildhall -g guildhall -m 0700 /data
ln -s /app/scripts/image/guildhall /usr/local/bin/guildhall
