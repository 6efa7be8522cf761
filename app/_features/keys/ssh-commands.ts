import type { SshAddress } from '@/server/instance/schema'

export const makeKeyCommand = 'ssh-keygen -t ed25519 -C "you@example.com"'
export const printKeyCommand = 'cat ~/.ssh/id_ed25519.pub'

/**
 * Returns a command that tests an SSH key: the server replies with the account's name and closes the
 * connection.
 */
export const testCommand = ({ user, host, port }: SshAddress): string =>
  `ssh -T ${port === 22 ? '' : `-p ${port} `}${user}@${host}`

/** Returns the SSH clone URL of repositories, with OWNER and NAME as placeholders. */
export const addressPattern = ({ user, host, port }: SshAddress): string =>
  port === 22 ? `${user}@${host}:OWNER/NAME.git` : `ssh://${user}@${host}:${port}/OWNER/NAME.git`
