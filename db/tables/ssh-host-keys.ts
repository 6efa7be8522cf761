import type { Generated } from 'kysely'

export interface SshHostKeysTable {
  /** As in the key itself, such as `ssh-ed25519`. */
  algorithm: string
  /** One line in OpenSSH's format. */
  public_key: string
  /** In OpenSSH's format, sealed with the key of the instance. */
  sealed_private_key: Buffer
  created_at: Generated<Date>
}
