import { resolve } from 'node:path'

/**
 * Returns the path of the socket on which the process listens for the commands that OpenSSH runs: in the data
 * directory for `on`, the setting itself for a path, and undefined for `off`.
 */
export function sshSocketPath(setting: string, dataDir: string): string | undefined {
  if (setting === 'off') return undefined
  // Without this comment, Next's bundler would include the whole project.
  return setting === 'on'
    ? resolve(/*turbopackIgnore: true*/ dataDir, 'ssh.sock')
    : resolve(/*turbopackIgnore: true*/ setting)
}
