import type { SshAddress } from '@/server/instance/schema'

export const makeKeyCommand = 'ssh-keygen -t ed25519 -C "you@example.com"'
export const printKeyCommand = 'cat ~/.ssh/id_ed25519.pub'

/** Signs in and says who one is, without doing anything. */
export const testCommand = ({ user, host, port }: SshAddress): string =>
  `ssh -T ${port === 22 ? '' : `-p ${port} `}${user}@${host}`

/** The address of a repository, with its owner and name to be filled in. */
export const addressPattern = ({ user, host, port }: SshAddress): string =>
  port === 22 ? `${user}@${host}:OWNER/NAME.git` : `ssh://${user}@${host}:${port}/OWNER/NAME.git`
