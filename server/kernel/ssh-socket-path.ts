import { resolve } from 'node:path'

/**
 * Returns the path of the Unix socket on which this process accepts connections from commands that OpenSSH
 * runs: in the data directory if the setting is `on`, the setting itself if it is a path, and undefined if it
 * is `off`.
 */
export function sshSocketPath(setting: string, dataDir: string): string | undefined {
  if (setting === 'off') return undefined
  // Without this comment, Next's bundler would include the whole project.
  return setting === 'on'
    ? resolve(/*turbopackIgnore: true*/ dataDir, 'ssh.sock')
    : resolve(/*turbopackIgnore: true*/ setting)
}
