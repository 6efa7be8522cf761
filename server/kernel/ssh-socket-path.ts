import { resolve } from 'node:path'

/** Where the process listens for the commands that OpenSSH runs: in the data directory unless a path is given; undefined for `off`. */
export function sshSocketPath(setting: string, dataDir: string): string | undefined {
  if (setting === 'off') return undefined
  // Next's bundler would take the whole project for what lies there.
  return setting === 'on'
    ? resolve(/*turbopackIgnore: true*/ dataDir, 'ssh.sock')
    : resolve(/*turbopackIgnore: true*/ setting)
}
